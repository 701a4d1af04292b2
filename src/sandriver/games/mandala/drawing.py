"""Draws a position: as text for a terminal, and as a picture (SVG) for notebooks and documents, with six motifs of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandriver.games.mandala.cards import COLOURS, Cards
from sandriver.games.mandala.notation import SEATS

if TYPE_CHECKING:
    from sandriver.games.mandala.rules import Position

PAINT = {"K": "#2c2b31", "G": "#3d7a4b", "P": "#66498f", "Y": "#d3a01c", "O": "#cb6729", "R": "#a52f2f"}
LINEN, SAND, INK, TEXT, WATER = "#f4ecdc", "#e6d7b8", "#a48c5c", "#4a4030", "#b9c9c9"
CARD, STEP = 46, 13
"""Side of a card, and how far a card of the same colour is laid from the one below it, in pixels."""


def _around(shape: str, n: int, start: float = 0) -> str:
    return "".join(f'<g transform="rotate({start + 360 * i / n:g})">{shape}</g>' for i in range(n))


def _hexagon(r: int) -> str:
    x = round(0.866 * r, 1)
    return f"M0-{r}L{x}-{r / 2}V{r / 2}L0 {r}L-{x} {r / 2}V-{r / 2}Z"


MOTIFS = {
    "K": _around('<path d="M0-3C4-8 4-13 0-17C-4-13-4-8 0-3Z"/>', 8) + '<circle r="2.2"/>',
    "G": _around(
        '<path d="M0 0C7-4 8-11 0-17C-3-11-3-5 0 0Z"/><path d="M0-1C2-6 2-10 1-13" stroke="#3d7a4b" stroke-width=".9" fill="none"/>', 5
    ),
    "P": _around('<path d="M0-16L4.5-6L0-9L-4.5-6Z"/>', 8)
    + '<circle r="4.4" fill="none" stroke="#fff" stroke-width="1.4"/><circle r="1.6"/>',
    "Y": '<circle r="6"/>' + _around('<path d="M-1.1-8.2H1.1L0-16.5Z"/>', 14),
    "O": _around('<path d="M0-2C-6-6-5-12 2-17C0-12 8-9 4-3Z"/>', 6),
    "R": "".join([f'<path d="{_hexagon(r)}" fill="none" stroke="#fff" stroke-width="1.5"/>' for r in (16, 11, 6)]) + '<circle r="2"/>',
}
"""Flower, leaves, star, sun, flame, hexagons: white on the card's colour, around 0,0, radius 17."""


def text(position: Position) -> str:
    """The table as lines of text, seat B above, seat A below; cards of one colour stand together (``KK R``)."""
    halves = []
    for m in (0, 1):
        (own, other), mountain = position.fields[m], position.mountains[m]
        halves.append([f"mandala {m + 1}", f"  B  {_spell(other)}", f"  △  {_spell(mountain)}", f"  A  {_spell(own)}"])
    width = max(map(len, halves[0])) + 4
    table = [f"{left:<{width}}{right}".rstrip() for left, right in zip(*halves, strict=True)]
    end = position.outcome if position.to_move is None else None
    if end is not None:
        what = f"over ({end.reason}): {' and '.join(SEATS[seat] for seat in end.winners)}"
    elif position.claim is not None:
        what = f"{SEATS[position.to_move or 0]} claims in mandala {position.claim.mandala + 1}"
    else:
        what = f"{SEATS[position.to_move or 0]} to move"
    last = ", last mandala" if position.last_mandala else ""
    status = f"deck {position.deck.total}, discard {position.discard}{last}; {what}"
    return "\n".join([_side(position, 1), "", *table, "", _side(position, 0), "", status])


def _spell(cards: Cards) -> str:
    if not cards.known:
        return str(cards)
    return " ".join(colour * count for colour, count in cards) or "-"


def _side(position: Position, seat: int) -> str:
    river = position.rivers[seat].ljust(6, ".")
    cup = f"{position.dealt[seat]}+{position.claimed[seat]}"
    return f"{SEATS[seat]}  hand {_spell(position.hands[seat])} | river {river} | cup {cup}"


def svg(position: Position) -> str:
    """The table as a picture, 900 × 700 pixels, seat B above, seat A below; hidden cards lie face down with their number."""
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 700" width="900" height="700" role="img" '
        'font-family="ui-sans-serif,system-ui,sans-serif" font-size="14">'
    )
    parts = [
        head,
        f"<title>{position}</title><defs>",
        *[_symbol(colour) for colour in COLOURS],
        "</defs>",
        f'<rect width="900" height="700" rx="14" fill="{LINEN}" stroke="{INK}"/>',
        _mandala(position, 0, 230),
        _mandala(position, 1, 670),
        _row(position, 1, 16),
        _row(position, 0, 584),
        _label(450, 536, f"deck {position.deck.total} · discard {position.discard.total}", "middle"),
        "</svg>",
    ]
    return "".join(parts)


def _mandala(position: Position, m: int, x: int) -> str:
    """Circle, leaves and mountain of a mandala around ``x``, 350, with its cards."""
    outer = _around('<path d="M0-178C11-163 11-150 0-138C-11-150-11-163 0-178Z"/>', 20)
    inner = _around('<path d="M0-132C9-121 9-110 0-100C-9-110-9-121 0-132Z"/>', 20, 9)
    own, other = position.fields[m]
    return (
        f'<g transform="translate({x} 350)"><g fill="none" stroke="{INK}" stroke-opacity=".55">'
        f'<circle r="184" fill="#fbf6ea" stroke-opacity="1"/>{outer}{inner}<circle r="94"/></g>'
        f'<rect x="-212" y="-34" width="424" height="68" rx="6" fill="{SAND}" stroke="{INK}"/>'
        f"{_set(position.mountains[m], 0, -CARD / 2, middle=True)}{_set(other, 0, -88, middle=True)}{_set(own, 0, 42, middle=True)}</g>"
    )


def _row(position: Position, seat: int, y: int) -> str:
    """A player's name, hand, river and cup at height ``y``."""
    river = position.rivers[seat]
    turn = " · to move" if position.to_move == seat else ""
    parts = [_label(24, y + 22, f"{SEATS[seat]}{turn}", weight="600"), _set(position.hands[seat], 24, y + 36)]
    for place in range(6):
        x = 430 + 54 * place
        if place < len(river):
            parts.append(_card(river[place], x, y + 36))
        else:
            parts.append(
                f'<rect x="{x}" y="{y + 36}" width="{CARD}" height="{CARD}" rx="7" fill="{WATER}" fill-opacity=".45" stroke="{WATER}"/>'
            )
        parts.append(_label(x + CARD / 2, y + 100, str(place + 1), "middle"))
    cup = position.dealt[seat], position.claimed[seat]
    parts += [
        _label(770, y + 22, f"cup {cup[0].total} + {cup[1].total}"),
        _label(770, y + 56, str(cup[0])),
        _label(770, y + 76, str(cup[1])),
    ]
    return "".join(parts)


def _set(cards: Cards, x: float, y: float, *, middle: bool = False) -> str:
    """Cards side by side by colour, those of one colour on top of each other; drawn closer together where they are many."""
    if not cards.total:
        return ""
    if not cards.known:
        return _square(x, y, f'fill="{SAND}" stroke="{INK}"') + _label(x + CARD / 2, y + 28, str(cards.total), "middle")
    piles = list(cards)
    space = 400 - len(piles) * (CARD + 6)
    step = min(STEP, space / max(1, cards.total - len(piles)))
    width = len(piles) * (CARD + 6) - 6 + step * (cards.total - len(piles))
    at = x - width / 2 if middle else x
    drawn = []
    for colour, count in piles:
        drawn += [_card(colour, at + step * i, y) for i in range(count)]
        at += CARD + 6 + step * (count - 1)
    return "".join(drawn)


def _symbol(colour: str) -> str:
    """The card of a colour, to be used by reference; equal in every picture, so that several can stand on one page."""
    ground = _square(-CARD / 2, -CARD / 2, f'fill="{PAINT[colour]}" stroke="#fff" stroke-opacity=".75"')
    return f'<g id="mandala-{colour}" fill="#fff">{ground}{MOTIFS[colour]}</g>'


def _card(colour: str, x: float, y: float) -> str:
    return f'<use href="#mandala-{colour}" x="{x + CARD / 2:.1f}" y="{y + CARD / 2:.1f}"/>'


def _square(x: float, y: float, paint: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{CARD}" height="{CARD}" rx="7" {paint}/>'


def _label(x: float, y: float, words: str, anchor: str = "start", weight: str = "400") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{TEXT}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>'


assert set(PAINT) == set(MOTIFS) == set(COLOURS)
