"""How an event repeats, as the fields of a form, and back as one rule."""

from __future__ import annotations

import pytest

from bot.tools.forms import FieldInput, Filled, Form, form_of, read
from integrations.base import Preview
from integrations.calendar.arguments import CreateArgs, UpdateArgs
from tests.unit.bot.tools.test_forms import by_name, tool

CREATE, UPDATE = tool(CreateArgs), tool(UpdateArgs)
FIELDS = ("recurrence", "recurrence.until", "recurrence.count")


def args(rule: str | None, zone: str = "Europe/Stockholm") -> dict[str, object]:
    return {"title": "Tea", "start": "2026-11-24T14:00", "end": "2026-11-24T15:00", "zone": zone, "recurrence": rule}


def shown(form: Form) -> tuple[Filled, ...]:
    fields = by_name(form)
    return tuple(fields[name].value for name in FIELDS)


def filled(rule: str | None, changes: dict[str, str]) -> object:
    """What becomes of a rule whose fields are changed so."""
    there = {field.name: field.value for field in form_of(CREATE, args(rule)).fields}
    changed = {
        f"recurrence.{name}" if name in {"until", "count"} else "recurrence": text for name, text in changes.items()
    }
    return read(CREATE, args(rule), there | changed).get("recurrence", "untouched")


@pytest.mark.parametrize(
    ("rule", "zone", "values"),
    [
        (None, "Europe/Stockholm", ("", "", "")),
        ("RRULE:FREQ=WEEKLY;COUNT=6", "Europe/Stockholm", ("FREQ=WEEKLY", "", "6")),
        ("freq=daily;until=20261231", "Europe/Stockholm", ("FREQ=DAILY", "2026-12-31", "")),
        ("FREQ=DAILY;UNTIL=20261231T225959Z", "Europe/Stockholm", ("FREQ=DAILY", "2026-12-31", "")),
        ("FREQ=DAILY;UNTIL=20270101T045959Z", "America/New_York", ("FREQ=DAILY", "2026-12-31", "")),
        ("FREQ=DAILY;UNTIL=20261231T225959Z", "Nowhere/Land", ("FREQ=DAILY", "", "")),
        ("FREQ=DAILY;UNTIL=99991231T235959Z", "Europe/Stockholm", ("FREQ=DAILY", "", "")),
        ("FREQ=DAILY;UNTIL=soon", "Europe/Stockholm", ("FREQ=DAILY", "", "")),
        ("FREQ=MONTHLY;BYDAY=1MO;COUNT=3", "Europe/Stockholm", ("other", "", "3")),
    ],
)
def test_a_rule_is_three_fields(rule: str | None, zone: str, values: tuple[str, ...]) -> None:
    """A choice of common rules, the last day by the clock of the event, and the number of times."""
    form = form_of(CREATE, args(rule, zone))
    assert shown(form) == values
    assert [by_name(form)[name].input for name in FIELDS] == [FieldInput.CHOICE, FieldInput.DAY, FieldInput.NUMBER]
    assert ("other" in by_name(form)["recurrence"].choices) is (values[0] == "other")


@pytest.mark.parametrize(
    ("rule", "changes", "becomes"),
    [
        ("RRULE:FREQ=WEEKLY;COUNT=6", {}, "untouched"),
        ("RRULE:FREQ=WEEKLY;COUNT=6", {"rule": ""}, None),
        ("RRULE:FREQ=WEEKLY;COUNT=6", {"rule": "FREQ=DAILY"}, "RRULE:FREQ=DAILY;COUNT=6"),
        ("RRULE:FREQ=WEEKLY;COUNT=6", {"count": "", "until": "2026-12-31"}, "RRULE:FREQ=WEEKLY;UNTIL=20261231"),
        ("FREQ=MONTHLY;BYDAY=1MO;COUNT=3", {"count": "4"}, "RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=4"),
        (None, {"rule": "FREQ=YEARLY"}, "RRULE:FREQ=YEARLY"),
        (None, {"until": "2026-12-31"}, "RRULE:UNTIL=20261231"),
    ],
)
def test_changed_fields_are_one_rule(rule: str | None, changes: dict[str, str], becomes: str | None) -> None:
    """What was not touched stays; an end without a rule is given to the tool, which says what is missing."""
    assert filled(rule, changes) == becomes


def test_the_rule_of_a_series_is_shown_and_only_its_end_changes() -> None:
    """The card of a change knows the series' rule; a new last day keeps the rest of it."""
    call: dict[str, object] = {"event_id": "e", "scope": "series"}
    seen = Preview(title="?", fields=[], present={"recurrence": "RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=9", "zone": "UTC"})
    there = {field.name: field.value for field in form_of(UPDATE, call, seen).fields}
    assert (there["recurrence"], there["recurrence.count"]) == ("other", "9")
    assert read(UPDATE, call, there, seen) == {}
    changed = there | {"recurrence.until": "2027-12-31", "recurrence.count": ""}
    assert read(UPDATE, call, changed, seen) == {"recurrence": "RRULE:FREQ=MONTHLY;BYDAY=1MO;UNTIL=20271231"}
