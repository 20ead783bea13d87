"""The days that a text names, and whether one of them is that of a thing. Pure.

A day tells two things of one name apart: “the team sync on Friday” is not that of Monday. A day to which something is
moved (“to Friday”) says nothing of where it is now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from policies.guards.words import Told

_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon", "montag", "mondays", "montags"),
            ("tuesday", "tue", "tues", "dienstag", "tuesdays", "dienstags"),
            ("wednesday", "wed", "mittwoch", "wednesdays", "mittwochs"),
            ("thursday", "thu", "thur", "thurs", "donnerstag", "thursdays", "donnerstags"),
            ("friday", "fri", "freitag", "fridays", "freitags"),
            ("saturday", "sat", "samstag", "sonnabend", "saturdays", "samstags"),
            ("sunday", "sun", "sonntag", "sundays", "sonntags"),
        )
    )
    for name in names
}
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan", "januar"),
            ("february", "feb", "februar"),
            ("march", "mar", "märz"),
            ("april", "apr"),
            ("may", "mai"),
            ("june", "jun", "juni"),
            ("july", "jul", "juli"),
            ("august", "aug"),
            ("september", "sep", "sept"),
            ("october", "oct", "oktober"),
            ("november", "nov"),
            ("december", "dec", "dezember"),
        ),
        start=1,
    )
    for name in names
}
_FROM_TODAY = {"today": 0, "tonight": 0, "heute": 0, "heutige": 0, "heutigen": 0, "tomorrow": 1, "übermorgen": 2}
_MORNING = frozenset({"morgen", "morgige", "morgigen"})
"""Tomorrow in German, and the morning behind a day."""

_ONTO = frozenset({"to", "onto", "until", "till", "auf", "bis", "nach"})
_BETWEEN = frozenset({"next", "this", "coming", "the", "nächsten", "kommenden", "diesen", "den"})
"""What stands between these and a day."""

_FURTHER = frozenset(
    {"next", "after", "week", "weeks", "nächste", "nächsten", "nächster", "nächstes", "woche", "wochen"}
)
"""With these a weekday may be one of a later week: nobody can tell which."""

_WEEK = timedelta(days=7)
_THING = "…"
"""In the place of the title: a day before it is that of the thing, as in “add Dana to the Friday sync”."""


@dataclass(frozen=True, slots=True)
class _Day:
    """A day that a text names, as far as it does: by its weekday, its place in a month, or its distance from today."""

    weekday: int | None = None
    month: int | None = None
    number: int | None = None
    ahead: int | None = None


@dataclass(frozen=True, slots=True)
class _Named:
    """The days that a text names, all numbers in it that may be days, and whether it speaks of a later week."""

    days: Sequence[_Day]
    numbers: frozenset[int]
    is_further: bool

    def fits(self, day: date, today: date) -> bool:
        """Whether one of them may be this day. A weekday is one of this week or of the last, unless the text has its
        number, or may look further.
        """
        is_near = self.is_further or abs(day - today) <= _WEEK or day.day in self.numbers
        return any(
            (one.ahead is not None and day - today == timedelta(days=one.ahead))
            or (one.month, one.number) == (day.month, day.day)
            or (one.weekday == day.weekday() and is_near)
            for one in self.days
        )


class Days:
    """The days that are named where texts call a thing, for each such text without its title. Only texts that name a
    day count.
    """

    def __init__(self, texts: Iterable[Told], title: list[str], today: date) -> None:
        self._named = [named for text in texts if (named := _named(text, title)).days]
        self._today = today
        self._fits = dict[date, tuple[bool, bool]]()

    def tell_apart(self, this: date, other: date) -> bool:
        """Whether the texts mean a thing on `this` day, and not that of the same name on the other one."""
        return bool(self._named) and self._fitting(this)[0] and not self._fitting(other)[1]

    def are_others(self, this: date) -> bool:
        """Whether there are any, and none of them is this one."""
        return bool(self._named) and not self._fitting(this)[1]

    def _fitting(self, day: date) -> tuple[bool, bool]:
        """Whether all, and whether any of the texts may name this day."""
        if day not in self._fits:
            fit = [named.fits(day, self._today) for named in self._named]
            self._fits[day] = all(fit), any(fit)
        return self._fits[day]


def _named(text: Told, title: list[str]) -> _Named:
    said = text.words
    at = next(text.begins(title), None) if text.places.keys() >= set(title) else None
    rest = said if at is None else [*said[:at], _THING, *said[at + len(title) :]]
    return _Named(
        days=list(_days(rest)),
        numbers=frozenset(filter(None, map(_number, rest))),
        is_further=not _FURTHER.isdisjoint(rest),
    )


def _days(said: Sequence[str]) -> Iterator[_Day]:
    for at, word in enumerate(said):
        if _is_target(said, at):
            continue
        before, after = _at(said, at - 1), _at(said, at + 1)
        if word in _WEEKDAYS:
            yield _Day(weekday=_WEEKDAYS[word])
        elif word in _FROM_TODAY:
            yield _Day(ahead=_FROM_TODAY[word])
        elif word in _MORNING and before not in _WEEKDAYS and before not in _FROM_TODAY:
            yield _Day(ahead=1)
        elif word in _MONTHS:
            for number in (_number(before), _number(after)):
                if number:
                    yield _Day(month=_MONTHS[word], number=number)


def _is_target(said: Sequence[str], at: int) -> bool:
    """Whether something is moved to this day, which is not that of the thing: “to Friday”, not “to Friday’s sync”."""
    if _at(said, at + 1) in {"s", _THING}:
        return False
    while _at(said, at - 1) in _BETWEEN:
        at -= 1
    return _at(said, at - 1) in _ONTO


def _number(word: str) -> int:
    """The day of a month; 0 for any other word."""
    digits = word[:-2] if word[-2:] in {"st", "nd", "rd", "th"} else word
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) <= 2 else 0


def _at(said: Sequence[str], at: int) -> str:
    return said[at] if 0 <= at < len(said) else ""
