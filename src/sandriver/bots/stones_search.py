"""Tree search for Mandala Stones from what one seat knows, for two to four players: every player goes for the own share of the victory.

As in Mandala's search: one tree; in every iteration what the seat cannot know is dealt anew at random, here the patterns of covered stones
(of each colour as many stars and circles as are not in sight) and the others' objective cards. Actions that are legal in this deal are
chosen by UCB1 over what their player got from them (max^n), one node an iteration is added, and the game is played on from there.
Plain Python that Cython compiles (C types stand in ``stones_search.pxd``); compiled, the loop does not hold the interpreter lock.

Same view, seed and number of iterations: same result, compiled or not. A budget in milliseconds ends it between two iterations.
A view says no ruleset; the search plays by the one it is made with, as shipped if none is named.
"""

from __future__ import annotations

import math
import operator
import threading
import time
from collections.abc import Mapping
from typing import Any

import cython

from sandriver.bots import stones_leaf
from sandriver.bots.search import ROLLOUT, SUMS, SearchResult, check_budget, check_ways, slice_seconds
from sandriver.games import kernels
from sandriver.games.stones import kernel as used_kernel
from sandriver.games.stones import planes as used_planes
from sandriver.games.stones.actions import words
from sandriver.games.stones.notation import parse_line
from sandriver.games.stones.options import Options
from sandriver.games.stones.ruleset import tables

if not cython.compiled:  # compiled, these are C constants, functions and types that stones_search.pxd defines
    _kernel: Any = kernels.interpreted(used_kernel.__name__) if kernels.is_compiled(used_kernel) else used_kernel
    ARTISTS, BOARDS, CARDS, MANDALA, PLACES, TRACK = 44, 24, 50, 58, 154, 46
    STACKS, TOWERS, MOST_SEATS = 24, 5, 4
    PICK, COLOUR, TOPS, SKIP = 0, 1, 2, 3
    ones, State = _kernel.ones, _kernel.State
    to_index = (kernels.interpreted(used_planes.__name__) if kernels.is_compiled(used_planes) else used_planes).to_index
    MOST_NODES, MOST_DEPTH, LOGS, ACTIONS = 2_097_152, 127, 4096, 1656
    EVERY = 1  # iterations between two looks at the clock
    check_signals = int  # Python looks at signals by itself
    Leaf = (kernels.interpreted(stones_leaf.__name__) if kernels.is_compiled(stones_leaf) else stones_leaf).Leaf
    log, sqrt, perf_counter = math.log, math.sqrt, time.perf_counter

    class _Node:
        """One action from its parent's position: how often it was tried, how often it was legal then, what its seat got from it."""

        __slots__ = ("available", "child", "index", "next", "total", "visits", "word")

    def enlarged(nodes: Any, wanted: int) -> Any:
        """Room for so many nodes, those that there are included."""
        return nodes + [_Node() for _ in range(wanted - len(nodes))]

    def released(nodes: Any) -> None:
        """Nothing needs to be given back here."""


class Search:
    """A search, with its tree. For one thread at a time; ``cancel`` may be called from any other."""

    def __init__(
        self, *, exploration: float = 0.7, leaf: str = ROLLOUT, numbers: Mapping[str, float] | None = None, widening: float = 0.0,
        candidates: int = 1, options: Options | None = None,
    ) -> None:  # fmt: skip
        """``exploration``: the constant of UCB1 (values are 0..1). ``leaf``: how a position is evaluated at the end of a path, ``ROLLOUT``
        (random play to the end) or ``SUMS`` (``stones_leaf`` with its ``numbers``). ``widening``: a position visited n times has at most
        ``widening * sqrt(n + 1)`` actions in the tree (0: all). ``candidates``: of so many random new actions the one that ``stones_leaf``
        likes best comes into the tree. ``options``: with the ruleset that is played by."""
        if not cython.compiled:
            self.nodes: Any = []
            self.logs, self.values, self.gains = [0.0] * LOGS, [0.0] * MOST_SEATS, [0] * 9
            self.base, self.hidden, self.pool = [0] * PLACES, [0] * 96, [0] * 64
            self.left, self.rest = [0] * 8, [0] * 8
            self.path, self.seats, self.marks = [0] * (MOST_DEPTH + 1), [0] * (MOST_DEPTH + 1), [0] * ACTIONS
            self.stamp = self.used = self.room = self.cancelled = self.done = 0
        check_ways(exploration=exploration, widening=widening, candidates=candidates)
        self.lock = threading.Lock()
        self.exploration = exploration
        if leaf not in (ROLLOUT, SUMS):
            raise ValueError(f"a search knows the leaves {ROLLOUT} and {SUMS}, not {leaf!r}")
        self.rollouts = leaf == ROLLOUT
        self.widening, self.candidates = widening, candidates
        self.leaf = Leaf(**(numbers or {}))
        self.options = Options() if options is None else options
        self.state = State(tables(self.options.ruleset, used_kernel if cython.compiled else _kernel), 2)
        self.trial = State(self.state.rules, 2)
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
        check_ways(exploration=self.exploration, widening=self.widening, candidates=self.candidates)
        self.most, self.seconds = check_budget(iterations, milliseconds)
        self.read(view)
        self.state.reseed(operator.index(seed) & 0xFFFF_FFFF_FFFF_FFFF)
        self.stamp = self.used = self.done = self.depth = 0
        for i in range(ACTIONS):
            self.marks[i] = 0
        if not self.grow():
            raise MemoryError("there is no memory for a search")
        self.add(-1, 0)
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
        return self.result(view, 1000 * (perf_counter() - began))

    def cancel(self) -> None:
        """Let the search that runs, or else the next one, end after its current iteration."""
        self.cancelled = 1

    def read(self, view: Any) -> None:
        """Take over what the view says."""
        if view.viewer is None or view.to_move != view.viewer:
            raise ValueError("a search needs the view of the seat that is to move")
        parts = view.notation.split(" ")
        parts[5] = "/".join("?" * len(view.sides))  # a card of another ruleset has a name that could not be read
        found, hidden = parse_line(" ".join(parts), self.options)
        if self.state.seats != found.seats:
            self.state = State(self.state.rules, found.seats)
            self.trial = State(self.state.rules, found.seats)
        for place in range(PLACES):
            self.base[place] = found.get(place)
        self.seat, self.first, self.round, self.trigger, self.placed = view.viewer, found.first, found.round, found.trigger, found.placed
        ruleset = self.options.ruleset
        ids = [card.id for card in ruleset.objectives.cards]
        own = [ids.index(card.id) for card in view.sides[self.seat].objectives or () if card.id in ids]
        if len(own) == 2:
            self.base[CARDS + 2 * self.seat], self.base[CARDS + 2 * self.seat + 1] = own
        self.undealt = 0
        for card in range(len(ids)):
            if card not in own:
                self.pool[self.undealt] = card
                self.undealt += 1
        for kind in range(8):
            self.left[kind] = ruleset.stones.per_pair
        self.covered = 0
        for place in range(BOARDS + TOWERS * found.seats):
            stones = _stones(self.base[place])
            for depth, stone in enumerate(stones):
                if (place, len(stones) - 1 - depth) in hidden:
                    self.hidden[self.covered] = place << 8 | 3 * depth
                    self.covered += 1
                else:
                    self.left[stone] -= 1
        for place in range(MANDALA, MANDALA + self.placed):
            self.left[self.base[place]] -= 1

    def result(self, view: Any, milliseconds: float) -> SearchResult:
        """The tree's first level in notation."""
        actions = words(self.options.ruleset.beside)
        visits, values = dict.fromkeys(view.legal, 0), dict[str, float]()
        child = self.nodes[0].child
        while child:
            text = actions[self.nodes[child].word].text
            if text in visits:  # always, by the ruleset that is played by
                visits[text] = self.nodes[child].visits
                values[text] = self.nodes[child].total / self.nodes[child].visits
            child = self.nodes[child].next
        action = max(visits, key=lambda text: (visits[text], values.get(text, 0.0)))
        return SearchResult(action, values.get(action, 0.0), visits, values, self.done, milliseconds, self.used, self.depth)

    # --- what is hidden ---------------------------------------------------------------------------

    def reset_to_known(self) -> None:
        """Set the state to what is known, with stand-ins for what is not."""
        for i in range(PLACES):
            self.state.cells[i] = self.base[i]
        self.state.mover, self.state.first, self.state.round = self.seat, self.first, self.round
        self.state.trigger, self.state.placed, self.state.over = self.trigger, self.placed, 0
        self.state.look()

    def determinise(self) -> None:
        """Set the state to what is known, with patterns and objective cards dealt at random where they are not."""
        self.reset_to_known()
        for i in range(8):
            self.rest[i] = self.left[i]
        for i in range(self.covered):
            place = self.hidden[i] >> 8
            shift = self.hidden[i] & 255
            colour = (self.state.cells[place] >> shift) & 3
            n = self.rest[colour] + self.rest[colour + 4]
            if self.state.rand(n if n > 0 else 1) < self.rest[colour]:
                self.rest[colour] -= 1
            else:
                self.rest[colour + 4] -= 1
                self.state.cells[place] = self.state.cells[place] | 4 << shift
        n = 0
        for seat in range(self.state.seats):
            if seat != self.seat:
                for i in range(2):
                    place = n + self.state.rand(self.undealt - n)
                    card = self.pool[place]
                    self.pool[place] = self.pool[n]
                    self.pool[n] = card
                    self.state.cells[CARDS + 2 * seat + i] = card
                    n += 1

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
        """Add a node for an action (room was made), before its sisters; ``parent`` -1: it is the root."""
        node = self.used
        self.used = node + 1
        nodes = self.nodes
        nodes[node].total = 0.0
        nodes[node].visits = nodes[node].child = nodes[node].next = 0
        nodes[node].available = 1
        nodes[node].word = word
        nodes[node].index = to_index(word)
        if parent >= 0:
            nodes[node].next = nodes[parent].child
            nodes[parent].child = node
        return node

    def look(self) -> int:
        """Count the legal actions, and lay out what each artist would gain."""
        legal: int = self.state.scan()
        for i in range(9):
            self.gains[i] = 0
        if self.state.picks:
            for i in range(4):
                self.gains[self.state.origins[i]] = self.state.gains[i]
        return legal

    def allows(self, word: int) -> bool:
        """Whether an action is legal, after ``look``."""
        kind = word >> 16
        if kind == PICK:
            allowed: int = (self.gains[word >> 12] >> ((word >> 6) & 60 | (word >> 4) & 3)) & (self.state.empty >> (word & 15)) & 1
        elif kind == COLOUR:
            allowed = (self.state.ready >> ((word & 3) << 3)) & 1
        elif kind == TOPS:
            allowed = (word & 31 & self.state.empty) == 0
        else:
            allowed = (self.state.full | self.state.picks) == 0
        return allowed != 0

    def select(self, node: int, legal: int) -> int:
        """The child to go on with; 0: a legal action that has no node yet is to be tried, for which there is room (if any
        action has a node). All children that are legal now count as available."""
        nodes = self.nodes
        self.stamp += 1
        best = found = 0
        most = 0.0
        child = nodes[node].child
        while child:
            if self.allows(nodes[child].word):
                found += 1
                nodes[child].available += 1
                self.marks[nodes[child].index] = self.stamp
                value = nodes[child].total / nodes[child].visits
                value += self.exploration * sqrt(self.log_of(nodes[child].available) / nodes[child].visits)
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
        word: int = self.state.nth(self.state.rand(legal))
        while self.marks[to_index(word)] == self.stamp:
            word = self.state.nth(self.state.rand(legal))
        return word

    def best_untried(self, legal: int, candidates: int) -> int:
        """Of some random legal actions without a node the one after which its seat stands best."""
        best = self.untried(legal)
        most = self.worth_after(best)
        while candidates > 1:
            candidates -= 1
            word: int = self.state.nth(self.state.rand(legal))
            if self.marks[to_index(word)] != self.stamp and word != best:
                worth = self.worth_after(word)
                if worth > most:
                    most = worth
                    best = word
        return best

    def worth_after(self, word: int) -> float:
        """What the state is worth to the seat to move after an action."""
        for i in range(MANDALA):
            self.trial.cells[i] = self.state.cells[i]
        for i in range(self.state.seats):
            self.trial.faces[i] = self.state.faces[i]
        self.trial.tops[0] = self.state.tops[0]
        self.trial.tops[1] = self.state.tops[1]
        self.trial.placed, self.trial.trigger, self.trial.over = self.state.placed, self.state.trigger, 0
        self.trial.mover, self.trial.first, self.trial.round = self.state.mover, self.state.first, self.state.round
        self.trial.begin(word)
        if self.trial.over:
            winners = self.trial.winners()
            return 1.0 / ones(winners) if (winners >> self.state.mover) & 1 else 0.0
        self.leaf.value(self.trial)
        return float(self.leaf.values[self.state.mover])

    def iterate(self) -> None:
        """Deal, go down the tree, add a node, evaluate, and tell all nodes on the way."""
        self.determinise()
        node = depth = 0
        while self.state.over == 0 and depth < MOST_DEPTH:
            legal = self.look()
            child = self.select(node, legal)
            self.seats[depth] = self.state.mover
            if child:
                word = self.nodes[child].word
            elif self.grow():
                word = self.untried(legal) if self.candidates <= 1 else self.best_untried(legal, self.candidates)
                child = self.add(node, word)
            else:
                break
            self.state.begin(word)
            self.path[depth] = node = child
            depth += 1
            if self.nodes[node].visits == 0:
                break
        self.depth = max(self.depth, depth)
        self.evaluate()
        nodes = self.nodes
        nodes[0].visits += 1
        for i in range(depth):
            nodes[self.path[i]].visits += 1
            nodes[self.path[i]].total += self.values[self.seats[i]]

    def evaluate(self) -> None:
        """Leave the value of the state for every seat, shares of the victory, in ``values``; the state may be played on."""
        if self.state.over == 0:
            if not self.rollouts:
                self.leaf.value(self.state)
                for seat in range(MOST_SEATS):
                    self.values[seat] = self.leaf.values[seat]
                return
            self.state.finish()
        self.outcome()

    def outcome(self) -> None:
        """The values of a game that is over."""
        winners = self.state.winners()
        share = 1.0 / ones(winners)
        for seat in range(MOST_SEATS):
            self.values[seat] = share if (winners >> seat) & 1 else 0.0

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


def _stones(pile: int) -> list[int]:
    """The stones of a pile as the kernel numbers them, from the top down."""
    found: list[int] = []
    while pile > 1:
        found.append(pile & 7)
        pile >>= 3
    return found
