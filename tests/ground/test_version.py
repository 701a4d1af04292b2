"""The version is said in one place: by the package, the command, the arena's files and the server alike."""

from __future__ import annotations

from importlib import metadata

import pytest

import sandriver
from sandriver.arena import head_of
from sandriver.cli.main import main


def test_all_say_the_same_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert sandriver.__version__ == metadata.version("sandriver") == head_of("mandala", 2, {}).sandriver
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"sandriver {sandriver.__version__}\n"


def test_uninstalled_it_is_source(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", unknown)
    before = vars(sandriver).pop("__version__", None)
    try:
        assert sandriver.__version__ == "source"
    finally:
        vars(sandriver).pop("__version__", None)
        if before is not None:
            vars(sandriver)["__version__"] = before
    with pytest.raises(AttributeError, match="no attribute '__author__'"):
        _ = sandriver.__author__
