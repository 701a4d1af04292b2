"""Mandala as many would first write it: plain Python, lists of colour letters, tuples as actions. What the kernel's speed is compared with.

Nothing in it is slow on purpose, nothing is tuned. It plays by the usual options (the pile is shuffled in as soon as the deck is empty,
twenty redraws in a row end the game); a test plays it side by side with the kernel. Actions: ``("build", mandala, colour)``,
``("grow", mandala, colour, cards)``, ``("redraw", colour, cards)``, ``("claim", colour)``.
"""

from __future__ import annotations

import random
from typing import Any

COLOURS = "KGPYOR"
HAND_LIMIT = 8
STALL_LIMIT = 20

Action = tuple[Any, ...]


class Player:
    """One player's cards."""

    def __init__(self) -> None:
        self.hand: list[str] = []
        self.river: list[str] = []
        self.cup: list[str] = []


class Mandala:
    """One of the two mandalas: the mountain and each player's field."""

    def __init__(self) -> None:
        self.mountain: list[str] = []
        self.fields: tuple[list[str], list[str]] = ([], [])

    def is_complete(self) -> bool:
        """Whether all six colours lie in it."""
        return len({*self.mountain, *self.fields[0], *self.fields[1]}) == len(COLOURS)


class Game:
    """A game of Mandala that is played on by ``play``."""

    def __init__(self, rng: random.Random, first: int = 0) -> None:
        self.rng = rng
        self.deck = [colour for colour in COLOURS for _ in range(18)]
        rng.shuffle(self.deck)
        self.discard: list[str] = []
        self.players = (Player(), Player())
        self.mandalas = (Mandala(), Mandala())
        self.turn = first
        self.over = False
        self.last = False
        self.redraws = 0
        self.claiming: Mandala | None = None
        self.completer = 0
        for mandala in self.mandalas:
            self.draw(mandala.mountain, 2)
        for player in self.players:
            self.draw(player.hand, 6)
        for player in self.players:
            self.draw(player.cup, 2)

    def draw(self, to: list[str], count: int) -> None:
        """Draw so many cards, or as many as there are; an empty deck is made from the discard pile."""
        for _ in range(count):
            if not self.deck:
                return
            to.append(self.deck.pop())
            if not self.deck:
                self.last = True
                self.deck, self.discard = self.discard, []
                self.rng.shuffle(self.deck)

    def legal_actions(self) -> list[Action]:
        """What the player whose turn it is may do."""
        if self.over:
            return []
        if self.claiming is not None:
            return [("claim", colour) for colour in COLOURS if colour in self.claiming.mountain]
        hand = self.players[self.turn].hand
        counts = {colour: hand.count(colour) for colour in COLOURS if colour in hand}
        nothing_to_draw = not self.deck and not self.discard
        actions: list[Action] = []
        for m, mandala in enumerate(self.mandalas):
            own, other = mandala.fields[self.turn], mandala.fields[1 - self.turn]
            for colour, count in counts.items():
                if colour in other:
                    continue
                if colour not in own and not (len(hand) == 1 and nothing_to_draw):
                    actions.append(("build", m, colour))
                if colour not in mandala.mountain:
                    actions += [("grow", m, colour, cards) for cards in range(1, min(count, len(hand) - 1) + 1)]
        for colour, count in counts.items():
            actions += [("redraw", colour, cards) for cards in range(1, count + 1)]
        return actions

    def play(self, action: Action) -> None:
        """Play a legal action."""
        kind = action[0]
        if kind == "claim":
            self.claim(action[1])
            return
        hand = self.players[self.turn].hand
        if kind == "redraw":
            _, colour, cards = action
            for _ in range(cards):
                hand.remove(colour)
                self.discard.append(colour)
            self.draw(hand, cards)
            self.redraws += 1
            self.turn = 1 - self.turn
            if self.redraws == STALL_LIMIT:
                self.over = True
            return
        mandala = self.mandalas[action[1]]
        if kind == "build":
            hand.remove(action[2])
            mandala.mountain.append(action[2])
            self.draw(hand, min(3, HAND_LIMIT - len(hand)))
        else:
            _, _, colour, cards = action
            for _ in range(cards):
                hand.remove(colour)
                mandala.fields[self.turn].append(colour)
        self.redraws = 0
        if mandala.is_complete():
            self.destroy(mandala)
        else:
            self.turn = 1 - self.turn

    def destroy(self, mandala: Mandala) -> None:
        """Begin the claims, or clear away a mandala in which nobody has a card."""
        self.completer, self.claiming = self.turn, mandala
        mine, theirs = len(mandala.fields[self.turn]), len(mandala.fields[1 - self.turn])
        if not mine and not theirs:
            self.discard += mandala.mountain
            mandala.mountain.clear()
            self.finish(mandala)
        elif mine <= theirs:
            self.turn = 1 - self.turn

    def claim(self, colour: str) -> None:
        """Take all cards of a colour from the mountain: to the river and the cup, or away if the own field is empty."""
        mandala = self.claiming
        assert mandala is not None
        cards = mandala.mountain.count(colour)
        mandala.mountain = [card for card in mandala.mountain if card != colour]
        player = self.players[self.turn]
        if not mandala.fields[self.turn]:
            self.discard += [colour] * cards
        else:
            if colour not in player.river:
                player.river.append(colour)
                cards -= 1
            player.cup += [colour] * cards
        if mandala.mountain:
            self.turn = 1 - self.turn
        else:
            self.finish(mandala)

    def finish(self, mandala: Mandala) -> None:
        """After the last claim: the fields are discarded; the game ends, or the mandala begins anew."""
        self.claiming = None
        for field in mandala.fields:
            self.discard += field
            field.clear()
        if self.last or any(len(player.river) == len(COLOURS) for player in self.players):
            self.over = True
            return
        self.draw(mandala.mountain, 2)
        self.turn = 1 - self.completer

    def points(self, seat: int) -> int:
        """Points of a player: each card in the cup counts the place of its colour in the river."""
        player = self.players[seat]
        return sum(player.river.index(card) + 1 for card in player.cup if card in player.river)

    def winners(self) -> list[int]:
        """Who has most points, and of equals the fewest cards in the cup."""
        best = [(self.points(seat), -len(self.players[seat].cup)) for seat in (0, 1)]
        return [seat for seat in (0, 1) if best[seat] == max(best)]


def random_game(rng: random.Random) -> int:
    """Play a whole game at random; returns the number of actions."""
    game, moves = Game(rng), 0
    while not game.over:
        game.play(rng.choice(game.legal_actions()))
        moves += 1
    return moves
