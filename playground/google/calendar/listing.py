"""`events.list`: filters, order and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from playground.google.calendar.meetings import Meeting
from playground.google.calendar.times import rfc3339
from playground.google.discovery import JsonObject
from playground.google.errors import ApiError, invalid
from playground.google.gmail.search import contains
from playground.google.pages import page

if TYPE_CHECKING:
    from playground.google.call import Call

MOST_RESULTS = 2500


def listing(call: Call, events: list[Meeting], zone: ZoneInfo) -> JsonObject:
    """The Events resource for a call, its times in `zone`."""
    _check(call)
    instances = call.method.id == "calendar.events.instances"
    single = instances or call.flag("singleEvents")
    found = [event for event in events if _is_kind(event, single=single) and _fits(call, event)]
    shown, following = page(_ordered(call, found), call.text("pageToken"), _size(call))
    newest = max((event.updated for event in events), default=None)
    answer: JsonObject = {
        "kind": "calendar#events",
        "etag": f'"p{len(events)}{max((event.version for event in events), default=0):06d}"',
        "summary": call.person.email,
        "timeZone": zone.key,
        "accessRole": "owner",
        "defaultReminders": [{"method": "popup", "minutes": 10}],
        "items": [event.seen_by(call.person, zone, call.params.get("maxAttendees")) for event in shown],
    }
    if newest:
        answer["updated"] = rfc3339(newest)
    return answer | ({"nextPageToken": following} if following else {})


def _check(call: Call) -> None:
    if call.text("syncToken"):
        raise ApiError(410, "fullSyncRequired", "Sync token is no longer valid, a full sync is required.")
    if call.text("orderBy") == "startTime" and not call.flag("singleEvents"):
        raise invalid("The requested ordering is not available for the particular query.", reason="badRequest")
    start, end = call.params.get("timeMin"), call.params.get("timeMax")
    if start and end and end <= start:
        raise invalid("The specified time range is empty.", reason="timeRangeEmpty", location="timeMax")


def _is_kind(event: Meeting, *, single: bool) -> bool:
    """Single events are occurrences without their series; otherwise the series stands for its occurrences."""
    return not event.shared.get("recurrence") if single else event.series is None


def _fits(call: Call, event: Meeting) -> bool:
    if event.is_gone(call.person) and not call.flag("showDeleted"):
        return False
    if call.text("iCalUID") not in {None, event.uid}:
        return False
    updated = call.params.get("updatedMin")
    if updated and event.updated < updated:
        return False
    span = event.span(ZoneInfo(call.person.zone))
    return span.touches(call.params.get("timeMin"), call.params.get("timeMax")) and _mentions(event, call.text("q"))


def _mentions(event: Meeting, query: str | None) -> bool:
    """Every word of `q` in summary, description, location, guests or organizer ("Events: list", parameter q)."""
    people = [f"{guest.get('displayName', '')} {guest['email']}" for guest in event.guests]
    organizer = f"{event.organizer.name} {event.organizer.email}"
    texts = [event.shared.get(name, "") for name in ("summary", "description", "location")]
    everything = "\n".join([*texts, *people, organizer])
    return all(contains(everything, word) for word in (query or "").split())


def _ordered(call: Call, events: list[Meeting]) -> list[Meeting]:
    zone = ZoneInfo(call.person.zone)
    match call.text("orderBy"):
        case "startTime":
            return sorted(events, key=lambda event: (event.span(zone).start, event.id))
        case "updated":
            return sorted(events, key=lambda event: (event.updated, event.version))
        case _:
            return events


def _size(call: Call) -> int:
    return min(max(call.number("maxResults", 250), 1), MOST_RESULTS)
