"""A small game that implements the contract and is not Mandala: it proves that tables know no game.

Two or three seats, tokens a, b, c (five each). Two hidden tokens a seat to begin with. On a turn: ``t`` takes a hidden token from the bag,
``pa`` puts an own token on the table (1, 2 or 3 points). It ends when the seat to move can do nothing, or after ``limit`` actions. With
the option ``skips`` who can do nothing is skipped by an action that plays itself, ``-``, and it ends when nobody can do anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from sandriver.games.chance import Chance, ListedChance
from sandriver.games.contract import Heard, Outcome, Transition
from sandriver.games.errors import ChanceError, IllegalAction, NotationError, OptionError, PositionError

TOKENS = "abc"
Counts = tuple[int, int, int]


class ToyOptions(msgspec.Struct, frozen=True):
    limit: int = 40
    skips: bool = False


class ToyView(msgspec.Struct, frozen=True):
    viewer: int | None
    bag: int
    hands: tuple[str, ...]
    shown: tuple[str, ...]
    to_move: int | None
    legal: tuple[str, ...]
    assist: bool


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    seat: int
    token: str


class Put(msgspec.Struct, frozen=True, tag="put"):
    seat: int
    token: str


class Skipped(msgspec.Struct, frozen=True, tag="skipped"):
    seat: int


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    outcome: Outcome


class ToyPosition(msgspec.Struct, frozen=True):
    bag: Counts
    hands: tuple[Counts, ...]
    shown: tuple[Counts, ...]
    next: int
    plies: int
    limit: int
    skips: bool = False

    @property
    def options(self) -> ToyOptions:
        return ToyOptions(self.limit, self.skips)

    @property
    def to_move(self) -> int | None:
        return None if self.outcome is not None else self.next

    @property
    def turn(self) -> str:
        return "-" if self.to_move is None else "XYZ"[self.to_move]

    @property
    def complete(self) -> bool:
        return True

    @property
    def forced(self) -> str | None:
        return "-" if self.skips and self.outcome is None and not self._actions(self.next) else None

    def _actions(self, seat: int) -> tuple[str, ...]:
        return _possible(any(self.bag), self.hands[seat])

    @property
    def legal_actions(self) -> Sequence[str]:
        return () if self.outcome is not None else self._actions(self.next) or ("-",)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(map(_points, self.shown))

    @property
    def outcome(self) -> Outcome | None:
        seats = range(len(self.hands)) if self.skips else (self.next,)
        if self.plies < self.limit and any(map(self._actions, seats)):
            return None
        reason = "limit" if self.plies >= self.limit else "empty"
        scores = self.scores
        return Outcome(reason, tuple(seat for seat, points in enumerate(scores) if points == max(scores)), scores)


@cache
def _possible(bag: bool, hand: Counts) -> tuple[str, ...]:
    take = ("t",) if bag and sum(hand) < 5 else ()
    return (*take, *("p" + TOKENS[token] for token in range(3) if hand[token]))


@cache
def _points(shown: Counts) -> int:
    return sum((token + 1) * count for token, count in enumerate(shown))


@cache
def _changed(counts: Counts, token: int, by: int) -> Counts:
    changed = list(counts)
    changed[token] += by
    return tuple(changed)  # type: ignore[return-value]


@cache
def _text(counts: Counts) -> str:
    return "".join(TOKENS[token] * count for token, count in enumerate(counts)) or "-"


def _counts(text: str) -> Counts:
    if text != "-" and not re.fullmatch("a*b*c*", text):
        raise NotationError("tokens", f"not tokens: {text!r}")
    return tuple(text.count(token) for token in TOKENS)  # type: ignore[return-value]


class Toy:
    """The game."""

    id: str = "toy"
    rules_version: int = 3
    seat_counts: Sequence[int] = (2, 3)
    seat_names: Sequence[str] = ("X", "Y", "Z")
    view_type: type[msgspec.Struct] = ToyView
    event_types: tuple[type[msgspec.Struct], ...] = (Taken, Put, Skipped, Finished)

    def parse_options(self, raw: Mapping[str, object]) -> ToyOptions:
        limit = raw.get("limit", 40)
        skips = raw.get("skips", False)
        if set(raw) - {"limit", "skips"} or not isinstance(limit, int) or not 1 <= limit <= 200 or not isinstance(skips, bool):
            raise OptionError("option", f"no such option: {dict(raw)}", {"option": "limit"})
        return ToyOptions(limit, skips)

    def format_options(self, options: ToyOptions) -> dict[str, object]:
        return {"limit": options.limit, "skips": options.skips}

    def start(self, options: ToyOptions, seats: int, first: int, chance: Chance) -> ToyPosition:
        bag: Counts = (5, 5, 5)
        hands: list[Counts] = [(0, 0, 0)] * seats
        for seat in range(seats):
            for _ in range(2):
                token = chance.draw(bag)
                bag, hands[seat] = _changed(bag, token, -1), _changed(hands[seat], token, 1)
        return ToyPosition(bag, tuple(hands), ((0, 0, 0),) * seats, first, 0, options.limit, options.skips)

    def parse_position(self, text: str, options: ToyOptions) -> ToyPosition:
        parts = text.split(" ")
        if len(parts) != 5 or not (parts[3].isdecimal() and parts[4].isdecimal()):
            raise NotationError("position", "not a position")
        hands, shown = (tuple(_counts(part) for part in parts[n].split("/")) for n in (1, 2))
        position = ToyPosition(_counts(parts[0]), hands, shown, int(parts[3]), int(parts[4]), options.limit, options.skips)
        if any(sum(part[n] for part in (position.bag, *hands, *shown)) != 5 for n in range(3)):
            raise PositionError("BAG", "count", "BAG: there are five of each")
        return position

    def format_position(self, position: ToyPosition) -> str:
        hands, shown = ("/".join(_text(counts) for counts in group) for group in (position.hands, position.shown))
        return f"{_text(position.bag)} {hands} {shown} {position.next} {position.plies}"

    def parse_action(self, text: str) -> str:
        if not re.fullmatch("t|p[abc]|-", text):
            raise NotationError("action", f"no action: {text!r}", {"text": text})
        return text

    def format_action(self, action: str) -> str:
        return action

    def play(self, position: ToyPosition, action: str, chance: Chance) -> Transition:
        if position.outcome is not None:
            raise IllegalAction("game_over", "the game is over")
        seat = position.next
        bag, hand, shown = position.bag, position.hands[seat], position.shown[seat]
        dealt = ""
        events: list[msgspec.Struct] = []
        if action == "t":
            if not any(bag):
                raise IllegalAction("bag_empty", "the bag is empty")
            if sum(hand) >= 5:
                raise IllegalAction("hand_full", "five tokens are enough", {"limit": 5})
            token = chance.draw(bag)
            if not bag[token]:
                raise ChanceError("chance", f"no {TOKENS[token]} is in the bag")
            bag, hand, dealt = _changed(bag, token, -1), _changed(hand, token, 1), TOKENS[token]
            events.append(Taken(seat, dealt))
        elif action == "-":
            if position.forced is None:
                raise IllegalAction("no_pass", "something is possible")
            events.append(Skipped(seat))
        else:
            token = TOKENS.index(action[1])
            if not hand[token]:
                raise IllegalAction("not_in_hand", f"no {action[1]} in hand", {"token": action[1]})
            hand, shown = _changed(hand, token, -1), _changed(shown, token, 1)
            events.append(Put(seat, action[1]))
        hands = (*position.hands[:seat], hand, *position.hands[seat + 1 :])
        table = (*position.shown[:seat], shown, *position.shown[seat + 1 :])
        after = ToyPosition(bag, hands, table, (seat + 1) % len(hands), position.plies + 1, position.limit, position.skips)
        if after.outcome is not None:
            events.append(Finished(after.outcome))
        return Transition(
            position,
            action,
            seat,
            dealt,
            after,
            action + (">" + dealt if dealt else ""),
            tuple(events),
            self._reveals(after, seat, dealt, action),
        )

    @staticmethod
    def _reveals(after: ToyPosition, seat: int, dealt: str, action: str) -> tuple[int, ...]:
        seats = tuple(range(len(after.hands)))
        if dealt or after.outcome is not None:
            return seats
        return () if action == "-" else tuple(other for other in seats if other != seat)

    def replay(self, position: ToyPosition, move: str) -> Transition:
        text, _, dealt = move.partition(">")
        chance = ListedChance(TOKENS.index(token) for token in dealt if token in TOKENS)
        try:
            transition = self.play(position, self.parse_action(text), chance)
        except ChanceError:
            raise ChanceError("missing", "a token is missing") from None
        if chance.left or transition.move != move:
            raise ChanceError("left", "too many tokens")
        return transition

    def view(
        self,
        position: ToyPosition,
        viewer: int | None,
        *,
        assist: bool = False,
        stopped: bool = False,
        reveal: bool = False,
        recall: bool = False,
        encoded: bool = False,
    ) -> ToyView:
        return ToyView(
            viewer=viewer,
            bag=sum(position.bag),
            hands=tuple(_text(hand) if reveal or seat == viewer else f"?{sum(hand)}" for seat, hand in enumerate(position.hands)),
            shown=tuple(map(_text, position.shown)),
            to_move=None if stopped else position.to_move,
            legal=tuple(position.legal_actions) if viewer is not None and viewer == position.to_move and not stopped else (),
            assist=assist,
        )

    def hear(self, transition: Transition, viewer: int | None) -> Heard:
        if not transition.dealt or transition.seat == viewer:
            return Heard(transition.move, transition.events)
        events: list[Any] = [Taken(event.seat, "?") if isinstance(event, Taken) else event for event in transition.events]
        return Heard(f"{transition.action}>?1", tuple(events))


TOY = Toy()
