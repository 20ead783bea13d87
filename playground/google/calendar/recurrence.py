"""The occurrences of a simple series: every day or week, RFC 5545 §3.3.10 with INTERVAL, COUNT, UNTIL and BYDAY."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import count

from playground.google.errors import ApiError

HORIZON = timedelta(days=366)
MOST_OCCURRENCES = 200

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def occurrences(rules: list[str], first: date) -> list[date]:
    """The days of a series that begins on `first`, for a year at most; 501 for rules beyond this emulator."""
    rule = _rule(rules)
    limit = int(rule.get("COUNT", MOST_OCCURRENCES))
    last = _until(rule, first)
    found: list[date] = []
    for day in _days(rule, first):
        if day > last or len(found) >= min(limit, MOST_OCCURRENCES):
            break
        found.append(day)
    return found


def _rule(rules: list[str]) -> dict[str, str]:
    text = rules[0] if len(rules) == 1 else ""
    pairs = (part.partition("=") for part in text.removeprefix("RRULE:").split(";"))
    parts = {name: value for name, _, value in pairs}
    known = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST"}
    if parts.get("FREQ") not in {"DAILY", "WEEKLY"} or parts.keys() - known:
        raise ApiError(501, "notImplemented", "The playground expands daily and weekly series only.")
    return parts


def _until(rule: dict[str, str], first: date) -> date:
    horizon = first + HORIZON
    return min(datetime.strptime(rule["UNTIL"][:8], "%Y%m%d").date(), horizon) if "UNTIL" in rule else horizon


def _days(rule: dict[str, str], first: date) -> Iterator[date]:
    step = int(rule.get("INTERVAL", "1"))
    if rule["FREQ"] == "DAILY":
        yield from (first + timedelta(days=step * number) for number in count())
    wanted = [_DAYS.index(day) for day in rule["BYDAY"].split(",")] if "BYDAY" in rule else [first.weekday()]
    monday = first - timedelta(days=first.weekday())
    for week in count():
        days = (monday + timedelta(weeks=step * week, days=weekday) for weekday in sorted(wanted))
        yield from (day for day in days if day >= first)
