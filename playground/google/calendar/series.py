"""The single instances of a recurring event."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from playground.google.calendar.meetings import Meeting
from playground.google.calendar.recurrence import occurrences
from playground.google.discovery import JsonObject


def expanded(series: Meeting) -> list[Meeting]:
    """One meeting for each occurrence, at the same wall-clock time. The id is the series' with the original start."""
    zone = ZoneInfo(series.shared["start"].get("timeZone", series.organizer.zone))
    begin = series.span(zone).start.astimezone(zone)

    def at(day: date) -> datetime:
        return begin + timedelta(days=(day - begin.date()).days)

    days = occurrences(series.shared["recurrence"], begin.date(), at)
    return [_instance(series, (day - begin.date()).days, zone) for day in days]


def kept(fresh: Meeting, old: Meeting, *, moved: bool) -> Meeting:
    """An instance after its series changed: its own changes stay, unless the series was moved."""
    fresh.gone_from = old.gone_from
    fresh.own |= old.own
    if moved and not old.cancelled:
        return fresh
    fresh.overridden = old.overridden
    fresh.shared |= {name: old.shared[name] for name in old.overridden if name in old.shared}
    for name in old.overridden - old.shared.keys():
        fresh.shared.pop(name, None)
    return fresh


def _instance(series: Meeting, offset: int, zone: ZoneInfo) -> Meeting:
    start = _shifted(series.shared["start"], offset, zone)
    shared = deepcopy({name: value for name, value in series.shared.items() if name != "recurrence"})
    shared |= {"start": start, "end": _end(series, start, offset, zone)}
    return Meeting(
        id=f"{series.id}_{_mark(start)}",
        organizer=series.organizer,
        shared=shared,
        created=series.created,
        updated=series.updated,
        version=series.version,
        sequence=series.sequence,
        series=series.id,
        original_start=start,
        own={email: dict(own) for email, own in series.own.items()},
        creator=series.creator,
        conference=series.conference,
    )


def _end(series: Meeting, start: JsonObject, offset: int, zone: ZoneInfo) -> JsonObject:
    """The end, as long after the start as the series', also when clocks change in between."""
    if "date" in start:
        return _shifted(series.shared["end"], offset, zone)
    first = series.span(zone)
    length = first.end.astimezone(UTC) - first.start.astimezone(UTC)
    begins = datetime.fromisoformat(start["dateTime"]).astimezone(UTC)
    return {"dateTime": (begins + length).astimezone(zone).isoformat(), "timeZone": zone.key}


def _shifted(when: JsonObject, days: int, zone: ZoneInfo) -> JsonObject:
    if "date" in when:
        return {"date": (date.fromisoformat(when["date"]) + timedelta(days=days)).isoformat()}
    moment = datetime.fromisoformat(when["dateTime"])
    local = moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)
    return {"dateTime": (local + timedelta(days=days)).isoformat(), "timeZone": zone.key}


def _mark(start: JsonObject) -> str:
    if "date" in start:
        return start["date"].replace("-", "")
    return datetime.fromisoformat(start["dateTime"]).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
