"""The rules of both parts of a series that is split before one of its occurrences."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from integrations.calendar.events.target import Target
from integrations.calendar.recurrence.exdates import as_exdates, is_exdate
from integrations.calendar.recurrence.occurrences import count_before
from integrations.calendar.recurrence.rule import Rule
from integrations.calendar.time_range import TimedRange
from integrations.calendar.wire import Event
from integrations.errors import ToolFailed


def ended(target: Target, zone: str) -> Rule:
    """The rule of the old series, which ends before the named occurrence."""
    begins = target.planned(zone)
    if isinstance(begins, TimedRange):
        return replace(target.rule(zone), count=None, until=begins.bounds()[0] - timedelta(seconds=1))
    return replace(target.rule(zone), count=None, until=begins.start - timedelta(days=1))


def ended_lines(target: Target, zone: str) -> list[str]:
    """The recurrence of the old series: its rule with the end, and the times that it left out before."""
    gaps = [span for span in target.gaps(zone) if span.bounds()[0] < target.planned(zone).bounds()[0]]
    return [ended(target, zone).as_text(), *as_exdates(gaps)]


def is_ended(target: Target, event: Event, zone: str) -> bool:
    """Whether the old series ends there now. The times that it leaves out do not matter."""
    return [line for line in event.recurrence if not is_exdate(line)] == [ended(target, zone).as_text()]


def rest(target: Target, zone: str) -> Rule:
    """The rule of the second part, with the remaining COUNT; raises `ToolFailed` when it cannot be counted."""
    rule = target.rule(zone)
    if rule.count is None:
        return rule
    gone = count_before(rule, target.series_span(zone), target.planned(zone))
    if gone is None or gone >= rule.count:
        message = "The rule of the series does not give this occurrence, so the series cannot be split there."
        raise ToolFailed("series_too_special", message, hint="Change this occurrence alone, or the whole series.")
    return replace(rule, count=rule.count - gone)
