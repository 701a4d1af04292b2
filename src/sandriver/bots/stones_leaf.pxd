# C types of stones_leaf.py: with them Cython compiles the evaluation to C speed, without them the same file runs as plain Python.
cimport cython
from libc.math cimport exp
from sandriver.games.stones.kernel cimport BOARDS, CARDS, MOST_SEATS, State, TOWERS, TRACK, height


@cython.final
cdef class Leaf:
    cdef int piles[5]
    cdef double paid[4]
    cdef int on[4]
    cdef double values[4]
    cdef int taken
    cdef readonly double sooner, tempo, spread, spread_later

    @cython.locals(i=int, pile=int, top=int, heights=int, seen=int, best=double, filled=int, everywhere=int)
    cdef double best_scoring(self, State state) noexcept nogil
    @cython.locals(i=int)
    cdef double score(self, State state, double factor) noexcept nogil
    @cython.locals(i=int)
    cdef int stones(self) noexcept nogil
    @cython.locals(one=int, two=int)
    cdef double kept(self, State state, int seat) noexcept nogil
    @cython.locals(i=int, worth=double, n=int)
    cdef double weigh(self, State state, int seat, double factor, double turns) noexcept nogil
    @cython.locals(i=int)
    cdef double last_turn(self, State state, int seat) noexcept nogil
    @cython.locals(seat=int, turns=double, ahead=int, left=int, factor=double, most=double, every=double, spread=double)
    cdef void value(self, State state) noexcept nogil
