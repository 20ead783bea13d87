"""When an event is: the start and end objects of the Calendar API, with its rules and its errors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from playground.google.discovery import JsonObject
from playground.google.errors import invalid


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A time with a beginning and an exclusive end, both aware."""

    start: datetime
    end: datetime

    def touches(self, start: datetime | None, end: datetime | None) -> bool:
        """Whether it ends after `start` and starts before `end`, as `timeMin` and `timeMax` mean."""
        return (start is None or self.end > start) and (end is None or self.start < end)


def check_when(event: JsonObject) -> None:
    """Raises 400 for times that Calendar refuses."""
    for side in ("start", "end"):
        _check_side(side, event.get(side) or {}, recurring=bool(event.get("recurrence")))
    if ("date" in event["start"]) != ("date" in event["end"]):
        raise invalid("Start and end times must either both be date or both be dateTime.", reason="invalid")
    span = span_of(event, ZoneInfo("UTC"))
    if span.end <= span.start:
        raise invalid("The specified time range is empty.", reason="timeRangeEmpty", location="timeMax")


def span_of(event: JsonObject, zone: tzinfo) -> Span:
    """The event's time; whole days and times without an offset are those of `zone`."""
    return Span(start=_moment(event["start"], zone), end=_moment(event["end"], zone))


def shown_when(when: JsonObject, zone: ZoneInfo, calendar_zone: str) -> JsonObject:
    """A start or end as the API gives it: an offset of the requested zone, and the event's own zone beside it."""
    if "date" in when:
        return {"date": when["date"]}
    moment = _moment(when, ZoneInfo(calendar_zone)).astimezone(zone)
    return {"dateTime": rfc3339(moment), "timeZone": when.get("timeZone", calendar_zone)}


def rfc3339(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def zone_named(name: str, *, of: str = "time zone") -> ZoneInfo:
    """The zone, or 400."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise invalid(f"Invalid {of}.", reason="invalid", location="timeZone") from error


def _check_side(side: str, when: JsonObject, *, recurring: bool) -> None:
    if not when.get("date") and not when.get("dateTime"):
        raise invalid(f"Missing {side} time.", reason="required")
    if when.get("date") and when.get("dateTime"):
        raise invalid(f"Invalid {side} time.", reason="invalid")
    zone = when.get("timeZone")
    if zone:
        zone_named(zone, of=f"time zone definition for {side} time")
    if when.get("date"):
        return
    naive = datetime.fromisoformat(when["dateTime"]).tzinfo is None
    if not zone and (naive or recurring):
        raise invalid(f"Missing time zone definition for {side} time.", reason="required")


def _moment(when: JsonObject, zone: tzinfo) -> datetime:
    if "date" in when:
        return datetime.combine(date.fromisoformat(when["date"]), time(), zone)
    moment = datetime.fromisoformat(when["dateTime"])
    if moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=ZoneInfo(when["timeZone"]) if "timeZone" in when else zone)
