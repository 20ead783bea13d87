"""A day of the year in plain words: "31 December", "December 31st, 2026", "the end of the month"."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?:the\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<year>\d{4}))?"

_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})")
_BY_NAME = (re.compile(rf"{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}"), re.compile(rf"{_MONTH}\s+{_DAY}{_YEAR}"))
_END_OF = re.compile(rf"(?:the\s+)?end\s+of\s+(?:(?:the|this)\s+(?P<turn>month|year)|{_MONTH}{_YEAR})")


def spoken_day(text: str, first: date) -> date | None:
    """The day that the words name, where no year is named the next one from `first` on; None when they name none."""
    if match := _ISO.fullmatch(text):
        return _day(int(match["year"]), int(match["month"]), int(match["day"]))
    for pattern in _BY_NAME:
        if match := pattern.fullmatch(text):
            return _next(_number(match["month"]), int(match["day"]), match["year"], first)
    if match := _END_OF.fullmatch(text):
        return _last(match, first)
    return None


def later(first: date, number: int, unit: str) -> date:
    """So many days, weeks, months or years after a day; a day that the month does not have is its last."""
    if unit in {"day", "week"}:
        return first + timedelta(days=number * (7 if unit == "week" else 1))
    months = first.month - 1 + number * (12 if unit == "year" else 1)
    year, month = first.year + months // 12, months % 12 + 1
    return date(year, month, min(first.day, calendar.monthrange(year, month)[1]))


def _last(match: re.Match[str], first: date) -> date:
    if match["turn"] == "year":
        return date(first.year, 12, 31)
    month = _number(match["month"]) if match["month"] else first.month
    year = int(match["year"]) if match["year"] else first.year + (month < first.month)
    return date(year, month, calendar.monthrange(year, month)[1])


def _next(month: int, day: int, year: str | None, first: date) -> date | None:
    if year:
        return _day(int(year), month, day)
    here = _day(first.year, month, day)
    return here if here is not None and here >= first else _day(first.year + 1, month, day)


def _number(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
