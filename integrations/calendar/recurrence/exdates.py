"""Times that a series leaves out, as calendars write them (RFC 5545 §3.8.5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from integrations.calendar.recurrence.occurrences import on_day
from integrations.calendar.recurrence.rule import invalid
from integrations.calendar.time_range import TimedRange, TimeRange, is_zone

_LINE = re.compile(r"EXDATE(?P<options>(;[^:]*)?):(?P<times>.+)\Z", re.IGNORECASE)
_ZONE = re.compile(r";TZID=(?P<zone>[^;]+)", re.IGNORECASE)


def is_exdate(line: str) -> bool:
    """Whether a line of a recurrence only leaves times out."""
    return line.upper().startswith("EXDATE")


def as_exdates(spans: Iterable[TimeRange]) -> list[str]:
    """The lines that leave these times out."""
    return [_exdate(span) for span in spans]


def left_out_of(lines: Sequence[str], first: TimeRange) -> list[TimeRange]:
    """The times that a series with this first one leaves out; raises `ModelRetry` for lines that cannot be read."""
    return [on_day(first, day) for line in lines if is_exdate(line) for day in _days(line, first)]


def _exdate(span: TimeRange) -> str:
    if not isinstance(span, TimedRange):
        return f"EXDATE;VALUE=DATE:{span.start:%Y%m%d}"
    return f"EXDATE;TZID={span.zone}:{span.start.astimezone(ZoneInfo(span.zone)):%Y%m%dT%H%M%S}"


def _days(line: str, first: TimeRange) -> list[date]:
    found = _LINE.match(line)
    if not found:
        raise invalid("what it leaves out cannot be read.")
    named = _ZONE.search(found["options"])
    zone = named["zone"] if named and is_zone(named["zone"]) else first.zone
    try:
        return [_day(text.strip(), zone, first.zone) for text in found["times"].split(",")]
    except (ValueError, OverflowError):
        raise invalid("what it leaves out cannot be read.") from None


def _day(text: str, zone: str, home: str) -> date:
    """The day by the series' own clock."""
    if "T" not in text.upper():
        return datetime.strptime(text, "%Y%m%d").date()
    moment = datetime.strptime(text.upper().removesuffix("Z"), "%Y%m%dT%H%M%S")
    place = UTC if text.upper().endswith("Z") else ZoneInfo(zone)
    return moment.replace(tzinfo=place).astimezone(ZoneInfo(home)).date()
