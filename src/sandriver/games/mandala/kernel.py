"""The rules of Mandala on packed integers: one source, run as it is or compiled by Cython (C types stand in ``kernel.pxd``).

A set of cards is one integer with eight bits a colour, canonical order K G P Y O R, black lowest: sets are added and subtracted as
numbers, and one multiplication by ``ONES`` makes the running sums of all six counts. A river is packed alike: the place (1..6) of
each colour, 0 if it is not there.

Chance is explicit. ``begin`` plays an action up to the first card that must be dealt; while ``owed`` is not 0, ``deal`` deals
one card of a colour that the deck holds, and the rules go on by themselves after the last. ``begin`` trusts its caller: ask
``forbids`` first. With ``tracing`` on, everything that happens is written down as words (``code << 56 | small << 48 | cards``).

Inside, an action is a word too, ``move << 48 | cards``: the cards it takes, and 0, 1 build in mandala 1, 2; 2, 3 grow; 4 redraw; 5 claim.
"""

from __future__ import annotations

import cython

if not cython.compiled:  # compiled, all of these are C constants and functions that kernel.pxd defines
    ONE = 1
    ONES = 0x0101_0101_0101
    HIGHS = 0x8080_8080_8080
    SEVENS = 0x7F7F_7F7F_7F7F
    SET = 0xFFFF_FFFF_FFFF
    WORD = 0xFFFF_FFFF_FFFF_FFFF
    LOW32 = 0xFFFF_FFFF
    STEP, DRIFT, MIX = 0x5851_F42D_4C95_7F2D, 0x1405_7B7E_F767_814F, 0x9E37_79B9_7F4A_7C15
    # where cards lie: 3 * mandala is a mountain, + 1 + seat a field; the others are counted by seat
    HAND, DEALT, CLAIMED, DECK, PILE, RIVER, PLACES = 6, 8, 10, 12, 13, 14, 16
    # first index of each kind of action, and the most cards in a hand
    GROW, REDRAW, CLAIM, ACTIONS, HAND_LIMIT = 12, 96, 144, 150, 8
    # what goes on when no more cards are owed
    IDLE, CHECK, PASS, REFILL, SETUP = 0, 1, 2, 3, 4
    # how a game ends
    SIXTH_COLOUR, LAST_MANDALA, STALL = 1, 2, 3
    # why an action is forbidden
    COLOUR_IN_MOUNTAIN, COLOUR_IN_OWN_FIELD, COLOUR_IN_OTHER_FIELD, MUST_KEEP_CARD, NOT_IN_HAND = 1, 2, 3, 4, 5
    NOTHING_TO_DRAW, MUST_CLAIM, NOT_CLAIMING, NOT_IN_MOUNTAIN, GAME_OVER = 6, 7, 8, 9, 10
    # what can be traced
    T_DRAWN, T_SHUFFLED, T_LAST, T_COMPLETED, T_SWEPT, T_CLAIMED, T_CLEARED, T_REFILLED, T_ENDED = 1, 2, 3, 4, 5, 6, 7, 8, 9

    def present(cards: int) -> int:
        """One card of each colour that the set holds."""
        return ((cards + SEVENS) & HIGHS) >> 7

    def total(cards: int) -> int:
        """How many cards a set holds (up to 255)."""
        return ((cards * ONES) >> 40) & 255


def bit(colour: int) -> int:
    """One card of a colour."""
    return ONE << (colour << 3)


def from_index(index: int) -> int:
    """The word of an action, from its index 0..149."""
    if index < GROW:
        return bit(index % 6) | (ONE * (index // 6)) << 48
    if index < REDRAW:
        index -= GROW
        return bit(index // 7 % 6) * (index % 7 + 1) | (ONE * (2 + index // 42)) << 48
    if index < CLAIM:
        index -= REDRAW
        return bit(index >> 3) * ((index & 7) + 1) | ONE << 50
    return bit(index - CLAIM) | (ONE * 5) << 48


def to_index(word: int) -> int:
    """The index of an action, from its word."""
    move = word >> 48
    cards = word & SET
    colour = 0
    while cards > 255:
        cards >>= 8
        colour += 1
    n = cards
    if move < 2:
        return 6 * move + colour
    if move < 4:
        return GROW + 42 * (move - 2) + 7 * colour + n - 1
    return REDRAW + 8 * colour + n - 1 if move == 4 else CLAIM + colour


def build_draw(held: int) -> int:
    """Cards that a build draws to a hand of so many, as far as there are any."""
    return 3 if held < HAND_LIMIT - 3 else HAND_LIMIT - held


def first_claimer(one: int, two: int, completer: int) -> int:
    """The seat that claims first where the fields of seats 0 and 1 hold so many cards; -1: none, both are empty."""
    if one == two:
        return 1 - completer if one else -1
    return 0 if one > two else 1


def points(cup: int, river: int) -> int:
    """What the cards of a cup score: each its colour's place in the river."""
    n = 0
    for colour in range(6):
        n += ((cup >> (colour << 3)) & 255) * ((river >> (colour << 3)) & 255)
    return n


class State:
    """A game of Mandala as it stands, changed in place. Seats and mandalas are 0 and 1; ``mover`` and ``claim`` are -1 for none."""

    def __init__(self, lazy: int = 0, limit: int = 20) -> None:
        if not cython.compiled:
            self.cards = [0] * PLACES
            self.choices = [0] * 5
            self.upto = [0] * 5
            self.trace = [0] * 32
            self.last = self.redraws = self.over = self.completer = 0
            self.owed = self.dest = self.stage = self.part = 0
            self.seen = self.traced = self.tracing = self.seed = 0
        self.lazy, self.limit = lazy, limit
        self.mover = self.claim = -1

    # --- reading and writing from outside ---------------------------------------------------------

    def get(self, place: int) -> int:
        """The packed set at a place (``HAND + seat``, ``DECK``...)."""
        return self.cards[place]

    def put(self, place: int, cards: int) -> None:
        """Lay a packed set at a place, as when a position is read."""
        self.cards[place] = cards

    def word(self, i: int) -> int:
        """Word ``i`` of the trace of the last action, ``0 <= i < traced``."""
        return self.trace[i]

    def copy(self) -> State:
        """An equal state of its own; its trace is empty and off."""
        other = State(self.lazy, self.limit)
        for i in range(PLACES):
            other.cards[i] = self.cards[i]
        other.mover, other.claim, other.completer = self.mover, self.claim, self.completer
        other.last, other.redraws, other.over, other.seed = self.last, self.redraws, self.over, self.seed
        return other

    def key(self) -> tuple[int, ...]:
        """Everything that makes two states the same."""
        flags = (self.mover, self.claim, self.completer if self.claim >= 0 else -1, self.last, self.redraws, self.over)
        return tuple([self.cards[i] for i in range(PLACES)]) + flags

    def score(self, seat: int) -> int:
        """Points of a seat as they stand."""
        return points(self.cards[DEALT + seat] + self.cards[CLAIMED + seat], self.cards[RIVER + seat])

    def winners(self) -> int:
        """The seats with most points, of these the ones with fewest cards in the cup, as bits."""
        lead = 256 * (self.score(0) - self.score(1))
        lead += total(self.cards[DEALT + 1] + self.cards[CLAIMED + 1]) - total(self.cards[DEALT] + self.cards[CLAIMED])
        return 3 if lead == 0 else 1 if lead > 0 else 2

    # --- legal actions ----------------------------------------------------------------------------

    def scan(self) -> int:
        """Count the legal actions; leaves in ``choices`` how many there are with each colour: builds, grows by mandala, then all."""
        cards = self.cards
        if self.over:
            return 0
        if self.claim >= 0:
            every = present(cards[3 * self.claim])
            self.choices[4] = every
            return total(every)
        seat = self.mover
        hand = cards[HAND + seat]
        held = present(hand)
        spare = hand
        may_build = held
        if held & (held - 1) == 0:  # a hand of one colour: one card must stay
            spare = hand - held
            if spare == 0 and cards[DECK] | cards[PILE] == 0:  # the only card, and none to be drawn
                may_build = 0
        choices = self.choices
        own, other = cards[1 + seat], cards[2 - seat]
        choices[0] = build = may_build & ~present(own | other)
        choices[2] = grow = spare & ~(present(cards[0] | other) * 255)
        own, other = cards[4 + seat], cards[5 - seat]
        choices[1] = build_too = may_build & ~present(own | other)
        choices[3] = grow_too = spare & ~(present(cards[3] | other) * 255)
        every = build + build_too + grow + grow_too + hand
        choices[4] = every
        return total(every)

    def pick(self, k: int) -> int:
        """The word of legal action number ``k`` (from 0, by colour, then by kind), after ``scan``."""
        choices = self.choices
        sums = choices[4] * ONES
        k += 1
        above = (((sums | HIGHS) - k * ONES) & HIGHS) >> 7  # one for each colour whose running sum reaches k
        card = above & -above
        if self.claim >= 0:
            return card | (ONE * 5) << 48
        mask = card * 255
        rest = card * k - ((sums << 8) & mask)  # in the colour's own byte: which of its actions, from 1
        upto = self.upto
        a = choices[0] & mask
        b = a + (choices[1] & mask)
        c = b + (choices[2] & mask)
        d = c + (choices[3] & mask)
        upto[1], upto[2], upto[3], upto[4] = a, b, c, d
        move = (rest > a) + (rest > b) + (rest > c) + (rest > d)
        return (rest - upto[move]) | (ONE * move) << 48

    def legal(self) -> list[int]:
        """The indices of all legal actions, in order."""
        return sorted([to_index(self.pick(k)) for k in range(self.scan())])

    def forbids(self, index: int) -> int:
        """Which rule forbids an action, by code; 0: it is legal."""
        word = from_index(index)
        move = word >> 48
        taken = word & SET
        mask = present(taken) * 255
        if self.over:
            return GAME_OVER
        if self.claim >= 0:
            if move != 5:
                return MUST_CLAIM
            return 0 if self.cards[3 * self.claim] & mask else NOT_IN_MOUNTAIN
        if move == 5:
            return NOT_CLAIMING
        seat = self.mover
        hand = self.cards[HAND + seat]
        if hand & mask < taken:
            return NOT_IN_HAND
        if move == 4:
            return 0
        base = 3 * (move & 1)
        if self.cards[base + 2 - seat] & mask:
            return COLOUR_IN_OTHER_FIELD
        if move >= 2:
            if self.cards[base] & mask:
                return COLOUR_IN_MOUNTAIN
            return MUST_KEEP_CARD if hand == taken else 0
        if self.cards[base + 1 + seat] & mask:
            return COLOUR_IN_OWN_FIELD
        return NOTHING_TO_DRAW if hand == taken and self.cards[DECK] | self.cards[PILE] == 0 else 0

    # --- playing ----------------------------------------------------------------------------------

    def setup(self, mover: int) -> None:
        """Begin a new game: the full deck, and 20 cards owed, 2 to each mountain, 6 to each hand, 2 to each cup."""
        for i in range(PLACES):
            self.cards[i] = 0
        self.cards[DECK] = 18 * ONES
        self.mover, self.claim = mover, -1
        self.last = self.redraws = self.over = self.completer = self.traced = 0
        self.part = self.dest = 0
        self.stage, self.owed = SETUP, 2

    def begin(self, index: int) -> None:
        """Play a legal action up to the first card to be dealt (``owed``), or to its end."""
        self.traced = 0
        self.act(from_index(index))

    def act(self, word: int) -> None:
        """Play a legal action, given as a word, up to the first card to be dealt or to its end."""
        move = word >> 48
        taken = word & SET
        if move == 5:
            self.take(taken)
            return
        cards = self.cards
        seat = self.mover
        hand = HAND + seat
        held = cards[hand] - taken
        cards[hand] = held
        self.dest = hand
        if move < 4:
            self.stage = CHECK
            self.redraws = 0
            self.part = move & 1
            n = build_draw(total(held)) if move < 2 else 0
            place = 3 * (move & 1) + (0 if move < 2 else 1 + seat)
        else:
            self.stage = PASS
            self.redraws += 1
            place = PILE
            n = total(taken)
        self.owed = n
        cards[place] += taken
        if n == 0 or cards[DECK] == 0:
            self.settle()

    def deal(self, colour: int) -> None:
        """Deal one owed card of a colour that the deck holds; after the last, go on to the end of the action."""
        card = bit(colour)
        self.cards[DECK] -= card
        self.cards[self.dest] += card
        self.owed -= 1
        if self.tracing:
            self.seen += card
        if self.cards[DECK] == 0:
            if self.lazy == 0:
                self.run_out()
            self.settle()
        elif self.owed == 0:
            self.settle()

    def run_out(self) -> None:
        """The deck is empty: the next mandala is the last, and the discard pile becomes the deck."""
        if self.tracing:
            self.flush()
        if self.last == 0:
            self.last = 1
            self.note(T_LAST, 0, 0)
        pile = self.cards[PILE]
        if pile:
            self.cards[DECK] = pile
            self.cards[PILE] = 0
            self.note(T_SHUFFLED, 0, total(pile))

    def settle(self) -> None:
        """Go on until a card can be dealt or the action is done."""
        while True:
            if self.owed:
                if self.cards[DECK] == 0:
                    self.run_out()
                if self.cards[DECK]:
                    return
                self.owed = 0  # neither deck nor pile has a card
            if self.tracing:
                self.flush()
            if self.stage == CHECK:
                self.check()
            elif self.stage == PASS:
                if self.limit > 0 and self.redraws >= self.limit:
                    self.end(STALL)
                else:
                    self.mover = 1 - self.mover
            elif self.stage == REFILL:
                self.claim = -1
                self.mover = 1 - self.completer
            elif self.stage == SETUP and self.part < 5:
                self.part += 1
                self.dest = 3 * self.part if self.part < 2 else HAND + self.part - 2
                self.owed = 6 if self.dest == HAND or self.dest == HAND + 1 else 2
            if self.owed == 0:
                return

    def check(self) -> None:
        """After build and grow: begin the destruction of a mandala that shows all six colours, else the turn is over."""
        base = 3 * self.part
        seat = self.mover
        first, second = self.cards[base + 1], self.cards[base + 2]
        if present(self.cards[base] | first | second) != ONES:
            self.mover = 1 - seat
            return
        self.completer, self.claim = seat, self.part
        lead = first_claimer(total(first), total(second), seat)
        if lead < 0:
            self.note(T_COMPLETED, 2, 0)
            self.note(T_SWEPT, 0, self.cards[base])
            self.cards[PILE] += self.cards[base]
            self.cards[base] = 0
            self.clear()
            return
        self.mover = lead
        self.note(T_COMPLETED, lead + 4 * (total(first) == total(second)), 0)

    def take(self, card: int) -> None:
        """Claim a colour (one card of it) of the mountain that is being destroyed."""
        seat = self.mover
        base = 3 * self.claim
        taken = self.cards[base] & (card * 255)
        self.cards[base] -= taken
        place = 0
        if self.cards[base + 1 + seat] == 0:
            self.cards[PILE] += taken
            place = 8
        elif self.cards[RIVER + seat] & (card * 255):
            self.cards[CLAIMED + seat] += taken
        else:
            place = total(present(self.cards[RIVER + seat])) + 1
            self.cards[RIVER + seat] += card * place
            self.cards[CLAIMED + seat] += taken - card
        self.note(T_CLAIMED, place, taken)
        if self.cards[base]:
            self.mover = 1 - seat
        else:
            self.clear()
            if self.owed:
                self.settle()

    def clear(self) -> None:
        """End a destruction: fields to the pile, then the end of the game or two cards owed to the mountain."""
        base = 3 * self.claim
        first, second = self.cards[base + 1], self.cards[base + 2]
        if first | second:
            self.note(T_CLEARED, 0, first)
            self.note(T_CLEARED, 1, second)
            self.cards[PILE] += first + second
            self.cards[base + 1] = 0
            self.cards[base + 2] = 0
        if present(self.cards[RIVER]) == ONES or present(self.cards[RIVER + 1]) == ONES:
            self.end(SIXTH_COLOUR)
        elif self.last:
            self.end(LAST_MANDALA)
        else:
            self.owed = 2
            self.dest = base
            self.stage = REFILL

    def end(self, reason: int) -> None:
        """The game is over."""
        self.over = reason
        self.mover = self.claim = -1
        self.note(T_ENDED, reason, 0)

    # --- the trace --------------------------------------------------------------------------------

    def note(self, code: int, small: int, cards: int) -> None:
        """Write a word to the trace, if there is one."""
        if self.tracing:
            self.trace[self.traced] = (ONE * code << 56) | (ONE * small << 48) | cards
            self.traced += 1

    def flush(self) -> None:
        """Write down the cards dealt since the last flush."""
        if self.seen:
            if self.stage == REFILL:
                self.note(T_REFILLED, 0, self.seen)
            elif self.stage != SETUP:
                self.note(T_DRAWN, 0, self.seen)
            self.seen = 0

    # --- simulation -------------------------------------------------------------------------------

    def reseed(self, seed: int) -> None:
        """Set the generator; equal seeds give equal games."""
        self.seed = ((seed + 1) * MIX) & WORD
        self.rand(1)

    def rand(self, n: int) -> int:
        """A number below ``n`` from the state's own small generator (a 64-bit congruential one with permuted output, PCG XSH-RS)."""
        seed = self.seed
        self.seed = (seed * STEP + DRIFT) & WORD
        return ((((seed ^ (seed >> 22)) >> (22 + (seed >> 61))) & LOW32) * n) >> 32

    def draw(self) -> None:
        """Deal all owed cards at random, to the end of the action."""
        cards = self.cards
        while self.owed:
            sums = cards[DECK] * ONES
            left = (sums >> 40) & 255
            n = self.owed
            if n >= left:  # the deck will run out: deal one, and let the rules go on from there
                n = 1
            self.owed -= n
            got = 0
            while n:
                above = (((sums | HIGHS) - (self.rand(left) + 1) * ONES) & HIGHS) >> 7  # as in pick
                sums -= above
                got += above & -above
                left -= 1
                n -= 1
            cards[DECK] -= got
            cards[self.dest] += got
            if self.tracing:
                self.seen += got
            if cards[DECK] == 0 and self.lazy == 0:
                self.run_out()
            if self.owed == 0 or cards[DECK] == 0:
                self.settle()

    def step(self) -> int:
        """Play one uniformly random legal action with random cards; returns its word."""
        word = self.pick(self.rand(self.scan()))
        self.act(word)
        if self.owed:
            self.draw()
        return word

    def finish(self) -> int:
        """Play random moves to the end of the game; returns how many."""
        moves = 0
        while self.over == 0:
            self.step()
            moves += 1
        return moves

    def fresh(self, mover: int) -> None:
        """Begin a new random game."""
        self.setup(mover)
        self.draw()

    def run(self, games: int) -> int:
        """Play whole random games, without the interpreter lock when compiled; returns the number of moves."""
        moves = 0
        with cython.nogil:
            for i in range(games):
                self.fresh(i & 1)
                moves += self.finish()
        return moves
