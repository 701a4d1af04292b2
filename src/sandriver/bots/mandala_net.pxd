# C types of mandala_net.py: with them Cython compiles the network to C speed, without them the same file runs as plain Python.
cimport cython
from libc.math cimport exp
from sandriver.bots.mandala_leaf cimport Leaf, most_of_one
from sandriver.games.mandala.kernel cimport DEALT, DECK, HAND, ONES, PILE, RIVER, State, present, total, u64

cdef extern from *:
    """
    /* Adds rows of weights, each as often as its input says, in the order of the inputs. The sums of a block of 16 stay in registers. Done
       narrowly or widely, four doubles at a time where the machine can (asked when it runs; nothing is fused), they are rounded alike. */
    static inline void weigh_narrow(double *sums, const double *rows, int width, const int *at, const double *much, int many) {
        double *end;
        for (end = sums + width; sums < end; sums += 16, rows += 16) {
            double block[16];
            int i, j;
            for (j = 0; j < 16; j++) block[j] = sums[j];
            for (i = 0; i < many; i++) for (j = 0; j < 16; j++) block[j] += much[i] * rows[at[i] + j];
            for (j = 0; j < 16; j++) sums[j] = block[j];
        }
    }
    #if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__)
    typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
    __attribute__((target("avx"))) static inline void weigh_wide(
        double *sums, const double *rows, int width, const int *at, const double *much, int many
    ) {
        double *end;
        for (end = sums + width; sums < end; sums += 16, rows += 16) {
            Four block[4];
            int i, j;
            for (j = 0; j < 4; j++) block[j] = ((Four *)sums)[j];
            for (i = 0; i < many; i++) for (j = 0; j < 4; j++) block[j] += much[i] * ((const Four *)(rows + at[i]))[j];
            for (j = 0; j < 4; j++) ((Four *)sums)[j] = block[j];
        }
    }
    #define IS_WIDE __builtin_cpu_supports("avx")
    #else
    #define IS_WIDE 0
    #define weigh_wide weigh_narrow
    #endif
    static inline void weigh(double *sums, int to, const double *inputs, int first, const double *weights, int n, int width) {
        int at[128], many = 0, i;
        double much[128];
        for (i = 0; i < n; i++) { at[many] = i * width; much[many] = inputs[first + i]; many += inputs[first + i] != 0.0; }
        if (IS_WIDE) weigh_wide(sums + to, weights, width, at, much, many);
        else weigh_narrow(sums + to, weights, width, at, much, many);
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
    KINDS = 24  # of turns with a colour: builds in either mandala, grows of 1 to 7 in either, redraws of 1 to 8


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
    cpdef int first_read(self) noexcept
    @cython.locals(x=double)
    cdef double value(self, State state) noexcept nogil
    @cython.locals(x=double)
    cpdef double worth(self, State state) noexcept nogil
    @cython.locals(i=int)
    cpdef list read(self, State state)

cpdef void play(State state, int index) noexcept
