"""Deals and games to learn from on a cluster: the same results; what cannot be is said. Ray itself is asked where it is installed."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sandriver import cluster
from sandriver.arena.crew import Setting, play_all
from sandriver.bots import mandala_net
from sandriver.cli.main import main
from sandriver.cluster import ClusterError, share_out
from sandriver.extras import MissingExtra
from sandriver.learn import probe, report, train
from sandriver.learn.selfplay import Turn

SETTING = Setting("mandala", 2, {}, (("random", "apprentice"),))
JOBS = [(0, seed) for seed in range(6)]


class PoolTaskError(Exception):
    """As in Ray."""

    def __init__(self, underlying: Exception) -> None:
        super().__init__(str(underlying))
        self.underlying = underlying


class Pool:
    """What is asked of Ray's pool, in this process; like Ray's it hands out what a job raised."""

    def __init__(self, workers: int | None, begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        begin(*arguments)

    def imap(self, play: Callable[[Any], Any], jobs: Iterable[Any], chunksize: int) -> Iterator[Any]:
        for job in jobs:
            try:
                yield play(job)
            except (ArithmeticError, ClusterError) as error:
                yield PoolTaskError(error)

    imap_unordered = imap

    def terminate(self) -> None:
        """Nothing runs."""


class RayError(Exception):
    """As in ``ray.exceptions``."""


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Stands in for Ray; ``began`` is what it was started with, ``up`` whether it runs."""
    module: Any = ModuleType("ray")
    module.up, module.began = False, []
    module.exceptions = ModuleType("ray.exceptions")
    module.exceptions.RayError = RayError

    def init(**options: Any) -> None:
        if options.get("address") == "auto" and not module.up:
            raise ConnectionError("nobody is there\nat all")
        module.up = True
        module.began.append(options.get("address"))

    def shutdown() -> None:
        module.up = False

    module.init, module.shutdown, module.is_initialized = init, shutdown, lambda: module.up
    pools: Any = ModuleType("ray.util.multiprocessing")
    pools.Pool = Pool
    for name, each in (("ray", module), ("ray.util", ModuleType("ray.util")), ("ray.util.multiprocessing", pools)):
        monkeypatch.setitem(sys.modules, name, each)
    return module


class Divides:
    """Plays a job by dividing."""

    def __init__(self, number: int) -> None:
        self.number = number

    def play(self, job: int) -> float:
        return self.number / job


def test_a_cluster_plays_the_same_deals(ray: Any) -> None:
    alone = dict(play_all(SETTING, JOBS, 1))
    shared = dict(play_all(SETTING, JOBS, None, cluster.HERE))
    assert {job: (deal.bots, deal.seed) for job, deal in shared.items()} == {job: (deal.bots, deal.seed) for job, deal in alone.items()}
    assert [shared[job].games for job in JOBS] == [alone[job].games for job in JOBS]
    assert ray.began == [None]
    assert not ray.up


def games_to_learn_from(where: str | None) -> list[list[tuple[int, list[Turn]]]]:
    """As they are played to train, and to probe a bot."""
    players: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(train.Player, (None, 4))]
    players.append((probe.Challenger, (mandala_net.packed(), 4, "apprentice")))
    return [list(train.played(make, given, range(3, 6), 1, lambda _: None, "", where)) for make, given in players]


def test_a_cluster_plays_the_same_games_to_learn_from(ray: Any) -> None:
    assert games_to_learn_from(cluster.HERE) == games_to_learn_from(None)
    assert ray.began == [None, None]


def test_a_probe_on_a_cluster_has_the_same_result(ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The learner learns nothing here; its games and those of the end are the cluster's."""
    monkeypatch.setattr(report, "check_extra", lambda **_: None)
    monkeypatch.setattr(probe, "fit", lambda *_, **given: (given["start"], []))
    command = ["probe", "mandala", "--against", "random", "--iterations", "1", "--generations", "1"]
    command += ["--games", "2", "--check", "2", "--final", "4", "--json"]
    assert main([*command, str(tmp_path / "alone")]) == 0
    assert main([*command, str(tmp_path / "shared"), "--cluster", "local"]) == 0
    assert ray.began == [None, None]
    alone, shared = (json.loads((tmp_path / name).read_text()) for name in ("alone", "shared"))
    assert [one["turns"] for one in shared["generations"]] == [one["turns"] for one in alone["generations"]]
    assert [one["rate"] for one in shared["finals"]] == [one["rate"] for one in alone["finals"]]


def test_jobs_are_taken_as_they_are_needed_and_the_end_ends_all(ray: Any) -> None:
    jobs = iter(range(1, 100))
    shared = share_out(cluster.HERE, Divides, (12,), jobs, in_order=True)
    assert [next(shared), next(shared)] == [(1, 12.0), (2, 6.0)]
    assert ray.up
    shared.close()
    assert not ray.up
    assert next(jobs) == 3
    assert ray.began == [None]


def test_a_cluster_that_was_there_stays(ray: Any) -> None:
    ray.up = True
    assert list(share_out(cluster.RUNNING, Divides, (12,), [4], in_order=False)) == [(4, 3.0)]
    assert ray.up


def test_what_playing_raises_is_raised_here(ray: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        list(share_out(cluster.HERE, Divides, (12,), [1, 0, 2], in_order=True))
    assert not ray.up


def test_another_version_is_refused(ray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = iter(["1.0", "0.9", "0.9"])
    monkeypatch.setattr(cluster, "version", lambda package: next(versions))
    with pytest.raises(ClusterError, match=r"has Sandriver 0\.9, this one 1\.0"):
        list(share_out(cluster.HERE, Divides, (12,), [1], in_order=True))


def test_where_nobody_listens_is_said_at_once(ray: Any) -> None:
    for address in ("127.0.0.1:9", "ray://127.0.0.1:9"):
        with pytest.raises(ClusterError, match=rf"no cluster at '{address}': .*refused"):
            list(share_out(address, Divides, (12,), [1], in_order=True))


def test_nobody_there_or_no_ray_is_one_line(ray: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["arena", "mandala", "random", "apprentice", "--games", "2", "--cluster", "auto"]
    assert main(command) == 2
    assert capsys.readouterr().err == "sandriver arena: no cluster at 'auto': nobody is there\n"
    monkeypatch.setattr(report, "check_extra", lambda **_: None)
    for words in ("train mandala --out a.net", "probe mandala --against random --iterations 1 --check 2"):
        assert main([*words.split(), "--games", "1", "--cluster", "auto"]) == 2
        assert capsys.readouterr().err.splitlines()[-1] == f"sandriver {words[:5]}: no cluster at 'auto': nobody is there"
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(command) == 2
    assert capsys.readouterr().err == "sandriver arena: a cluster needs ray, which is not installed: pip install 'sandriver[cluster]'\n"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ray_itself_plays_the_same_deals_or_is_asked_for() -> None:
    if importlib.util.find_spec("ray") is None:
        with pytest.raises(MissingExtra, match="pip install"):
            next(play_all(SETTING, JOBS, 2, cluster.HERE))
        return
    alone = dict(play_all(SETTING, JOBS, 1))
    shared = dict(play_all(SETTING, JOBS, 2, cluster.HERE))
    assert [shared[job].games for job in JOBS] == [alone[job].games for job in JOBS]
    assert games_to_learn_from(cluster.HERE) == games_to_learn_from(None)
    with pytest.raises(ZeroDivisionError):
        list(share_out(cluster.HERE, Divides, (12,), [1, 0, 2], in_order=True))
    with pytest.raises(ClusterError, match="no cluster at 'auto'"):
        list(share_out(cluster.RUNNING, Divides, (12,), [1], in_order=True))
