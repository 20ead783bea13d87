"""Recurrence rules: those parts of RFC 5545 §3.3.10 that calendars of people use, read and written.

A rule with any other part is refused rather than half understood: what a card says in words must be all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from integrations.errors import ModelRetry

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MOST_TIMES = 730
HINT = (
    "Write an RRULE such as RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10, or words such as "
    "“every Tuesday until 2026-12-31”, “every 2 weeks on Monday and Thursday”, “every month on the first Monday”."
)


class Frequency(StrEnum):
    """How long one turn of a rule is."""

    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


@dataclass(frozen=True, slots=True, order=True)
class Weekday:
    """A day of the week, Monday is 0; `nth` is which one of its month (-1 the last), 0 every one."""

    day: int
    nth: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One recurrence rule. `until` is the last moment (aware, UTC) or the last day, inclusive."""

    frequency: Frequency
    interval: int = 1
    count: int | None = None
    until: date | datetime | None = None
    days: Sequence[Weekday] = ()
    month_days: Sequence[int] = ()
    months: Sequence[int] = ()
    positions: Sequence[int] = ()
    week_start: int = 0

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


def parse_rule(text: str) -> Rule:
    """The rule that a line is; raises `ModelRetry` for what is none, or has parts beyond these."""
    parts = _parts(text)
    given: dict[str, object] = {}
    for name, value in parts.items():
        if name not in _READERS:
            raise invalid(f"{name} is not a part of a rule that can be used here.")
        field, reader = _READERS[name]
        try:
            given[field] = reader(value)
        except (ValueError, KeyError):
            raise invalid(f"{name}={value[:40]} cannot be read.") from None
    if "frequency" not in given:
        raise invalid("FREQ is missing.")
    rule = Rule(**given)  # pyright: ignore[reportArgumentType] - each reader makes its field's type
    _check(rule)
    return rule


def invalid(why: str) -> ModelRetry:
    """The refusal of a recurrence."""
    return ModelRetry("invalid_recurrence", f"This recurrence cannot be used: {why}", hint=HINT, private=False)


def _parts(text: str) -> Mapping[str, str]:
    line = text.strip().upper().removeprefix("RRULE:").strip(";")
    if "\n" in line or not line:
        raise invalid("one rule, on one line.")
    parts: dict[str, str] = {}
    for part in line.split(";"):
        name, _, value = part.partition("=")
        if name in parts or not value:
            raise invalid(f"“{part[:40]}” is no part of a rule, or is there twice.")
        parts[name] = value
    return parts


def _check(rule: Rule) -> None:
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
    """20261231, or 20261231T225959Z; a local time without Z is refused, because nobody knows whose it is."""
    if "T" not in text:
        return datetime.strptime(text, "%Y%m%d").date()
    return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


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
