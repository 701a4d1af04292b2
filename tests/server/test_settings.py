"""Settings: defaults, environment, command line, and words for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandriver.server.app import _pace
from sandriver.server.settings import Settings, SettingsError
from sandriver.tables.bot_driver import NO_PAUSE, Pace


def test_later_comes_first() -> None:
    """The command line before the environment, that before the defaults."""
    environment = {"SANDRIVER_PORT": "9000", "SANDRIVER_HOST": "192.0.2.1", "SANDRIVER_DATA": "/srv/x", "PORT": "1"}
    settings = Settings.load(environment, host="127.0.0.2", port=None)
    assert (settings.host, settings.port, settings.data) == ("127.0.0.2", 9000, Path("/srv/x"))
    assert Settings.load({}) == Settings()


def test_lists_and_numbers() -> None:
    """Origins are separated by commas; numbers are read from text."""
    settings = Settings.load({"SANDRIVER_ORIGINS": "https://a.example, http://b.example:81", "SANDRIVER_RATES": "2.5"})
    assert settings.origins == ("https://a.example", "http://b.example:81")
    assert settings.rates == 2.5


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "x"),
        ("PORT", "70000"),
        ("PORT", "-1"),
        ("METRICS_PORT", "x"),
        ("METRICS_PORT", "70000"),
        ("LOG", "xml"),
        ("RATES", "0"),
        ("RATES", "nan"),
        ("RATES", "inf"),
        ("RATES", "1e300"),
        ("BOT_PAUSE", "inf"),
        ("BOT_PAUSE", "nan"),
        ("BODY_LIMIT", "0"),
        ("BOT_PAUSE", "-1"),
        ("LOG_LEVEL", "loud"),
        ("ORIGINS", "play.example.org"),
        ("ORIGINS", "https://play.example.org/"),
        ("DATABASE_URL", "mysql://ana:hush@host/x"),
        ("DATABASE_URL", "ana:hush"),
        ("DATABASE_URL", "sqlite://"),
        ("BUS_URL", "http://ana:hush@host"),
        ("BUS_URL", "redis://ana:hush@host:port"),
    ],
)
def test_nonsense_is_named(name: str, value: str) -> None:
    """One line that says which setting."""
    with pytest.raises(SettingsError) as refused:
        Settings.load({f"SANDRIVER_{name}": value})
    message = str(refused.value)
    assert "\n" not in message
    assert "hush" not in message
    assert name.lower().rstrip("s") in message.replace("an origin", "origin")


@pytest.mark.parametrize(("name", "value"), [("PORT", "abc"), ("METRICS_PORT", "1.5"), ("RATES", "fast"), ("FRAME_LIMIT", "")])
def test_a_variable_that_cannot_be_read_is_named_with_its_value(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.load({f"SANDRIVER_{name}": value})
    assert f"SANDRIVER_{name} is {value!r}; a " in str(refused.value)
    assert "number is wanted" in str(refused.value)


def test_shorter_pauses_hide_thinking_as_well() -> None:
    """The factor shortens what people wait for, not the moments behind which it disappears how long a bot thought."""
    assert _pace(1) == Pace()
    assert _pace(0.5) == Pace(0.35, 0.8, 0.1, 1.5)
    assert _pace(0) == NO_PAUSE
