"""The days of a series: one RRULE, expanded by python-dateutil, with its EXDATE and RDATE (RFC 5545 §3.8.5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from playground.google.errors import ApiError, invalid

HORIZON = timedelta(days=366)
MOST_OCCURRENCES = 200

_PARTS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST"}
_MOMENT = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")

At = Callable[[date], datetime]
"""When the occurrence of a day starts."""


def occurrences(rules: list[str], first: date, at: At) -> list[date]:
    """The days of a series that starts on `first`, for a year at most; 400 or 501 for rules beyond this emulator."""
    lines = [_line(rule) for rule in rules]
    kinds = [name for name, _, _ in lines]
    if kinds.count("RRULE") > 1 or not {*kinds} <= {"RRULE", "EXDATE", "RDATE"}:
        raise ApiError(501, "notImplemented", "The playground expands one RRULE with EXDATE and RDATE.")
    days = {first} if "RRULE" not in kinds else set[date]()
    for name, _, value in lines:
        if name == "RRULE":
            days.update(_ruled(_rule(value), first, at))
    for name, zone, value in lines:
        named = {_day(text, zone, at) for text in value.split(",")} if name != "RRULE" else set[date]()
        days = days - named if name == "EXDATE" else days | named
    return sorted(days)


def _line(rule: str) -> tuple[str, str, str]:
    """`EXDATE;TZID=Europe/London:20261130T090000` as its name, its zone and its value."""
    head, colon, value = rule.partition(":")
    name, _, options = head.partition(";")
    if not colon:
        raise _invalid()
    found = re.search(r"TZID=([^;]+)", options)
    return name, found[1] if found else "", value


def _rule(text: str) -> Mapping[str, str]:
    parts = {name: value for name, _, value in (part.partition("=") for part in text.split(";"))}
    if parts.get("FREQ") not in {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"} or ("COUNT" in parts and "UNTIL" in parts):
        raise _invalid()
    if not all(parts.get(name, "1").isdecimal() and int(parts.get(name, "1")) for name in ("INTERVAL", "COUNT")):
        raise _invalid()
    if parts.keys() - _PARTS or _is_mixed(parts.get("BYDAY", "")):
        raise ApiError(501, "notImplemented", f"The playground does not expand {text}.")
    return parts


def _is_mixed(days: str) -> bool:
    """Whether some weekdays are numbered and others are not: dateutil expands such a rule to nothing."""
    return len({len(day) > len("MO") for day in days.split(",")}) > 1


def _ruled(rule: Mapping[str, str], first: date, at: At) -> list[date]:
    until, last = rule.get("UNTIL", ""), first + HORIZON
    text = ";".join(f"{name}={value}" for name, value in ({"WKST": "MO"} | {**rule}).items() if name != "UNTIL")
    try:
        days = (moment.date() for moment in rrulestr(text, dtstart=datetime.combine(first, time())))
    except ValueError:
        raise _invalid() from None
    within = takewhile(lambda day: day <= last and not _is_after(until, day, at), days)
    return list(islice(within, MOST_OCCURRENCES))


def _is_after(until: str, day: date, at: At) -> bool:
    """UNTIL is inclusive: a day, or a moment in UTC."""
    if not until:
        return False
    found = _parsed(until)
    if not found[2]:
        return day > _date(found[1])
    return at(day) > _utc(found)


def _day(text: str, zone: str, at: At) -> date:
    """The day of the occurrence that an EXDATE or RDATE names; a moment in UTC can lie on another day there."""
    found = _parsed(text)
    day = _date(found[1])
    if not found[3]:
        return day
    return _utc(found).astimezone(ZoneInfo(zone) if zone else at(day).tzinfo).date()


def _parsed(text: str) -> re.Match[str]:
    found = _MOMENT.fullmatch(text)
    if not found:
        raise _invalid()
    return found


def _date(text: str) -> date:
    return datetime.strptime(text, "%Y%m%d").date()


def _utc(found: re.Match[str]) -> datetime:
    return datetime.strptime(f"{found[1]}{found[2]}", "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def _invalid() -> ApiError:
    return invalid("Invalid recurrence rule.", reason="invalid")
