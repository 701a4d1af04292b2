# C types of planes.py: what a seat of Mandala Stones knows, and its legal actions, written into bytes. Compiled modules cimport it from here.
cimport cython
from sandriver.games.buffers cimport clear, store
from sandriver.games.stones.kernel cimport (
    ARTISTS, BOARDS, CARDS, COLOUR, END_SPACE, MANDALA, ONE, PICK, SKIP, SPACES, STACKS, STUCK, TOPS, TOUCHES, TOWERS, TRACK, State, lowest, u64,
)

cpdef enum:
    OBSERVATION_VERSION = 1
    SIZE = 1168

    COLOURS_AT = 1620
    TOPS_AT = 1624
    SKIP_AT = 1655
    ACTIONS = 1656

cdef extern from *:
    """
    #define STONE(colour, pattern) (1ULL << 8 * (colour) | 1ULL << 8 * (4 + (pattern)))
    static CYTHON_UNUSED const unsigned long long STONES[32] = {
        STONE(0, 0), STONE(1, 0), STONE(2, 0), STONE(3, 0), STONE(0, 1), STONE(1, 1), STONE(2, 1), STONE(3, 1), 0, 0, 0, 0, 0, 0, 0, 0,
        1, 0x100, 0x10000, 0x1000000, 1, 0x100, 0x10000, 0x1000000,
    };
    /* Without branches: a pile that holds a stone is at least 8, one that holds none is 1, or 0 when its leading 1 is gone too. */
    #define KIND(pile) (((pile) & 7) | ((pile) < 8) << 3)
    static inline void pile_of(int pile, int below, unsigned char *out, Py_ssize_t at) {
        store(out, at, STONES[KIND(pile)]);
        store(out, at + 6, STONES[below + KIND(pile >> 3)]);
        store(out, at + 12, STONES[below + KIND(pile >> 6)]);
        store(out, at + 18, STONES[below + KIND(pile >> 9)]);
    }
    """
    void pile_of(int pile, int below, unsigned char* out, Py_ssize_t at) noexcept nogil

cpdef int to_index(int word) noexcept nogil
@cython.locals(touch=int)
cpdef int from_index(int index) noexcept nogil
@cython.locals(i=int, k=int, n=int, owner=int, below=int)
cdef void observe(State state, int seat, int revealed, unsigned char* out, Py_ssize_t at) noexcept nogil
@cython.locals(n=int, i=int, row=Py_ssize_t, empty=int, bits=u64, free=u64)
cdef int mask(State state, unsigned char* out, Py_ssize_t at) noexcept nogil
cpdef bytearray observation(State state, object seat, int revealed)
cpdef bytearray legal_mask(State state)
