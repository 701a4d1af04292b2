"""The rules of Mandala Stones on packed integers: one source, run as it is or compiled by Cython (C types stand in ``kernel.pxd``).

A stone is three bits: colour (0..3, Y R B P) and pattern (4: a circle). A pile, stack or tower, is one number: a leading 1, then its
stones, the top in the lowest bits; 1 is an empty pile. The main board is seen a second time as *touches*: bit ``4 * space + direction``
stands for the stack in that direction (N E S W) of an artist space, 36 bits in all. So ``tops[pattern]`` says at once where a pattern
shows, and all that one artist can gain, wherever it goes, is one mask: legal picks are counted, never listed.

An action is a word, ``kind << 16 | what``: a pick ``origin << 12 | to << 8 | direction << 4 | space``, a colour, a set of spaces (bit 0 is
space 1), a skip. Words rise in the canonical order. Every number that a ruleset owns comes in by ``Rules``. ``begin`` trusts its caller:
ask ``forbids`` first. With ``tracing`` on, stones that move are written down as words (``code << 48 | a << 32 | b << 16 | points``).
"""

from __future__ import annotations

import cython

if not cython.compiled:  # compiled, all of these are C constants and functions that kernel.pxd defines
    ONE = 1
    ONES = 0x0101_0101_0101_0101
    HIGHS = 0x8080_8080_8080_8080
    FACES = 0x0101_0101
    WORD = 0xFFFF_FFFF_FFFF_FFFF
    LOW32 = 0xFFFF_FFFF
    STEP, DRIFT, MIX = 0x5851_F42D_4C95_7F2D, 0x1405_7B7E_F767_814F, 0x9E37_79B9_7F4A_7C15
    # sizes that the notation owns
    STACKS, SPACES, TOUCHES, TOWERS, MOST_SEATS, MOST_STONES, MOST_CARDS = 24, 9, 36, 5, 4, 96, 64
    # where things lie: stacks from 0, five towers a seat, spaces of the artists by pattern, points and two cards by seat, the mandala
    BOARDS, ARTISTS, TRACK, CARDS, MANDALA, PLACES = 24, 44, 46, 50, 58, 154
    # kinds of action, and the direction of a stack that is not beside the destination
    PICK, COLOUR, TOPS, SKIP, NOWHERE = 0, 1, 2, 3, 7
    # what an objective counts
    OF_COLOUR, OF_PATTERN, EMPTY_SPACES, HEIGHTS, TOP_COLOURS, TALLEST = 0, 1, 2, 3, 4, 5
    # end triggers, and what breaks a tie
    END_SPACE, STUCK, SHARED, MOST_LEFT, FEWEST_LEFT = 1, 2, 0, 1, 2
    # why an action is forbidden
    GAME_OVER, MUST_SKIP, NO_PASS, NO_ARTIST, MUST_MOVE, SPACE_OCCUPIED, NOT_BESIDE = 1, 2, 3, 4, 5, 6, 7
    EMPTY_STACK, WRONG_PATTERN, BLOCKED, NOTHING_GAINED, BOARD_FULL, SPACE_TAKEN, TOO_FEW_TOWERS, NO_TOWER = 8, 9, 10, 11, 12, 13, 14, 15
    # what can be traced
    T_GAINED, T_SCORED, T_BONUS = 1, 2, 3

    def lowest(bits: int) -> int:
        """Number of the lowest bit that is set; ``bits`` is not 0."""
        return (bits & -bits).bit_length() - 1

    def ones(bits: int) -> int:
        """How many bits are set."""
        return bits.bit_count()


def height(pile: int) -> int:
    """Stones in a pile of 0..4."""
    return (pile > 7) + (pile > 63) + (pile > 511) + (pile > 4095)


def member(bits: int, k: int) -> int:
    """Number of bit ``k`` (from 0, rising) among those that are set."""
    while k:
        bits &= bits - 1
        k -= 1
    return lowest(bits)


def colours(pile: int) -> int:
    """Number of different colours in a pile."""
    seen = 0
    while pile > 1:
        seen |= 1 << (pile & 3)
        pile >>= 3
    return ones(seen)


class Rules:
    """The numbers of a ruleset as tables, shared by all games that are played by it and never changed. ``ruleset.tables`` fills it."""

    def __init__(
        self, *, beside: list[int], pay: list[int], bonus: list[int], cards: list[int], per_pair: int, stack_height: int, min_towers: int,
        tops_each: int, tiebreak: int, empty_is_height: int, ends: list[int], artists: list[int], starts: list[int],
    ) -> None:  # fmt: skip
        """Take the stack of each touch; what a space pays (``25 * space + 5 * height + colours``, from 125 for each height on the board);
        bonuses by place of the mandala; three numbers a card (what it counts, of what, points for each); ends from that of 2 seats."""
        if not cython.compiled:
            self.spots, self.touch = [0] * STACKS, [0] * SPACES
        self.beside, self.pay, self.bonus = beside, pay, bonus
        self.deck, self.cards = len(cards) // 3, cards + [0] * (3 * MOST_CARDS - len(cards))
        self.per_pair, self.stack_height, self.min_towers = per_pair, stack_height, min_towers
        self.tops_each, self.tiebreak, self.empty_is_height = tops_each, tiebreak, empty_is_height
        self.ends, self.artists, self.starts = [0, 0, *ends], artists, starts
        self.share = [0, 65536, 32768, 21846, 16384, 13108]  # a division by a number of spaces, as a multiplication
        for i in range(TOUCHES):
            self.spots[beside[i]] |= ONE << i
        for i in range(TOUCHES):
            self.touch[i >> 2] |= self.spots[beside[i]]


class State:
    """A game as it stands, changed in place. All numbers count from 0; ``mover`` is -1 when over, ``over`` the trigger that ended it."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules, self.seats = rules, seats
        if not cython.compiled:
            self.cells = [0] * PLACES
            self.tops, self.faces, self.trace = [0] * 3, [0] * MOST_SEATS, [0] * 24
            self.gains, self.origins, self.upto = [0] * 4, [0] * 4, [0] * 4
            self.empty = self.full = self.ready = self.picks = self.scorings = self.tracing = self.seed = 0
        self.setup(0)

    def setup(self, mover: int) -> None:
        """An empty table for a new game that ``mover`` begins: all stones in the bag, and ``owed`` what chance decides."""
        for i in range(PLACES):
            self.cells[i] = 1 if i < ARTISTS else -1 if CARDS <= i < MANDALA else 0
        for i in range(MOST_SEATS):
            self.faces[i] = 0
        self.tops[0] = self.tops[1] = self.tops[2] = 0
        self.placed = self.trigger = self.over = self.traced = self.dealt = 0
        self.mover, self.first, self.round = mover, mover, 1
        self.bag = self.rules.per_pair * ONES
        self.owed = STACKS * self.rules.stack_height + 4 + 2 * self.seats

    def look(self) -> None:
        """See anew what lies on top of stacks and towers, after piles were laid from outside."""
        self.tops[0] = self.tops[1] = self.tops[2] = 0
        for i in range(STACKS):
            if self.cells[i] > 1:
                self.tops[(self.cells[i] >> 2) & 1] |= self.rules.spots[i]
        for i in range(MOST_SEATS):
            self.faces[i] = 0
        for i in range(MOST_SEATS * TOWERS):
            if self.cells[BOARDS + i] > 1:
                self.faces[i // TOWERS] |= 1 << (((self.cells[BOARDS + i] & 3) << 3) + i % TOWERS)

    # --- reading and writing from outside ---------------------------------------------------------

    def get(self, place: int) -> int:
        """What lies at a place (a stack's number, ``BOARDS + 5 * seat + space``, ``ARTISTS + pattern``...)."""
        return self.cells[place]

    def put(self, place: int, what: int) -> None:
        """Lay something at a place, as when a position is read; ``look`` after the last."""
        self.cells[place] = what

    def word(self, i: int) -> int:
        """Word ``i`` of the trace of the last action, ``0 <= i < traced``."""
        return self.trace[i]

    def copy(self) -> State:
        """An equal state of its own; its trace is empty and off."""
        other = State(self.rules, self.seats)
        for i in range(PLACES):
            other.cells[i] = self.cells[i]
        for i in range(MOST_SEATS):
            other.faces[i] = self.faces[i]
        other.tops[0], other.tops[1] = self.tops[0], self.tops[1]
        other.placed, other.trigger, other.round, other.first = self.placed, self.trigger, self.round, self.first
        other.mover, other.over, other.seed = self.mover, self.over, self.seed
        return other

    def key(self) -> tuple[int, ...]:
        """Everything that makes two states of the same rules the same."""
        return (*[self.cells[i] for i in range(MANDALA + self.placed)], self.seats, self.mover, self.first, self.round, self.trigger)

    def heights(self, seat: int) -> int:
        """Number of different tower heights on a board; all empty spaces together are one more if the ruleset says so."""
        seen = 0
        for i in range(BOARDS + TOWERS * seat, BOARDS + TOWERS * seat + TOWERS):
            seen |= 1 << height(self.cells[i])
        return ones(seen) if self.rules.empty_is_height else ones(seen & ~1)

    def value(self, space: int, pile: int, heights: int) -> int:
        """What a tower space pays for the top stone of a tower, on a board of so many different heights."""
        return self.rules.pay[25 * space + 5 * height(pile) + colours(pile)] + self.rules.pay[125 + space] * heights

    def worth(self, seat: int, card: int) -> int:
        """Points of an objective card on a seat's board as it stands."""
        kind = self.rules.cards[3 * card]
        n = self.heights(seat) if kind == HEIGHTS else 0
        if kind == TOP_COLOURS:
            face = self.faces[seat]
            n = ((face & 31) > 0) + ((face >> 8 & 31) > 0) + ((face >> 16 & 31) > 0) + (face >> 24 > 0)
        for i in range(BOARDS + TOWERS * seat, BOARDS + TOWERS * seat + TOWERS):
            pile = self.cells[i]
            if kind == EMPTY_SPACES:
                n += pile == 1
            elif kind == TALLEST:
                n = max(n, height(pile))
            while kind <= OF_PATTERN and pile > 1:
                n += (pile & 3 if kind == OF_COLOUR else (pile >> 2) & 1) == self.rules.cards[3 * card + 1]
                pile >>= 3
        return n * self.rules.cards[3 * card + 2]

    def total(self, seat: int) -> int:
        """Points of a seat: the track, once the game is over with the better of its objectives, if they are known."""
        best = 0
        if self.over and self.cells[CARDS + 2 * seat] >= 0:
            best = max(self.worth(seat, self.cells[CARDS + 2 * seat]), self.worth(seat, self.cells[CARDS + 2 * seat + 1]))
        return self.cells[TRACK + seat] + best

    def left(self, seat: int) -> int:
        """Stones on a seat's board."""
        n = 0
        for i in range(BOARDS + TOWERS * seat, BOARDS + TOWERS * seat + TOWERS):
            n += height(self.cells[i])
        return n

    def winners(self) -> int:
        """The seats with most points, after the tiebreak, as bits."""
        found = most = 0  # every rank is at least 0
        for seat in range(self.seats):
            stones = self.left(seat) if self.rules.tiebreak else 0
            rank = 128 * self.total(seat) + (64 - stones if self.rules.tiebreak == FEWEST_LEFT else stones)  # in 64 bits
            if rank > most:
                found, most = 0, rank
            if rank == most:
                found |= 1 << seat
        return found

    # --- legal actions ----------------------------------------------------------------------------

    def open_touches(self, origin: int) -> int:
        """The touches at which the artist on ``origin`` gains a stone, wherever it goes: its pattern, no other artist beside the stack."""
        others = (self.cells[ARTISTS] | self.cells[ARTISTS + 1]) & ~(1 << origin)
        shut = ONE * 15 << (4 * origin)  # staying is not a move
        while others:
            shut |= self.rules.touch[lowest(others)]
            others &= others - 1
        return self.tops[(self.cells[ARTISTS + 1] >> origin) & 1] & ~shut

    def scan(self) -> int:
        """Count the legal actions (1 for a skip); leaves what ``nth`` needs."""
        if self.over:
            return 0
        face = self.faces[self.mover]
        full = (face | face >> 8 | face >> 16 | face >> 24) & 31
        self.full = full
        self.empty = full ^ 31
        self.picks = 0
        if full != 31:
            artists = self.cells[ARTISTS] | self.cells[ARTISTS + 1]
            touch, origins, gains, upto = self.rules.touch, self.origins, self.gains, self.upto
            once = twice = ONE * 0
            for i in range(4):
                a = lowest(artists | 256)  # in a position that cannot be there may be fewer
                artists &= artists - 1
                origins[i] = a
                twice |= once & touch[a]
                once |= touch[a]
            picks = 0
            for i in range(4):
                a = origins[i]
                upto[i] = picks
                # nothing beside another artist, nothing where it stands (staying is not a move)
                gains[i] = self.tops[(self.cells[ARTISTS + 1] >> a) & 1] & ~(twice | (once & ~touch[a]) | ONE * 15 << (4 * a))
                picks += ones(gains[i])
            self.picks = picks * (TOWERS - ones(full))
        n = face - ((face >> 1) & 0x5555_5555)
        n = (n & 0x3333_3333) + ((n >> 2) & 0x3333_3333)
        n = (n + (n >> 4)) & 0x0F0F_0F0F  # in each byte on how many towers that colour is on top
        self.ready = ready = ((n + (128 - self.rules.min_towers) * FACES) >> 7) & FACES
        self.scorings = (ready + (ready >> 8) + (ready >> 16) + (ready >> 24)) & 7
        return (self.picks + self.scorings + (1 << ones(full)) - 1) or 1

    def nth(self, k: int) -> int:
        """The word of legal action number ``k`` (from 0, canonical order), after ``scan``."""
        if k < self.picks:
            n = TOWERS - ones(self.full)
            which = (k * self.rules.share[n]) >> 16
            k -= which * n
            i = (which >= self.upto[1]) + (which >= self.upto[2]) + (which >= self.upto[3])
            touch = member(self.gains[i], which - self.upto[i])
            return self.origins[i] << 12 | (touch >> 2) << 8 | (touch & 3) << 4 | member(self.empty, k)
        k -= self.picks
        if k < self.scorings:
            return COLOUR << 16 | member(self.ready, k) >> 3
        k -= self.scorings - 1  # the number of a subset, its bits to be spread over the spaces that hold a tower
        full, spaces = self.full, 0
        if full == 0:
            return SKIP << 16
        while k:
            if k & 1:
                spaces |= full & -full
            full &= full - 1
            k >>= 1
        return TOPS << 16 | spaces

    def legal(self) -> list[int]:
        """The words of all legal actions, in canonical order."""
        return [self.nth(k) for k in range(self.scan())]

    def refuses(self, origin: int, to: int, direction: int) -> int:
        """Why the stack in a direction of ``to`` yields nothing to the artist that comes from ``origin``; 0: it yields its top stone."""
        pile = self.cells[self.rules.beside[4 * to + direction]]
        if pile == 1 or (pile >> 2 ^ self.cells[ARTISTS + 1] >> origin) & 1:
            return EMPTY_STACK if pile == 1 else WRONG_PATTERN
        return BLOCKED if self.blocker(origin, to, direction) >= 0 else 0

    def blocker(self, origin: int, to: int, direction: int) -> int:
        """The lowest space whose artist, another than that from ``origin``, stands beside the stack; -1: none."""
        others = (self.cells[ARTISTS] | self.cells[ARTISTS + 1]) & ~(1 << origin)
        while others:
            space = lowest(others)
            if (self.rules.touch[space] >> (4 * to + direction)) & 1:
                return space
            others &= others - 1
        return -1

    def forbids(self, word: int) -> int:
        """Which rule forbids an action, by code; 0: it is legal."""
        kind = word >> 16
        if self.over:
            return GAME_OVER
        self.scan()
        if self.full | self.picks == 0:
            return 0 if kind == SKIP else MUST_SKIP
        if kind == SKIP:
            return NO_PASS
        if kind == COLOUR:
            return 0 if (self.ready >> ((word & 3) << 3)) & 1 else TOO_FEW_TOWERS
        if kind == TOPS:
            return NO_TOWER if word & 31 & self.empty else 0
        origin, to, direction, space = (word >> 12) & 15, (word >> 8) & 15, (word >> 4) & 15, word & 15
        artists = self.cells[ARTISTS] | self.cells[ARTISTS + 1]
        if not (artists >> origin) & 1:
            return NO_ARTIST
        if origin == to:
            return MUST_MOVE
        if (artists >> to) & 1:
            return SPACE_OCCUPIED
        if not (self.empty >> space) & 1:
            return SPACE_TAKEN if self.empty else BOARD_FULL
        return NOT_BESIDE if direction == NOWHERE else self.refuses(origin, to, direction)

    # --- playing ----------------------------------------------------------------------------------

    def begin(self, word: int) -> None:
        """Play a legal action to its end."""
        kind = word >> 16
        self.traced = 0
        if kind == PICK:
            self.gather(word >> 12, (word >> 8) & 15, (word >> 4) & 15, word & 15)
        elif kind == SKIP:
            self.trigger = self.trigger or STUCK
        else:
            self.cash((self.faces[self.mover] >> ((word & 3) << 3)) & 31 if kind == COLOUR else word & 31, kind == TOPS)
        self.mover = self.mover + 1 if self.mover + 1 < self.seats else 0
        if self.mover == self.first:
            if self.trigger == 0:
                self.round += 1
            else:
                self.over, self.mover = self.trigger, -1

    def gather(self, origin: int, to: int, direction: int, space: int) -> None:
        """Move an artist; every stack that yields gives its top stone, the first from ``direction``, the others clockwise."""
        yields = (self.open_touches(origin) >> (4 * to)) & 15
        self.cells[ARTISTS + ((self.cells[ARTISTS + 1] >> origin) & 1)] ^= 1 << origin | 1 << to
        yields = ((yields | yields << 4) >> direction) & 15
        tower = 1
        tops = self.tops
        while yields:
            stack = self.rules.beside[4 * to + ((lowest(yields) + direction) & 3)]
            yields &= yields - 1
            pile = self.cells[stack]
            spots = self.rules.spots[stack]
            self.note(T_GAINED, stack, pile & 7, 0)
            tower = tower << 3 | (pile & 7)
            tops[(pile >> 2) & 1] ^= spots
            pile >>= 3
            self.cells[stack] = pile
            tops[(pile >> 2) & 1 if pile > 1 else 2] |= spots
        self.cells[BOARDS + TOWERS * self.mover + space] = tower
        self.faces[self.mover] |= 1 << (((tower & 3) << 3) + space)

    def cash(self, spaces: int, flat: int) -> None:
        """Score the top stones of towers: their values stand before a stone is moved, then left to right they go to the mandala."""
        seat = self.mover
        heights = 0 if flat else self.heights(seat)
        while spaces:
            space = lowest(spaces)
            spaces &= spaces - 1
            pile = self.cells[BOARDS + TOWERS * seat + space]
            paid = self.rules.tops_each if flat else self.value(space, pile, heights)
            self.note(T_SCORED, space, (pile & 7) | height(pile) << 8, paid)
            self.faces[seat] ^= 1 << (((pile & 3) << 3) + space)
            if self.placed < MOST_STONES:  # in a position that cannot be there may be more
                self.cells[MANDALA + self.placed] = pile & 7
                self.placed += 1
            pile >>= 3
            self.cells[BOARDS + TOWERS * seat + space] = pile
            if pile > 1:
                self.faces[seat] |= 1 << (((pile & 3) << 3) + space)
            if self.rules.bonus[self.placed]:
                self.note(T_BONUS, self.placed, 0, self.rules.bonus[self.placed])
                paid += self.rules.bonus[self.placed]
            self.cells[TRACK + seat] += paid
        if self.placed >= self.rules.ends[self.seats]:
            self.trigger = self.trigger or END_SPACE

    def note(self, code: int, a: int, b: int, points: int) -> None:
        """Write a word to the trace, if there is one."""
        if self.tracing:
            self.trace[self.traced] = ONE * code << 48 | ONE * a << 32 | ONE * b << 16 | points
            self.traced += 1

    def weights(self) -> list[int]:
        """The weights of what is decided next: the eight kinds of stone, the two patterns of artist, or the objective cards left."""
        after = self.dealt - STACKS * self.rules.stack_height
        if after < 0:
            return [(self.bag >> 8 * kind) & 255 for kind in range(8)]
        if after < 4:
            return [self.rules.artists[pattern] - ones(self.cells[ARTISTS + pattern]) for pattern in range(2)]
        return [1] * (self.rules.deck - (after - 4))

    def deal(self, index: int) -> None:
        """Decide what is owed next, by an index into ``weights`` whose weight is not 0."""
        stones = STACKS * self.rules.stack_height
        if self.dealt < stones:
            stack = self.dealt // self.rules.stack_height
            self.bag -= ONE << (8 * index)
            self.cells[stack] = self.cells[stack] << 3 | index
            if self.dealt == stones - 1:
                self.look()
        elif self.dealt < stones + 4:
            self.cells[ARTISTS + index] |= 1 << self.rules.starts[self.dealt - stones]
        else:
            place = CARDS + self.dealt - stones - 4
            for card in range(self.rules.deck):
                for i in range(CARDS, place):
                    index += self.cells[i] == card  # it counts only the cards that are left
                if card == index:
                    break
            self.cells[place] = index
        self.dealt += 1
        self.owed -= 1

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

    def fresh(self, mover: int) -> None:
        """Begin a new random game."""
        self.setup(mover)
        sums = self.bag * ONES & WORD  # running sums of the eight counts
        self.dealt = left = STACKS * self.rules.stack_height
        for stack in range(STACKS):
            pile = 1
            for _ in range(self.rules.stack_height):
                # one for each kind whose running sum reaches the number drawn
                above = (((sums | HIGHS) - (self.rand(left) + 1) * ONES) & HIGHS) >> 7
                sums -= above
                left -= 1
                pile = pile << 3 | lowest(above) >> 3
            self.cells[stack] = pile
            self.tops[(pile >> 2) & 1] |= self.rules.spots[stack]
        self.owed -= self.dealt
        while self.owed > 2 * self.seats:
            self.deal(self.rand(self.owed - 2 * self.seats) >= self.rules.artists[0] - ones(self.cells[ARTISTS]))
        while self.owed:
            self.deal(self.rand(self.rules.deck - 2 * self.seats + self.owed))

    def finish(self) -> int:
        """Play random moves to the end of the game; returns how many."""
        moves = 0
        while self.over == 0:
            self.begin(self.nth(self.rand(self.scan())))
            moves += 1
        return moves

    def run(self, games: int) -> int:
        """Play whole random games, without the interpreter lock when compiled; returns the number of moves."""
        moves = 0
        with cython.nogil:
            for i in range(games):
                self.fresh(i % self.seats)
                moves += self.finish()
        return moves

    def digest(self, games: int) -> int:
        """A hash of every action, the end and who wins in that many random games: two builds that differ anywhere differ here."""
        mark = MIX
        with cython.nogil:
            for i in range(games):
                self.fresh(i % self.seats)
                while self.over == 0:
                    word = self.nth(self.rand(self.scan()))
                    self.begin(word)
                    mark = ((mark ^ word) * STEP + self.tops[0]) & WORD
                    mark ^= mark >> 29
                for place in range(MANDALA + self.placed):
                    mark = ((mark ^ self.cells[place] & 0xFFFF) * STEP + self.round) & WORD
                    mark ^= mark >> 32
                for seat in range(self.seats):
                    mark = ((mark ^ self.total(seat)) * STEP + self.winners()) & WORD
        return mark
