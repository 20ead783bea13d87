"""Recurrence rules: the parts of RFC 5545 §3.3.10 that people's calendars use, read and written.

A rule with any other part is refused, because a card must say all of a rule in words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from integrations.calendar.time_range import TimedRange, TimeRange
from integrations.errors import ModelRetry

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MOST_TIMES = 730
LAST_YEAR = 9_998
"""Python's calendar ends with the year after it, so a later end has no time in every zone."""
HINT = (
    "Write one RRULE (RFC 5545), such as RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10, "
    "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20261231 or RRULE:FREQ=MONTHLY;BYDAY=1MO."
)


class Frequency(StrEnum):
    """How long one period of a rule is."""

    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


@dataclass(frozen=True, slots=True, order=True)
class Weekday:
    """A day of the week, Monday is 0; `nth` says which one of its month (-1 is the last), 0 means every one."""

    day: int
    nth: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurrenceRule:
    """One recurrence rule. `until` is the last moment (aware, UTC) or the last day, inclusive (§3.3.10, UNTIL)."""

    frequency: Frequency
    interval: int = 1
    count: int | None = None
    until: date | datetime | None = None
    days: Sequence[Weekday] = ()
    month_days: Sequence[int] = ()
    months: Sequence[int] = ()
    positions: Sequence[int] = ()
    week_start: int = 0

    @property
    def is_endless(self) -> bool:
        """Whether it names no end."""
        return self.count is None and self.until is None

    def as_text(self) -> str:
        """The line that Google takes: "RRULE:FREQ=WEEKLY;BYDAY=TU"."""
        parts = {
            "FREQ": self.frequency.value,
            "INTERVAL": str(self.interval) if self.interval > 1 else "",
            "COUNT": str(self.count or ""),
            "UNTIL": _until_text(self.until),
            "BYDAY": ",".join(f"{day.nth or ''}{WEEKDAYS[day.day]}" for day in self.days),
            "BYMONTHDAY": ",".join(map(str, self.month_days)),
            "BYMONTH": ",".join(map(str, self.months)),
            "BYSETPOS": ",".join(map(str, self.positions)),
            "WKST": WEEKDAYS[self.week_start] if self.week_start else "",
        }
        return "RRULE:" + ";".join(f"{name}={value}" for name, value in parts.items() if value)

    def fitted(self, first: TimeRange) -> RecurrenceRule:
        """The rule with its end in the form that an event at this time needs. A last day belongs to the series."""
        if isinstance(first, TimedRange) and isinstance(self.until, datetime):
            return self
        return self.with_last_day(first, zone=first.zone)

    def with_last_day(self, first: TimeRange, *, zone: str) -> RecurrenceRule:
        """The rule with the same last day for an event at another time, or of the other kind. `zone` is that of the
        rule's end until now.
        """
        if self.until is None:
            return self
        day = self.until.astimezone(ZoneInfo(zone)).date() if isinstance(self.until, datetime) else self.until
        return replace(self, until=_last_moment(day, first.zone) if isinstance(first, TimedRange) else day)


def parse_rule(text: str) -> RecurrenceRule:
    """The rule in a line; raises `ModelRetry` for any other text, and for a rule with other parts."""
    parts = _parts(text)
    given: dict[str, Any] = {}  # each reader makes its field’s type
    for name, value in parts.items():
        if name not in _READERS:
            raise invalid(f"{name} is not a part that can be used here.")
        field, reader = _READERS[name]
        try:
            given[field] = reader(value)
        except (ValueError, KeyError):
            raise invalid(f"{name}={value[:40]} cannot be read.") from None
    if "frequency" not in given:
        raise invalid("FREQ, how often it repeats, is missing.")
    rule = RecurrenceRule(**given)
    _check(rule)
    return rule


def invalid(why: str) -> ModelRetry:
    """The refusal of a recurrence."""
    return ModelRetry("invalid_recurrence", f"This recurrence cannot be used: {why}", hint=HINT, private=False)


def _parts(text: str) -> Mapping[str, str]:
    line = text.strip().upper().removeprefix("RRULE:").strip(";")
    if "\n" in line or not line:
        raise invalid("it must be one rule on one line.")
    parts: dict[str, str] = {}
    for part in line.split(";"):
        name, _, value = part.partition("=")
        if name in parts or not value:
            raise invalid(f"“{part[:40]}” is not a part of an RRULE, or is there twice.")
        parts[name] = value
    return parts


def _check(rule: RecurrenceRule) -> None:
    monthly = rule.frequency in {Frequency.MONTHLY, Frequency.YEARLY}
    if rule.count is not None and rule.until is not None:
        raise invalid("COUNT and UNTIL exclude each other.")
    if rule.month_days and not monthly:
        raise invalid("BYMONTHDAY needs FREQ=MONTHLY or YEARLY.")
    if any(day.nth for day in rule.days) and not monthly:
        raise invalid("a numbered weekday such as 1MO needs FREQ=MONTHLY or YEARLY.")
    if rule.frequency is Frequency.YEARLY and rule.days and not rule.months:
        raise invalid("a yearly rule with BYDAY needs BYMONTH.")
    if rule.positions and not (monthly and (rule.days or rule.month_days)):
        raise invalid("BYSETPOS needs FREQ=MONTHLY or YEARLY with BYDAY or BYMONTHDAY.")


def _number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text) if text.lstrip("-").isdecimal() else 0
        if not low <= number <= high or number == 0:
            raise ValueError(text)
        return number

    return read


def _numbers(low: int, high: int) -> Callable[[str], tuple[int, ...]]:
    one = _number(low, high)
    return lambda text: tuple(dict.fromkeys(one(part) for part in text.split(",")))


def _weekdays(text: str) -> tuple[Weekday, ...]:
    return tuple(dict.fromkeys(_weekday(part) for part in text.split(",")))


def _weekday(text: str) -> Weekday:
    nth = text[:-2].removeprefix("+")
    return Weekday(WEEKDAYS.index(text[-2:]), _number(-5, 5)(nth) if nth else 0)


def _until(text: str) -> date | datetime:
    """20261231, or 20261231T225959Z. A local time without Z is refused, because its zone is not known."""
    moment = datetime.strptime(text, "%Y%m%dT%H%M%SZ" if "T" in text else "%Y%m%d")
    if moment.year > LAST_YEAR:
        raise ValueError(text)
    return moment.replace(tzinfo=UTC) if "T" in text else moment.date()


def _last_moment(day: date, zone: str) -> datetime:
    """The last second of a day, in UTC."""
    return datetime.combine(day, datetime.max.time(), ZoneInfo(zone)).replace(microsecond=0).astimezone(UTC)


def _until_text(until: date | datetime | None) -> str:
    if isinstance(until, datetime):
        return until.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    return until.strftime("%Y%m%d") if until else ""


_READERS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "FREQ": ("frequency", Frequency),
    "INTERVAL": ("interval", _number(1, 366)),
    "COUNT": ("count", _number(1, MOST_TIMES)),
    "UNTIL": ("until", _until),
    "BYDAY": ("days", _weekdays),
    "BYMONTHDAY": ("month_days", _numbers(-31, 31)),
    "BYMONTH": ("months", _numbers(1, 12)),
    "BYSETPOS": ("positions", _numbers(-31, 31)),
    "WKST": ("week_start", WEEKDAYS.index),
}
