"""The days of a series: RFC 5545 §3.3.10 with what calendars of people use, and its exceptions by EXDATE and RDATE."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from playground.google.errors import ApiError, invalid

HORIZON = timedelta(days=366)
MOST_OCCURRENCES = 200

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_PARTS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST"}
_MOMENT = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")

At = Callable[[date], datetime]
"""When the occurrence of a day begins."""


def occurrences(rules: list[str], first: date, at: At) -> list[date]:
    """The days of a series that begins on `first`, for a year at most; 400 or 501 for rules beyond this emulator."""
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
        raise invalid("Invalid recurrence rule.", reason="invalid")
    found = re.search(r"TZID=([^;]+)", options)
    return name, found[1] if found else "", value


def _rule(text: str) -> Mapping[str, str]:
    parts = {name: value for name, _, value in (part.partition("=") for part in text.split(";"))}
    if parts.get("FREQ") not in {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"} or ("COUNT" in parts and "UNTIL" in parts):
        raise invalid("Invalid recurrence rule.", reason="invalid")
    if parts.keys() - _PARTS or ("BYSETPOS" in parts and parts["FREQ"] not in {"MONTHLY", "YEARLY"}):
        raise ApiError(501, "notImplemented", f"The playground does not expand {text}.")
    return parts


def _ruled(rule: Mapping[str, str], first: date, at: At) -> list[date]:
    limit = min(int(rule.get("COUNT", MOST_OCCURRENCES)), MOST_OCCURRENCES)
    found: list[date] = []
    for day in _days(rule, first):
        if len(found) >= limit or _is_after(rule.get("UNTIL", ""), day, at):
            break
        found.append(day)
    return found


def _is_after(until: str, day: date, at: At) -> bool:
    """UNTIL is inclusive: a day, or a moment in UTC."""
    found = _MOMENT.fullmatch(until)
    if not found:
        if until:
            raise invalid("Invalid recurrence rule.", reason="invalid")
        return False
    if not found[2]:
        return day > datetime.strptime(found[1], "%Y%m%d").date()
    return at(day) > datetime.strptime(f"{found[1]}{found[2]}", "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def _day(text: str, zone: str, at: At) -> date:
    """The day of the occurrence that an EXDATE or RDATE names; a moment in UTC can lie on another day there."""
    found = _MOMENT.fullmatch(text)
    if not found:
        raise invalid("Invalid recurrence rule.", reason="invalid")
    day = datetime.strptime(found[1], "%Y%m%d").date()
    if not found[3]:
        return day
    moment = datetime.strptime(f"{found[1]}{found[2]}", "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    return moment.astimezone(ZoneInfo(zone) if zone else at(day).tzinfo).date()


def _days(rule: Mapping[str, str], first: date) -> Iterator[date]:
    last = first + HORIZON
    step = int(rule.get("INTERVAL", "1"))
    match rule["FREQ"]:
        case "DAILY":
            days = _daily(rule, first, last, step)
        case "WEEKLY":
            days = _weekly(rule, first, last, step)
        case frequency:
            days = _monthly(rule, first, last, step * (12 if frequency == "YEARLY" else 1))
    return (day for day in days if first <= day <= last)


def _daily(rule: Mapping[str, str], first: date, last: date, step: int) -> Iterator[date]:
    wanted = {number for _, number in _weekdays(rule)} or set(range(7))
    count = (last - first).days // step + 1
    days = (first + timedelta(days=step * number) for number in range(count))
    return (day for day in days if day.weekday() in wanted)


def _weekly(rule: Mapping[str, str], first: date, last: date, step: int) -> Iterator[date]:
    wanted = sorted({number for _, number in _weekdays(rule)}) or [first.weekday()]
    monday = first - timedelta(days=first.weekday())
    while monday <= last:
        yield from (monday + timedelta(days=number) for number in wanted)
        monday += timedelta(weeks=step)


def _monthly(rule: Mapping[str, str], first: date, last: date, step: int) -> Iterator[date]:
    months = [int(text) for text in rule["BYMONTH"].split(",")] if "BYMONTH" in rule else []
    begin = first.year * 12 + first.month - 1
    for number in range(begin, last.year * 12 + last.month, 1 if months else step):
        year, month = divmod(number, 12)
        if not months or (month + 1 in months and (year - first.year) * 12 % step == 0):
            yield from _in_month(rule, first, year, month + 1)


def _in_month(rule: Mapping[str, str], first: date, year: int, month: int) -> list[date]:
    length = monthrange(year, month)[1]
    days = [date(year, month, number) for number in range(1, length + 1)]
    if "BYMONTHDAY" in rule:
        numbers = [int(text) for text in rule["BYMONTHDAY"].split(",")]
        days = [day for day in days if day.day in numbers or day.day - length - 1 in numbers]
    if "BYDAY" in rule:
        wanted = _weekdays(rule)
        days = [day for day in days if _is_wanted(day, length, wanted)]
    if not {"BYMONTHDAY", "BYDAY"} & rule.keys():
        days = [day for day in days if day.day == first.day]
    if "BYSETPOS" in rule:
        places = [int(text) for text in rule["BYSETPOS"].split(",")]
        days = [day for at, day in enumerate(days) if at + 1 in places or at - len(days) in places]
    return days


def _is_wanted(day: date, length: int, wanted: list[tuple[int, int]]) -> bool:
    """Whether it is the first Monday, the last Friday or whatever the rule asks for; zero is every one of them."""
    from_start, from_end = (day.day - 1) // 7 + 1, -((length - day.day) // 7 + 1)
    return any(day.weekday() == number and place in {0, from_start, from_end} for place, number in wanted)


def _weekdays(rule: Mapping[str, str]) -> list[tuple[int, int]]:
    """BYDAY as pairs of place and weekday: `2TU` is the second Tuesday, `FR` every Friday."""
    found = [re.fullmatch(r"([+-]?\d+)?(\w\w)", text) for text in rule.get("BYDAY", "").split(",") if text]
    if not all(pair and pair[2] in _DAYS for pair in found):
        raise invalid("Invalid recurrence rule.", reason="invalid")
    return [(int(pair[1] or 0), _DAYS.index(pair[2])) for pair in found if pair]
