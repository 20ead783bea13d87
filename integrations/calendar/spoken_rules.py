"""Recurrence in plain words: "every 2 weeks on Monday and Thursday until 31 December". What is left over is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from integrations.calendar.rules import Frequency, Rule, Weekday, invalid
from integrations.calendar.spoken_days import spoken_day
from integrations.calendar.spoken_ends import NUMBERS, number_of, spoken_end

_EACH = {"other": 2, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
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
    "every fortnight": ("week", 2),
    "bi-?weekly": ("week", 2),
    "quarterly": ("month", 3),
    "every quarter": ("month", 3),
    "half-?yearly": ("month", 6),
    "semi-?annually": ("month", 6),
}
"""What is said for both "twice a" and "every two", as bimonthly is, is not among them; of weeks the second is meant."""

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?\b"
_RANGE = rf"{_DAY}(?:\s*(?:to|through|thru|-|–)\s*{_DAY})?"
_AND = r"(?:\s*[,/&+]\s*(?:and\s+)?|\s+and\s+)(?:on\s+)?"
_DAY_LIST = rf"{_RANGE}(?:{_AND}{_RANGE})*"
_DATE = r"\d{1,2}(?:st|nd|rd|th)"
_DATE_LIST = rf"{_DATE}(?:{_AND}(?:the\s+)?{_DATE})*"
_ORDINAL = "|".join(_NTH)
_OF_MONTH = r"(?:day\s+)?(?:of|in)\s+(?:the|every|each)\s+month\b"

_WORKDAYS = re.compile(
    r"(?:(?:every\s+|each\s+|on\s+|daily on\s+)?(?:weekdays?|working\s+days?|workdays?)\b(?:\s*\(.*?\))?)"
    r"|(?:(?:daily|every\s+day)\s+(?:except|but)\s+(?:for\s+|on\s+)?(?:the\s+)?weekends?\b)"
)
_WEEKENDS = re.compile(r"(?:every\s+|each\s+|on\s+|at\s+)?(?:the\s+)?weekends?\b")
_MULTIPLE = "|".join([*_EACH, *NUMBERS])
_EVERY = re.compile(rf"(?:once\s+)?(?:every|each)\s+(?:(\d{{1,3}}|{_MULTIPLE})\s+)?(day|week|month|year)s?\b")
_ONCE = re.compile(r"once\s+(?:a|per)\s+(day|week|month|year)\b")
_EVERY_DAY = re.compile(rf"(?:every\s+|each\s+|on\s+|from\s+)?(?:(other|second|2nd)\s+)?({_DAY_LIST})")
_NTH_DAY = re.compile(
    rf"(?:every\s+|each\s+|on\s+)?(?:the\s+)?({_ORDINAL})\s+({_DAY}|weekday|working day|day)(?:\s+{_OF_MONTH})?"
)
_ON_DAYS = re.compile(rf"on\s+({_DAY_LIST})")
_DATES_OF_MONTH = re.compile(rf"(?:on\s+|every\s+|each\s+)?(?:the\s+)?({_DATE_LIST})\s+{_OF_MONTH}")
_EVERY_DATE = re.compile(rf"(?:every|each)\s+({_DATE_LIST})\Z")
_ON_DATES = re.compile(rf"on\s+(?:the\s+)?({_DATE_LIST})(?:\s+{_OF_MONTH})?")
_ON_DATE = re.compile(r"on\s+(?:the\s+|day\s+)?(\d{1,2})\b")
_ON_DAY_OF_YEAR = re.compile(r"on\s+(\D*\d{1,2}\D*)\Z")
_EVERY_DAY_OF_YEAR = re.compile(r"(?:every|each)\s+(\D*\d{1,2}\D*)\Z")


@dataclass(slots=True)
class _Rest:
    """What of the words is not understood yet."""

    text: str

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text)
        if match:
            self.text = self.text[match.end() :].strip(" ,.")
        return match


def spoken_rule(text: str, first: date) -> Rule:
    """The rule that the words say of a series whose `first` day this is; raises `ModelRetry` where any of them is left
    over.
    """
    ending = spoken_end(" ".join(text.lower().split()).strip(" .,"), first)
    rest = _Rest(ending.before.strip(" ,."))
    rule = _rhythm(rest, first)
    if rule is None or rest.text:
        raise invalid(f"“{text.strip()[:120]}” is not understood.")
    return replace(rule, **ending.part)


def _rhythm(rest: _Rest, first: date) -> Rule | None:
    if rest.take(_WORKDAYS):
        return Rule(frequency=Frequency.WEEKLY, days=tuple(Weekday(day) for day in range(5)))
    if rest.take(_WEEKENDS):
        return Rule(frequency=Frequency.WEEKLY, days=(Weekday(5), Weekday(6)))
    if "month" in rest.text and (match := rest.take(_NTH_DAY)):
        return _nth(Rule(frequency=Frequency.MONTHLY), match)
    if match := rest.take(_DATES_OF_MONTH) or rest.take(_EVERY_DATE):
        return _dated(Rule(frequency=Frequency.MONTHLY), match[1])
    if match := rest.take(_EVERY_DAY):
        return Rule(frequency=Frequency.WEEKLY, interval=2 if match[1] else 1, days=_days(match[2]))
    unit, interval = _turn(rest)
    if unit is None:
        return _yearly(Rule(frequency=Frequency.YEARLY), rest.take(_EVERY_DAY_OF_YEAR), first)
    return _within(Rule(frequency=_UNITS[unit], interval=interval), rest, first)


def _turn(rest: _Rest) -> tuple[str | None, int]:
    for adverb, turn in _ADVERBS.items():
        if rest.take(re.compile(rf"{adverb}\b")):
            return turn
    if match := rest.take(_ONCE):
        return match[1], 1
    match = rest.take(_EVERY)
    if match is None:
        return None, 1
    word = match[1] or "1"
    return match[2], _EACH.get(word) or max(number_of(word), 1)


def _within(rule: Rule, rest: _Rest, first: date) -> Rule | None:
    if rule.frequency is Frequency.WEEKLY and (match := rest.take(_ON_DAYS)):
        return replace(rule, days=_days(match[1]))
    if rule.frequency is Frequency.MONTHLY and (match := rest.take(_NTH_DAY)):
        return _nth(rule, match)
    if rule.frequency is Frequency.MONTHLY and (match := rest.take(_ON_DATES) or rest.take(_ON_DATE)):
        return _dated(rule, match[1])
    if rule.frequency is Frequency.YEARLY and rest.text:
        return _yearly(rule, rest.take(_ON_DAY_OF_YEAR), first)
    return rule


def _yearly(rule: Rule, match: re.Match[str] | None, first: date) -> Rule | None:
    """A day of the year; that of the first time needs no naming."""
    day = spoken_day(match[1], first) if match else None
    if day is None:
        return None
    same = (day.month, day.day) == (first.month, first.day)
    return rule if same else replace(rule, months=(day.month,), month_days=(day.day,))


def _dated(rule: Rule, words: str) -> Rule:
    days = tuple(dict.fromkeys(int(number) for number in re.findall(r"\d+", words)))
    if wrong := [day for day in days if not 1 <= day <= 31]:
        raise invalid(f"no month has a day {wrong[0]}.")
    return replace(rule, month_days=days)


def _nth(rule: Rule, match: re.Match[str]) -> Rule:
    nth, what = _NTH[match[1]], match[2]
    if what == "day":
        return replace(rule, month_days=(nth,))
    if what in {"weekday", "working day"}:
        return replace(rule, days=tuple(Weekday(day) for day in range(5)), positions=(nth,))
    return replace(rule, days=(Weekday(_day(what), nth),))


def _days(text: str) -> tuple[Weekday, ...]:
    """Each of them once; a range goes on from its first day to its last one, over the end of the week too."""
    found: set[int] = set()
    for words in re.findall(_RANGE, text):
        ends = [_day(name) for name in re.findall(_DAY, words)]
        found |= {(ends[0] + n) % 7 for n in range((ends[-1] - ends[0]) % 7 + 1)}
    return tuple(Weekday(day) for day in sorted(found))


def _day(name: str) -> int:
    return next(number for number, day in enumerate(_DAYS) if day.startswith(name[:3]))
