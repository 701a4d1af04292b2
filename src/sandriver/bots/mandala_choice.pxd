# C types of mandala_choice.py: with them Cython compiles the network to C speed, without them the same file runs as plain Python.
cimport cython
from libc.math cimport exp
from sandriver.bots.mandala_net cimport COLOUR, CONTEXT, HIDDEN, KINDS, Net, weigh
from sandriver.games.mandala.kernel cimport GROW, HAND, REDRAW, State, u64

cpdef enum:
    WIDTH = 32  # of the last layer's rows: KINDS, and what makes them a multiple of what is summed up at once
    MOST = 64  # legal turns


@cython.final
cdef class Choice:
    cdef double first[91 * 32]
    cdef double first_bias[32]
    cdef double by_colour[45 * 32]
    cdef double last[32 * 32]
    cdef double last_bias[32]
    cdef double sums[32]
    cdef double hidden[32]
    cdef double answers[32]
    cdef int legal[64]
    cdef double chances[64]
    cdef int count

    @cython.locals(
        sums="double*", hidden="double*", i=int, j=int, n=int, count=int, colour=int, shift=int, move=int, first=int, answer=int, index=int,
        hand=u64, most=double, every=double,
    )
    cdef void judge(self, Net net, State state) noexcept nogil
    @cython.locals(i=int)
    cpdef dict read(self, Net net, State state)

@cython.locals(colour=int, kind=int)
cpdef int answer_of(int index, int first) noexcept
