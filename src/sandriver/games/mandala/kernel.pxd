# C types of kernel.py: with them Cython compiles the rules to C speed, without them the same file runs as plain Python.
cimport cython

ctypedef unsigned long long u64

cdef extern from *:
    """
    #define ONE 1ULL
    #define ONES 0x010101010101ULL
    #define HIGHS 0x808080808080ULL
    #define SEVENS 0x7F7F7F7F7F7FULL
    #define SET 0xFFFFFFFFFFFFULL
    #define WORD 0xFFFFFFFFFFFFFFFFULL
    #define LOW32 0xFFFFFFFFULL
    #define STEP 0x5851F42D4C957F2DULL
    #define DRIFT 0x14057B7EF767814FULL
    #define MIX 0x9E3779B97F4A7C15ULL
    /* As in kernel.py: one card of each colour of a set, and how many it holds. Here other modules need no call for them. */
    static inline unsigned long long present(unsigned long long cards) { return ((cards + SEVENS) & HIGHS) >> 7; }
    static inline int total(unsigned long long cards) { return (int)(((cards * ONES) >> 40) & 255); }
    """
    const u64 ONE, ONES, HIGHS, SEVENS, SET, WORD, LOW32, STEP, DRIFT, MIX
    u64 present(u64 cards) noexcept nogil
    int total(u64 cards) noexcept nogil

cpdef enum:
    HAND = 6
    DEALT = 8
    CLAIMED = 10
    DECK = 12
    PILE = 13
    RIVER = 14
    PLACES = 16

    HAND_LIMIT = 8

    GROW = 12
    REDRAW = 96
    CLAIM = 144
    ACTIONS = 150

    IDLE = 0
    CHECK = 1
    PASS = 2
    REFILL = 3
    SETUP = 4

    SIXTH_COLOUR = 1
    LAST_MANDALA = 2
    STALL = 3

    COLOUR_IN_MOUNTAIN = 1
    COLOUR_IN_OWN_FIELD = 2
    COLOUR_IN_OTHER_FIELD = 3
    MUST_KEEP_CARD = 4
    NOT_IN_HAND = 5
    NOTHING_TO_DRAW = 6
    MUST_CLAIM = 7
    NOT_CLAIMING = 8
    NOT_IN_MOUNTAIN = 9
    GAME_OVER = 10

    T_DRAWN = 1
    T_SHUFFLED = 2
    T_LAST = 3
    T_COMPLETED = 4
    T_SWEPT = 5
    T_CLAIMED = 6
    T_CLEARED = 7
    T_REFILLED = 8
    T_ENDED = 9

cdef u64 bit(int colour) noexcept nogil
cdef u64 from_index(int index) noexcept nogil
@cython.locals(move=int, cards=u64, colour=int, n=int)
cdef int to_index(u64 word) noexcept nogil
cpdef int build_draw(int held) noexcept nogil
cpdef int first_claimer(int one, int two, int completer) noexcept nogil
@cython.locals(n=int, colour=int)
cpdef int points(u64 cup, u64 river) noexcept nogil


@cython.final
cdef class State:
    cdef u64 cards[16]
    cdef u64 choices[5]
    cdef u64 upto[5]
    cdef u64 trace[32]
    cdef u64 seen, seed
    cdef public int mover, claim, completer, last, redraws, over, lazy, limit, tracing
    cdef readonly int owed, traced
    cdef int dest, stage, part

    cpdef u64 get(self, int place) noexcept
    cpdef void put(self, int place, u64 cards) noexcept
    cpdef u64 word(self, int i) noexcept
    @cython.locals(other=State, i=int)
    cpdef State copy(self)
    @cython.locals(i=int)
    cpdef tuple key(self)
    cpdef int score(self, int seat) noexcept nogil
    @cython.locals(lead=int)
    cpdef int winners(self) noexcept nogil

    @cython.locals(
        cards="u64*", choices="u64*", seat=int, hand=u64, held=u64, spare=u64, may_build=u64, own=u64, other=u64,
        build=u64, build_too=u64, grow=u64, grow_too=u64, every=u64,
    )
    cpdef int scan(self) noexcept nogil
    @cython.locals(
        choices="u64*", upto="u64*", sums=u64, above=u64, card=u64, mask=u64, rest=u64, a=u64, b=u64, c=u64, d=u64, move=int
    )
    cdef u64 pick(self, int k) noexcept nogil
    @cython.locals(k=int)
    cpdef list legal(self)
    @cython.locals(word=u64, move=int, taken=u64, mask=u64, seat=int, hand=u64, base=int)
    cpdef int forbids(self, int index) noexcept nogil

    @cython.locals(i=int)
    cpdef void setup(self, int mover) noexcept nogil
    cpdef void begin(self, int index) noexcept nogil
    @cython.locals(cards="u64*", move=int, taken=u64, seat=int, hand=int, held=u64, place=int, n=int)
    cdef void act(self, u64 word) noexcept nogil
    @cython.locals(card=u64)
    cpdef void deal(self, int colour) noexcept nogil
    @cython.locals(pile=u64)
    cdef void run_out(self) noexcept nogil
    cdef void settle(self) noexcept nogil
    @cython.locals(base=int, seat=int, lead=int, first=u64, second=u64)
    cdef void check(self) noexcept nogil
    @cython.locals(seat=int, base=int, place=int, taken=u64)
    cdef void take(self, u64 card) noexcept nogil
    @cython.locals(base=int, first=u64, second=u64)
    cdef void clear(self) noexcept nogil
    cdef void end(self, int reason) noexcept nogil
    cdef void note(self, int code, int small, u64 cards) noexcept nogil
    cdef void flush(self) noexcept nogil

    cpdef void reseed(self, u64 seed) noexcept nogil
    @cython.locals(seed=u64)
    cdef int rand(self, int n) noexcept nogil
    @cython.locals(cards="u64*", sums=u64, left=int, n=int, got=u64, above=u64)
    cdef void draw(self) noexcept nogil
    @cython.locals(word=u64)
    cpdef u64 step(self) noexcept nogil
    @cython.locals(moves=int)
    cpdef int finish(self) noexcept nogil
    cpdef void fresh(self, int mover) noexcept nogil
    @cython.locals(moves=long, i=long)
    cpdef long run(self, long games)
