"""Calendar's methods, by their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from playground.google.calendar.event_routes import EventRoutes, calendar_of
from playground.google.calendar.free_busy import free_busy
from playground.google.discovery import JsonObject
from playground.google.errors import not_found
from playground.google.pages import page
from playground.world.hosts import HOSTS, Host, Party, handle_of, role_of

if TYPE_CHECKING:
    from playground.google.calendar.agenda import Agenda
    from playground.google.call import Call, Handler
    from playground.people import Person

_RANK = ("freeBusyReader", "reader", "writer", "owner")

REMINDERS = [{"method": "popup", "minutes": 10}]


def calendar_handlers(agenda: Callable[[], Agenda]) -> Mapping[str, Handler]:
    """The handlers of Calendar. `agenda` is asked at each call, because a reset makes a new one."""
    return {
        **EventRoutes(agenda).handlers(),
        "calendar.freebusy.query": lambda call: free_busy(agenda(), call.person, call.body),
        "calendar.calendarList.list": _calendar_list,
        "calendar.calendarList.get": lambda call: _entry(call.person, calendar_of(call, agenda())),
        "calendar.calendars.get": lambda call: _calendar(call, agenda()),
        "calendar.settings.get": _setting,
        "calendar.settings.list": _settings,
    }


def _calendar_list(call: Call) -> JsonObject:
    """The calendars that the person sees, their own first; `minAccessRole` leaves out those with a lower role."""
    least = _RANK.index(call.text("minAccessRole") or "freeBusyReader")
    parties = [party for party in (call.person, *HOSTS) if _rank(call.person, party) >= least]
    entries, following = page(
        [_entry(call.person, party) for party in parties], call.text("pageToken"), call.number("maxResults", 100)
    )
    answer: JsonObject = {"kind": "calendar#calendarList", "etag": '"p1"', "items": list(entries)}
    return answer | ({"nextPageToken": following} if following else {})


def _rank(person: Person, party: Party) -> int:
    role = role_of(person, party)
    return _RANK.index(role) if role else -1


def _calendar(call: Call, agenda: Agenda) -> JsonObject:
    party = calendar_of(call, agenda)
    return {
        "kind": "calendar#calendar",
        "etag": f'"{handle_of(party)}-1"',
        "id": party.email,
        "timeZone": party.zone,
        "conferenceProperties": {"allowedConferenceSolutionTypes": ["hangoutsMeet"]},
        **_titles(party),
    }


def _entry(person: Person, party: Party) -> JsonObject:
    shown: JsonObject = {
        "kind": "calendar#calendarListEntry",
        "etag": f'"{handle_of(party)}-1"',
        "id": party.email,
        "timeZone": party.zone,
        "colorId": "14",
        "backgroundColor": "#9fe1e7",
        "foregroundColor": "#000000",
        "selected": True,
        "accessRole": role_of(person, party),
        "defaultReminders": REMINDERS if party == person else [],
        **_titles(party),
    }
    return shown | ({"primary": True} if party == person else {})


def _titles(party: Party) -> JsonObject:
    if not isinstance(party, Host):
        return {"summary": party.email}
    return {"summary": party.name, "description": party.description}


def _settings_of(person: Person) -> dict[str, str]:
    return {"timezone": person.zone, "locale": "en", "format24HourTime": "true", "weekStart": "1"}


def _setting(call: Call) -> JsonObject:
    name = call.needed("setting")
    values = _settings_of(call.person)
    if name not in values:
        raise not_found("calendar")
    return _shown_setting(name, values[name])


def _settings(call: Call) -> JsonObject:
    items = [_shown_setting(name, value) for name, value in _settings_of(call.person).items()]
    return {"kind": "calendar#settings", "etag": '"p1"', "items": items}


def _shown_setting(name: str, value: str) -> JsonObject:
    return {"kind": "calendar#setting", "etag": f'"{name}-{value}"', "id": name, "value": value}
