"""The end of a recurrence in plain words: "until 31 December", "for 6 weeks", "10 times"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from integrations.calendar.rules import MOST_TIMES, invalid
from integrations.calendar.spoken_days import later, spoken_day

NUMBERS = {
    name: number
    for number, name in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=1
    )
}
NUMBER = rf"\d{{1,4}}|{'|'.join(NUMBERS)}"

_UNTIL = re.compile(r"(.*?)[\s,]*\b(until|till|up to|ending(?: on)?)\s+(?:and including\s+)?(.+?)(?:\s+inclusive)?")
_THROUGH = re.compile(r"(.*)[\s,]+through\s+(.+)")
_TIMES = re.compile(
    rf"(.*?)[\s,]*\b(?:for\s+|ending after\s+|ends after\s+)?({NUMBER})\s+(?:times|occurrences|meetings)"
)
_FOR = re.compile(rf"(.*?)[\s,]*\bfor\s+(?:the\s+next\s+)?({NUMBER}|an?)\s+(day|week|month|year)s?")
_FOREVER = re.compile(r"(.*?)[\s,]*\b(?:forever|indefinitely|from now on|(?:without|with no|no) (?:an )?end(?: date)?)")


@dataclass(frozen=True, slots=True)
class Ending:
    """The words before it, and the part of a rule that it is: `count`, `until`, or nothing."""

    before: str
    part: Mapping[str, object]


def spoken_end(text: str, first: date) -> Ending:
    """The end that words say, of a series whose `first` day this is. Raises `ModelRetry` for one that cannot be."""
    if match := _FOREVER.fullmatch(text):
        return Ending(match[1], {})
    if match := _TIMES.fullmatch(text):
        count = number_of(match[2])
        if not 1 <= count <= MOST_TIMES:
            raise invalid(f"at most {MOST_TIMES} times.")
        return Ending(match[1], {"count": count})
    if match := _FOR.fullmatch(text):
        return Ending(match[1], {"until": _lasting(first, number_of(match[2]), match[3])})
    if (match := _THROUGH.fullmatch(text)) and (day := spoken_day(match[2], first)):
        return Ending(match[1], {"until": day})
    if match := _UNTIL.fullmatch(text):
        day = spoken_day(match[3], first)
        if day is None:
            raise invalid(f"“{match[3][:60]}” is no date.")
        return Ending(match[1], {"until": day})
    return Ending(text, {})


def number_of(word: str) -> int:
    """A number in digits or in letters; "a" is one."""
    return int(word) if word.isdecimal() else NUMBERS.get(word, 1)


def _lasting(first: date, number: int, unit: str) -> date:
    """The last day of so many days, weeks, months or years that begin with the first one."""
    try:
        return later(first, number, unit) - timedelta(days=1)
    except (ValueError, OverflowError):
        raise invalid("it is too long.") from None
