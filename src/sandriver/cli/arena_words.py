"""What ``sandriver arena`` prints: a match or a ladder in words and tables, or as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from sandriver.arena.elo import beyond, elo_of

if TYPE_CHECKING:
    from sandriver.arena.ladder import LadderResult
    from sandriver.arena.series import Series
    from sandriver.arena.sprt import SprtResult
    from sandriver.arena.tally import MatchResult, Tally


def tell(series: Series, ladder: LadderResult | None) -> None:
    """Print the result of a series; ``ladder``: of one with several matches."""
    if ladder is not None:
        _tell_ladder(ladder)
    else:
        (one, two) = series.bots[0]
        _tell_match(series.tallies[0].result(series.setting.game, one.id, two.id), series.tallies[0])
        if series.verdict is not None:
            _tell_test(series.verdict)


def _tell_match(result: MatchResult, tally: Tally) -> None:
    one, two = result.bots
    count, on = result.games, result.games // result.seats
    deals = "1 deal" if on == 1 else f"{on} deals"
    if result.seats == 2:
        print(f"{one} against {two}: {count} games of {result.game} on {deals}, seats swapped")
        print(f"  won {result.wins}, drawn {result.draws}, lost {result.losses}")
        print(f"  win rate {result.rate:.1%}, 95 % interval {result.low:.1%} to {result.high:.1%}")
    else:
        others = f"{result.seats - 1} x {two}"
        print(f"{one} against {others}: {count} games of {result.game} with {result.seats} seats on {deals}, seats rotated")
        print(f"  won {result.wins}, shared {result.draws}, lost {result.losses}")
        share = f"{1 / result.seats:.1%}"
        print(f"  share of the wins {result.rate:.1%}, 95 % interval {result.low:.1%} to {result.high:.1%} (among equals: {share})")
    print(f"  {_difference(*(elo_of(share, result.seats) for share in (result.rate, result.low, result.high)))}")
    print(f"  points a game {result.points[0]:.1f} : {result.points[1]:.1f}, actions a game {result.plies:.1f}")
    print(f"  ended by {', '.join(f'{reason} {count}' for reason, count in result.reasons.items())}")
    print(f"  time a move {' : '.join(_ms(ms) for ms in pace(tally))}")


def _tell_test(test: SprtResult) -> None:
    found = {"H0": f"H0 accepted ({test.elo0:g} Elo)", "H1": f"H1 accepted ({test.elo1:g} Elo)", None: "undecided"}[test.accepted]
    print(f"  sequential test of {test.elo0:g} against {test.elo1:g} Elo: {found}")
    print(f"  LLR {test.llr:.2f}, bounds {test.lower:.2f} and {test.upper:.2f}, after {test.deals} deals")


def _tell_ladder(ladder: LadderResult) -> None:
    seats, games = ladder.seats, ladder.matches[0].games
    each = "a pair" if seats == 2 else "a pair and way round"
    print(f"{ladder.game}, {seats} seats: {len(ladder.ratings)} bots, {games} games {each}, {sum(m.games for m in ladder.matches)} in all")
    names = [rating.bot for rating in ladder.ratings]
    rows = [
        [
            str(place),
            r.bot,
            str(round(r.elo)),
            "given" if r.bot == ladder.anchor else f"{round(r.low)} to {round(r.high)}",
            f"{r.rate:.1%}",
            _ms(r.ms),
        ]
        for place, r in enumerate(ladder.ratings, 1)
    ]
    _table(["", "bot", "Elo", "95 % interval", "won" if seats == 2 else "share", "time a move"], rows, left={1})
    print(f"\nshare of the victories, row against column{'' if seats == 2 else f' (one seat against {seats - 1})'}")
    cells = ladder.shares()
    _table(["", *names], [[row, *(_percent(cells.get((row, column))) for column in names)] for row in names], left={0})


def _table(head: list[str], rows: list[list[str]], left: set[int]) -> None:
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        cells = [
            text.ljust(width) if column in left else text.rjust(width) for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        print(f"  {'  '.join(cells)}".rstrip())


def as_json(series: Series, ladder: LadderResult | None) -> str:
    """The result as JSON: a match with its times and test, or a ladder."""
    result: dict[str, Any]
    if ladder is not None and len(series.tallies) > 1:
        result = msgspec.to_builtins(ladder)
    else:
        (one, two), tally = series.bots[0], series.tallies[0]
        match = tally.result(series.setting.game, one.id, two.id)
        elo = [elo_of(share, match.seats) for share in (match.rate, match.low, match.high)]
        result = msgspec.to_builtins(match) | {"elo": elo, "beyond": [beyond(each) for each in elo]}
        result |= {"ms": pace(tally), "versions": [one.version, two.version]}
        if series.verdict is not None:
            result["sprt"] = msgspec.to_builtins(series.verdict)
    result["seed"] = series.seeds.start
    return msgspec.json.encode(result).decode()  # infinite is null, and stands in "beyond"


def pace(tally: Tally) -> list[float]:
    """Mean time of a move by bot, in milliseconds."""
    return [spent / 1000 / max(1, moves) for spent, moves in zip(tally.spent, tally.moves, strict=True)]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _ms(milliseconds: float) -> str:
    """A time of two or three digits that count.

    >>> _ms(0.0123), _ms(4.56), _ms(1234.5)
    ('0.012 ms', '4.6 ms', '1234 ms')
    """
    if milliseconds >= 99.5:
        return f"{milliseconds:.0f} ms"
    return f"{milliseconds:.2g} ms"


def _difference(elo: float, low: float, high: float) -> str:
    """An Elo difference with its interval.

    >>> _difference(12.3, -0.2, 25)
    'Elo difference +12, 95 % interval 0 to +25'
    >>> _difference(math.inf, 287, math.inf), _difference(-math.inf, -math.inf, -287)
    ('Elo difference above +287 (95 %)', 'Elo difference below -287 (95 %)')
    """
    if math.isinf(high):
        return f"Elo difference above {_signed(low)} (95 %)"
    if math.isinf(low):
        return f"Elo difference below {_signed(high)} (95 %)"
    return f"Elo difference {_signed(elo)}, 95 % interval {_signed(low)} to {_signed(high)}"


def _signed(elo: float) -> str:
    return f"{elo:+.0f}" if round(elo) else "0"
