"""Figures for Prometheus: counted here with plain integers, told by ``prometheus-client`` when somebody asks.

Everything is counted in the event loop. The library's own counters take 4 to 5 µs each, since any thread may use them; these take a tenth
of that, so a move can be measured in all its parts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from sandriver.tables.measure import Figures

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of the classes of times, in seconds; what took longer is in a last class."""


class Times:
    """A histogram of durations in seconds."""

    __slots__ = ("_classes", "total")

    def __init__(self) -> None:
        self._classes = [0] * (len(BOUNDS) + 1)
        self.total = 0.0
        """Sum of all durations."""

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        self._classes[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    @property
    def count(self) -> int:
        """How many there were."""
        return sum(self._classes)

    def buckets(self) -> list[tuple[str, float]]:
        """Each bound with the number of durations up to it, as Prometheus wants them."""
        found, sofar = [], 0
        for bound, number in zip((*map(str, BOUNDS), "+Inf"), self._classes, strict=True):
            sofar += number
            found.append((bound, float(sofar)))
        return found


class Metrics(Collector):
    """What one server has done. Count by ``metrics.moves["person"] += 1`` and ``metrics.commit.observe(seconds)``."""

    def __init__(self) -> None:
        self.version = ""
        self.moves: Counter[str] = Counter()
        """Actions stored, by who played: ``person``, ``bot``, or ``rule`` for those that play themselves."""
        self.tables_opened = 0
        self.tables_ended = 0
        self.refusals: Counter[str] = Counter()
        """Commands and requests refused, by code."""
        self.commit = Times()
        """From the decision to the end of its commit."""
        self.broadcast = Times()
        """From a command's arrival to the moment at which the socket of another follower took what came of it."""
        self.appending = 0
        """Appends that wait for the store now."""
        self.store_failures: Counter[str] = Counter()
        """Calls of the store that failed or were given up, by its method."""
        self.connections = 0
        """Sockets open now."""
        self.slow_cut = 0
        """Sockets cut off because nothing was read."""
        self.requests: Counter[tuple[str, ...]] = Counter()
        """HTTP requests by method, route and status."""
        self.request_times: dict[str, Times] = {}
        """By route."""
        self.figures: Callable[[], Figures] | None = None
        """Asks the table service; set while there is one."""
        self.bus: Callable[[], bool] | None = None
        """Whether notices of other processes arrive; set while there is a bus."""
        self.ready: Callable[[], bool] | None = None
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def told(self, began: float) -> None:
        """Count what came of a command that arrived then (``perf_counter``) and has just been told."""
        self.broadcast.observe(perf_counter() - began)

    def text(self) -> bytes:
        """Everything in Prometheus' text format."""
        return generate_latest(self._registry)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one HTTP request."""
        self.requests[method, route, str(status)] += 1
        times = self.request_times.get(route)
        if times is None:
            times = self.request_times[route] = Times()
        times.observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """For the registry: everything as it is now."""
        yield InfoMetricFamily("sandriver", "The version that runs.", {"version": self.version})
        yield _counted("sandriver_moves", "Actions stored, by who played.", ("by",), _keys(self.moves))
        yield CounterMetricFamily("sandriver_tables_opened", "Tables opened.", self.tables_opened)
        yield CounterMetricFamily("sandriver_tables_ended", "Games ended.", self.tables_ended)
        yield _counted("sandriver_refusals", "Commands and requests refused, by code.", ("code",), _keys(self.refusals))
        yield _timed("sandriver_commit_seconds", "From a decision to the end of its commit.", (), {(): self.commit})
        yield _timed("sandriver_broadcast_seconds", "From a command to another follower's socket.", (), {(): self.broadcast})
        yield _counted("sandriver_store_failures", "Failed calls of the store.", ("call",), _keys(self.store_failures))
        yield CounterMetricFamily("sandriver_slow_readers_cut", "Sockets cut off because nothing was read.", self.slow_cut)
        yield _counted("sandriver_http_requests", "HTTP requests.", ("method", "route", "status"), self.requests)
        yield _timed("sandriver_http_seconds", "Time to answer.", ("route",), {(key,): value for key, value in self.request_times.items()})
        yield GaugeMetricFamily("sandriver_connections", "Open sockets.", self.connections)
        yield GaugeMetricFamily("sandriver_appends_waiting", "Appends that wait for the store.", self.appending)
        yield from self._states()

    def _states(self) -> Iterator[Metric]:
        if self.bus is not None:
            yield GaugeMetricFamily("sandriver_bus_up", "Whether notices of other processes arrive.", float(self.bus()))
        if self.ready is not None:
            yield GaugeMetricFamily("sandriver_ready", "Whether this process takes commands.", float(self.ready()))
        if self.figures is not None:
            now = self.figures()
            yield GaugeMetricFamily("sandriver_tables", "Tables in memory.", now.tables)
            yield GaugeMetricFamily("sandriver_followers", "Subscriptions of tables.", now.followers)
            yield GaugeMetricFamily("sandriver_frames_waiting", "Frames in all queues.", now.frames_waiting)
            yield GaugeMetricFamily("sandriver_longest_queue", "Frames in the longest queue.", now.longest_queue)
            yield GaugeMetricFamily("sandriver_bots_to_move", "Tables where it is a bot's turn.", now.bots_to_move)
            yield GaugeMetricFamily("sandriver_bots_thinking", "Bots that think.", now.bots_thinking)


def _keys(counts: Mapping[str, int]) -> dict[tuple[str, ...], int]:
    return {(key,): value for key, value in counts.items()}


def _counted(name: str, text: str, labels: Sequence[str], counts: Mapping[tuple[str, ...], int]) -> CounterMetricFamily:
    family = CounterMetricFamily(name, text, labels=labels)
    for key, value in counts.items():
        family.add_metric(key, value)
    return family


def _timed(name: str, text: str, labels: Sequence[str], times: Mapping[tuple[str, ...], Times]) -> HistogramMetricFamily:
    family = HistogramMetricFamily(name, text, labels=labels)
    for key, value in times.items():
        family.add_metric(key, value.buckets(), value.total)
    return family
