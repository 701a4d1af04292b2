"""Tree search for Mandala from what one seat knows: single-observer information-set Monte Carlo tree search (Cowling et al. 2012).

One tree; in every iteration the hidden cards are dealt anew, at random, to where the seat cannot see: the other's hand, its two dealt cup
cards, the deck. What was claimed is remembered; where a view does not tell it (one without ``recall``), claimed cards are dealt, too, of
the colours in that river. Actions that are legal in this deal are chosen by how good they were and how seldom they were tried when they
could have been (``available``); cards drawn on the way are drawn at random and not remembered in the tree. At the end of the path one
node is added and the position there is evaluated (``evaluate``). Plain Python that Cython compiles (C types stand in
``mandala_search.pxd``); compiled, the loop does not hold the interpreter lock.

What a running game is worth say random play to its end, weighed sums (``mandala_leaf``) or a learned network (``mandala_net``): functions
of the kernel's state that hold what they need themselves (weights, scratch room) and do without the interpreter lock.

Same view, seed and number of iterations: same result, compiled or not. A budget in milliseconds ends it between two iterations.
"""

from __future__ import annotations

import math
import operator
import threading
import time
from collections.abc import Sequence
from typing import Any

import cython

from sandriver.bots import mandala_choice, mandala_leaf, mandala_net
from sandriver.bots.search import NET, ROLLOUT, SUMS, SearchResult, check_budget, check_ways, slice_seconds
from sandriver.games import kernels
from sandriver.games.mandala import kernel as used_kernel
from sandriver.games.mandala.actions import ACTIONS
from sandriver.games.mandala.notation import parse_line
from sandriver.games.mandala.options import Options

if not cython.compiled:  # compiled, these are C constants, functions and types that mandala_search.pxd defines
    _kernel: Any = kernels.interpreted(used_kernel.__name__) if kernels.is_compiled(used_kernel) else used_kernel
    HAND, DEALT, CLAIMED, DECK, PILE, RIVER, PLACES = 6, 8, 10, 12, 13, 14, 16
    ONE, ONES, HIGHS, SET, WORD = _kernel.ONE, _kernel.ONES, _kernel.HIGHS, _kernel.SET, _kernel.WORD
    State, present, total = _kernel.State, _kernel.present, _kernel.total
    from_index, to_index = _kernel.from_index, _kernel.to_index
    MOST_NODES, MOST_DEPTH, LOGS = 2_097_152, 127, 4096
    EVERY = 1  # iterations between two looks at the clock
    check_signals = int  # Python looks at signals by itself
    Leaf = (kernels.interpreted(mandala_leaf.__name__) if kernels.is_compiled(mandala_leaf) else mandala_leaf).Leaf
    Net = (kernels.interpreted(mandala_net.__name__) if kernels.is_compiled(mandala_net) else mandala_net).Net
    Choice = (kernels.interpreted(mandala_choice.__name__) if kernels.is_compiled(mandala_choice) else mandala_choice).Choice
    log, sqrt, perf_counter = math.log, math.sqrt, time.perf_counter

    class _Node:
        """One action from its parent's position: how often it was tried, how often it was legal then, what its seat got from it, and its
        chance to be chosen when it came into the tree (-1: nobody was asked)."""

        __slots__ = ("available", "chance", "child", "count", "index", "move", "next", "shift", "total", "visits")

    def enlarged(nodes: Any, wanted: int) -> Any:
        """Room for so many nodes, those that there are included."""
        return nodes + [_Node() for _ in range(wanted - len(nodes))]

    def released(nodes: Any) -> None:
        """Nothing needs to be given back here."""


class Search:
    """A search, with its tree. For one thread at a time; ``cancel`` may be called from any other."""

    def __init__(
        self, *, exploration: float = 0.7, margin: float = 0.0, leaf: str = ROLLOUT, weights: Sequence[float] | None = None,
        widening: float = 0.0, candidates: int = 1, plies: int = 0, choice: float = 0.0, options: Options | None = None,
    ) -> None:  # fmt: skip
        """``exploration``: the constant of UCB1 (values are 0..1). ``leaf``: how a position is evaluated at the end of a path: ``ROLLOUT``
        (random play to the end), ``SUMS`` (``mandala_leaf``) or ``NET`` (``mandala_net``), the last two by ``weights`` of one's own, if any
        are given. ``margin``: of the value of a game that is over, the part that is not who won but by how much. ``widening``: a position
        visited n times has at most ``widening * sqrt(n + 1)`` actions in the tree (0: all). ``candidates``: of so many random new actions
        the one that ``mandala_leaf`` likes best comes into the tree; ``plies`` actions are played on in the same way before one
        is evaluated. ``choice``: with ``NET``, if above 0, ``mandala_choice`` says which turn comes into the tree, and this times its
        chance takes the place of ``exploration``, as in PUCT. ``options``: those that are played by; if none are named, those of the view,
        as far as it tells them."""
        if not cython.compiled:
            self.nodes: Any = []
            self.logs, self.base, self.have = [0.0] * LOGS, [0] * PLACES, [0] * 6
            self.path, self.seats, self.marks = [0] * (MOST_DEPTH + 1), [0] * (MOST_DEPTH + 1), [0] * 256
            self.stamp = self.used = self.room = self.unseen = self.cancelled = self.done = 0
        self.state, self.trial = State(0, 0), State(0, 0)
        check_ways(exploration=exploration, widening=widening, candidates=candidates, margin=margin, plies=plies, choice=choice)
        self.lock = threading.Lock()
        self.options = options
        self.exploration, self.margin = exploration, margin
        self.widening, self.candidates = widening, candidates
        self.plies = plies
        if leaf not in (ROLLOUT, SUMS, NET):
            raise ValueError(f"a search knows the leaves {ROLLOUT}, {SUMS} and {NET}, not {leaf!r}")
        self.rollouts, self.learned = leaf == ROLLOUT, leaf == NET
        self.leaf = Leaf(mandala_leaf.WEIGHTS if weights is None or leaf == NET else weights)
        numbers = mandala_net.packed() if weights is None else weights
        self.net: Any = Net(numbers) if leaf == NET else None
        self.choice: Any = Choice(numbers) if leaf == NET and choice > 0.0 else None
        self.choosing, self.trust = self.choice is not None, choice
        for i in range(1, LOGS):
            self.logs[i] = log(i)

    def __dealloc__(self) -> None:
        """Compiled: give back the nodes."""
        if cython.compiled:
            released(self.nodes)

    # --- asking from outside ----------------------------------------------------------------------

    def run(self, view: Any, *, iterations: int | None = None, milliseconds: float | None = None, seed: int = 0) -> SearchResult:
        """Search from the view of the seat that is to move until a budget is spent (at least one iteration) or ``cancel`` was called.

        In the main thread it hears signals: what a handler raises (``KeyboardInterrupt``) ends it. Raises ``ValueError`` for budgets that
        are none and for a view in which its viewer has nothing to choose, ``RuntimeError`` while it is running already.
        """
        if not self.lock.acquire(blocking=False):
            raise RuntimeError("this search is running already; a search is for one thread at a time")
        try:
            return self.searched(view, iterations, milliseconds, seed)
        finally:
            self.lock.release()

    def searched(self, view: Any, iterations: int | None, milliseconds: float | None, seed: int) -> SearchResult:
        """Search, while nobody else does."""
        check_ways(exploration=self.exploration, widening=self.widening, candidates=self.candidates, margin=self.margin, plies=self.plies)
        self.most, self.seconds = check_budget(iterations, milliseconds)
        self.read(view)
        return self.result(view, self.explore(seed))

    def explore(self, seed: int) -> float:
        """Search from what was read until the budget is spent; returns the milliseconds that it took."""
        seed = operator.index(seed)
        self.leaf.late = 0.0  # nothing of an earlier search is left
        if self.learned:
            self.net.leaf.late = 0.0
        self.state.reseed(seed & WORD)
        self.trial.reseed(~seed & WORD)
        self.stamp = self.used = self.done = self.depth = 0
        for i in range(256):
            self.marks[i] = 0
        if not self.grow():
            raise MemoryError("there is no memory for a search")
        self.add(-1, ONE)
        stretch = slice_seconds()
        began = perf_counter()
        self.until = began + self.seconds if self.seconds > 0.0 else math.inf
        self.finished = False
        try:
            while not self.finished:
                self.pause = perf_counter() + stretch
                with cython.nogil:
                    self.finished = self.think()
                check_signals()
        finally:
            self.cancelled = 0
        return 1000 * (perf_counter() - began)

    def examine(self, state: Any, iterations: int, seed: int) -> tuple[int, float]:
        """Search from what the seat to move of a kernel's state knows; for who plays whole games without views, one thread at a time.

        Returns the index of the action searched most, and its value for that seat. Raises ``ValueError`` for a game that is over and for a
        number of iterations that is none.
        """
        if state.mover < 0:
            raise ValueError("a search needs somebody to move")
        self.most, self.seconds = check_budget(iterations, None)
        self.read_state(state)
        self.explore(seed)
        best = child = self.nodes[0].child
        while child:
            if self.nodes[child].visits > self.nodes[best].visits:
                best = child
            child = self.nodes[child].next
        return self.nodes[best].index, self.nodes[best].total / self.nodes[best].visits

    def tried(self) -> list[tuple[int, int]]:
        """The index of each action that the last search tried at first, and how often."""
        found = []
        child = self.nodes[0].child
        while child:
            found.append((self.nodes[child].index, self.nodes[child].visits))
            child = self.nodes[child].next
        return found

    def cancel(self) -> None:
        """Let the search that runs, or else the next one, end after its current iteration."""
        self.cancelled = 1

    def read(self, view: Any) -> None:
        """Take over what the view says."""
        if view.viewer is None or view.to_move != view.viewer:
            raise ValueError("a search needs the view of the seat that is to move")
        found, hidden = parse_line(view.notation, self.options or Options())
        for place in range(PLACES):
            self.base[place] = 0 if place in hidden else found.get(place)
        self.seat = view.viewer
        other = 1 - self.seat
        if HAND + self.seat in hidden or DEALT + self.seat in hidden or CLAIMED + self.seat in hidden:
            raise ValueError("a search needs the view of the seat that is to move")
        self.hidden_hand = hidden.get(HAND + other, 0)
        self.hidden_dealt = hidden.get(DEALT + other, 0)
        self.hidden_claimed = hidden.get(CLAIMED + other, 0)
        self.mover, self.claim, self.completer = found.mover, found.claim, found.completer
        self.last, self.redraws = found.last, found.redraws
        unseen = 18 * ONES - present(self.base[RIVER]) - present(self.base[RIVER + 1])
        for place in range(RIVER):
            if place != DECK:
                unseen -= self.base[place]
        self.unseen = unseen
        if self.options is not None:
            self.state.lazy = int(self.options.exhaustion == "lazy")
        else:  # a view does not say which rule of exhaustion holds; an empty deck with a pile and no last mandala can only be lazy
            self.state.lazy = int(view.deck == 0 and not view.last_mandala and found.get(PILE) > 0)
        self.state.limit = view.stall_limit

    def read_state(self, state: Any) -> None:
        """Take over what the seat to move knows of a state, claims included."""
        for i in range(PLACES):
            self.base[i] = state.cards[i]
        self.seat = state.mover
        other = 1 - self.seat
        self.hidden_hand = total(self.base[HAND + other])
        self.hidden_dealt = total(self.base[DEALT + other])
        self.hidden_claimed = 0
        self.unseen = self.base[HAND + other] + self.base[DEALT + other] + self.base[DECK]
        self.base[HAND + other] = self.base[DEALT + other] = self.base[DECK] = 0
        self.mover, self.claim, self.completer = state.mover, state.claim, state.completer
        self.last, self.redraws = state.last, state.redraws
        self.state.lazy, self.state.limit = state.lazy, state.limit

    def result(self, view: Any, milliseconds: float) -> SearchResult:
        """The tree's first level in notation."""
        visits, values = dict.fromkeys(view.legal, 0), dict[str, float]()
        child = self.nodes[0].child
        while child:
            text = ACTIONS[self.nodes[child].index].text
            visits[text] = self.nodes[child].visits
            values[text] = self.nodes[child].total / self.nodes[child].visits
            child = self.nodes[child].next
        action = max(visits, key=lambda text: (visits[text], values.get(text, 0.0)))
        return SearchResult(action, values[action], visits, values, self.done, milliseconds, self.used, self.depth)

    # --- the hidden cards -------------------------------------------------------------------------

    def reset_to_known(self) -> None:
        """Set the state to what is known."""
        for i in range(PLACES):
            self.state.cards[i] = self.base[i]
        self.state.mover, self.state.claim, self.state.completer = self.mover, self.claim, self.completer
        self.state.last, self.state.redraws, self.state.over = self.last, self.redraws, 0

    def sample(self, pool: int, n: int) -> int:
        """``n`` cards drawn at random from a set."""
        sums = pool * ONES
        left = total(pool)
        got: int = ONE * 0
        while n > 0:
            above = (((sums | HIGHS) - (self.state.rand(left) + 1) * ONES) & HIGHS) >> 7  # as in the kernel's draw
            sums -= above
            got += above & -above
            left -= 1
            n -= 1
        return got

    def determinise(self) -> None:
        """Set the state to what is known, with everything else dealt at random."""
        self.reset_to_known()
        other = 1 - self.seat
        left = self.unseen
        if self.hidden_claimed:
            got = self.sample(left & (present(self.state.cards[RIVER + other]) * 255), self.hidden_claimed)
            self.state.cards[CLAIMED + other] = got
            left -= got
        got = self.sample(left, self.hidden_hand)
        self.state.cards[HAND + other] = got
        left -= got
        got = self.sample(left, self.hidden_dealt)
        self.state.cards[DEALT + other] = got
        self.state.cards[DECK] = left - got

    # --- the tree ---------------------------------------------------------------------------------

    def log_of(self, n: int) -> float:
        """The natural logarithm of a count; of large ones nearly."""
        if n < LOGS:
            return self.logs[n]
        if n < 64 * LOGS:
            return self.logs[n >> 6] + 4.1588830833596715
        return self.logs[n >> 12 if n >> 12 < LOGS else LOGS - 1] + 8.317766166719343

    def grow(self) -> bool:
        """See to it that there is room for another node; False: there is none."""
        if self.used < self.room:
            return True
        wanted = 2 * self.room if self.room else 64
        if wanted > MOST_NODES:
            return False
        nodes = enlarged(self.nodes, wanted)
        if not nodes:
            return False
        self.nodes = nodes
        self.room = wanted
        return True

    def add(self, parent: int, word: int) -> int:
        """Add a node for an action (room was made), before its sisters; -1: it is the root."""
        node = self.used
        self.used = node + 1
        nodes = self.nodes
        nodes[node].total = 0.0
        nodes[node].chance = -1.0
        nodes[node].visits = nodes[node].available = nodes[node].child = nodes[node].next = 0
        if parent < 0:
            return node
        nodes[node].available = 1
        nodes[node].index = to_index(word)
        nodes[node].move = word >> 48
        nodes[node].shift = 0
        word &= SET
        while word > 255:
            word >>= 8
            nodes[node].shift += 8
        nodes[node].count = word
        nodes[node].next = nodes[parent].child
        nodes[parent].child = node
        return node

    def look(self) -> int:
        """Count the legal actions and lay out how many there are of each kind, by colour, as ``Node.move`` numbers kinds."""
        legal: int = self.state.scan()
        choices = self.state.choices
        have = self.have
        if self.state.claim >= 0:
            have[0] = have[1] = have[2] = have[3] = have[4] = 0
            have[5] = choices[4]
            return legal
        have[0] = choices[0]
        have[1] = choices[1]
        have[2] = choices[2]
        have[3] = choices[3]
        have[4] = self.state.cards[HAND + self.state.mover]
        have[5] = 0
        return legal

    def select(self, node: int, legal: int) -> int:
        """The child to go on with; 0: a legal action that has no node yet is to be tried, for which there is room (if any
        action has a node). All that are legal now count as available."""
        nodes = self.nodes
        have = self.have
        self.stamp += 1
        best = found = 0
        most = 0.0
        child = nodes[node].child
        while child:
            if ((have[nodes[child].move] >> nodes[child].shift) & 255) >= nodes[child].count:
                found += 1
                nodes[child].available += 1
                self.marks[nodes[child].index] = self.stamp
                value = nodes[child].total / nodes[child].visits
                if nodes[child].chance < 0.0:
                    value += self.exploration * sqrt(self.log_of(nodes[child].available) / nodes[child].visits)
                else:
                    value += self.trust * nodes[child].chance * sqrt(nodes[child].available) / (1.0 + nodes[child].visits)
                if best == 0 or value > most:
                    most = value
                    best = child
            child = nodes[child].next
        if best == 0:
            return 0
        if found < legal and (self.widening <= 0.0 or found < self.widening * sqrt(nodes[node].visits + 1.0)) and self.grow():
            return 0
        return best

    def untried(self, legal: int) -> int:
        """The word of a random legal action without a node."""
        word: int = self.state.pick(self.state.rand(legal))
        while self.marks[to_index(word)] == self.stamp:
            word = self.state.pick(self.state.rand(legal))
        return word

    def best_untried(self, legal: int, candidates: int) -> int:
        """Of some random legal actions without a node the one after which its seat stands best."""
        best = self.untried(legal)
        most = self.worth_after(best)
        while candidates > 1:
            candidates -= 1
            word: int = self.state.pick(self.state.rand(legal))
            if self.marks[to_index(word)] != self.stamp and word != best:
                worth = self.worth_after(word)
                if worth > most:
                    most = worth
                    best = word
        return best

    def likeliest(self) -> int:
        """Where, among the legal turns that ``choice`` lays out, the likeliest stands that has no node."""
        self.choice.judge(self.net, self.state)
        best = -1
        for i in range(self.choice.count):
            if self.marks[self.choice.legal[i]] != self.stamp and (best < 0 or self.choice.chances[i] > self.choice.chances[best]):
                best = i
        return best

    def worth_after(self, word: int) -> float:
        """What the state is worth to the seat to move after an action, with random cards: other ones for each action that is looked at, and
        not those that will be drawn, or the action that they suit would be taken for good."""
        for i in range(PLACES):
            self.trial.cards[i] = self.state.cards[i]
        self.trial.mover, self.trial.claim, self.trial.completer = self.state.mover, self.state.claim, self.state.completer
        self.trial.last, self.trial.redraws, self.trial.over = self.state.last, self.state.redraws, 0
        self.trial.lazy, self.trial.limit = self.state.lazy, self.state.limit
        self.trial.act(word)
        if self.trial.owed:
            self.trial.draw()
        value: float = self.leaf.value(self.trial)
        return 1.0 - value if self.state.mover else value

    def iterate(self) -> None:
        """Deal, go down the tree, add a node, evaluate, and tell all nodes on the way."""
        self.determinise()
        node = depth = 0
        while self.state.over == 0 and depth < MOST_DEPTH:
            legal = self.look()
            child = self.select(node, legal)
            self.seats[depth] = self.state.mover
            if child:
                word = (ONE * self.nodes[child].count << self.nodes[child].shift) | (ONE * self.nodes[child].move << 48)
            elif self.grow():
                if self.choosing and self.state.claim < 0:
                    at = self.likeliest()
                    word = from_index(self.choice.legal[at])
                    child = self.add(node, word)
                    self.nodes[child].chance = self.choice.chances[at]
                else:
                    word = self.untried(legal) if self.candidates <= 1 else self.best_untried(legal, self.candidates)
                    child = self.add(node, word)
            else:
                break
            self.state.act(word)
            if self.state.owed:
                self.state.draw()
            self.path[depth] = node = child
            depth += 1
            if self.nodes[node].visits == 0:
                break
        self.depth = max(self.depth, depth)
        value = self.evaluate()
        nodes = self.nodes
        nodes[0].visits += 1
        for i in range(depth):
            nodes[self.path[i]].visits += 1
            nodes[self.path[i]].total += value if self.seats[i] == 0 else 1.0 - value

    def evaluate(self) -> float:
        """The value of the state for seat 0, 0..1; the state may be played on."""
        if self.state.over == 0:
            if not self.rollouts:
                left = self.plies
                while left > 0 and self.state.over == 0:
                    left -= 1
                    self.stamp += 1
                    self.state.act(self.best_untried(self.state.scan(), self.candidates))
                    if self.state.owed:
                        self.state.draw()
                value: float = self.net.value(self.state) if self.learned else self.leaf.value(self.state)
                return value
            self.state.finish()
        return self.outcome()

    def outcome(self) -> float:
        """The value for seat 0 of a game that is over."""
        winners = self.state.winners()
        value = 0.5 if winners == 3 else 1.0 if winners == 1 else 0.0
        if self.margin > 0.0:
            lead = self.state.score(0) - self.state.score(1)
            value += self.margin * (0.5 + 0.5 * lead / (30.0 + abs(lead)) - value)
        return value

    def think(self) -> bool:
        """Iterate until a budget is spent or somebody cancels (True), or until it is time to look at signals (False)."""
        while True:
            self.iterate()
            self.done += 1
            if self.done >= self.most or self.cancelled:
                return True
            if self.done % EVERY == 0:
                now = perf_counter()
                if now >= self.until:
                    return True
                if now >= self.pause:
                    return False
