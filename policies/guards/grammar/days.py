"""The days and hours that a text names, and whether one of them is that of a thing. Pure.

A day tells two things of one name apart: “the team sync on Friday” is not that of Monday. A day to which something is
moved (“to Friday”) says nothing of where it is now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta

from policies.guards.grammar import order_words
from policies.guards.grammar.bounds import clauses_in
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

_FURTHER = frozenset({"after", "week", "weeks", "woche", "wochen"})
"""With these a weekday may be one of a later week: nobody can tell which."""

_NEXT = frozenset({"next", "nächste", "nächsten", "nächster", "nächstes"})
"""With these it is one of this week or of the next."""

_WEEK = timedelta(days=7)
_FORTNIGHT = timedelta(days=14)
_WEEKS = frozenset({"week", "woche"})
_WHICH_WEEK = {
    **dict.fromkeys(("this", "diese", "dieser"), 0),
    **dict.fromkeys(("next", "nächste", "nächsten", "nächster", "kommende", "kommenden", "kommender"), 1),
}
_NUMBER, _YEAR = re.compile(r"([12]?\d|3[01])(?:st|nd|rd|th)?"), re.compile(r"20\d\d")
_CLOCK = re.compile(r"(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?")
_CLOCK_WITH_UNIT = re.compile(r"(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?(?:am|pm|h|uhr)")
_CLOCK_WITH_MINUTES = re.compile(r"(?:[01]?\d|2[0-4]):[0-5]\d")
_HOUR = re.compile(r"^(\d+)[:.]?(\d\d)?(am|pm|h|uhr)?$")
_NIGHT, _NOON, _EVENING, _MIDNIGHT = 18 * 60, 12 * 60, 16 * 60, 24 * 60
_PARTS = {
    **dict.fromkeys(("morning", "früh", "morgen", "vormittag", "vormittags"), range(_NOON)),
    **dict.fromkeys(("noon", "midday", "mittag", "mittags"), range(11 * 60, 15 * 60)),
    **dict.fromkeys(("afternoon", "nachmittag", "nachmittags"), range(_NOON, _NIGHT)),
    **dict.fromkeys(("evening", "abend", "abends", "tonight"), range(_EVENING, _MIDNIGHT)),
    "night": range(_NIGHT, _MIDNIGHT),
}
"""The minutes of a day that its parts are."""

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
    """The days and weeks that a text names, which was written on the day `since`; all numbers in it that may be days,
    and whether it speaks of a later week.
    """

    days: Sequence[_Day]
    weeks: frozenset[int]
    numbers: frozenset[int]
    is_further: bool
    is_next: bool
    since: date

    def fits(self, day: date) -> bool:
        """Whether one of them may be this day. A weekday is one of this week or of the last, unless the text has its
        number, or may look further. Beside a date it says no more than that.
        """
        if self.weeks and (_monday(day) - _monday(self.since)) // _WEEK not in self.weeks:
            return False
        return not self.days or any(self._is_it(one, day) for one in self.days)

    @property
    def count(self) -> int:
        """How many days they are."""
        return len([one for one in self.days if not self._is_beside_date(one)])

    def _is_it(self, one: _Day, day: date) -> bool:
        if one.ahead is not None:
            return day - self.since == timedelta(days=one.ahead)
        if one.weekday is None:
            return (one.month, one.number) == (day.month, day.day)
        return one.weekday == day.weekday() and self._is_near(day) and not self._is_beside_date(one)

    def _is_near(self, day: date) -> bool:
        away = day - self.since
        is_soon = timedelta(0) <= away <= _FORTNIGHT if self.is_next else abs(away) <= _WEEK
        return self.is_further or is_soon or day.day in self.numbers

    def _is_beside_date(self, one: _Day) -> bool:
        return one.weekday is not None and any(each.month is not None for each in self.days)


class Days:
    """The days that are named where texts call a thing, for each such text without its title, with the day on which it
    was written. Only texts that name a day, or a week, count.
    """

    def __init__(self, texts: Iterable[tuple[Told, date]], title: list[str]) -> None:
        found = (_named(text, title, since) for text, since in texts)
        self._named = [named for named in found if named.days or named.weeks]
        self._fits = dict[date, tuple[bool, bool]]()

    def __len__(self) -> int:
        """How many days the texts name at most."""
        return max((max(1, named.count) for named in self._named), default=0)

    def tell_apart(self, this: date, other: date) -> bool:
        """Whether the texts mean a thing on `this` day, and not that of the same name on the other one."""
        return bool(self._named) and self._fitting(this)[0] and not self._fitting(other)[1]

    def are_others(self, this: date) -> bool:
        """Whether there are any, and none of them is this one."""
        return bool(self._named) and not self._fitting(this)[1]

    def _fitting(self, day: date) -> tuple[bool, bool]:
        """Whether all, and whether any of the texts may name this day."""
        if day not in self._fits:
            fit = [named.fits(day) for named in self._named]
            self._fits[day] = all(fit), any(fit)
        return self._fits[day]


def _named(text: Told, title: list[str], since: date) -> _Named:
    said = text.words
    at = next(text.begins(title), None) if text.places.keys() >= set(title) else None
    rest = said if at is None else [*said[:at], _THING, *said[at + len(title) :]]
    return _Named(
        days=list(dict.fromkeys(_days(rest))),
        weeks=frozenset(_weeks(rest)),
        numbers=frozenset(filter(None, map(_number, rest))),
        is_further=not _FURTHER.isdisjoint(rest),
        is_next=not _NEXT.isdisjoint(rest),
        since=since,
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


def _weeks(said: Sequence[str]) -> Iterator[int]:
    """How many weeks ahead those are that the words name, “this week” and “next week”."""
    for at, word in enumerate(said):
        if word in _WEEKS and _at(said, at - 1) in _WHICH_WEEK and not _is_target(said, at):
            yield _WHICH_WEEK[said[at - 1]]


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


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


# Hours ----------------------------------------------------------------------------------------------------------------


def is_at(text: str, begins: time | None) -> bool:
    """Whether what begins then, or at no time of the day, is at each hour that an order names."""
    minute = -1 if begins is None else begins.hour * 60 + begins.minute
    return all(minute in each for clause in clauses_in(text, ()) for each in _hours(clause.words))


def _hours(said: Sequence[str]) -> Iterator[Iterable[int]]:
    """The minutes of a day that each hour can be which is named, and each part of a day."""
    at = 0
    while at < len(said):
        end = time_end(said, at)
        last = end - 1 - (said[end - 1 : end] == ["s"])
        if end == at:
            at += 1
            continue
        if (clock := _clock(said[at:end])) is not None:
            yield clock
        elif said[last] == "tonight" or (last > at and _at(said, last - 1) not in order_words.BEFORE_DAYS):
            yield _PARTS.get(said[last], range(_MIDNIGHT))
        at = end


def _clock(said: Sequence[str]) -> Sequence[int] | None:
    """The minutes that an hour can be: “at 3” is 3:00 or 15:00."""
    if _clock_end(said, 0) != len(said):
        return None
    words = [word for word in said if word not in order_words.BEFORE_TIMES]
    if words[0] in order_words.CLOCKS:
        return (0,) if words[0] in {"midnight", "mitternacht"} else (_NOON,)
    hours, minutes, unit = _HOUR.sub(r"\1 \2 \3", words[0]).split(" ")
    hour, minute, half = int(hours) % 24, int(minutes or 0), unit or _at(words, 1)
    if half in {"am", "pm"}:
        return (((hour % 12) + 12 * (half == "pm")) * 60 + minute,)
    return (hour * 60 + minute, (hour + 12) % 24 * 60 + minute) if hour <= 12 else (hour * 60 + minute,)


def time_end(said: Sequence[str], at: int) -> int:
    """Where a day or a time ends that begins here, with what leads to it; the same place if none does. Days are those
    that are compared (`policies.guards.grammar.days`).
    """
    begin = at
    while at < len(said) and said[at] in order_words.BEFORE_DAYS and at - begin < 3:
        at += 1
    end = _day_end(said, at)
    if end == at:
        end = _clock_end(said, begin)
        return end
    if said[end : end + 1] == ["s"]:
        end += 1
    return end


def _day_end(said: Sequence[str], at: int) -> int:
    word, then = _at(said, at), _at(said, at + 1)
    end = at
    if word in order_words.WEEKDAYS or word in order_words.NEAR:
        end = at + 1
        end += _at(said, end) in order_words.PARTS_OF_DAYS
    elif (word in order_words.MONTHS and _NUMBER.fullmatch(then)) or (
        _NUMBER.fullmatch(word) and then in order_words.MONTHS
    ):
        end = at + 2
    if end > at and _YEAR.fullmatch(_at(said, end)):
        end += 1
    return end


def _clock_end(said: Sequence[str], at: int) -> int:
    """“At 3”, “um 15 Uhr”, “3 pm”, “15:30”, “at noon”."""
    is_led = _at(said, at) in order_words.BEFORE_TIMES
    here = at + is_led
    word, then = _at(said, here), _at(said, here + 1)
    if _CLOCK.fullmatch(word) and then in order_words.OF_TIMES:
        return here + 2
    if _CLOCK_WITH_UNIT.fullmatch(word) or _CLOCK_WITH_MINUTES.fullmatch(word):
        return here + 1
    if is_led and (_CLOCK.fullmatch(word) or word in order_words.CLOCKS):
        return here + 1
    return at
