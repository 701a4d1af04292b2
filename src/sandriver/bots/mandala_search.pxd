# C types of mandala_search.py: with them Cython compiles the search to C speed, without them the same file runs as plain Python.
cimport cython
from libc.math cimport log, sqrt
from cpython.exc cimport PyErr_CheckSignals as check_signals
from cpython.time cimport perf_counter
from sandriver.bots.mandala_choice cimport Choice
from sandriver.bots.mandala_leaf cimport Leaf
from sandriver.bots.mandala_net cimport Net
from sandriver.games.mandala.kernel cimport (
    CLAIMED, DEALT, DECK, HAND, HIGHS, ONE, ONES, PILE, PLACES, RIVER, SET, WORD, State, from_index, present, to_index, total, u64,
)

cpdef enum:
    MOST_NODES = 2097152
    MOST_DEPTH = 127
    LOGS = 4096
    EVERY = 16


cdef extern from *:
    """
    #include <stdlib.h>
    typedef struct { double total, chance; int visits, available, child, next; unsigned char index, move, shift, count; } Node;
    static inline Node* enlarged(Node* nodes, int wanted) { return (Node*)realloc(nodes, (size_t)wanted * sizeof(Node)); }
    static inline void released(Node* nodes) { free(nodes); }
    """
    ctypedef struct Node:
        double total, chance
        int visits, available, child, next
        unsigned char index, move, shift, count
    Node* enlarged(Node* nodes, int wanted) noexcept nogil
    void released(Node* nodes) noexcept nogil


@cython.final
cdef class Search:
    cdef readonly State state
    cdef State trial
    cdef Node* nodes
    cdef double logs[4096]
    cdef u64 base[16]
    cdef u64 have[6]
    cdef u64 unseen
    cdef int path[128]
    cdef int seats[128]
    cdef int marks[256]
    cdef readonly int used, room, done, depth
    cdef int stamp, seat, mover, claim, completer, last, redraws, hidden_hand, hidden_dealt, hidden_claimed
    cdef readonly int cancelled
    cdef int most
    cdef double seconds, until, pause
    cdef bint finished
    cdef object lock
    cdef readonly object options
    cdef public double exploration, margin
    cdef readonly Leaf leaf
    cdef readonly Net net
    cdef readonly Choice choice
    cdef bint rollouts, learned, choosing
    cdef public double widening
    cdef double trust
    cdef public int candidates, plies

    @cython.locals(best=int, child=int)
    cpdef tuple examine(self, State state, int iterations, object seed)
    @cython.locals(child=int)
    cpdef list tried(self)
    @cython.locals(i=int, other=int)
    cdef void read_state(self, State state) noexcept
    @cython.locals(i=int)
    cdef void reset_to_known(self) noexcept nogil
    @cython.locals(sums=u64, left=int, got=u64, above=u64)
    cdef u64 sample(self, u64 pool, int n) noexcept nogil
    @cython.locals(left=u64, other=int, got=u64)
    cdef void determinise(self) noexcept nogil
    cdef double log_of(self, int n) noexcept nogil
    @cython.locals(nodes="Node*", wanted=int)
    cdef bint grow(self) noexcept nogil
    @cython.locals(nodes="Node*", node=int, index=int)
    cdef int add(self, int parent, u64 word) noexcept nogil
    @cython.locals(choices="u64*", have="u64*")
    cdef int look(self) noexcept nogil
    @cython.locals(nodes="Node*", have="u64*", child=int, best=int, found=int, value=double, most=double)
    cdef int select(self, int node, int legal) noexcept nogil
    @cython.locals(word=u64)
    cdef u64 untried(self, int legal) noexcept nogil
    @cython.locals(best=u64, word=u64, most=double, worth=double)
    cdef u64 best_untried(self, int legal, int candidates) noexcept nogil
    @cython.locals(best=int, i=int)
    cdef int likeliest(self) noexcept nogil
    @cython.locals(i=int, value=double)
    cdef double worth_after(self, u64 word) noexcept nogil
    @cython.locals(nodes="Node*", node=int, child=int, depth=int, legal=int, word=u64, value=double, i=int, at=int)
    cdef void iterate(self) noexcept nogil
    @cython.locals(value=double, left=int)
    cdef double evaluate(self) noexcept nogil
    @cython.locals(winners=int, value=double, lead=int)
    cdef double outcome(self) noexcept nogil
    @cython.locals(now=double)
    cdef bint think(self) noexcept nogil
