"""Many games of Mandala at once: stepped, observed and dealt anew in one loop; compiled, without the interpreter lock.

A batch owns its games and writes into buffers that are lent to it, one row a game (``lend``). Every game has a generator of its own for
cards and random actions, so what happens in one does not depend on how many there are. Ranges ``first..last-1`` that do not overlap may be
played from several threads at the same time.
"""

from __future__ import annotations

from typing import Any

import cython

from sandriver.games.mandala.options import Options
from sandriver.games.planes import seed_of

if not cython.compiled:  # compiled, these are C constants, functions and types that batch.pxd brings in
    from sandriver.games import kernels
    from sandriver.games.mandala import kernel as _used
    from sandriver.games.planes import buffer_of, fetch_early

    _kernel: Any = kernels.interpreted(_used.__name__) if kernels.is_compiled(_used) else _used
    _planes: Any = kernels.interpreted("sandriver.games.mandala.planes")
    State, ACTIONS, SIZE = _kernel.State, _planes.ACTIONS, _planes.SIZE
    mask, observe = _planes.mask, _planes.observe
    malloc: Any = None
    free: Any = None


class Batch:
    """So many games, none of them begun: ``reseed``, ``lend`` and ``begin`` come first."""

    def __init__(self, options: Options, seats: int, games: int) -> None:
        self.games, self.seats, self.memory_aid = games, seats, int(options.memory_aid)
        self.states = [State(int(options.exhaustion == "lazy"), options.stall_limit) for _ in range(games)]
        if not cython.compiled:
            self.at: Any = self.states
            self.lent: Any = None
            return
        self.at = cython.cast("void**", malloc(games * cython.sizeof("void*")))
        if self.at == cython.NULL:
            raise MemoryError
        for i in range(games):
            self.at[i] = cython.cast("void*", self.states[i])

    def __dealloc__(self) -> None:
        """Compiled: give back the list of addresses."""
        if cython.compiled:
            free(self.at)

    def reseed(self, seed: int) -> None:
        """Set every game's generator from one seed and the game's number."""
        for i in range(self.games):
            self.states[i].reseed(seed_of(seed, i))

    def lend(
        self, *, observations: Any, masks: Any, legal: Any, rewards: Any, scores: Any, ended: Any, to_move: Any, episodes: Any, actions: Any
    ) -> None:
        """Take the buffers, a row for each game.

        Unsigned bytes: what is observed, which actions are legal, whether a game has just ended. 4-byte floats: rewards by seat. 8-byte
        integers: how many actions are legal, scores by seat, the seat to move, games finished, the actions to be played (-1: a random one).
        """
        games, self.lent = self.games, None  # until all of them are there
        self.observations = cython.cast("unsigned char*", buffer_of(observations, 1, games * SIZE))
        self.masks = cython.cast("unsigned char*", buffer_of(masks, 1, games * ACTIONS))
        self.legal = cython.cast("i64*", buffer_of(legal, 8, games))
        self.ended = cython.cast("unsigned char*", buffer_of(ended, 1, games))
        self.rewards = cython.cast("float*", buffer_of(rewards, 4, 2 * games))
        self.scores = cython.cast("i64*", buffer_of(scores, 8, 2 * games))
        self.to_move = cython.cast("i64*", buffer_of(to_move, 8, games))
        self.episodes = cython.cast("i64*", buffer_of(episodes, 8, games))
        self.actions = cython.cast("i64*", buffer_of(actions, 8, games))
        self.lent = [observations, masks, legal, ended, rewards, scores, to_move, episodes, actions]

    def game(self, i: int) -> Any:
        """A copy of the kernel's state of game ``i``."""
        return self.states[i].copy()

    # --- one game ---------------------------------------------------------------------------------

    def playable(self, i: int) -> bool:
        """Whether the action of game ``i`` can be played."""
        action = self.actions[i]
        legal: bool = action == -1
        if 0 <= action < ACTIONS:
            legal = self.masks[i * ACTIONS + action] != 0
        return legal

    def show(self, state: Any, i: int) -> None:
        """Write what who must act knows and may do."""
        self.to_move[i] = state.mover
        observe(state, state.mover, self.memory_aid, self.observations, i * SIZE)
        self.legal[i] = mask(state, self.masks, i * ACTIONS)

    def deal(self, state: Any, i: int) -> None:
        """Begin a game; the seats begin in turn."""
        seat = (i + self.episodes[i]) & 1
        state.fresh(seat)
        self.show(state, i)

    def turn(self, state: Any, i: int) -> None:
        """Play one action; a game that ends is followed by the next."""
        action = self.actions[i]
        if action < 0:
            state.step()
        else:
            state.begin(action)
            if state.owed:
                state.draw()
        if state.over == 0:
            if self.ended[i]:
                self.ended[i] = 0
                self.rewards[2 * i] = self.rewards[2 * i + 1] = 0
                self.scores[2 * i] = self.scores[2 * i + 1] = 0
            self.show(state, i)
            return
        winners = state.winners()
        self.ended[i] = 1
        self.rewards[2 * i] = (winners == 1) - (winners == 2)
        self.rewards[2 * i + 1] = (winners == 2) - (winners == 1)
        self.scores[2 * i] = state.score(0)
        self.scores[2 * i + 1] = state.score(1)
        self.episodes[i] += 1
        self.deal(state, i)

    # --- all of a range ---------------------------------------------------------------------------

    def check(self, first: int, last: int) -> int:
        """Raise ``ValueError`` for a range that there is not, or while there are no buffers."""
        if self.lent is None or not 0 <= first <= last <= self.games:
            raise ValueError(f"no buffers for games {first} to {last}")
        return 0

    def refused(self, first: int, last: int) -> int:
        """The first game of the range whose action cannot be played; -1: all can."""
        self.check(first, last)
        found = -1
        with cython.nogil:
            for i in range(first, last):
                if not self.playable(i):
                    found = i
                    break
        return found

    def begin(self, first: int, last: int) -> None:
        """Begin a new game in every row of the range."""
        self.check(first, last)
        with cython.nogil:
            for i in range(first, last):
                self.ended[i] = 0
                self.rewards[2 * i] = self.rewards[2 * i + 1] = 0
                self.scores[2 * i] = self.scores[2 * i + 1] = 0
                self.episodes[i] = 0
                self.deal(cython.cast(State, self.at[i]), i)

    def play(self, first: int, last: int) -> None:
        """Play the action of every row of the range; ask ``refused`` first."""
        self.check(first, last)
        with cython.nogil:
            for i in range(first, last):
                fetch_early(self.at[min(i + 3, last - 1)], 0, 576)  # about the size of a state
                self.turn(cython.cast(State, self.at[i]), i)
