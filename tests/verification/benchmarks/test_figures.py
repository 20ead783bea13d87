"""How figures are told and kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.verification.benchmarks.figures import WANTED, Measured, Outcome, keep, machine, table


def test_a_figure_stands_beside_both_columns() -> None:
    """What reaches its target, what only reaches the least, and what misses both are told apart; the order is fixed."""
    found = [
        Measured(key="verified", value=60_000),
        Measured(key="step_8", value=0.45, spread=(0.4, 0.5)),
        Measured(key="rate_50", value=1.6),
        Measured(key="mail_cpu", value=200),
        Measured(key="click_new", value=100),
    ]
    _, *lines = (line.split() for line in table(found))
    assert [line[-1] for line in lines] == ["reached", "target", "missed", "ms", "reached"]
    assert lines[0][-8:] == ["0.45", "0.4", "to", "0.5", "0.5", "0.8", "×", "reached"]


def test_milliseconds_are_judged_at_the_pace_of_their_bounds() -> None:
    """Half as fast a machine may take twice as long, and do half as much in a second; ratios need no pace."""
    found = [
        Measured(key="step_8", value=0.9, pace=2.0),
        Measured(key="click_warm", value=20, pace=2.0),
        Measured(key="verified", value=30_000, pace=2.0),
        Measured(key="answered", value=5, pace=2.0),
    ]
    _, *lines = (line.split() for line in table(found))
    assert [line[-1] for line in lines] == ["missed", "missed", "target", "reached"]
    assert lines[2][-8:-4] == ["10", "5", "12", "ms"]


def test_every_figure_has_a_line_when_it_is_measured() -> None:
    """No key is forgotten."""
    assert len(table(Measured(key=key, value=1) for key in WANTED)) == 1 + len(WANTED)


def test_the_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """What cannot be written leaves the file of before, and nothing beside it."""
    file = tmp_path / "made" / "figures.json"
    keep(file, {"loop": Outcome(measured=[Measured(key="step_8", value=0.5)])}, machine())
    with pytest.raises(TypeError):
        keep(file, {"loop": Outcome(rounds=object())}, machine())
    assert json.loads(file.read_text())["figures"]["step_8"]["value"] == 0.5
    assert list(file.parent.iterdir()) == [file]
