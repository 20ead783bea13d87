"""The form of a card, as Slack sends it back."""

from __future__ import annotations

from typing import Any

import pytest

from bot.slack.connection.schema import Malformed
from bot.slack.inbound.forms import FilledForm
from bot.slack.views.form import DAY_TOO, TIME_TOO


def body(**moments: tuple[str | None, str | None]) -> dict[str, Any]:
    """What Slack sends for these days and times, and a text."""
    values: dict[str, Any] = {"subject": {"field": {"type": "plain_text_input", "value": "Tea"}}}
    for name, (day, time) in moments.items():
        values[name] = {"field": {"type": "datepicker", "selected_date": day}}
        values[f"{name}:time"] = {"field": {"type": "timepicker", "selected_time": time}}
    return sent(values)


def sent(values: object, *, card: str = '{"value": "q.n", "channel": "D1", "ts": "1.0"}') -> dict[str, Any]:
    view = {"private_metadata": card, "state": {"values": values}}
    return {"user": {"id": "U1"}, "team": {"id": "T1"}, "view": view}


@pytest.mark.parametrize(
    ("moments", "missing"),
    [
        ({"at": (None, None)}, {}),
        ({"at": ("2026-11-23", "10:00")}, {}),
        ({"at": (None, "10:00")}, {"at": DAY_TOO}),
        ({"start": ("2026-11-23", None), "end": (None, "11:00")}, {"start:time": TIME_TOO, "end": DAY_TOO}),
    ],
)
def test_half_a_moment_is_asked_for_where_the_other_half_belongs(
    moments: dict[str, tuple[str | None, str | None]], missing: dict[str, str]
) -> None:
    """A time without its day says so at the day, a day without its time at the time, all at once; both or none are
    fine.
    """
    assert FilledForm.parse(body(**moments)).halves() == missing


def test_a_whole_moment_is_one_value() -> None:
    """Day and time together are the argument."""
    form = FilledForm.parse(body(at=("2026-11-23", "10:00")))
    assert form.fields() == {"subject": "Tea", "at": "2026-11-23T10:00"}


def test_every_input_is_read() -> None:
    """Text, a box that is ticked, a choice, and the choice of nothing."""
    values = {
        "text": {"field": {"type": "plain_text_input", "value": None}},
        "box": {"field": {"type": "checkboxes", "selected_options": [{"value": "set"}]}},
        "chosen": {"field": {"type": "static_select", "selected_option": {"value": "a"}}},
        "nothing": {"field": {"type": "static_select", "selected_option": {"value": "(nothing)"}}},
        "none": {"field": {"type": "static_select", "selected_option": None}},
    }
    filled = FilledForm.parse(sent(values)).fields()
    assert filled == {"text": "", "box": True, "chosen": "a", "nothing": "", "none": ""}


def test_errors_stand_at_their_fields() -> None:
    """What belongs to no field of the form stands at the first one, with its name."""
    form = FilledForm.parse(body(start=("2026-11-23", "10:00")))
    assert form.errors({"start": "too late"}, "else") == {"start": "too late"}
    assert form.errors({"hidden": "too late"}, "else") == {"subject": "hidden: too late"}
    assert form.errors({}, "else") == {"subject": "else"}
    both = form.errors({"start": "too late", "hidden": "too late", "subject": "too long"}, "else")
    assert both == {"start": "too late", "subject": "hidden: too late too long"}


@pytest.mark.parametrize(
    "wrong",
    [
        sent([]),
        sent({"subject": {"field": 5}}),
        sent({"subject": {"field": {"value": 5}}}),
        sent({}, card=""),
        sent({}, card="no JSON"),
        sent({}, card="[]"),
        sent({}, card='{"value": "q.n"}'),
        sent({}) | {"user": None},
        {},
    ],
)
def test_no_form_is_refused(wrong: dict[str, Any]) -> None:
    """What has another shape than a form that we made is refused."""
    with pytest.raises(Malformed):
        FilledForm.parse(wrong)
