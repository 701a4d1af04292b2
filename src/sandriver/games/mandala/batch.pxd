# C types of batch.py: many games of Mandala stepped in one loop without the interpreter lock.
cimport cython
from libc.stdlib cimport free, malloc
from sandriver.games.buffers cimport buffer_of, fetch_early
from sandriver.games.mandala.kernel cimport State
from sandriver.games.mandala.planes cimport ACTIONS, SIZE, mask, observe

ctypedef long long i64


@cython.final
cdef class Batch:
    cdef list states, lent
    cdef void** at
    cdef readonly int games, seats
    cdef int memory_aid
    cdef unsigned char* observations
    cdef unsigned char* masks
    cdef unsigned char* ended
    cdef float* rewards
    cdef i64* legal
    cdef i64* scores
    cdef i64* to_move
    cdef i64* episodes
    cdef i64* actions

    @cython.locals(action=i64, legal=bint)
    cdef bint playable(self, Py_ssize_t i) noexcept nogil
    cdef void show(self, State state, Py_ssize_t i) noexcept nogil
    @cython.locals(seat=int)
    cdef void deal(self, State state, Py_ssize_t i) noexcept nogil
    @cython.locals(action=i64, winners=int)
    cdef void turn(self, State state, Py_ssize_t i) noexcept nogil
    cdef int check(self, Py_ssize_t first, Py_ssize_t last) except -1
    @cython.locals(i=Py_ssize_t, found=Py_ssize_t)
    cpdef Py_ssize_t refused(self, Py_ssize_t first, Py_ssize_t last) except -2
    @cython.locals(i=Py_ssize_t)
    cpdef void begin(self, Py_ssize_t first, Py_ssize_t last)
    @cython.locals(i=Py_ssize_t)
    cpdef void play(self, Py_ssize_t first, Py_ssize_t last)
