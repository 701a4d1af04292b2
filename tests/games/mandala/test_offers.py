"""The words of Mandala's choices: compiled and as source the same, and right in number."""

from __future__ import annotations

from sandriver.games import kernels
from sandriver.games.mandala.actions import ACTIONS

KERNEL, OFFERS = "sandriver.games.mandala.kernel", "sandriver.games.mandala.offers"


def test_both_forms_give_the_same_words() -> None:
    sources = kernels.interpreted(KERNEL), kernels.interpreted(OFFERS)
    used = kernels.choose(KERNEL), kernels.choose(OFFERS)
    for seed in range(6):
        one, other = sources[0].State(seed & 1, 6), used[0].State(seed & 1, 6)
        for state in (one, other):
            state.reseed(seed)
            state.fresh(seed & 1)
        while not one.over:
            if one.claim < 0:
                assert sources[1].offers(one) == used[1].offers(other)
            assert one.step() == other.step()


def test_a_word_counts_the_legal_actions_of_its_group() -> None:
    kernel, offers = kernels.choose(KERNEL), kernels.choose(OFFERS).offers
    for seed in range(6):
        state = kernel.State(seed & 1, 20)
        state.reseed(seed)
        state.fresh(seed & 1)
        while not state.over:
            if state.claim < 0:
                words = offers(state)
                assert sum(word >> 6 & 15 for word in words) == len(state.legal())
                assert len(words) == 5 * len({ACTIONS[index].colour for index in state.legal()})
                assert all((word >> 6 & 15 == 0) <= (word >> 10 & 15 > 0) for word in words)
            state.step()
