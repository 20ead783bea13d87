"""Recurrence in plain words: "every 2 weeks on Monday and Thursday until 2026-12-31". What is left over is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from integrations.calendar.rules import MOST_TIMES, Frequency, Rule, Weekday, invalid

_NUMBERS = {"other": 2, "second": 2, "two": 2, "third": 3, "three": 3, "four": 4, "six": 6}
_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
_UNITS = {
    "day": Frequency.DAILY,
    "week": Frequency.WEEKLY,
    "month": Frequency.MONTHLY,
    "year": Frequency.YEARLY,
}
_ADVERBS = {
    "daily": ("day", 1),
    "weekly": ("week", 1),
    "monthly": ("month", 1),
    "yearly": ("year", 1),
    "annually": ("year", 1),
    "fortnightly": ("week", 2),
    "quarterly": ("month", 3),
}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?\b"
_DAY_LIST = rf"{_DAY}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+){_DAY})*"
_ORDINAL = "|".join(_NTH)

_UNTIL = re.compile(r"[\s,]*\b(?:until|till|through)\s+(\d{4}-\d{2}-\d{2})\s*$")
_TIMES = re.compile(r"[\s,]*\b(?:for\s+)?(\d{1,4})\s+(?:times|occurrences)\s*$")
_EVERY = re.compile(rf"(?:every|each)\s+(?:(\d{{1,3}}|{'|'.join(_NUMBERS)})\s+)?(day|week|month|year)s?\b")
_WORKDAYS = re.compile(r"(?:every\s+|each\s+|on\s+)?(?:weekdays?|working\s+days?|workdays?)\b(?:\s*\(.*?\))?")
_EVERY_DAY = re.compile(rf"(?:every|each)\s+(?:(other)\s+)?({_DAY_LIST})")
_NTH_DAY = re.compile(
    rf"(?:every\s+|each\s+|on\s+)?(?:the\s+)?({_ORDINAL})\s+({_DAY}|weekday|working day|day)"
    rf"(?:\s+(?:of|in)\s+(?:the|every|each)\s+month)?"
)
_ON_DAYS = re.compile(rf"on\s+({_DAY_LIST})")
_DATE_OF_MONTH = re.compile(
    r"(?:on|every|each)\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\s+(?:day\s+)?of\s+(?:the|every|each)\s+month\b"
)
_ON_DATE = re.compile(r"on\s+(?:the\s+|day\s+)?(\d{1,2})(?:st|nd|rd|th)?")


@dataclass(slots=True)
class _Rest:
    """What of the words is not understood yet."""

    text: str

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text)
        if match:
            self.text = self.text[match.end() :].strip(" ,.")
        return match


def spoken_rule(text: str) -> Rule:
    """The rule that the words say; raises `ModelRetry` where any of them is left over."""
    rest = _Rest(" ".join(text.lower().split()).strip(" .,"))
    end = _end(rest)
    rule = _rhythm(rest)
    if rule is None or rest.text:
        raise invalid(f"“{text.strip()[:120]}” is not understood.")
    return replace(rule, **end)


def _end(rest: _Rest) -> Mapping[str, object]:
    if match := _UNTIL.search(rest.text):
        rest.text = rest.text[: match.start()]
        try:
            return {"until": date.fromisoformat(match[1])}
        except ValueError:
            raise invalid(f"“{match[1]}” is no date.") from None
    if match := _TIMES.search(rest.text):
        rest.text = rest.text[: match.start()]
        if not 1 <= int(match[1]) <= MOST_TIMES:
            raise invalid(f"at most {MOST_TIMES} times.")
        return {"count": int(match[1])}
    return {}


def _rhythm(rest: _Rest) -> Rule | None:
    if rest.take(_WORKDAYS):
        return Rule(frequency=Frequency.WEEKLY, days=tuple(Weekday(day) for day in range(5)))
    if "month" in rest.text and (match := rest.take(_NTH_DAY)):
        return _nth(Rule(frequency=Frequency.MONTHLY), match)
    if match := rest.take(_DATE_OF_MONTH):
        return _dated(Rule(frequency=Frequency.MONTHLY), match[1])
    if match := rest.take(_EVERY_DAY):
        return Rule(frequency=Frequency.WEEKLY, interval=2 if match[1] else 1, days=_days(match[2]))
    unit, interval = _turn(rest)
    if unit is None:
        return None
    return _within(Rule(frequency=_UNITS[unit], interval=interval), rest)


def _turn(rest: _Rest) -> tuple[str | None, int]:
    for adverb, turn in _ADVERBS.items():
        if rest.take(re.compile(rf"{adverb}\b")):
            return turn
    match = rest.take(_EVERY)
    if match is None:
        return None, 1
    number = match[1] or "1"
    return match[2], _NUMBERS.get(number) or max(int(number), 1)


def _within(rule: Rule, rest: _Rest) -> Rule:
    if rule.frequency is Frequency.WEEKLY and (match := rest.take(_ON_DAYS)):
        return replace(rule, days=_days(match[1]))
    if rule.frequency is Frequency.MONTHLY and (match := rest.take(_NTH_DAY)):
        return _nth(rule, match)
    if rule.frequency is Frequency.MONTHLY and (match := rest.take(_ON_DATE)):
        return _dated(rule, match[1])
    return rule


def _dated(rule: Rule, day: str) -> Rule:
    if not 1 <= int(day) <= 31:
        raise invalid(f"no month has a day {day}.")
    return replace(rule, month_days=(int(day),))


def _nth(rule: Rule, match: re.Match[str]) -> Rule:
    nth, what = _NTH[match[1]], match[2]
    if what == "day":
        return replace(rule, month_days=(nth,))
    if what in {"weekday", "working day"}:
        return replace(rule, days=tuple(Weekday(day) for day in range(5)), positions=(nth,))
    return replace(rule, days=(Weekday(_day(what), nth),))


def _days(text: str) -> tuple[Weekday, ...]:
    return tuple(sorted({Weekday(_day(name)) for name in re.findall(_DAY, text)}))


def _day(name: str) -> int:
    return next(number for number, day in enumerate(_DAYS) if day.startswith(name[:3]))
