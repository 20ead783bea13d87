"""How an event repeats, as fields: a choice of rules, and a last day or a number of times (RFC 5545 §3.3.10)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

CHOICES: Mapping[str, str] = {
    "FREQ=DAILY": "Every day",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR": "Every weekday (Monday to Friday)",
    "FREQ=WEEKLY": "Every week, on the weekday of the event",
    "FREQ=WEEKLY;INTERVAL=2": "Every 2 weeks, on the weekday of the event",
    "FREQ=MONTHLY": "Every month, on the date of the event",
    "FREQ=YEARLY": "Every year, on the date of the event",
}
OTHER = "other"
"""The choice that keeps a rule which is none of these."""


def split(rule: str, zone: str) -> tuple[str, str, str]:
    """A rule without its end; its last day by the clock of the zone, as 2026-12-31; its number of times."""
    parts = [part for part in rule.strip().upper().removeprefix("RRULE:").split(";") if part]
    end = {name: value for name, _, value in (part.partition("=") for part in parts)}
    rest = ";".join(part for part in parts if not part.startswith(("UNTIL=", "COUNT=")))
    return rest, _day(end.get("UNTIL", ""), zone), end.get("COUNT", "")


def joined(rest: str, until: str, count: str) -> str | None:
    """The rule with its end; None where nothing is given. The tool refuses what makes no rule."""
    end = {"UNTIL": until.replace("-", ""), "COUNT": count}
    parts = [rest, *(f"{name}={value}" if value else "" for name, value in end.items())]
    return f"RRULE:{';'.join(part for part in parts if part)}" if any(parts) else None


def _day(until: str, zone: str) -> str:
    try:
        if "T" not in until:
            return date.fromisoformat(until).isoformat()
        moment = datetime.strptime(until, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        return moment.astimezone(ZoneInfo(zone)).date().isoformat()
    except (ValueError, OverflowError, OSError, KeyError):  # a zone that is none is a KeyError
        return ""
