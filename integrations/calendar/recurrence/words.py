"""How an event repeats, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from integrations.calendar.recurrence.rule import Frequency, RecurrenceRule, Weekday, parse_rule
from integrations.calendar.time_range import TimeRange, day_words, local_day
from integrations.errors import ModelRetry

NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_NAMES = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WORKDAYS = tuple(Weekday(day) for day in range(5))
_UNITS = {
    Frequency.DAILY: "day",
    Frequency.WEEKLY: "week",
    Frequency.MONTHLY: "month",
    Frequency.YEARLY: "year",
}
_NTH = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last", -2: "second to last"}


def lines_in_words(lines: Sequence[str], first: TimeRange) -> str:
    """The recurrence of any event, also one that we could not write; "" when it does not repeat."""
    rules = [line for line in lines if line.upper().startswith("RRULE")]
    if not lines:
        return ""
    exceptions = ", with exceptions" if len(lines) > len(rules) else ""
    try:
        if len(rules) == 1:
            return in_words(parse_rule(rules[0]).fitted(first), first) + exceptions
    except ModelRetry:
        pass
    return f"by a rule of its own ({'; '.join(lines)[:200]})"


def in_words(rule: RecurrenceRule, first: TimeRange) -> str:
    """ "every 2 weeks on Monday and Thursday, until Thu 31 Dec 2026"."""
    return f"{_rhythm(rule, first)}{_months(rule)}{_end(rule, first)}"


def _rhythm(rule: RecurrenceRule, first: TimeRange) -> str:
    day = local_day(first)
    unit = _UNITS[rule.frequency]
    every = f"every {unit}" if rule.interval == 1 else f"every {rule.interval} {unit}s"
    if set(rule.days) == set(WORKDAYS) and not rule.positions and rule.interval == 1 and not rule.month_days:
        return "every weekday (Monday to Friday)"
    if rule.frequency is Frequency.DAILY:
        return f"{every}, on {_listed(_weekday(d) for d in sorted(rule.days))} only" if rule.days else every
    if rule.frequency is Frequency.WEEKLY:
        return f"{every} on {_listed(NAMES[d.day] for d in sorted(rule.days) or [Weekday(day.weekday())])}"
    return f"{every} on {_in_month(rule, day)}"


def _in_month(rule: RecurrenceRule, day: date) -> str:
    yearly = rule.frequency is Frequency.YEARLY and not rule.months
    if not rule.days and not rule.month_days:
        return f"{day.day} {MONTH_NAMES[day.month - 1]}" if yearly else f"day {day.day}"
    month = " of every month" if yearly else ""
    if rule.month_days and rule.days:
        return f"{_which(rule)}{_listed(map(_weekday, sorted(rule.days)))} on {_month_days(rule)}{month}"
    if rule.month_days:
        return f"{_which(rule)}{_month_days(rule)}{month}"
    if set(rule.days) == set(WORKDAYS):
        return f"{_which(rule)}weekday (Monday to Friday){month}"
    every = "every " if not rule.positions and not any(day.nth for day in rule.days) else ""
    return f"{_which(rule)}{every}{_listed(map(_weekday, sorted(rule.days)))}{month}"


def _which(rule: RecurrenceRule) -> str:
    return (
        f"the {_listed(_nth(place) for place in rule.positions)} of: "
        if len(rule.positions) > 1
        else (f"the {_nth(rule.positions[0])} " if rule.positions else "")
    )


def _month_days(rule: RecurrenceRule) -> str:
    plain = [str(number) for number in rule.month_days if number > 0]
    last = ["the last day" if number == -1 else f"the {_nth(number)} day" for number in rule.month_days if number < 0]
    return _listed([*([f"day {_listed(plain)}"] if plain else []), *last])


def _weekday(day: Weekday) -> str:
    return f"the {_nth(day.nth)} {NAMES[day.day]}" if day.nth else NAMES[day.day]


def _nth(number: int) -> str:
    return _NTH.get(number) or (f"{number}th" if number > 0 else f"{-number}th to last")


def _months(rule: RecurrenceRule) -> str:
    return f" in {_listed(MONTH_NAMES[month - 1] for month in sorted(rule.months))}" if rule.months else ""


def _end(rule: RecurrenceRule, first: TimeRange) -> str:
    if rule.count is not None:
        return ", once" if rule.count == 1 else f", {rule.count} times"
    if isinstance(rule.until, datetime):
        return f", until {day_words(rule.until.astimezone(ZoneInfo(first.zone)).date())}"
    return f", until {day_words(rule.until)}" if rule.until else ", without an end"


def _listed(names: Iterable[str]) -> str:
    items = list(names)
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)
