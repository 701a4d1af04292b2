"""Plays the games that `tools/lessons.py` learns from, and notes of each what the page asks: a dictionary of plain numbers a game.

Everything is read from positions and transitions as any program can; nothing here looks into a bot beyond what its search tells.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from sandriver import games  # noqa: E402
from sandriver.arena.play import PairedChance  # noqa: E402
from sandriver.bots.search_bot import SearchBot  # noqa: E402
from sandriver.games import mandala, stones  # noqa: E402

MANDALA, STONES = games.get("mandala"), games.get("stones")
SEARCH = "ismcts-net"
ROOT_TIMES, REPLIES, DRAWS = 2, 3, 2
"""An opening is searched with so many times the budget of a move; each kind is then played on so often, and the reply is found with a
third of the budget."""


def kind_of(action: mandala.Action) -> str:
    """What kind of first action it is: ``build``, ``grow 2``, ``redraw 1``; three and more are one kind."""
    return action.kind if action.kind == "build" else f"{action.kind} {min(action.count, 3)}"


def relation(own: int, other: int) -> str:
    """How two fields compare for the one who owns the first: ``more``, ``equal``, ``fewer``; ``none`` where the own one is empty."""
    if own == 0:
        return "none"
    return "more" if own > other else "equal" if own == other else "fewer"


def colours(position: mandala.Position, which: int) -> set[str]:
    """The colours that lie in a mandala, mountain and fields together."""
    places = (position.mountains[which], *position.fields[which])
    return {colour for place in places for colour, _ in place}


def completing(position: mandala.Position) -> list[mandala.Action]:
    """The legal actions that would complete a mandala: they bring the one colour that it lacks."""
    lacking = [set("KGPYOR") - colours(position, which) for which in (0, 1)]
    ready = {which: lacking[which] for which in (0, 1) if len(lacking[which]) == 1}
    return [a for a in position.legal_actions if a.kind in {"build", "grow"} and a.mandala in ready and a.colour in ready[a.mandala]]


def standing(position: mandala.Position, action: mandala.Action, seat: int) -> str:
    """How the fields compare for ``seat`` once the action is played."""
    assert action.mandala is not None
    fields = [place.total for place in position.fields[action.mandala]]
    if action.kind == "grow":
        fields[seat] += action.count
    return relation(fields[seat], fields[1 - seat])


def openings(position: mandala.Position, seed: int, iterations: int) -> dict[str, float]:
    """The chance to win (0..1) after the most searched action of each kind: the mean over some draws of cards.

    Each is played, the other player replies, and then the first one's own search says how it stands. So every kind gets the same search,
    by the one who knows the hand.
    """
    seat = position.to_move
    assert seat is not None
    root = SearchBot(SEARCH, iterations=ROOT_TIMES * iterations).analyse(MANDALA.view(position, seat), seed=seed)
    best: dict[str, str] = {}
    for action in sorted(root.visits, key=lambda text: -root.visits[text]):
        best.setdefault(kind_of(mandala.Action.parse(action)), action)
    reply, judge = SearchBot(SEARCH, iterations=max(1, iterations // REPLIES)), SearchBot(SEARCH, iterations=iterations)
    found = {}
    for kind, action in best.items():
        worth = 0.0
        for draw in range(DRAWS):
            chance = PairedChance(1_000_000 + seed * DRAWS + draw)
            after = position.play(mandala.Action.parse(action), chance).after
            answer = reply.analyse(MANDALA.view(after, 1 - seat), seed=draw).action
            after = after.play(mandala.Action.parse(answer), chance).after
            worth += judge.analyse(MANDALA.view(after, seat), seed=draw).value
        found[kind] = worth / DRAWS
    return found


def play_mandala(seed: int, iterations: int) -> dict[str, Any]:
    """Play one game of the search against itself, and note what there is to learn from it."""
    chance, rng, bot = PairedChance(seed), random.Random(f"lessons {seed}"), SearchBot(SEARCH, iterations=iterations)
    position = mandala.Position.start(chance, first=seed % 2)
    facts: dict[str, Any] = {
        "seed": seed,
        "first": seed % 2,
        "openings": openings(position, seed, iterations),
        "completed": [],
        "could": [],
    }
    turns, did = 0, Counter[str]()
    begun: dict[str, Any] = {}
    while (seat := position.to_move) is not None:
        legal = position.legal_actions
        found = None if len(legal) == 1 else bot.analyse(MANDALA.view(position, seat), seed=rng.getrandbits(62))
        action = mandala.Action.parse(found.action) if found else legal[0]
        before = position.scores
        if position.claim is None:
            turns += 1
            facts.setdefault("chosen", kind_of(action))
            did[action.kind] += 1
            ways = completing(position)
            if ways:
                stands = {standing(position, way, seat) for way in ways}
                best = next(stand for stand in ("more", "equal", "fewer", "none") if stand in stands)
                facts["could"].append([best, int(action in ways)])
            if action in ways:
                begun = {"seat": seat, "stands": standing(position, action, seat), "before": before, "claims": [0, 0], "turn": turns}
        else:
            begun["claims"][seat] += 1
        position = position.play(action, chance).after
        if begun and position.claim is None:  # completed, and shared out
            gains = [after - earlier for after, earlier in zip(position.scores, begun.pop("before"), strict=True)]
            facts["completed"].append({**begun, "gains": gains, "lead": position.scores[0] - position.scores[1]})
            begun = {}
    return {**facts, **ending(position), "turns": turns, "did": dict(did), **laid(position)}


def laid(position: mandala.Position) -> dict[str, Any]:
    """By seat: colours in the river, and the points and cup cards of each place; cards that score nothing."""
    rivers, cups = position.rivers, [dict(d) for d in position.dealt]
    for cup, claimed in zip(cups, position.claimed, strict=True):
        for colour, count in claimed:
            cup[colour] = cup.get(colour, 0) + count
    places = [[cup.get(colour, 0) for colour in river] for river, cup in zip(rivers, cups, strict=True)]
    return {
        "colours": [len(river) for river in rivers],
        "cards": places,
        "worthless": [sum(cup.values()) - sum(cards) for cup, cards in zip(cups, places, strict=True)],
    }


def ending(position: Any) -> dict[str, Any]:
    """How a game ended."""
    outcome = position.outcome
    return {"reason": outcome.reason, "winners": list(outcome.winners), "scores": list(outcome.scores)}


def play_stones(seed: int, iterations: int) -> dict[str, Any]:
    """Play one game of Mandala Stones with two seats, and note what there is to learn from it."""
    rng, bot = random.Random(f"lessons {seed}"), SearchBot("mcts-sums", iterations=iterations)
    position = stones.Position.start(PairedChance(seed), seats=2, first=seed % 2)
    did, leads, towers = Counter[str](), [], [[0, 0], [0, 0]]
    turns = [0, 0]
    while (seat := position.to_move) is not None:
        legal = position.legal_actions
        text = str(legal[0]) if len(legal) == 1 else bot.analyse(STONES.view(position, seat), seed=rng.getrandbits(62)).action
        action = stones.Action.parse(text)
        did[action.kind] += 1
        turns[seat] += 1
        before, track = position, position.track[seat]
        position = position.play(action).after
        if action.kind in {"colour", "tops"}:
            towers[seat][0] += 1
            towers[seat][1] += position.track[seat] - track
        if position.round > before.round or position.to_move is None:
            leads.append(position.track[0] - position.track[1])
    return {
        "seed": seed, "first": seed % 2, **ending(position), "turns": sum(turns), "rounds": position.round, "did": dict(did),
        "leads": leads, "scored": towers, "track": list(position.track),
    }  # fmt: skip
