# C types of kernel.py: with them Cython compiles the rules to C speed, without them the same file runs as plain Python.
cimport cython

ctypedef unsigned long long u64
ctypedef unsigned int u32
ctypedef long long i64

cdef extern from *:
    """
    #define ONE 1ULL
    #define ONES 0x0101010101010101ULL
    #define HIGHS 0x8080808080808080ULL
    #define FACES 0x01010101U
    #define WORD 0xFFFFFFFFFFFFFFFFULL
    #define LOW32 0xFFFFFFFFULL
    #define STEP 0x5851F42D4C957F2DULL
    #define DRIFT 0x14057B7EF767814FULL
    #define MIX 0x9E3779B97F4A7C15ULL

    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int lowest(unsigned long long bits) { unsigned long i; _BitScanForward64(&i, bits); return (int)i; }
    #else
    static inline int lowest(unsigned long long bits) { return __builtin_ctzll(bits); }
    #endif
    static inline int ones(unsigned long long bits) {
        bits -= (bits >> 1) & 0x5555555555555555ULL;
        bits = (bits & 0x3333333333333333ULL) + ((bits >> 2) & 0x3333333333333333ULL);
        return (int)((((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * ONES) >> 56);
    }
    """
    const u64 ONE, ONES, HIGHS, WORD, LOW32, STEP, DRIFT, MIX
    const u32 FACES
    int lowest(u64 bits) noexcept nogil
    int ones(u64 bits) noexcept nogil

cpdef enum:
    STACKS = 24
    SPACES = 9
    TOUCHES = 36
    TOWERS = 5
    MOST_SEATS = 4
    MOST_STONES = 96
    MOST_CARDS = 64

    BOARDS = 24
    ARTISTS = 44
    TRACK = 46
    CARDS = 50
    MANDALA = 58
    PLACES = 154

    PICK = 0
    COLOUR = 1
    TOPS = 2
    SKIP = 3
    NOWHERE = 7

    OF_COLOUR = 0
    OF_PATTERN = 1
    EMPTY_SPACES = 2
    HEIGHTS = 3
    TOP_COLOURS = 4
    TALLEST = 5

    END_SPACE = 1
    STUCK = 2
    SHARED = 0
    MOST_LEFT = 1
    FEWEST_LEFT = 2

    GAME_OVER = 1
    MUST_SKIP = 2
    NO_PASS = 3
    NO_ARTIST = 4
    MUST_MOVE = 5
    SPACE_OCCUPIED = 6
    NOT_BESIDE = 7
    EMPTY_STACK = 8
    WRONG_PATTERN = 9
    BLOCKED = 10
    NOTHING_GAINED = 11
    BOARD_FULL = 12
    SPACE_TAKEN = 13
    TOO_FEW_TOWERS = 14
    NO_TOWER = 15

    T_GAINED = 1
    T_SCORED = 2
    T_BONUS = 3

cdef int height(int pile) noexcept nogil
cdef int member(u64 bits, int k) noexcept nogil
@cython.locals(seen=int)
cdef int colours(int pile) noexcept nogil


@cython.final
cdef class Rules:
    cdef u64 spots[24]
    cdef u64 touch[9]
    cdef int beside[36]
    cdef int pay[130]
    cdef int bonus[97]
    cdef int cards[192]
    cdef int ends[5]
    cdef int starts[4]
    cdef int artists[2]
    cdef int share[6]
    cdef readonly int per_pair, stack_height, min_towers, tops_each, tiebreak, empty_is_height, deck


@cython.final
cdef class State:
    cdef u64 tops[3]
    cdef u64 gains[4]
    cdef u64 trace[24]
    cdef u64 seed, bag
    cdef readonly Rules rules
    cdef u32 faces[4]
    cdef u32 ready
    cdef int upto[4]
    cdef int origins[4]
    cdef int cells[154]
    cdef public int mover, first, round, trigger, over, placed, tracing
    cdef readonly int seats, traced, owed
    cdef int dealt, empty, full, picks, scorings

    @cython.locals(i=int)
    cpdef void setup(self, int mover) noexcept nogil
    @cython.locals(i=int)
    cpdef void look(self) noexcept nogil
    cpdef int get(self, int place) noexcept
    cpdef void put(self, int place, int what) noexcept
    cpdef u64 word(self, int i) noexcept
    @cython.locals(other=State, i=int)
    cpdef State copy(self)
    @cython.locals(i=int)
    cpdef tuple key(self)

    @cython.locals(seen=int, i=int)
    cpdef int heights(self, int seat) noexcept nogil
    cpdef int value(self, int space, int pile, int heights) noexcept nogil
    @cython.locals(kind=int, n=int, i=int, pile=int, face=u32)
    cpdef int worth(self, int seat, int card) noexcept nogil
    @cython.locals(best=int)
    cpdef i64 total(self, int seat) noexcept nogil
    @cython.locals(n=int, i=int)
    cpdef int left(self, int seat) noexcept nogil
    @cython.locals(found=int, most=i64, rank=i64, seat=int, stones=int)
    cpdef int winners(self) noexcept nogil

    @cython.locals(others=int, shut=u64)
    cdef u64 open_touches(self, int origin) noexcept nogil
    @cython.locals(
        face=u32, full=int, artists=int, touch="u64*", origins="int*", gains="u64*", upto="int*",
        once=u64, twice=u64, i=int, a=int, picks=int, n=u32, ready=u32,
    )
    cpdef int scan(self) noexcept nogil
    @cython.locals(n=int, which=int, i=int, spaces=int, touch=int, full=int)
    cpdef int nth(self, int k) noexcept nogil
    @cython.locals(k=int)
    cpdef list legal(self)
    @cython.locals(pile=int)
    cpdef int refuses(self, int origin, int to, int direction) noexcept nogil
    @cython.locals(others=int, space=int)
    cpdef int blocker(self, int origin, int to, int direction) noexcept nogil
    @cython.locals(kind=int, origin=int, to=int, direction=int, space=int, artists=int)
    cpdef int forbids(self, int word) noexcept nogil

    @cython.locals(kind=int)
    cpdef void begin(self, int word) noexcept nogil
    @cython.locals(yields=int, tower=int, tops="u64*", stack=int, pile=int, spots=u64)
    cdef void gather(self, int origin, int to, int direction, int space) noexcept nogil
    @cython.locals(seat=int, heights=int, space=int, pile=int, paid=int)
    cdef void cash(self, int spaces, int flat) noexcept nogil
    cdef void note(self, int code, int a, int b, int points) noexcept nogil

    @cython.locals(after=int)
    cpdef list weights(self)
    @cython.locals(stones=int, stack=int, place=int, card=int, i=int)
    cpdef void deal(self, int index) noexcept nogil

    cpdef void reseed(self, u64 seed) noexcept nogil
    @cython.locals(seed=u64)
    cdef int rand(self, int n) noexcept nogil
    @cython.locals(left=int, sums=u64, above=u64, stack=int, pile=int, _=int, n=int)
    cpdef void fresh(self, int mover) noexcept nogil
    @cython.locals(moves=int)
    cpdef int finish(self) noexcept nogil
    @cython.locals(moves=long, i=long)
    cpdef long run(self, long games)
    @cython.locals(mark=u64, i=long, word=int, place=int, seat=int)
    cpdef u64 digest(self, long games)
