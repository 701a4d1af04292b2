# C types of planes.py: what a seat of Mandala knows, and its legal actions, written into bytes. Compiled modules cimport it from here.
cimport cython
from sandriver.games.buffers cimport clear, store
from sandriver.games.mandala.kernel cimport (
    CLAIM, CLAIMED, DEALT, DECK, GROW, HAND, PILE, REDRAW, RIVER, State, points, present, total, u64,
)

cpdef enum:
    OBSERVATION_VERSION = 1
    SIZE = 90
    ACTIONS = 150

cdef extern from *:
    """
    static CYTHON_UNUSED const unsigned long long RUNS[16] = {
        0, 1, 0x0101, 0x010101, 0x01010101, 0x0101010101, 0x010101010101, 0x01010101010101, 0x0101010101010101,
    };
    """
    const u64 RUNS[16]

@cython.locals(other=int, cup=u64, theirs=u64, n=int)
cdef void observe(State state, int seat, int memory_aid, unsigned char* out, Py_ssize_t at) noexcept nogil
@cython.locals(n=int, i=int, hand=u64, one=u64, two=u64)
cdef int mask(State state, unsigned char* out, Py_ssize_t at) noexcept nogil
cpdef bytearray observation(State state, object seat, int memory_aid)
cpdef bytearray legal_mask(State state)
