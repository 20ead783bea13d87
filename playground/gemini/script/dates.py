"""Days and times in people's words, relative to the moment in the system instruction."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)

_NOW = re.compile(r"\bNow:\D*(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::\d{2})?(?:[^\n(]*\(([A-Za-z_+\-/0-9]+)\))?")
_ISO_DAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_TOLD = re.compile(r"\b(?:[A-Z][a-z]{2} )?(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})\b")
_WEEKDAY = re.compile(
    rf"\b(?:(next|on|this)\s+)?({'|'.join(WEEKDAYS)}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)s?\b", re.I
)
_NTH = r"(\d{1,2})(?:[a-z]{2})?"
_MONTH_DAY = re.compile(rf"\b(?:{_NTH}\s+(?:of\s+)?({'|'.join(MONTHS)})|({'|'.join(MONTHS)})\s+{_NTH}\b)", re.I)
_IN_DAYS = re.compile(r"\bin (\d+|a|two|three) (day|week)s?\b", re.I)
_CLOCK = re.compile(
    r"\b(?:at\s+|@\s*)?(\d{1,2})(?:[:.](\d{2}))\s*(am|pm)?\b|\b(?:at\s+|@\s*)?(\d{1,2})\s*(am|pm)\b", re.I
)
_BARE_HOUR = re.compile(r"\bat\s+(\d{1,2})(?:\s*o['’]?clock|h)?\b|\b(\d{1,2})\s*o['’]?clock\b", re.I)
_DURATION = re.compile(r"\bfor\s+(?:(\d+)\s*(minutes?|mins?|hours?|h)|(an|one|half an) hour)\b", re.I)
_DAY_WORD = re.compile(r"\b(?:the day after tomorrow|day after tomorrow|tomorrow|today|tonight)\b", re.I)
_NOON = re.compile(r"\b(?:noon|midday)\b", re.I)
_DAYS = (_ISO_DAY, _MONTH_DAY, _IN_DAYS, _WEEKDAY, _DAY_WORD)
_CLOCKS = (_CLOCK, _BARE_HOUR, _NOON)
_SATURDAY = WEEKDAYS.index("saturday")
_NUMBERS = {"a": 1, "two": 2, "three": 3}


@dataclass(frozen=True, slots=True)
class Moment:
    """Now, in the person's zone."""

    at: datetime
    zone: str

    @property
    def today(self) -> date:
        return self.at.date()


def now_of(instruction: str, fallback: datetime) -> Moment:
    """The moment of the line `Now: Saturday 2026-11-21 15:04 (Europe/London)`; the fallback in UTC without one."""
    match = _NOW.search(instruction)
    if match is None:
        return Moment(fallback.astimezone(UTC), "UTC")
    zone = match[3] or "UTC"
    local = datetime.fromisoformat(f"{match[1]}T{match[2]}")
    try:
        return Moment(local.replace(tzinfo=ZoneInfo(zone)), zone)
    except (KeyError, ValueError):
        return Moment(local.replace(tzinfo=UTC), "UTC")


def day_in(text: str, today: date) -> date | None:
    """The day that a text names; a weekday is the next one of that name, never today."""
    lower = text.lower()
    for word, days in (("day after tomorrow", 2), ("tomorrow", 1), ("today", 0), ("tonight", 0)):
        if re.search(rf"\b{word}\b", lower):
            return today + timedelta(days=days)
    return _iso_day(text) or _month_day(text, today) or _in_days(text, today) or _weekday(text, today)


def _iso_day(text: str) -> date | None:
    match = _ISO_DAY.search(text)
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def _month_day(text: str, today: date) -> date | None:
    match = _MONTH_DAY.search(text)
    if match is None:
        return None
    month = MONTHS.index((match[2] or match[3]).lower()) + 1
    try:
        day = date(today.year, month, int(match[1] or match[4]))
        return day if day >= today else day.replace(year=today.year + 1)
    except ValueError:
        return None


def _in_days(text: str, today: date) -> date | None:
    match = _IN_DAYS.search(text)
    if match is None:
        return None
    number = _NUMBERS.get(match[1].lower()) or int(match[1])
    return today + timedelta(days=number * (7 if match[2].lower() == "week" else 1))


def _weekday(text: str, today: date) -> date | None:
    match = _WEEKDAY.search(text)
    if match is None:
        return None
    wanted = next(n for n, name in enumerate(WEEKDAYS) if name.startswith(match[2].lower()[:3]))
    return today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)


def time_in(text: str) -> time | None:
    """The time of day that a text names: 15:00, 3pm, at 10, noon. "at 3" is the afternoon, "at 9" the morning."""
    if re.search(r"\bnoon\b|\bmidday\b", text, re.I):
        return time(12)
    if match := _CLOCK.search(text):
        return _clock(int(match[1] or match[4]), int(match[2] or 0), (match[3] or match[5] or "").lower())
    if match := _BARE_HOUR.search(text):
        hour = int(match[1] or match[2])
        return _clock(hour + 12 if 1 <= hour <= 6 else hour, 0, "")
    return None


def _clock(hour: int, minute: int, half: str) -> time | None:
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def duration_in(text: str) -> timedelta | None:
    """`for 30 minutes`, `for an hour`."""
    match = _DURATION.search(text)
    if match is None:
        return None
    if match[3]:
        return timedelta(minutes=30 if match[3].lower().startswith("half") else 60)
    return timedelta(minutes=int(match[1]) * (1 if match[2].lower().startswith("m") else 60))


def times_in(text: str) -> list[str]:
    """The days and times of day in a text, as written, in order."""
    found = [match for pattern in (*_DAYS, *_CLOCKS) for match in pattern.finditer(text)]
    return [match[0] for match in sorted(found, key=lambda match: match.start())]


def without_times(text: str) -> str:
    """The text without its days, times and durations."""
    text = _DURATION.sub("", text)
    for pattern in (_ISO_DAY, _MONTH_DAY, _IN_DAYS, _CLOCK, _BARE_HOUR, _WEEKDAY):
        text = pattern.sub("", text)
    text = re.sub(r"(?i)\b(day after tomorrow|tomorrow|today|tonight|noon|midday|this week|next week)\b", "", text)
    return re.sub(r"\s+", " ", re.sub(r"(?i)\b(at|on|to|from)\s*$", "", text.strip(" ,.?!"))).strip(" ,.?!")


def span_in(text: str, today: date) -> tuple[date, date, str]:
    """The days that a question is about, the end exclusive, with a name for them; without a word the week ahead.
    On a weekend this week is the one to come.
    """
    monday = today - timedelta(days=today.weekday())
    if re.search(r"\bnext week\b", text, re.I):
        return monday + timedelta(days=7), monday + timedelta(days=14), "next week"
    if re.search(r"\bweek\b", text, re.I):
        if today.weekday() >= _SATURDAY:
            return monday + timedelta(days=7), monday + timedelta(days=14), "in the week to come"
        return monday, monday + timedelta(days=7), "this week"
    day = day_in(text, today)
    return _span_of(day, today) if day else (today, today + timedelta(days=7), "in the next seven days")


def spans_in(text: str, today: date) -> list[tuple[date, date, str]]:
    """The same, one for each day where several are named."""
    named = [match[0] for pattern in _DAYS for match in pattern.finditer(text)]
    days = sorted({day for word in named if (day := day_in(word, today))})
    return [_span_of(day, today) for day in days] if len(days) > 1 else [span_in(text, today)]


def _span_of(day: date, today: date) -> tuple[date, date, str]:
    name = {0: "today", 1: "tomorrow"}.get((day - today).days) or f"on {spoken_day(day)}"
    return day, day + timedelta(days=1), name


def respoken(text: str) -> str:
    """Where a tool tells a moment for machines, `Wed 2026-11-25 21:35`: `Wed 25 Nov 2026, 21:35`."""
    return _TOLD.sub(lambda found: f"{spoken_day(date.fromisoformat(found[1]))}, {found[2]}", text)


def spoken_day(day: date) -> str:
    """`Thu 26 Nov 2026`."""
    return f"{day:%a} {day.day} {day:%b %Y}"


def local(moment: datetime | date) -> str:
    """As the tools take it: `2026-11-26T10:00`, or `2026-11-26` for a day."""
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=None).isoformat(timespec="minutes")
    return moment.isoformat()
