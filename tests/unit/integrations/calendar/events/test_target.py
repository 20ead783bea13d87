"""How much of a repeating event is meant, and when it takes place."""

from __future__ import annotations

import pytest

from integrations.calendar.events.change import Change
from integrations.calendar.events.target import Reach, Target
from integrations.calendar.wire import Event

ZONE = "Europe/Stockholm"


def series(*recurrence: str) -> Target:
    times = {"start": {"dateTime": "2026-11-24T14:00:00+01:00"}, "end": {"dateTime": "2026-11-24T15:00:00+01:00"}}
    event = Event.model_validate({"id": "s1", "recurrence": [*recurrence], **times})
    return Target(reach=Reach.SERIES, event=event, named=event, zone=ZONE)


@pytest.mark.parametrize("rule", ["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=MO"])
def test_a_series_whose_rule_gives_no_time_takes_place_once(rule: str) -> None:
    """An invitation may hold such a rule; its first time, which Google shows, is checked for conflicts."""
    target = series(rule)
    assert target.times() == [target.span()]
    assert Change(title="Oak").times(target) == [target.span()]
