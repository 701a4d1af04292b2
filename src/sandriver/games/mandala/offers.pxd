# C types of offers.py: the words of all choices.
cimport cython
from sandriver.games.mandala.kernel cimport DECK, GROW, HAND, ONE, PILE, State, build_draw, present, total, u64

@cython.locals(
    words=list, seat=int, hand=u64, draw=u64, colour=int, held=int, kind=int, m=int, first=int, most=u64, code=u64, word=u64, mountain=u64,
    lacked=u64, card=u64, n=int,
)
cpdef list offers(State state)
