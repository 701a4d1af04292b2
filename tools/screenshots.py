"""Draw docs/screenshots anew (`make screenshots`): real servers, a real browser, the same games each time.

`--only PATTERN` draws only the pictures whose names begin so (`stones-pick`, `mandala-*-360`), from the same games as ever.
People play by the advice of the game's recommended bot, each from the view that they have.
"""

from __future__ import annotations

import argparse
import fnmatch
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from playwright.sync_api import Browser, Page, StorageState, sync_playwright

import system

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.browser import mandala_page, stones_page  # noqa: E402
from tests.browser.pages import LANGUAGES, SETTLED  # noqa: E402
from tests.browser.served import Served  # noqa: E402
from tests.browser.table_page import TablePage  # noqa: E402

from sandriver import bots, games  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
SIZES = {360: 740, 768: 1024, 1280: 800}
SCHEMES = ("light", "dark")
QUALITY = 74
LIMIT_MB = 9.0
"""All pictures together; a repository keeps every version of them."""
SEED = 2
"""Of those who play; with it every game is long enough to come to each moment."""
PEOPLE = ("Mira", "Tomás", "Aiko", "Eleni")
TABLES: dict[str, type[TablePage]] = {"mandala": mandala_page.MandalaPage, "stones": stones_page.StonesPage}
Snapshot = dict[str, Any]
Wanted = Callable[[str], bool]
"""Whether the picture of that name is to be drawn."""


class Shot(NamedTuple):
    """One picture: its file's name without ``.jpg``, the window's width in pixels, the colour scheme, and whose language."""

    name: str
    width: int
    scheme: str
    locale: str


class Moment(NamedTuple):
    """One moment of a game and its pictures; the first person looks."""

    name: str
    until: Callable[[Snapshot], bool] = lambda _: True
    then: Callable[[Page, Snapshot], None] = lambda *_: None
    """What is done on the page before the picture; by names only where it is shown in no other language."""
    widths: tuple[int, ...] = tuple(SIZES)
    languages: bool = False
    """Whether a phone shows it in each language too."""

    def shots(self, game: str) -> Iterator[Shot]:
        """Each picture of this moment."""
        for width in self.widths:
            for scheme in SCHEMES:
                yield Shot(f"{game}-{self.name}-{width}-{scheme}", width, scheme, LANGUAGES["en"])
        for tag, locale in LANGUAGES.items() if self.languages else ():
            yield Shot(f"{game}-{self.name}-360-light-{tag}", 360, "light", locale)


def well_on(snapshot: Snapshot) -> bool:
    """The middle of Mandala: something lies everywhere, and the first person has a turn."""
    return bool(snapshot["ply"] >= 34 and snapshot["view"]["phase"] == "turn" and snapshot["view"]["to_move"] == 0)


def towers_stand(snapshot: Snapshot, gain: int = 2) -> bool:
    """The middle of Mandala Stones: towers and a spiral to see, a colour to score, and an artist that takes ``gain`` stones somewhere."""
    view = snapshot["view"]
    choices = view["choices"]
    return bool(
        choices
        and len(choices["spaces"]) in {1, 2}
        and len(view["mandala"]["stones"]) >= 5 * len(view["sides"])
        and any(len(pick["firsts"]) >= gain for pick in choices["picks"])
        and any(not way["refusal"] for way in choices["colours"])
    )


def towers_rise(snapshot: Snapshot) -> bool:
    """As ``towers_stand``, and there is a tower of three to be had."""
    return towers_stand(snapshot, 3)


def pick(page: Page, snapshot: Snapshot) -> None:
    """Choose the artist and the place that gain most, so that the stones for the bottom of a tower light up."""
    best = max(snapshot["view"]["choices"]["picks"], key=lambda pick: len(pick["firsts"]))
    table = stones_page.StonesPage(page)
    table.artist(best["artist"]).click()
    table.vacant(best["to"]).click()


def score(page: Page, snapshot: Snapshot) -> None:
    """Choose the colour that pays most."""
    ways = [way for way in snapshot["view"]["choices"]["colours"] if not way["refusal"]]
    stones_page.StonesPage(page).colour(max(ways, key=lambda way: int(way["points"]))["colour"]).click()


def over(snapshot: Snapshot) -> bool:
    """The end of any game."""
    return bool(snapshot["table"]["state"] == "over")


GAMES: tuple[tuple[str, int, tuple[Moment, ...]], ...] = (
    (
        "mandala", 2,
        (
            Moment("start"),
            Moment("middle", well_on, lambda page, _: mandala_page.hold(page), languages=True),
            Moment("claiming", mandala_page.claiming),
            Moment("end", over),
        ),
    ),
    (
        "stones", 2,
        (
            Moment("start"),
            Moment("middle", towers_rise, languages=True),
            Moment("pick", towers_rise, pick),
            Moment("score", towers_rise, score),
            Moment("end", over),
        ),
    ),
    ("stones", 4, (Moment("four", towers_stand, widths=(360, 1280)),)),
)  # fmt: skip
"""Each game with its number of seats, and what is shown of it in the order in which it comes."""


class Table:
    """Some people at a table, all of them there."""

    def __init__(self, browser: Browser, url: str, game: str, seats: int) -> None:
        self.people: list[Page] = []
        self._bot = bots.offered(game, bots.RECOMMENDED)
        self._view = games.get(game).view_type
        self._random = random.Random(SEED)
        for name in PEOPLE[:seats]:
            page = browser.new_context(base_url=url, reduced_motion="reduce").new_page()
            page.request.put("/api/me", data={"name": name})
            self.people.append(page)
        plan = {"game": game, "options": {}, "seats": [{"kind": "person"}] * seats, "first": 0}
        self.id = str(self._post(0, "/api/tables", plan)["id"])
        for person, page in enumerate(self.people):
            # Who opened the table needs no code, and gets it for the others by sitting down.
            code = self.look(0)["table"]["code"]
            self._post(person, f"/api/tables/{self.id}/join", {"code": code, "nonce": f"{person:032x}"})
            TABLES[game](page).without_art()
            page.goto(f"/t/{self.id}")

    def _post(self, person: int, address: str, data: dict[str, Any]) -> dict[str, Any]:
        answer = self.people[person].request.post(address, data=data)
        assert answer.ok, answer.text()
        content: dict[str, Any] = answer.json()
        return content

    def look(self, person: int) -> Snapshot:
        """What a person knows."""
        snapshot: Snapshot = self.people[person].request.get(f"/api/tables/{self.id}").json()
        return snapshot

    def play(self, until: Callable[[Snapshot], bool]) -> Snapshot:
        """Play on until the first person's snapshot, which is returned, fulfils ``until``."""
        while not until(snapshot := self.look(0)):
            assert not over(snapshot), "the game ended before that moment: try another SEED"
            mover = snapshot["view"]["to_move"]
            mine = self.look(mover)
            action = self._bot.choose(msgspec.convert(mine["view"], self._view), mine["view"]["legal"], self._random)
            command = {"t": "act", "id": f"ply-{mine['ply']}", "ply": mine["ply"], "action": action}
            self._post(mover, f"/api/tables/{self.id}/commands", command)
        return snapshot

    def leave(self) -> None:
        """Close everybody's window."""
        for page in self.people:
            page.context.close()


@contextmanager
def serving() -> Iterator[str]:
    """A fresh server whose secrets are the same each time; its address."""
    entry = (str(ROOT / "tools" / "seeded_server.py"),)
    with tempfile.TemporaryDirectory() as data, Served(Path(data), entry=entry) as served:
        yield served.url


@contextmanager
def picture(browser: Browser, url: str, shot: Shot, state: StorageState | None = None) -> Iterator[Page]:
    """A fresh window, of which the picture is taken when the caller has brought up in it what is to be seen."""
    context = browser.new_context(
        base_url=url, storage_state=state, locale=shot.locale, color_scheme="dark" if shot.scheme == "dark" else "light",
        viewport={"width": shot.width, "height": SIZES[shot.width]}, reduced_motion="reduce", has_touch=shot.width < 1000,
    )  # fmt: skip
    page = context.new_page()
    yield page
    page.wait_for_load_state("networkidle")
    page.evaluate(SETTLED)
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / f"{shot.name}.jpg", type="jpeg", quality=QUALITY)
    context.close()
    print(shot.name, flush=True)


def draw_home(browser: Browser, wanted: Wanted) -> None:
    """The first page as a newcomer finds it."""
    for width in SIZES:
        shot = Shot(f"home-{width}-light", width, "light", LANGUAGES["en"])
        if wanted(shot.name):
            with serving() as url, picture(browser, url, shot) as page:
                page.goto("/")
                page.locator(".games svg").filter(visible=True).first.wait_for()


def draw_game(browser: Browser, game: str, seats: int, moments: tuple[Moment, ...], wanted: Wanted) -> None:
    """Play one game and draw the pictures of it that are wanted. On a server of its own it is the same, whichever those are."""
    due = [(moment, [shot for shot in moment.shots(game) if wanted(shot.name)]) for moment in moments]
    while due and not due[-1][1]:
        due.pop()
    if not due:
        return
    with serving() as url:
        table = Table(browser, url, game, seats)
        for moment, shots in due:
            snapshot = table.play(moment.until)
            shows = TABLES[game].over if over(snapshot) else TABLES[game].ready
            for shot in shots:
                with picture(browser, url, shot, table.people[0].context.storage_state()) as page:
                    page.goto(f"/t/{table.id}")
                    page.locator(shows).first.wait_for()
                    moment.then(page, snapshot)
        table.leave()


def main() -> int:
    """Serve, play, draw."""
    parser = argparse.ArgumentParser(description="Draw docs/screenshots anew.")
    parser.add_argument("--only", metavar="PATTERN", default="", help="draw the pictures whose names begin so; * stands for anything")
    only: str = parser.parse_args().only
    chromium = system.chromium()
    if chromium is None:
        print("no Chromium on this machine (Debian: apt-get install chromium)", file=sys.stderr)
        return 2

    def wanted(name: str) -> bool:
        return fnmatch.fnmatchcase(name, f"{only}*")

    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.jpg"):
        if wanted(old.stem):
            old.unlink()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        draw_home(browser, wanted)
        for game, seats, moments in GAMES:
            draw_game(browser, game, seats, moments, wanted)
        browser.close()
    drawn = [path.stat().st_size for path in FOLDER.glob("*.jpg")]
    size = sum(drawn) / 1e6
    print(f"{len(drawn)} pictures in docs/screenshots, {size:.1f} MB")
    if size > LIMIT_MB:
        print(f"more than {LIMIT_MB:.0f} MB: lower QUALITY in tools/screenshots.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
