"""The playground's command line: its options, and what it prints."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from playground.opening import CARDS, Opened
from playground.options import parse
from playground.terminal import Terminal

PAGE = "http://127.0.0.1:1"


def welcomed(waiting: int, offered: str = "") -> str:
    out = io.StringIO()
    Terminal(out).welcome(PAGE, {"scripted": True}, Opened(waiting=waiting, offered=offered))
    return out.getvalue()


def test_cards_that_wait_are_the_first_thing_to_try() -> None:
    """With both cards there, the first suggestion is to read them."""
    said = welcomed(CARDS)
    assert "1. You are Dana. Read the two cards" in said
    assert "bot.log" not in said
    assert "Open the API tab" in said


@pytest.mark.parametrize("waiting", range(CARDS))
def test_nobody_is_sent_to_cards_that_are_not_there(waiting: int) -> None:
    """A start that is slow or failed says so, where to look, and speaks of the cards as still to come."""
    said = welcomed(waiting)
    assert f"{waiting} of {CARDS} cards" in said
    assert "still works" in said
    assert "logs/bot.log" in said
    assert "1. You are Dana. When the cards are in her DM" in said
    assert "Read the two cards" not in said


@pytest.mark.parametrize("offered", ["Continue", "Try again"])
def test_a_scene_that_stopped_is_told_as_that(offered: str) -> None:
    """Where the request ended before its cards nobody is told to wait for them, but what it offers."""
    said = welcomed(0, offered)
    assert f"press {offered}" in said
    assert "still works" not in said


# Options of the command line ---------------------------------------------------------------------------------------


def test_nothing_asked_for() -> None:
    """Without options the page takes a free port, the browser opens, and the data lie in .demo."""
    options = parse([])
    assert (options.port, options.browser, options.data, options.scripts) == (0, True, Path(".demo"), ())


def test_a_scene_has_data_of_its_own() -> None:
    """A scene plays in a directory of its own unless one is named."""
    assert parse(["--script", "a.yaml", "b.yaml"]).data is None
    assert parse(["--script", "a.yaml", "b.yaml"]).scripts == (Path("a.yaml"), Path("b.yaml"))
    assert parse(["--script", "a.yaml", "--data", "d"]).data == Path("d")


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_is_a_port(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A port that is none ends the command with a message that says so."""
    with pytest.raises(SystemExit, match="2"):
        parse([f"--port={port}"])
    assert "is not a port" in capsys.readouterr().err
