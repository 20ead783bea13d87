"""How an event shall repeat, in people's words, as the RRULE that the calendar's tools take (RFC 5545 §3.3.10)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from dateutil.relativedelta import relativedelta

from playground.gemini.script.dates import WEEKDAYS

_DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_RHYTHM = re.compile(
    r"\b(?:(?P<adverb>daily|weekly|bi-?weekly|fortnightly|monthly|quarterly|yearly)"
    r"|every\s+(?:(?P<nth>other|second|\d+)\s+)?"
    rf"(?:(?P<unit>weekday|day|week|month|year)s?|(?P<days>{_DAY}(?:s?(?:\s+and\s+|,\s*){_DAY})*)))\b",
    re.I,
)
_END = re.compile(
    r"[\s,]*\b(?:until\s+(?P<until>\d{4}-\d{2}-\d{2})|(?P<count>\d+)\s+times"
    r"|for\s+(?:the\s+next\s+)?(?P<number>\d+|an?|two|three|four|five|six)\s+(?P<unit>day|week|month|year)s?)\b",
    re.I,
)
_ADVERBS = {
    "daily": "FREQ=DAILY",
    "weekly": "FREQ=WEEKLY",
    "biweekly": "FREQ=WEEKLY;INTERVAL=2",
    "fortnightly": "FREQ=WEEKLY;INTERVAL=2",
    "monthly": "FREQ=MONTHLY",
    "quarterly": "FREQ=MONTHLY;INTERVAL=3",
    "yearly": "FREQ=YEARLY",
}
_UNITS = {"day": "FREQ=DAILY", "week": "FREQ=WEEKLY", "month": "FREQ=MONTHLY", "year": "FREQ=YEARLY"}
_WORKDAYS = "BYDAY=MO,TU,WE,TH,FR"
_NUMBERS = {"a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A rule without its end, and the end as it was said."""

    rule: str
    end: re.Match[str] | None

    def as_rule(self, first: date) -> str:
        """The whole RRULE of a series that starts on this day."""
        return f"RRULE:{self.rule}{f';{_end(self.end, first)}' if self.end else ''}"

    def first_day(self, today: date) -> date | None:
        """The next day of a rule that needs no other day to be named; None for other rules."""
        if "FREQ=DAILY" not in self.rule and _WORKDAYS not in self.rule:
            return None
        days = (today + timedelta(days=number) for number in range(1, 8))
        return next(day for day in days if _WORKDAYS not in self.rule or day.weekday() < _SATURDAY)


def recurrence_in(clause: str) -> Recurrence | None:
    """What a clause says of it; None where it is about one event."""
    match = _RHYTHM.search(clause)
    return Recurrence(_rule(match), _END.search(clause)) if match else None


def without_end(clause: str) -> str:
    """The clause without the end of a recurrence."""
    return _END.sub("", clause)


def without_recurrence(clause: str) -> str:
    """The clause without how something repeats; its end is left."""
    return _RHYTHM.sub("", clause)


def _rule(match: re.Match[str]) -> str:
    if match["adverb"]:
        return _ADVERBS[match["adverb"].lower().replace("-", "")]
    nth = (match["nth"] or "").lower()
    interval = f";INTERVAL={2 if nth in {'other', 'second'} else nth}" if nth else ""
    if match["days"]:
        days = [name[:2].upper() for name in re.findall(_DAY, match["days"].lower())]
        return f"FREQ=WEEKLY{interval};BYDAY={','.join(days)}"
    unit = match["unit"].lower()
    return f"FREQ=WEEKLY{interval};{_WORKDAYS}" if unit == "weekday" else f"{_UNITS[unit]}{interval}"


def _end(match: re.Match[str], first: date) -> str:
    if match["count"]:
        return f"COUNT={match['count']}"
    if match["until"]:
        return f"UNTIL={match['until'].replace('-', '')}"
    number = _NUMBERS.get(match["number"].lower()) or int(match["number"])
    length: dict[str, Any] = {f"{match['unit'].lower()}s": number}
    return f"UNTIL={first + relativedelta(**length) - timedelta(days=1):%Y%m%d}"
