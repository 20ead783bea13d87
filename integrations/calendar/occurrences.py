"""When a repeating event takes place: its rule counted out by wall clock, as calendars do (RFC 5545 §3.3.10)."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count, islice
from zoneinfo import ZoneInfo

from integrations.calendar.rules import Frequency, Rule
from integrations.calendar.spans import Days, Span, local_day

HORIZON_YEARS = 10
EMPTY_TURNS = 500  # so many turns without a day, and the rule has no further one (30 February)


def occurrences(rule: Rule, first: Span, *, most: int) -> list[Span]:
    """The first so many times of a series whose first one is given; at most ten years ahead."""
    return list(islice(_spans(rule, first), most))


def begins_by_rule(rule: Rule, first: Span) -> bool:
    """Whether the first time is one that the rule itself gives."""
    return next(_days(rule, local_day(first)), None) == local_day(first)


def count_before(rule: Rule, first: Span, moment: Span) -> int | None:
    """How many times of the series lie before one of its times; None when that is not one of them."""
    day = local_day(moment)
    for number, found in enumerate(_days(rule, local_day(first))):
        if found >= day:
            return number if found == day else None
    return None


def _spans(rule: Rule, first: Span) -> Iterator[Span]:
    start = local_day(first)
    for number, day in enumerate(_days(rule, start)):
        span = on_day(first, day)
        if (rule.count is not None and number >= rule.count) or _is_over(rule, span):
            return
        yield span


def on_day(first: Span, day: date) -> Span:
    """The same event on another day, at the same time by the clock of its zone."""
    if isinstance(first, Days):
        return first.moved_to(day, first.zone)
    zone = ZoneInfo(first.zone)
    return first.moved_to(datetime.combine(day, first.start.astimezone(zone).time(), zone), first.zone)


def is_skipped(span: Span) -> bool:
    """Whether clocks go forward over its beginning: calendars put it as much later then (RFC 5545 §3.3.5)."""
    if isinstance(span, Days):
        return False
    shown = span.start.astimezone(UTC).astimezone(span.start.tzinfo)
    return shown.replace(tzinfo=None) != span.start.replace(tzinfo=None)


def _is_over(rule: Rule, span: Span) -> bool:
    if rule.until is None:
        return False
    if isinstance(rule.until, datetime):
        return span.bounds()[0] > rule.until
    return local_day(span) > rule.until


def _days(rule: Rule, first: date) -> Iterator[date]:
    """The days from the first one on, in order; COUNT and UNTIL are for the caller."""
    last = first.replace(year=min(first.year + HORIZON_YEARS, 9998), day=min(first.day, 28))
    empty = 0
    for turn in count():
        found = [day for day in _turn(rule, first, turn) if day >= first]
        empty = 0 if found else empty + 1
        if empty > EMPTY_TURNS or (found and found[0] > last):
            return
        yield from (day for day in found if day <= last)


def _turn(rule: Rule, first: date, turn: int) -> list[date]:
    step = turn * rule.interval
    match rule.frequency:
        case Frequency.DAILY:
            return _kept(rule, [first + timedelta(days=step)])
        case Frequency.WEEKLY:
            return _week(rule, first, step)
        case Frequency.MONTHLY:
            months = first.year * 12 + first.month - 1 + step
            return _positioned(rule, _month(rule, first, months // 12, months % 12 + 1))
        case Frequency.YEARLY:
            wanted = sorted(rule.months) or ([*range(1, 13)] if rule.month_days else [first.month])
            found = [day for month in wanted for day in _month(rule, first, first.year + step, month)]
            return _positioned(rule, found)


def _week(rule: Rule, first: date, step: int) -> list[date]:
    begin = first - timedelta(days=(first.weekday() - rule.week_start) % 7) + timedelta(weeks=step)
    wanted = {day.day for day in rule.days} or {first.weekday()}
    days = [begin + timedelta(days=offset) for offset in range(7)]
    return [day for day in days if day.weekday() in wanted and (not rule.months or day.month in rule.months)]


def _kept(rule: Rule, days: list[date]) -> list[date]:
    wanted = {day.day for day in rule.days} or set(range(7))
    return [day for day in days if day.weekday() in wanted and (not rule.months or day.month in rule.months)]


def _month(rule: Rule, first: date, year: int, month: int) -> list[date]:
    """The days of one month that the rule means."""
    if year > 9998 or (rule.months and month not in rule.months):
        return []
    length = calendar.monthrange(year, month)[1]
    if not rule.days and not rule.month_days:
        return [date(year, month, first.day)] if first.day <= length else []
    days = [date(year, month, number) for number in range(1, length + 1)]
    if rule.month_days:
        wanted = {number if number > 0 else length + 1 + number for number in rule.month_days}
        days = [day for day in days if day.day in wanted]
    if rule.days:
        days = [day for day in days if _is_weekday(rule, day, length)]
    return days


def _is_weekday(rule: Rule, day: date, length: int) -> bool:
    from_start, from_end = (day.day - 1) // 7 + 1, -((length - day.day) // 7 + 1)
    return any(wanted.day == day.weekday() and wanted.nth in {0, from_start, from_end} for wanted in rule.days)


def _positioned(rule: Rule, days: list[date]) -> list[date]:
    if not rule.positions:
        return days
    places = {place - 1 if place > 0 else len(days) + place for place in rule.positions}
    return [day for number, day in enumerate(days) if number in places]


def last_moment(day: date, zone: str) -> datetime:
    """The last second of a day, in UTC: what a series until that day ends with."""
    return datetime.combine(day, datetime.max.time(), ZoneInfo(zone)).replace(microsecond=0).astimezone(UTC)
