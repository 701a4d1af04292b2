"""``sandriver train``: refusals in one line; where PyTorch is installed a training of seconds, elsewhere that it says what it lacks."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from sandriver import extras
from sandriver.bots import mandala_net, weights
from sandriver.cli import main
from sandriver.extras import MissingExtra
from sandriver.learn import report
from sandriver.learn.fit import Epoch, fit
from sandriver.learn.samples import pack
from sandriver.learn.train import Generation, Plan, Player, train

Captured = pytest.CaptureFixture[str]
COURSE = [Generation(n, 1000 * n, [Epoch(1, 0.6, 0.55, 0.1, 2.5), Epoch(2, 0.58, 0.54, 0.09, 2.25)], 0.625, 0.07, 12.5) for n in (1, 2)]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("stones", "--out", "a"), "only mandala can be trained, not 'stones'"),
        (("mandala", "--out", "a", "--games", "0"), "--games: a number from 1 to 900000 is wanted"),
        (("mandala", "--out", "a", "--match", "3"), "--match: an even number is wanted, as each deal is played twice"),
        (("mandala", "--out", "a", "--epochs", "1.5"), "--epochs: a whole number is wanted, not '1.5'"),
        (("mandala",), "the following arguments are required: --out"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(words: tuple[str, ...], reason: str, capsys: Captured) -> None:
    try:
        status: object = main(["train", *words])
    except SystemExit as left:
        status = left.code
    out, err = capsys.readouterr()
    assert (status, out, err) == (2, "", f"sandriver train: {reason}\n")


def test_a_folder_that_is_not_there_is_noticed_before_anything_is_played(tmp_path: Path, capsys: Captured) -> None:
    assert main(["train", "mandala", "--out", str(tmp_path / "no" / "a.net")]) == 2
    assert capsys.readouterr().err.startswith("sandriver train: --out: there is no folder ")


def test_weights_to_go_on_from_that_are_none_are_refused(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "torn.net").write_bytes((weights.FOLDER / mandala_net.FILE).read_bytes()[:-4])
    for name, reason in (("none.net", "cannot be read: "), ("torn.net", "are damaged: ")):
        assert main(["train", "mandala", "--out", str(tmp_path / "a.net"), "--start", str(tmp_path / name)]) == 2
        assert capsys.readouterr().err.startswith(f"sandriver train: --start: the weights {tmp_path / name} {reason}")


def test_without_the_extra_it_says_so_at_once(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(module: str, purpose: str, extra: str) -> None:
        raise extras.missing(module, purpose, extra)

    monkeypatch.setattr(report, "load", lacking)
    assert main(["train", "mandala", "--out", str(tmp_path / "a.net")]) == 2
    assert capsys.readouterr().err == "sandriver train: training needs numpy, which is not installed: pip install 'sandriver[train]'\n"


def test_a_training_is_the_same_by_its_seed_or_says_what_it_lacks() -> None:
    """With PyTorch: twice the same weights, which are played with; without it: which extra it is."""
    plan = Plan(generations=1, games=60, iterations=8, epochs=1, match_deals=1, match_iterations=8, seed=2)
    heard: list[str] = []
    if importlib.util.find_spec("torch") is None:
        player = Player(None, 8)
        with pytest.raises(MissingExtra, match=r"training needs torch, which is not installed: pip install 'sandriver\[train\]'"):
            fit(pack([player.play(1)]), 1, 1, lambda _: None)
        return
    numbers, course = train(plan, heard.append)
    again, _ = train(plan, heard.append)
    assert numbers == again
    assert len(numbers) == mandala_net.SIZE
    assert heard[:10] == [f"generation 1: {6 * n} of 60 games" for n in range(1, 11)]
    assert 1 < course[0].epochs[0].choice < 4  # chances are shared by some 16 turns
    assert course[0].rate in (0.0, 0.25, 0.5, 0.75, 1.0)
    player = Player(numbers, 8)
    assert player.play(3)[1]
    onward, _ = train(plan, heard.append, numbers)
    moved = [abs(new - old) for new, old in zip(onward, numbers, strict=True)]
    assert max(moved) > 0
    assert sum(moved) < 0.2 * sum(map(abs, numbers))  # it went on from there


def test_too_few_turns_are_refused_or_the_extra_is_missing() -> None:
    lot = pack([Player(None, 4).play(1)])
    wanted, words = (MissingExtra, "needs torch") if importlib.util.find_spec("torch") is None else (ValueError, "too few to learn from")
    with pytest.raises(wanted, match=words):
        fit(lot, 1, 1, lambda _: None)


def test_the_course_is_told_in_words_as_json_and_as_a_page(tmp_path: Path) -> None:
    table = report.words(COURSE).splitlines()
    assert table[0].split() == [word for head in report.HEADS for word in head.split()]
    assert table[2].split() == ["2", "2000", "0.5800", "0.5400", "0.0900", "2.2500", "62.5%", "+-", "7.0%", "12"]
    told = json.loads(report.as_json(Plan(), COURSE))
    assert told["plan"]["generations"] == 3
    assert [one["epochs"][1]["error"] for one in told["generations"]] == [0.09, 0.09]
    page = report.page(Plan(), COURSE)
    assert page.count("<svg") == 2
    assert "62.5% +- 7.0%" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    report.write_weights(tmp_path / "a.net", [0.25] * mandala_net.SIZE, Plan(seed=9), COURSE)
    head, _ = weights.read_head(tmp_path / "a.net")
    assert (head.game, head.inputs, head.made["seed"], head.made["turns"]) == ("mandala", mandala_net.INPUTS, 9, 3000)
    assert weights.read(tmp_path / "a.net", game="mandala", inputs=1, shapes=mandala_net.SHAPES) == (0.25,) * mandala_net.SIZE
