"""What `setup` asks a person."""

from __future__ import annotations

import io

import pytest

from bot.commands.setup.answers import Answers


def test_a_word_that_is_none_of_the_choices_is_answered_with_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """“y” is no way of signing in: the question comes again, and behind it what can be typed. A beginning will do."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nSL\n"))
    answers = Answers(given={}, known={}, places={}, asks=True)
    assert answers.choose("Over HTTP?", ["no", "slack", "firebase", "both"], default="no") == "slack"
    asked = "Over HTTP? (no/slack/firebase/both) [no]: "
    assert capsys.readouterr().out == f"{asked}✗ Type no, slack, firebase or both.\n{asked}"
