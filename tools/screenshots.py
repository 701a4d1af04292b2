"""Draw docs/screenshots anew (`make screenshots`): a real server, a real browser, the same game each time.

Start, middle, claiming and end at three sizes by day and by night; the first page; the middle of the game in each language on a phone.
Two people play by the apprentice's advice, from the view that each of them has.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.browser.mandala_page import claiming  # noqa: E402
from tests.browser.pages import LANGUAGES, open_table  # noqa: E402
from tests.browser.served import Served  # noqa: E402

from sandriver import bots, games  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
SIZES = {360: 740, 768: 1024, 1280: 800}
SCHEMES = ("light", "dark")
ENOUGH = 34
"""Actions after which a game counts as its middle."""


class Game:
    """Two people at a table; the first is the one who looks."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self.people: list[Page] = []
        for name in ("Mira", "Tomás"):
            page = browser.new_context(base_url=url).new_page()
            page.request.put("/api/me", data={"name": name})
            self.people.append(page)
        self.table = open_table(self.people[0].request, {"kind": "person"}, first=0)
        code = self.look(0)["table"]["code"]
        joined = self.people[1].request.post(f"/api/tables/{self.table}/join", data={"code": code, "nonce": "0" * 32})
        assert joined.ok, joined.text()
        self.people[1].goto(f"/t/{self.table}")
        self._random = random.Random(6)
        self._bot = bots.get("mandala", "apprentice")
        self._view = games.get("mandala").view_type
        self.url = url

    def look(self, person: int) -> dict[str, Any]:
        """What a person knows."""
        snapshot: dict[str, Any] = self.people[person].request.get(f"/api/tables/{self.table}").json()
        return snapshot

    def play(self, until: Callable[[dict[str, Any]], bool]) -> bool:
        """Play on until the first person's snapshot fulfils ``until``; ``False`` when the game ends before that."""
        for _ in range(400):
            snapshot = self.look(0)
            if until(snapshot):
                return True
            if snapshot["table"]["state"] == "over":
                return False
            mover = snapshot["view"]["to_move"]
            mine = self.look(mover)
            action = self._bot.choose(msgspec.convert(mine["view"], self._view), mine["view"]["legal"], self._random)
            command = {"t": "act", "id": f"ply-{mine['ply']}", "ply": mine["ply"], "action": action}
            answer = self.people[mover].request.post(f"/api/tables/{self.table}/commands", data=command)
            assert answer.ok, answer.text()
        raise AssertionError("a game without an end")

    def picture(
        self, name: str, address: str, width: int, scheme: str, locale: str = "en-GB", then: Callable[[Page], None] | None = None
    ) -> None:
        """One picture, in a fresh window of the first person's."""
        state = self.people[0].context.storage_state()
        context = self._browser.new_context(
            base_url=self.url, storage_state=state, locale=locale, color_scheme="dark" if scheme == "dark" else "light",
            viewport={"width": width, "height": SIZES[width]}, reduced_motion="reduce", has_touch=width < 1000, device_scale_factor=1,
        )  # fmt: skip
        page = context.new_page()
        page.goto(address)
        page.locator("h1").first.wait_for()
        page.wait_for_load_state("networkidle")
        if then:
            then(page)
        page.wait_for_timeout(700)
        page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=86)
        context.close()


def hold(page: Page) -> None:
    """Lift a card, so that its places light up."""
    page.locator("[data-hand]").nth(2).click()


def draw(game: Game) -> None:
    """All pictures, in the order of the game."""
    table = f"/t/{game.table}"

    def everywhere(moment: str, then: Callable[[Page], None] | None = None) -> None:
        for width in SIZES:
            for scheme in SCHEMES:
                game.picture(f"{moment}-{width}-{scheme}", table, width, scheme, then=then)

    for width in SIZES:
        game.picture(f"home-{width}-light", "/", width, "light")
    everywhere("start")
    assert game.play(lambda s: s["ply"] >= ENOUGH and s["view"]["phase"] == "turn" and s["view"]["to_move"] == 0)
    everywhere("middle", hold)
    for tag, locale in LANGUAGES.items():
        game.picture(f"middle-360-light-{tag}", table, 360, "light", locale, hold)
    assert game.play(claiming)
    everywhere("claiming")
    game.play(lambda _: False)
    everywhere("end")


def main() -> int:
    """Serve, play, draw."""
    chromium = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
    if chromium is None:
        print("no Chromium on this machine (Debian: apt-get install chromium)", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.jpg"):
        old.unlink()
    entry = (str(ROOT / "tools" / "seeded_server.py"),)
    with tempfile.TemporaryDirectory() as data, Served(Path(data), entry=entry) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        draw(Game(browser, served.url))
        browser.close()
    print(f"{len(list(FOLDER.glob('*.jpg')))} pictures in docs/screenshots")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
