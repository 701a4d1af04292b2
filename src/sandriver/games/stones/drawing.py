"""Draws a position: as text for a terminal, and as a picture (SVG) for notebooks and documents: stacks of discs, pillars and a spiral."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sandriver.games.stones.view import split

if TYPE_CHECKING:
    from sandriver.games.stones.rules import Position

PAINT = {"Y": ("#dfae35", "#b5861a"), "R": ("#c04c46", "#8f2f2c"), "B": ("#4779ad", "#2c557f"), "P": ("#855fa6", "#5d3f7b")}
"""Colour of a stone seen from above, and of its rim."""
LINEN, FIELD, BOARD, INK, TEXT, GOLD, BASALT = "#d0c4a8", "#f4ecdb", "#e9dfc9", "#a48c5c", "#3b3120", "#c89a2b", "#2e2a26"
MARKS = {"star": "★", "circle": "●"}
GRID = tuple((row, column) for row in range(7) for column in range(7) if (row + column) % 2)
"""Places of the 24 stacks; the artist spaces are where both are odd."""
CELL, WIDE, FLAT, RIM = 80, 27, 16, 11
"""Distance of the lattice's places; half width and half depth of a stone, and the height of its rim, in pixels."""


def text(position: Position) -> str:
    """The table as lines of text: lattice, mandala, boards. A stone is its colour, with ★ or ● if its pattern is known (``YRP★``)."""
    artists = dict(position.artists)
    stacks = dict(zip(GRID, position.stacks, strict=True))
    lines = []
    for row in range(7):
        cells = []
        for column in range(7):
            if (row, column) in stacks:
                cells.append(_spell(stacks[row, column]))
            elif row % 2 and column % 2:
                space = 3 * (row // 2) + column // 2 + 1
                cells.append(f"[{MARKS[artists[space]] if space in artists else space}]")
            else:
                cells.append("")
        lines.append("".join(f"{cell:^9}" for cell in cells).rstrip())
    seats = []
    for seat, board in enumerate(position.boards):
        cards = position.objectives[seat]
        towers = "  ".join(f"{space} {_spell(tower):<8}" for space, tower in enumerate(board, 1))
        seats.append(f"{seat + 1}: {position.track[seat]:>3} points | {towers} | {' '.join(cards) if cards else '?'}")
    size = f"{len(position.mandala)} of {position.ruleset.mandala.end[str(position.seats)]}"
    return "\n".join([*lines, "", f"mandala {size}: {_spell(position.mandala)}", "", *seats, "", _status(position)])


def _spell(stones: str) -> str:
    """Stones bottom to top; the pattern of a covered one is written where it is known."""
    spelled = [
        stone[1].upper() if len(stone) == 3 else stone.upper() + MARKS["star" if stone.isupper() else "circle"] for stone in split(stones)
    ]
    return "".join(spelled) or "-"


def _status(position: Position) -> str:
    outcome = position.outcome
    if outcome is not None:
        return f"over ({outcome.reason}) in round {position.round}: {' and '.join(str(seat + 1) for seat in outcome.winners)}"
    last = "" if position.trigger == "0" else ", the last"
    return f"round {position.round}{last}; {(position.to_move or 0) + 1} to move"


def svg(position: Position) -> str:
    """The table as a picture, 980 pixels wide: lattice and mandala above, two players a row below."""
    rows = (position.seats + 1) // 2
    height = 640 + 170 * rows
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 980 {height}" width="980" height="{height}" role="img"',
            f' font-family="ui-sans-serif,system-ui,sans-serif" font-size="13"><title>{position}</title><defs>{_symbols()}</defs>',
            f'<rect width="980" height="{height}" rx="14" fill="{LINEN}"/>',
            _panel(12, 12, 586, 612, BOARD) + _lattice(position),
            _panel(610, 12, 358, 612, FIELD) + _spiral(position),
            *[_board(position, seat, 12 + 484 * (seat % 2), 636 + 170 * (seat // 2)) for seat in range(position.seats)],
            "</svg>",
        ]
    )


def _lattice(position: Position) -> str:
    artists = dict(position.artists)
    drawn = []
    for row in range(7):
        for column in range(7):
            x, y = 305 + CELL * (column - 3), 340 + CELL * (row - 3)
            if (row, column) in GRID:
                drawn.append(_pile(position.stacks[GRID.index((row, column))], x, y))
            elif row % 2 and column % 2:
                space = 3 * (row // 2) + column // 2 + 1
                drawn.append(f'<ellipse cx="{x}" cy="{y}" rx="30" ry="19" fill="{FIELD}" fill-opacity=".6" stroke="{GOLD}"/>')
                drawn.append(_pillar(artists[space], x, y) if space in artists else _label(x, y + 4, f"A{space}", "middle"))
    return "".join(drawn)


def _pile(stones: str, x: float, y: float) -> str:
    """Stones on top of each other, the bottom one lying around ``x``, ``y``; a rim shows a known pattern, as the top does."""
    shadow = f'<ellipse cx="{x:g}" cy="{y + RIM:g}" rx="{WIDE + 2}" ry="{FLAT + 1}" fill="{TEXT}" fill-opacity=".16"/>'
    drawn = [shadow]
    for level, stone in enumerate(split(stones)):
        at = y - RIM * level
        colour = stone[1].upper() if len(stone) == 3 else stone.upper()
        drawn.append(_use(f"stone-{colour}", x, at))
        if len(stone) == 1:
            drawn.append(_use("star" if stone.isupper() else "circle", x, at))
            drawn.append(_use("star-rim" if stone.isupper() else "circle-rim", x, at + FLAT + RIM / 2 - 0.5))
    return "".join(drawn)


def _pillar(pattern: str, x: float, y: float) -> str:
    body = f'<path d="M-20-38V6A20 12 0 0 0 20 6V-38Z" fill="{BASALT}"/><ellipse cy="-38" rx="20" ry="12" fill="#4a443d"/>'
    return f'<g transform="translate({x} {y})">{body}<g transform="translate(0 -38) scale(.74)"><use href="#stones-{pattern}"/></g></g>'


def _spiral(position: Position) -> str:
    """The shared mandala: stones seen from above, free places with what they pay, the place that ends the game ringed."""
    end, bonus = position.ruleset.mandala.end[str(position.seats)], position.ruleset.mandala.bonus
    drawn = [_label(630, 42, f"mandala · {len(position.mandala)} of {end}", weight="600")]
    for place in range(1, position.ruleset.mandala.spaces + 1):
        angle = math.sqrt(4 * math.pi * (place - 0.4))
        x, y = 789 + 4.75 * angle * math.cos(angle), 330 + 4.75 * angle * math.sin(angle)
        ring = f'stroke="{GOLD}" stroke-width="3"' if place == end else f'stroke="{INK}" stroke-opacity=".5"'
        if place <= len(position.mandala):
            stone = position.mandala[place - 1]
            drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="{PAINT[stone.upper()][0]}" {ring}/>')
            drawn.append(
                f'<use href="#stones-{"star" if stone.isupper() else "circle"}" transform="translate({x:.1f} {y:.1f}) scale(.5 .87)"/>'
            )
        else:
            drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="{BOARD}" fill-opacity=".5" {ring}/>')
            drawn.append(_label(round(x, 1), round(y + 4, 1), f"+{bonus[str(place)]}", "middle") if str(place) in bonus else "")
    return "".join(drawn)


def _board(position: Position, seat: int, x: int, y: int) -> str:
    """A player's panel: name, points, objectives and the five towers on their spaces."""
    turn = " · to move" if position.to_move == seat else ""
    cards = position.objectives[seat]
    drawn = [
        _panel(x, y, 472, 158, FIELD),
        _label(x + 16, y + 24, f"{seat + 1}{turn}", weight="600"),
        _label(x + 130, y + 24, " · ".join(cards).replace("_", " ") if cards else ""),
        _label(x + 456, y + 24, str(position.scores[seat]), "end", "700"),
    ]
    for space, tower in enumerate(position.boards[seat]):
        at = x + 56 + 90 * space
        drawn.append(f'<ellipse cx="{at}" cy="{y + 120}" rx="34" ry="20" fill="{BOARD}" stroke="{INK}"/>')
        drawn.append(_pile(tower, at, y + 110) if tower else _label(at, y + 125, str(space + 1), "middle"))
    return "".join(drawn)


def _symbols() -> str:
    """Stones, patterns and the small patterns of the rims, to be used by reference; equal in every picture, so several can share a page."""
    drawn = []
    for colour, (top, rim) in PAINT.items():
        drawn.append(
            f'<g id="stones-stone-{colour}"><path d="M-{WIDE} 0V{RIM}A{WIDE} {FLAT} 0 0 0 {WIDE} {RIM}V0Z" fill="{rim}" '
            'stroke="#fff" stroke-opacity=".4" stroke-width=".8"/>'
            f'<ellipse rx="{WIDE}" ry="{FLAT}" fill="{top}" stroke="{rim}"/></g>'
        )
    star = "".join(f"{'L' if i else 'M'}{_point(i, 19 if i % 2 == 0 else 8)}" for i in range(16))
    drawn.append(f'<path id="stones-star" fill="#fffaf0" d="{star}Z"/>')
    drawn.append(
        '<g id="stones-circle" fill="none" stroke="#fffaf0" stroke-width="3.4"><ellipse rx="15" ry="8.6"/>'
        '<ellipse rx="4.5" ry="2.6" fill="#fffaf0" stroke="none"/></g>'
    )
    drawn.append('<path id="stones-star-rim" fill="#fffaf0" d="M0-4L1.2-1.2L4 0L1.2 1.2L0 4L-1.2 1.2L-4 0L-1.2-1.2Z"/>')
    drawn.append('<circle id="stones-circle-rim" r="2.6" fill="none" stroke="#fffaf0" stroke-width="1.5"/>')
    return "".join(drawn)


def _point(i: int, radius: float) -> str:
    """Corner ``i`` of 16 of the eight-pointed star, foreshortened as a stone's top is."""
    angle = math.pi * i / 8
    return f"{radius * math.sin(angle):.1f} {-radius * math.cos(angle) * 0.575:.1f}"


def _use(name: str, x: float, y: float) -> str:
    return f'<use href="#stones-{name}" x="{x:g}" y="{y:g}"/>'


def _panel(x: int, y: int, width: int, height: int, fill: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="12" fill="{fill}" stroke="{INK}"/>'


def _label(x: float, y: float, words: str, anchor: str = "start", weight: str = "400") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{TEXT}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>'
