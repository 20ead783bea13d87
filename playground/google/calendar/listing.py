"""`events.list`: filters, order and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from playground.google.calendar.meetings import Meeting
from playground.google.calendar.times import rfc3339
from playground.google.discovery import JsonObject
from playground.google.errors import ApiError, invalid
from playground.google.matching import contains
from playground.google.pages import page
from playground.world.hosts import Host, Party, role_of

if TYPE_CHECKING:
    from playground.google.call import Call

MOST_RESULTS = 2500


def listing(call: Call, party: Party, events: list[Meeting], zone: ZoneInfo) -> JsonObject:
    """The Events resource for a call, its times in `zone`."""
    _check(call)
    instances = call.method.id == "calendar.events.instances"
    single = instances or call.flag("singleEvents")
    instances_of = _by_series(events)
    found = [
        event
        for event in events
        if _is_kind(event, single=single)
        and _fits(call, party, event)
        and any(_is_in_time(call, party, part) for part in instances_of.get(event.id, [event]))
    ]
    shown, following = page(_ordered(call, party, found), call.text("pageToken"), _size(call))
    newest = max((event.updated for event in events), default=None)
    answer: JsonObject = {
        "kind": "calendar#events",
        "etag": f'"p{len(events)}{max((event.version for event in events), default=0):06d}"',
        "summary": party.name if isinstance(party, Host) else party.email,
        "timeZone": zone.key,
        "accessRole": role_of(call.person, party),
        "defaultReminders": [{"method": "popup", "minutes": 10}],
        "items": [event.seen_by(party, zone, call.params.get("maxAttendees")) for event in shown],
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
    """With single events, occurrences without their series; otherwise the series, and its exceptions."""
    return not event.shared.get("recurrence") if single else event.series is None or bool(event.overridden)


def _by_series(events: list[Meeting]) -> dict[str, list[Meeting]]:
    found: dict[str, list[Meeting]] = {}
    for event in events:
        if event.series and not event.overridden:
            found.setdefault(event.series, []).append(event)
    return found


def _fits(call: Call, party: Party, event: Meeting) -> bool:
    """Keeps cancelled instances in a listing of series, so that clients know which ones to leave out."""
    exception = bool(event.series) and not call.flag("singleEvents") and call.method.id == "calendar.events.list"
    if event.is_gone(party) and not call.flag("showDeleted") and not exception:
        return False
    if call.text("iCalUID") not in {None, event.uid}:
        return False
    updated = call.params.get("updatedMin")
    if updated and event.updated < updated:
        return False
    return _mentions(event, call.text("q"))


def _is_in_time(call: Call, party: Party, event: Meeting) -> bool:
    return event.span(ZoneInfo(party.zone)).touches(call.params.get("timeMin"), call.params.get("timeMax"))


def _mentions(event: Meeting, query: str | None) -> bool:
    """Every word of `q` in summary, description, location, guests or organizer ("Events: list", parameter q)."""
    people = [f"{guest.get('displayName', '')} {guest['email']}" for guest in event.guests]
    organizer = f"{event.organizer.name} {event.organizer.email}"
    texts = [event.shared.get(name, "") for name in ("summary", "description", "location")]
    everything = "\n".join([*texts, *people, organizer])
    return all(contains(everything, word) for word in (query or "").split())


def _ordered(call: Call, party: Party, events: list[Meeting]) -> list[Meeting]:
    zone = ZoneInfo(party.zone)
    match call.text("orderBy"):
        case "startTime":
            return sorted(events, key=lambda event: (event.span(zone).start, event.id))
        case "updated":
            return sorted(events, key=lambda event: (event.updated, event.version))
        case _:
            return events


def _size(call: Call) -> int:
    return min(max(call.number("maxResults", 250), 1), MOST_RESULTS)
