"""The end of a rule: a moment in UTC where the event has times, a day where it has days (RFC 5545 §3.3.10, UNTIL)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from integrations.calendar.recurrence.rule import Rule
from integrations.calendar.time_range import TimedRange, TimeRange


def fitted(rule: Rule, first: TimeRange) -> Rule:
    """The rule with its end in the form that the event needs. A last day belongs to the series."""
    if isinstance(first, TimedRange) and isinstance(rule.until, datetime):
        return rule
    return with_last_day(rule, first, zone=first.zone)


def with_last_day(rule: Rule, first: TimeRange, *, zone: str) -> Rule:
    """The rule with the same last day for an event at another time, or of the other kind. `zone` is that of the rule's
    end until now.
    """
    if rule.until is None:
        return rule
    until = rule.until
    day = until.astimezone(ZoneInfo(zone)).date() if isinstance(until, datetime) else until
    return replace(rule, until=last_moment(day, first.zone) if isinstance(first, TimedRange) else day)


def last_moment(day: date, zone: str) -> datetime:
    """The last second of a day, in UTC."""
    return datetime.combine(day, datetime.max.time(), ZoneInfo(zone)).replace(microsecond=0).astimezone(UTC)
