"""The examples of README and documentation run as they stand, and what they point to is there."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
from pathlib import Path

import pytest

from sandriver.cli import main, probe, serve, storage, train
from sandriver.cli.main import Parser
from sandriver.games import GAMES
from sandriver.server.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
MODULES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    for path in sorted(SOURCE.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "environments").glob("*.md")),
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_run_as_printed(document: Path) -> None:
    result = doctest.testfile(str(document), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_docstrings_with_examples_are_found() -> None:
    assert {f"sandriver.games.{game}.rules" for game in GAMES} | {"sandriver.games.mandala.cards", "sandriver.arena.series"} <= set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run_as_printed(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0


def commands() -> list[tuple[str, str, str]]:
    """Every command line of the documents that calls ``sandriver``, with its document and what is printed below it there."""
    found = []
    for document in DOCUMENTS:
        for block in re.findall(r"^```console\n(.*?)^```", document.read_text(), re.MULTILINE | re.DOTALL):
            for line, printed in re.findall(r"^\$ (sandriver .*)\n((?:[^$].*\n)*)", block, re.MULTILINE):
                found.append((document.name, line, printed))
    return found


def test_the_documents_show_commands() -> None:
    assert {line.split()[1] for _, line, _ in commands()} >= {"serve", "verify", "legal", "arena", "train"}


def on_one_deal(words: list[str]) -> list[str]:
    """The arguments of ``sandriver arena`` with so few games that it is over at once, on this machine; searches get the least budget."""
    if "--cluster" in words:
        place = words.index("--cluster")
        words = [*words[:place], *words[place + 2 :]]
    seats = words[words.index("--seats") + 1] if "--seats" in words else "2"
    if "--games" in words:
        place = words.index("--games") + 1
        words = [*words[:place], seats, *words[place + 1 :]]
    else:
        words = [*words, "--games", seats]
    search = "mcts" if words[0] == "stones" else "ismcts"
    levels = {level: f"{search}:{10**n}" for n, level in enumerate(("journeyman", "master", "champion"))}
    words = [levels.get(word, word) for word in words]
    fewer = re.compile(r"mcts((?:-\w+)?):(\d+)(ms)?(?==|$)")
    return [fewer.sub(lambda found: f"mcts{found[1]}:{len(found[2])}", word) for word in words]  # few, and still different


@pytest.mark.parametrize(("document", "line", "printed"), commands())
def test_commands_are_understood_and_print_what_stands_there(
    document: str, line: str, printed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Each is run as it stands, but a match is played on one deal, no server or database is touched, and a file is only looked for."""
    _, name, *words = shlex.split(line, comments=True)
    if name == "arena":
        monkeypatch.chdir(tmp_path)
        words = on_one_deal(words)
    if name in {"train", "probe"}:  # take hours
        parser = Parser(prog=f"sandriver {name}")
        (train if name == "train" else probe).add_arguments(parser)
        assert parser.parse_args(words).game == "mandala"
        return
    if name in {"serve", "migrate", "backup", "restore"}:
        parser = Parser(prog=f"sandriver {name}")
        (serve if name == "serve" else getattr(storage, name)).add_arguments(parser)
        given = {key: value for key, value in vars(parser.parse_args(words)).items() if key in Settings.__struct_fields__}
        Settings.load({}, **given)
        return
    status = main([name, *words])
    out, err = capsys.readouterr()
    if name == "verify":
        assert (status, out) == (2, "")
        assert re.fullmatch(r"sandriver verify: .*: No such file or directory\n", err)
        return
    assert (status, err) == (0, "")
    if printed:
        assert out == printed


def test_readme_has_examples() -> None:
    assert (ROOT / "README.md").read_text().count(">>> ") >= 6


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", document.read_text())
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_every_set_of_messages_is_said_to_be_for_something() -> None:
    """Where a text goes, and what a new game must bring, stands in CONTRIBUTING."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    sets = {folder.name for folder in (ROOT / "web" / "messages").iterdir()}
    said = set(re.findall(r"`([a-z_<>]+)`", text)) | {f"{game}{kind}" for game in GAMES for kind in ("", "_more", "_help")}
    assert sets - said == set()
    for place in ("PLAYS", "TABLES", "SETS", "PAGES", "HelpSets", "home_lead_<game>", "game_<game>"):
        assert f"`{place}`" in text


def test_readme_first_screen() -> None:
    """One sentence, a picture of the table, the two commands."""
    first = (ROOT / "README.md").read_text().splitlines()[:12]
    assert any(line.startswith("![") for line in first)
    assert any("make play" in line for line in first)
    assert any("make test" in line for line in first)


def test_make_targets_named_in_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for document in DOCUMENTS for name in re.findall(r"(?:`|\$ )make ([a-z]+)", document.read_text())}
    assert named
    assert named <= targets
