"""What the tests of Mandala Stones get: the command, called in this process."""

from __future__ import annotations

import pytest
from tests.games.stones.support import Answer, Run

from sandriver.cli import main


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command in this process."""

    def call(*arguments: str) -> Answer:
        status: object
        try:
            status = main(list(arguments))
        except SystemExit as stop:
            status = stop.code
        captured = capsys.readouterr()
        return Answer(0 if status is None else status, captured.out, captured.err)

    return call
