"""A real `sandriver serve` in a process of its own, on a free port with an empty data folder."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
READY_SECONDS = 120


class Served:
    """Starts the server when entered, stops it when left; ``url`` has no slash at its end.

    ``source``: run this repository, not an installed wheel.
    """

    def __init__(
        self,
        data: Path,
        *,
        bot_pause: float = 0.0,
        python: str = sys.executable,
        source: bool = True,
        entry: tuple[str, ...] = ("-m", "sandriver"),
    ) -> None:
        self.data = data
        self.url = ""
        self.port = 0
        self.lines: list[str] = []
        self._python = python
        self._pause = bot_pause
        self._source = source
        self._entry = entry
        self._process: subprocess.Popen[str] | None = None

    def start(self, port: int = 0) -> None:
        """Start (again, on ``port``, for a restart) and wait until it says that it is ready."""
        command = [self._python, *self._entry, "serve", "--port", str(port), "--data", str(self.data)]
        command += ["--bot-pause", str(self._pause), "--rates", "1000"]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONUNBUFFERED": "1"}
        if self._source:
            environment["PYTHONPATH"] = str(ROOT / "src")
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        ready = threading.Event()
        threading.Thread(target=self._read, args=[self._process, ready], daemon=True).start()
        if not ready.wait(READY_SECONDS) or not self.url:
            self.stop()
            raise AssertionError("the server did not become ready:\n" + "\n".join(self.lines))

    def _read(self, process: subprocess.Popen[str], ready: threading.Event) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.lines.append(line.rstrip())
            if found := re.search(r"http://[\d.]+:(\d+)", line):
                self.url, self.port = found[0], int(found[1])
                ready.set()
        ready.set()

    def stop(self, *, hard: bool = False) -> None:
        """End it, orderly or (``hard``) by a kill."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL if hard else signal.SIGINT)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(10)
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
