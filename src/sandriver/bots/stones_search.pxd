# C types of stones_search.py: with them Cython compiles the search to C speed, without them the same file runs as plain Python.
cimport cython
from libc.math cimport log, sqrt
from cpython.exc cimport PyErr_CheckSignals as check_signals
from cpython.time cimport perf_counter
from sandriver.bots.stones_leaf cimport Leaf
from sandriver.games.stones.kernel cimport (
    ARTISTS, BOARDS, CARDS, COLOUR, MANDALA, MOST_SEATS, PICK, PLACES, SKIP, STACKS, TOPS, TOUCHES, TOWERS, TRACK, State, Rules, lowest, ones, u32, u64,
)
from sandriver.games.stones.planes cimport ACTIONS, to_index

cpdef enum:
    MOST_NODES = 2097152
    MOST_DEPTH = 127
    LOGS = 4096
    EVERY = 16


cdef extern from *:
    """
    #include <stdlib.h>
    typedef struct { double total; int visits, available, child, next, word, index; } Node;
    static inline Node* enlarged(Node* nodes, int wanted) { return (Node*)realloc(nodes, (size_t)wanted * sizeof(Node)); }
    static inline void released(Node* nodes) { free(nodes); }
    """
    ctypedef struct Node:
        double total
        int visits, available, child, next, word, index
    Node* enlarged(Node* nodes, int wanted) noexcept nogil
    void released(Node* nodes) noexcept nogil


@cython.final
cdef class Search:
    cdef readonly State state
    cdef State trial
    cdef readonly object options
    cdef Node* nodes
    cdef double logs[4096]
    cdef double values[4]
    cdef u64 gains[9]
    cdef int base[154]
    cdef int hidden[96]
    cdef int left[8]
    cdef int rest[8]
    cdef int pool[64]
    cdef int path[128]
    cdef int seats[128]
    cdef int marks[1656]
    cdef readonly int used, room, done, depth
    cdef int stamp, seat, first, round, trigger, placed, covered, undealt
    cdef readonly int cancelled
    cdef int most
    cdef double seconds, until, pause
    cdef bint finished
    cdef object lock
    cdef public double exploration
    cdef readonly Leaf leaf
    cdef bint rollouts
    cdef public double widening
    cdef public int candidates

    @cython.locals(i=int)
    cdef void reset_to_known(self) noexcept nogil
    @cython.locals(i=int, place=int, shift=int, colour=int, n=int, seat=int, card=int)
    cdef void determinise(self) noexcept nogil
    cdef double log_of(self, int n) noexcept nogil
    @cython.locals(nodes="Node*", wanted=int)
    cdef bint grow(self) noexcept nogil
    @cython.locals(nodes="Node*", node=int)
    cdef int add(self, int parent, int word) noexcept nogil
    @cython.locals(legal=int, i=int)
    cdef int look(self) noexcept nogil
    @cython.locals(kind=int, allowed=int)
    cdef bint allows(self, int word) noexcept nogil
    @cython.locals(nodes="Node*", child=int, best=int, found=int, value=double, most=double)
    cdef int select(self, int node, int legal) noexcept nogil
    @cython.locals(word=int)
    cdef int untried(self, int legal) noexcept nogil
    @cython.locals(best=int, word=int, most=double, worth=double)
    cdef int best_untried(self, int legal, int candidates) noexcept nogil
    @cython.locals(i=int, winners=int)
    cdef double worth_after(self, int word) noexcept nogil
    @cython.locals(nodes="Node*", node=int, child=int, depth=int, legal=int, word=int, i=int)
    cdef void iterate(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void evaluate(self) noexcept nogil
    @cython.locals(winners=int, seat=int, share=double)
    cdef void outcome(self) noexcept nogil
    @cython.locals(now=double)
    cdef bint think(self) noexcept nogil
