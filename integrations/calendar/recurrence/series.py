"""A series: when it takes place, which times it leaves out, and its rule, checked against its first time and moved.

python-dateutil expands the rule into days, the clock of its zone adds the time: an event keeps its time of day when
clocks change (RFC 5545 §3.3.10). Times that are left out are EXDATEs (§3.8.5.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile
from typing import Literal
from zoneinfo import ZoneInfo

from dateutil import rrule

from integrations.calendar.recurrence.rule import Frequency, RecurrenceRule, Weekday, invalid, parse_rule
from integrations.calendar.recurrence.words import NAMES, in_words
from integrations.calendar.time_range import MONTHS, DateRange, TimedRange, TimeRange, is_zone, local_day

HORIZON = timedelta(days=3_653)
LAST_DAY = date(9998, 12, 31)
CYCLE_YEARS, CYCLE = 400, timedelta(days=146_097)
"""The Gregorian calendar repeats itself: the same dates, leap days and weekdays come again after this time."""

_FREQUENCIES: Mapping[Frequency, Literal[0, 1, 2, 3]] = {
    Frequency.DAILY: rrule.DAILY,
    Frequency.WEEKLY: rrule.WEEKLY,
    Frequency.MONTHLY: rrule.MONTHLY,
    Frequency.YEARLY: rrule.YEARLY,
}
_LINE = re.compile(r"EXDATE(?P<options>(;[^:]*)?):(?P<times>.+)\Z", re.IGNORECASE)
_ZONE = re.compile(r";TZID=(?P<zone>[^;]+)", re.IGNORECASE)


def occurrences(rule: RecurrenceRule, first: TimeRange, *, most: int) -> list[TimeRange]:
    """The first `most` times of a series that starts with `first`, at most ten years ahead."""
    spans = (on_day(first, day) for day in _days(rule, local_day(first)))
    return list(islice(takewhile(lambda span: not _is_over(rule, span), spans), most))


def begins_by_rule(rule: RecurrenceRule, first: TimeRange) -> bool:
    """Whether the rule itself gives the first time."""
    return next(_days(rule, local_day(first)), None) == local_day(first)


def count_before(rule: RecurrenceRule, first: TimeRange, moment: TimeRange) -> int | None:
    """How many times of the series come before one of its times; None when that is not one of them."""
    day = local_day(moment)
    for number, found in enumerate(_days(rule, local_day(first))):
        if found >= day:
            return number if found == day else None
    return None


def on_day(first: TimeRange, day: date) -> TimeRange:
    """The same event on another day, at the same time by the clock of its zone."""
    if isinstance(first, DateRange):
        return first.moved_to(day, first.zone)
    zone = ZoneInfo(first.zone)
    return first.moved_to(datetime.combine(day, first.start.astimezone(zone).time(), zone), first.zone)


def is_skipped(span: TimeRange) -> bool:
    """Whether clocks go forward over its start: calendars then put it as much later (RFC 5545 §3.3.5)."""
    if isinstance(span, DateRange):
        return False
    shown = span.start.astimezone(UTC).astimezone(span.start.tzinfo)
    return shown.replace(tzinfo=None) != span.start.replace(tzinfo=None)


def _is_over(rule: RecurrenceRule, span: TimeRange) -> bool:
    if rule.until is None:
        return False
    if isinstance(rule.until, datetime):
        return span.bounds()[0] > rule.until
    return local_day(span) > rule.until


def _days(rule: RecurrenceRule, first: date) -> Iterator[date]:
    """The days of a rule from the first one on, in order. UNTIL is for the caller, because it may be a moment.

    dateutil looks for the next day until the year 9999. For a rule that has none (30 February, or one that somebody
    sends in an invitation to keep us busy) that takes more than a second. So the search starts as late as a whole
    number of calendar cycles allows, where it takes less than a tenth (ADR 9).
    """
    cycles = max(0, (LAST_DAY - HORIZON).year - first.year) // CYCLE_YEARS
    start = first + cycles * CYCLE
    last = min(start, LAST_DAY - HORIZON) + HORIZON
    found = rrule.rrule(
        _FREQUENCIES[rule.frequency],
        dtstart=datetime.combine(start, time()),
        interval=rule.interval,
        wkst=rule.week_start,
        count=rule.count,
        bysetpos=rule.positions or None,
        bymonth=rule.months or None,
        bymonthday=rule.month_days or None,
        byweekday=[rrule.weekday(day.day, day.nth or None) for day in _alike(rule.days)] or None,
    )
    return (day - cycles * CYCLE for day in takewhile(lambda day: day <= last, (moment.date() for moment in found)))


def _alike(days: Sequence[Weekday]) -> Sequence[Weekday]:
    """Weekdays that are all numbered where one is: of BYDAY=MO,2TU dateutil takes only days that are both, so none."""
    if not any(day.nth for day in days):
        return days
    return [Weekday(day.day, nth) for day in days for nth in ((day.nth,) if day.nth else range(1, 6))]


def is_exdate(line: str) -> bool:
    """Whether a line of a recurrence only leaves times out."""
    return line.upper().startswith("EXDATE")


def as_exdates(spans: Iterable[TimeRange]) -> list[str]:
    """The lines that leave these times out."""
    return [_exdate(span) for span in spans]


def left_out_of(lines: Sequence[str], first: TimeRange) -> list[TimeRange]:
    """The times that a series with this first one leaves out; raises `ModelRetry` for lines that cannot be read."""
    return [on_day(first, day) for line in lines if is_exdate(line) for day in _left_out_days(line, first)]


def _exdate(span: TimeRange) -> str:
    if not isinstance(span, TimedRange):
        return f"EXDATE;VALUE=DATE:{span.start:%Y%m%d}"
    return f"EXDATE;TZID={span.zone}:{span.start.astimezone(ZoneInfo(span.zone)):%Y%m%dT%H%M%S}"


def _left_out_days(line: str, first: TimeRange) -> list[date]:
    found = _LINE.match(line)
    if not found:
        raise invalid("what it leaves out cannot be read.")
    named = _ZONE.search(found["options"])
    zone = named["zone"] if named and is_zone(named["zone"]) else first.zone
    try:
        return [_day(text.strip(), zone, first.zone) for text in found["times"].split(",")]
    except (ValueError, OverflowError):
        raise invalid("what it leaves out cannot be read.") from None


def _day(text: str, zone: str, home: str) -> date:
    """The day by the series' own clock."""
    if "T" not in text.upper():
        return datetime.strptime(text, "%Y%m%d").date()
    moment = datetime.strptime(text.upper().removesuffix("Z"), "%Y%m%dT%H%M%S")
    place = UTC if text.upper().endswith("Z") else ZoneInfo(zone)
    return moment.replace(tzinfo=place).astimezone(ZoneInfo(home)).date()


def rule_for(text: str, first: TimeRange) -> RecurrenceRule:
    """The rule that an RRULE gives an event; raises `ModelRetry`.

    The first time must be one of the rule's own, because calendars disagree about whether it takes place otherwise.
    """
    rule = parse_rule(text).fitted(first)
    if not begins_by_rule(rule, first):
        day = local_day(first)
        named = f"{NAMES[day.weekday()]} {day.day} {MONTHS[day.month - 1]}"
        raise invalid(f"the event must start on a day of its rule, and {named} is none ({in_words(rule, first)}).")
    if rule.until is not None and _ended_before(rule.until, first):
        raise invalid("it ends before it begins.")
    return rule


def shifted(rule: RecurrenceRule, days: int) -> RecurrenceRule:
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


def _weeks_on(day: Weekday, rule: RecurrenceRule, days: int) -> int:
    """How many weeks after its own week a day of a rule falls when it moves by so many days."""
    return ((day.day - rule.week_start) % 7 + days) // 7


def _later(until: date | datetime | None, days: int) -> date | datetime | None:
    return until + timedelta(days=days) if until is not None else None


def _ended_before(until: date | datetime, first: TimeRange) -> bool:
    return until < first.bounds()[0] if isinstance(until, datetime) else until < local_day(first)
