"""The form of a card, as Slack sends it back."""

from __future__ import annotations

from typing import Any

import pytest

from bot.slack.views.form import DAY_TOO, TIME_TOO, filled, halves


def body(**moments: tuple[str | None, str | None]) -> dict[str, Any]:
    """What Slack sends for these days and times, and a text."""
    values: dict[str, Any] = {"subject": {"field": {"type": "plain_text_input", "value": "Tea"}}}
    for name, (day, time) in moments.items():
        values[name] = {"field": {"type": "datepicker", "selected_date": day}}
        values[f"{name}:time"] = {"field": {"type": "timepicker", "selected_time": time}}
    return {"view": {"state": {"values": values}}}


@pytest.mark.parametrize(
    ("moment", "missing"),
    [
        ((None, None), {}),
        (("2026-11-23", "10:00"), {}),
        ((None, "10:00"), {"send_at": DAY_TOO}),
        (("2026-11-23", None), {"send_at:time": TIME_TOO}),
    ],
)
def test_half_a_moment_is_asked_for_where_the_other_half_belongs(
    moment: tuple[str | None, str | None], missing: dict[str, str]
) -> None:
    """A time without its day says so at the day, a day without its time at the time; both or none are fine."""
    assert halves(body(send_at=moment)) == missing


def test_all_that_is_missing_is_said_at_once() -> None:
    """Two moments with a half each: both are named."""
    assert halves(body(start=("2026-11-23", None), end=(None, "11:00"))) == {"start:time": TIME_TOO, "end": DAY_TOO}


def test_a_whole_moment_is_one_value() -> None:
    """Day and time together are the argument."""
    assert filled(body(send_at=("2026-11-23", "10:00"))) == {"subject": "Tea", "send_at": "2026-11-23T10:00"}
