# C types of mandala_net.py: with them Cython compiles the network to C speed, without them the same file runs as plain Python.
cimport cython
from libc.math cimport exp
from sandriver.bots.mandala_leaf cimport Leaf, most_of_one
from sandriver.games.mandala.kernel cimport DEALT, DECK, HAND, ONES, PILE, RIVER, State, present, total, u64

cdef extern from *:
    """
    /* Adds rows of weights, each as often as its input says. The sums of a block stay in registers; each is made in the order of the inputs. */
    static inline void weigh(double *sums, int to, const double *inputs, int first, const double *weights, int n, int width) {
        int at[128], many = 0, i, j, from;
        double much[128];
        sums += to;
        inputs += first;
        for (i = 0; i < n; i++) if (inputs[i] != 0.0) { at[many] = i * width; much[many++] = inputs[i]; }
        for (from = 0; from < width; from += 16) {
            double block[16];
            for (j = 0; j < 16; j++) block[j] = sums[from + j];
            for (i = 0; i < many; i++) {
                const double *row = weights + at[i] + from;
                const double x = much[i];
                for (j = 0; j < 16; j++) block[j] += x * row[j];
            }
            for (j = 0; j < 16; j++) sums[from + j] = block[j];
        }
    }
    """
    void weigh(double* sums, int to, const double* inputs, int first, const double* weights, int n, int width) noexcept nogil

cpdef enum:
    INPUTS = 1
    CONTEXT = 91
    COLOUR = 45
    HIDDEN = 32
    LAST = 32
    BOTH = 64


@cython.final
cdef class Net:
    cdef readonly Leaf leaf
    cdef double context[91]
    cdef double colour[6 * 45]
    cdef double first[91 * 64]
    cdef double first_bias[64]
    cdef double by_colour[45 * 32]
    cdef double second[32 * 32]
    cdef double out[32]
    cdef double out_bias
    cdef double sums[64]
    cdef double hidden[32]
    cdef double pooled[32]
    cdef int order[2]

    @cython.locals(
        me=int, other=int, sign=double, i=int, at=int, n=int, m=int, base=int, mine=int, theirs=int, missing=int, seat=int, lead=double, t=double,
        hand=u64, river=u64, gap=u64, mountain=u64, g="double*", k=int, one=int, two=int,
    )
    cdef void look(self, State state) noexcept nogil
    @cython.locals(
        me=int, other=int, colour=int, shift=int, at=int, n=int, m=int, k=int, seat=int, base=int, x="double*", unopened=int, there=int,
    )
    cdef void look_at_colours(self, State state, int me) noexcept nogil
    @cython.locals(j=int, colour=int, x=double, sums="double*", hidden="double*", pooled="double*")
    cdef double forward(self) noexcept nogil
    @cython.locals(x=double)
    cdef double value(self, State state) noexcept nogil
    @cython.locals(x=double)
    cpdef double worth(self, State state) noexcept nogil
    @cython.locals(i=int)
    cpdef list read(self, State state)

cpdef void play(State state, int index) noexcept
