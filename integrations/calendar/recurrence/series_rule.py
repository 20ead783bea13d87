"""The rule of a series: checked against its first time, and moved along with it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from integrations.calendar.recurrence.occurrences import begins_by_rule
from integrations.calendar.recurrence.rule import Frequency, Rule, Weekday, invalid, parse_rule
from integrations.calendar.recurrence.words import NAMES, in_words
from integrations.calendar.time_range import MONTHS, TimeRange, local_day


def rule_for(text: str, first: TimeRange) -> Rule:
    """The rule that an RRULE gives an event; raises `ModelRetry`.

    The first time must be one of the rule's own, because calendars disagree about whether it takes place otherwise.
    """
    rule = parse_rule(text).fitted(first)
    if not begins_by_rule(rule, first):
        raise invalid(
            f"the event must start on a day of its rule, and {_day(first)} is none ({in_words(rule, first)})."
        )
    if rule.until is not None and _ended_before(rule.until, first):
        raise invalid("it ends before it begins.")
    return rule


def shifted(rule: Rule, days: int) -> Rule:
    """The rule of a series that moves by so many days; raises `ModelRetry` where the new days are not clear."""
    if not days:
        return rule
    if rule.frequency is Frequency.WEEKLY and not rule.months:
        if rule.interval > 1 and len({_weeks_on(day, rule, days) for day in rule.days}) > 1:
            raise invalid(
                "some days of this series would move into the weeks between. Give `recurrence` with its days."
            )
        moved = tuple(Weekday((day.day + days) % 7) for day in rule.days)
        return replace(rule, days=moved, until=_later(rule.until, days))
    if not rule.days and not rule.month_days and not rule.months and not rule.positions:
        return replace(rule, until=_later(rule.until, days))
    raise invalid("the days of this series are fixed by its rule. Give `recurrence` with the new days too.")


def _weeks_on(day: Weekday, rule: Rule, days: int) -> int:
    """How many weeks after its own week a day of a rule falls when it moves by so many days."""
    return ((day.day - rule.week_start) % 7 + days) // 7


def _later(until: date | datetime | None, days: int) -> date | datetime | None:
    return until + timedelta(days=days) if until is not None else None


def _ended_before(until: date | datetime, first: TimeRange) -> bool:
    return until < first.bounds()[0] if isinstance(until, datetime) else until < local_day(first)


def _day(first: TimeRange) -> str:
    day = local_day(first)
    return f"{NAMES[day.weekday()]} {day.day} {MONTHS[day.month - 1]}"
