"""The rules of Mandala on packed integers: one source, run as it is or compiled by Cython (C types stand in ``kernel.pxd``).

A set of cards is one integer with eight bits a colour, canonical order K G P Y O R, black lowest: sets are added and subtracted as
numbers, and one multiplication by ``ONES`` makes the running sums of all six counts. A river is packed alike: the place (1..6) of
each colour, 0 if it is not there.

Chance is explicit. ``begin`` plays an action up to the first card that must be dealt; while ``owed`` is not 0, ``deal`` deals
one card of a colour that the deck holds, and the rules go on by themselves after the last. ``begin`` trusts its caller: ask
``forbids`` first. With ``tracing`` on, everything that happens is written down as words (``code << 56 | small << 48 | cards``).
"""

from __future__ import annotations

import cython

if not cython.compiled:  # compiled, all of these are C constants that kernel.pxd defines
    ONE = 1
    ONES = 0x0101_0101_0101
    HIGHS = 0x8080_8080_8080
    SEVENS = 0x7F7F_7F7F_7F7F
    WORD = 0xFFFF_FFFF_FFFF_FFFF
    LOW32 = 0xFFFF_FFFF
    STEP, DRIFT, MIX = 0x5851_F42D_4C95_7F2D, 0x1405_7B7E_F767_814F, 0x9E37_79B9_7F4A_7C15
    # where cards lie: 3 * mandala is a mountain, + 1 + seat a field; the others are counted by seat
    HAND, DEALT, CLAIMED, DECK, PILE, RIVER, PLACES = 6, 8, 10, 12, 13, 14, 16
    # first index of each kind of action
    GROW, REDRAW, CLAIM, ACTIONS = 12, 96, 144, 150
    # what goes on when no more cards are owed
    IDLE, CHECK, PASS, REFILL, SETUP = 0, 1, 2, 3, 4
    # how a game ends
    SIXTH_COLOUR, LAST_MANDALA, STALL = 1, 2, 3
    # why an action is forbidden
    COLOUR_IN_MOUNTAIN, COLOUR_IN_OWN_FIELD, COLOUR_IN_OTHER_FIELD, MUST_KEEP_CARD, NOT_IN_HAND = 1, 2, 3, 4, 5
    NOTHING_TO_DRAW, MUST_CLAIM, NOT_CLAIMING, NOT_IN_MOUNTAIN, GAME_OVER = 6, 7, 8, 9, 10
    # what can be traced
    T_DRAWN, T_SHUFFLED, T_LAST, T_COMPLETED, T_SWEPT, T_CLAIMED, T_CLEARED, T_REFILLED, T_ENDED = 1, 2, 3, 4, 5, 6, 7, 8, 9


def bit(colour: int) -> int:
    """One card of a colour."""
    return ONE << (colour << 3)


def present(cards: int) -> int:
    """One card of each colour that the set holds."""
    return ((cards + SEVENS) & HIGHS) >> 7


def total(cards: int) -> int:
    """How many cards a set holds (up to 255)."""
    return ((cards * ONES) >> 40) & 255


def select(sums: int, k: int) -> int:
    """The colour of card number ``k`` (from 0), given the running sums of a set: the first whose sum is more than ``k``."""
    return 6 - total((((sums | HIGHS) - (k + 1) * ONES) & HIGHS) >> 7)


class State:
    """A game of Mandala as it stands, changed in place. Seats and mandalas are 0 and 1; ``mover`` and ``claim`` are -1 for none."""

    def __init__(self, lazy: int = 0, limit: int = 20) -> None:
        if not cython.compiled:
            self.cards = [0] * PLACES
            self.builds = [0] * 2
            self.grows = [0] * 2
            self.trace = [0] * 32
            self.last = self.redraws = self.over = self.completer = 0
            self.owed = self.dest = self.stage = self.mandala = 0
            self.seen = self.traced = self.tracing = self.seed = 0
        self.lazy = lazy
        self.limit = limit
        self.mover = -1
        self.claim = -1

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
        other.mover = self.mover
        other.claim = self.claim
        other.completer = self.completer
        other.last = self.last
        other.redraws = self.redraws
        other.over = self.over
        other.seed = self.seed
        return other

    def key(self) -> tuple[int, ...]:
        """Everything that makes two states the same."""
        flags = (self.mover, self.claim, self.completer if self.claim >= 0 else -1, self.last, self.redraws, self.over)
        return tuple([self.cards[i] for i in range(PLACES)]) + flags

    def score(self, seat: int) -> int:
        """Points of a seat as they stand: every cup card counts its colour's river place."""
        cup = self.cards[DEALT + seat] + self.cards[CLAIMED + seat]
        river = self.cards[RIVER + seat]
        points = 0
        for colour in range(6):
            points += ((cup >> (colour << 3)) & 255) * ((river >> (colour << 3)) & 255)
        return points

    # --- legal actions ----------------------------------------------------------------------------

    def scan(self) -> int:
        """Count the legal actions; leaves in ``builds`` and ``grows``, by mandala, how many there are with each colour."""
        if self.over:
            return 0
        if self.claim >= 0:
            return total(present(self.cards[3 * self.claim]))
        seat = self.mover
        hand = self.cards[HAND + seat]
        held = present(hand)
        spare = hand
        if held & (held - 1) == 0:  # a hand of one colour: one card must stay
            spare = hand - held
        may_build = held
        if spare == 0 and self.cards[DECK] == 0 and self.cards[PILE] == 0:  # the only card, and none to be drawn
            may_build = 0
        own, other = self.cards[1 + seat], self.cards[2 - seat]
        self.builds[0] = may_build & ~present(own | other)
        self.grows[0] = spare & ~(present(self.cards[0] | other) * 255)
        own, other = self.cards[4 + seat], self.cards[5 - seat]
        self.builds[1] = may_build & ~present(own | other)
        self.grows[1] = spare & ~(present(self.cards[3] | other) * 255)
        return total(self.builds[0] + self.builds[1] + self.grows[0] + self.grows[1] + hand)

    def pick(self, k: int) -> int:
        """The index of legal action number ``k`` (from 0, in index order), after ``scan``."""
        if self.claim >= 0:
            return CLAIM + select(present(self.cards[3 * self.claim]) * ONES, k)
        for mandala in range(2):
            sums = self.builds[mandala] * ONES
            n = (sums >> 40) & 255
            if k < n:
                return 6 * mandala + select(sums, k)
            k -= n
        for mandala in range(2):
            sums = self.grows[mandala] * ONES
            n = (sums >> 40) & 255
            if k < n:
                colour = select(sums, k)
                return GROW + 42 * mandala + 7 * colour + k - (((sums << 8) >> (colour << 3)) & 255)
            k -= n
        sums = self.cards[HAND + self.mover] * ONES
        colour = select(sums, k)
        return REDRAW + 8 * colour + k - (((sums << 8) >> (colour << 3)) & 255)

    def forbids(self, index: int) -> int:
        """Which rule forbids an action, by code; 0: it is legal."""
        if self.over:
            return GAME_OVER
        if self.claim >= 0:
            if index < CLAIM:
                return MUST_CLAIM
            return 0 if self.cards[3 * self.claim] & (bit(index - CLAIM) * 255) else NOT_IN_MOUNTAIN
        if index >= CLAIM:
            return NOT_CLAIMING
        seat = self.mover
        hand = self.cards[HAND + seat]
        if index >= REDRAW:
            colour, n = (index - REDRAW) >> 3, ((index - REDRAW) & 7) + 1
            return 0 if (hand >> (colour << 3)) & 255 >= n else NOT_IN_HAND
        if index >= GROW:
            index -= GROW
            mandala = 3 if index >= 42 else 0
            index = index - 42 if index >= 42 else index
            colour, n = index // 7, index % 7 + 1
        else:
            mandala, colour, n = 3 * (index // 6), index % 6, 0
        mask = bit(colour) * 255
        if (hand >> (colour << 3)) & 255 < (n if n else 1):
            return NOT_IN_HAND
        if self.cards[mandala + 2 - seat] & mask:
            return COLOUR_IN_OTHER_FIELD
        if n == 0:
            if self.cards[mandala + 1 + seat] & mask:
                return COLOUR_IN_OWN_FIELD
            if total(hand) == 1 and self.cards[DECK] == 0 and self.cards[PILE] == 0:
                return NOTHING_TO_DRAW
            return 0
        if self.cards[mandala] & mask:
            return COLOUR_IN_MOUNTAIN
        return MUST_KEEP_CARD if total(hand) == n else 0

    # --- playing ----------------------------------------------------------------------------------

    def setup(self, mover: int) -> None:
        """Begin a new game: the full deck, and 20 cards owed (mountains, hands, cups)."""
        for i in range(PLACES):
            self.cards[i] = 0
        self.cards[DECK] = 18 * ONES
        self.mover = mover
        self.claim = -1
        self.last = self.redraws = self.over = self.completer = 0
        self.traced = 0
        self.owed = 20
        self.stage = SETUP

    def begin(self, index: int) -> None:
        """Play a legal action up to the first card to be dealt (``owed``), or to its end."""
        seat = self.mover
        hand = HAND + seat
        self.traced = 0
        if index < GROW:
            mandala = index // 6
            card = bit(index - 6 * mandala)
            self.cards[3 * mandala] += card
            self.cards[hand] -= card
            self.redraws = 0
            held = total(self.cards[hand])
            self.owed = 3 if held < 6 else 8 - held
            self.dest = hand
            self.mandala = mandala
            self.stage = CHECK
            if self.cards[DECK] == 0:
                self.settle()
        elif index < REDRAW:
            index -= GROW
            mandala = index // 42
            index -= 42 * mandala
            colour = index // 7
            card = bit(colour) * (index - 7 * colour + 1)
            self.cards[3 * mandala + 1 + seat] += card
            self.cards[hand] -= card
            self.redraws = 0
            self.mandala = mandala
            self.stage = CHECK
            self.settle()
        elif index < CLAIM:
            index -= REDRAW
            n = (index & 7) + 1
            card = bit(index >> 3) * n
            self.cards[PILE] += card
            self.cards[hand] -= card
            self.redraws += 1
            self.owed = n
            self.dest = hand
            self.stage = PASS
            if self.cards[DECK] == 0:
                self.settle()
        else:
            self.take(index - CLAIM)

    def deal(self, colour: int) -> None:
        """Deal one owed card of a colour that the deck holds; after the last, go on to the end of the action."""
        card = bit(colour)
        if self.stage == SETUP:
            n = 20 - self.owed
            self.dest = 3 * (n >> 1) if n < 4 else HAND + (n >= 10) if n < 16 else DEALT + (n >= 18)
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
            stage = self.stage
            self.stage = IDLE
            if stage == CHECK:
                self.check()
            elif stage == PASS:
                if self.limit > 0 and self.redraws >= self.limit:
                    self.end(STALL)
                else:
                    self.mover = 1 - self.mover
            elif stage == REFILL:
                self.claim = -1
                self.mover = 1 - self.completer
            if self.owed == 0:
                return

    def check(self) -> None:
        """After build and grow: begin the destruction of a mandala that shows all six colours, else the turn is over."""
        base = 3 * self.mandala
        seat = self.mover
        first, second = self.cards[base + 1], self.cards[base + 2]
        if present(self.cards[base] | first | second) != ONES:
            self.mover = 1 - seat
            return
        self.completer = seat
        self.claim = self.mandala
        if first | second == 0:
            self.note(T_COMPLETED, 2, 0)
            self.note(T_SWEPT, 0, self.cards[base])
            self.cards[PILE] += self.cards[base]
            self.cards[base] = 0
            self.clear()
            return
        lead = total(first) - total(second)
        self.mover = 0 if lead > 0 else 1 if lead < 0 else 1 - seat
        self.note(T_COMPLETED, self.mover + 4 * (lead == 0), 0)

    def take(self, colour: int) -> None:
        """Claim a colour of the mountain that is being destroyed."""
        seat = self.mover
        base = 3 * self.claim
        card = bit(colour)
        taken = self.cards[base] & (card * 255)
        self.cards[base] -= taken
        place = 0
        if self.cards[base + 1 + seat] == 0:
            self.cards[PILE] += taken
        elif self.cards[RIVER + seat] & (card * 255):
            self.cards[CLAIMED + seat] += taken
        else:
            place = total(present(self.cards[RIVER + seat])) + 1
            self.cards[RIVER + seat] += card * place
            self.cards[CLAIMED + seat] += taken - card
        self.note(T_CLAIMED, place + 8 * (self.cards[base + 1 + seat] == 0), taken)
        if self.cards[base]:
            self.mover = 1 - seat
        else:
            self.clear()
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
        self.mover = -1
        self.claim = -1
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

    def random_colour(self) -> int:
        """The colour of a random card of the deck."""
        sums = self.cards[DECK] * ONES
        return select(sums, self.rand((sums >> 40) & 255))

    def random_move(self) -> int:
        """Play one uniformly random legal action with random cards; returns its index."""
        index = self.pick(self.rand(self.scan()))
        self.begin(index)
        while self.owed:
            self.deal(self.random_colour())
        return index

    def finish(self) -> int:
        """Play random moves to the end of the game; returns how many."""
        moves = 0
        while self.over == 0:
            self.random_move()
            moves += 1
        return moves

    def fresh(self, mover: int) -> None:
        """Begin a new random game."""
        self.setup(mover)
        while self.owed:
            self.deal(self.random_colour())

    def run(self, games: int) -> int:
        """Play whole random games, without the interpreter lock when compiled; returns the number of moves."""
        moves = 0
        with cython.nogil:
            for i in range(games):
                self.fresh(i & 1)
                moves += self.finish()
        return moves

    def digest(self, games: int) -> int:
        """A hash of every action and the cards after it in that many random games: two builds that differ anywhere differ here."""
        mark = MIX
        with cython.nogil:
            for i in range(games):
                self.fresh(i & 1)
                while self.over == 0:
                    mark = ((mark ^ self.random_move()) * STEP + self.cards[DECK]) & WORD
                    mark ^= mark >> 29
                for place in range(PLACES):
                    mark = ((mark ^ self.cards[place]) * STEP + self.over) & WORD
                    mark ^= mark >> 32
        return mark
