# C types of mandala_leaf.py: with them Cython compiles the evaluation to C speed, without them the same file runs as plain Python.
cimport cython
from libc.math cimport exp
from sandriver.games.mandala.kernel cimport (
    CLAIMED, DEALT, DECK, HAND, ONE, ONES, RIVER, SET, State, points, present, total, u64,
)

cpdef enum:
    FEATURES = 24


@cython.locals(most=int, n=int)
cdef int most_of_one(u64 cards) noexcept nogil
cdef int first_of(int one, int two, int completer) noexcept nogil


@cython.final
cdef class Leaf:
    cdef double sums[24]
    cdef double weights[24]
    cdef double own[12]
    cdef double by_place[12]
    cdef int opens[12]
    cdef int places[2]
    cdef double late
    cdef double parts[6]

    @cython.locals(seat=int, colour=int, n=int, place=int, dealt=int, left=int, shift=int, empty=int, i=int)
    cdef int lay(self, State state, u64 mountain, int empty_0, int empty_1) noexcept nogil
    @cython.locals(colour=int, best=int, most=double, worth=double)
    cdef int wanted(self, int left, double one, double two) noexcept nogil
    @cython.locals(left=int, best=int, i=int, sign=double, seat=int, one=double, two=double)
    cdef double shared(self, int every, int first) noexcept nogil
    @cython.locals(base=int, left=int, word=u64)
    cdef u64 greedy_claim(self, State state) noexcept nogil
    @cython.locals(
        t=double, base=int, m=int, missing=int, one=int, two=int, every=int, chance=double, longest=int, seat=int, sign=double, i=int,
        river=u64, hand=u64, place=int, first=double, second=double,
    )
    cdef void look(self, State state) noexcept nogil
    @cython.locals(every=int, worth=double, best=double, sign=double, seat=int, n=int, gap=u64, held=u64, first=double, second=double)
    cdef double one_missing(self, State state, int base, int one, int two) noexcept nogil
    @cython.locals(i=int, x=double)
    cdef double value(self, State state) noexcept nogil
