"""`freebusy.query`: when people are busy, without saying why."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playground.google.calendar.agenda import Agenda
from playground.google.calendar.times import Span, rfc3339, zone_named
from playground.google.discovery import JsonObject
from playground.google.errors import invalid
from playground.people import Person
from playground.world.hosts import Party, role_of

MOST_CALENDARS = 50
LONGEST = timedelta(days=93)


def free_busy(agenda: Agenda, caller: Person, body: JsonObject) -> JsonObject:
    """The FreeBusyResponse. A calendar that cannot be seen has an error, which does not mean free."""
    start, end = _bound(body, "timeMin"), _bound(body, "timeMax")
    if end <= start:
        raise invalid("The specified time range is empty.", reason="timeRangeEmpty", location="timeMax")
    if end - start > LONGEST:
        raise invalid("The requested time range is too long.", reason="timeRangeTooLong", location="timeMax")
    zone = zone_named(body.get("timeZone", "UTC"), of="time zone")
    wanted: list[str] = [item.get("id", "") for item in body.get("items", [])]
    calendars = {name: _calendar(agenda, caller, name, Span(start=start, end=end), zone) for name in wanted}
    for name in wanted[MOST_CALENDARS:]:
        calendars[name] = {"busy": [], "errors": [{"domain": "global", "reason": "tooManyCalendarsRequested"}]}
    return {
        "kind": "calendar#freeBusy",
        "timeMin": rfc3339(start.astimezone(zone)),
        "timeMax": rfc3339(end.astimezone(zone)),
        "calendars": calendars,
    }


def busy_spans(agenda: Agenda, person: Party, span: Span) -> list[Span]:
    """The person's busy times inside `span`, joined where they touch."""
    zone = ZoneInfo(person.zone)
    events = [event for event in agenda.of(person).values() if not event.shared.get("recurrence")]
    times = [event.span(zone) for event in events if event.keeps_busy(person)]
    inside = [
        Span(start=max(time.start, span.start), end=min(time.end, span.end))
        for time in times
        if time.touches(span.start, span.end)
    ]
    joined: list[Span] = []
    for time in sorted(inside, key=lambda time: time.start):
        if joined and time.start <= joined[-1].end:
            joined[-1] = Span(start=joined[-1].start, end=max(joined[-1].end, time.end))
        else:
            joined.append(time)
    return joined


def _calendar(agenda: Agenda, caller: Person, name: str, span: Span, zone: ZoneInfo) -> JsonObject:
    party = caller if name == "primary" else agenda.parties.get(name.lower())
    if party is None or not _is_visible(agenda, caller, party):
        return {"busy": [], "errors": [{"domain": "global", "reason": "notFound"}]}
    return {
        "busy": [
            {"start": rfc3339(time.start.astimezone(zone)), "end": rfc3339(time.end.astimezone(zone))}
            for time in busy_spans(agenda, party, span)
        ]
    }


def _is_visible(agenda: Agenda, caller: Person, party: Party) -> bool:
    """Colleagues see when the others are busy, unless one shares nothing; only guests see their own calendars."""
    if role_of(caller, party):
        return True
    return isinstance(party, Person) and not (party.guest or caller.guest or party.handle in agenda.hidden)


def _bound(body: JsonObject, name: str) -> datetime:
    value = body.get(name)
    if not value:
        raise invalid(f"Missing {name} parameter.", reason="required", location=name)
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise invalid("Bad Request", reason="badRequest", location=name)
    return moment
