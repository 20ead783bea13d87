"""The rules of the two halves of a series that is cut before one of its occurrences."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from integrations.calendar.exdates import as_exdates, is_exdate
from integrations.calendar.occurrences import count_before
from integrations.calendar.rules import Rule
from integrations.calendar.spans import Moments
from integrations.calendar.targets import Target
from integrations.calendar.wire import Event
from integrations.errors import ToolFailed


def ended(target: Target, zone: str) -> Rule:
    """The rule of the old series, which ends before the named occurrence."""
    begins = target.planned(zone)
    if isinstance(begins, Moments):
        return replace(target.rule(zone), count=None, until=begins.bounds()[0] - timedelta(seconds=1))
    return replace(target.rule(zone), count=None, until=begins.start - timedelta(days=1))


def ended_lines(target: Target, zone: str) -> list[str]:
    """The recurrence of the old series: its rule with the end, and what it left out before."""
    gaps = [span for span in target.gaps(zone) if span.bounds()[0] < target.planned(zone).bounds()[0]]
    return [ended(target, zone).as_text(), *as_exdates(gaps)]


def is_ended(target: Target, event: Event, zone: str) -> bool:
    """Whether the old series, as it is now, ends there. What it leaves out is a matter of its own."""
    return [line for line in event.recurrence if not is_exdate(line)] == [ended(target, zone).as_text()]


def rest(target: Target, zone: str) -> Rule:
    """The rule of what is left, with as many times as were left; raises `ToolFailed` when they cannot be counted."""
    rule = target.rule(zone)
    if rule.count is None:
        return rule
    gone = count_before(rule, target.series_span(zone), target.planned(zone))
    if gone is None or gone >= rule.count:
        message = "This occurrence is none of its series' rule, so the series cannot be cut there."
        raise ToolFailed("series_too_special", message, hint="Change this occurrence alone, or the whole series.")
    return replace(rule, count=rule.count - gone)
