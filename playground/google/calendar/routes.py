"""Calendar's methods, by their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from playground.google.calendar.event_routes import EventRoutes, check_calendar
from playground.google.calendar.free_busy import free_busy
from playground.google.discovery import JsonObject
from playground.google.errors import not_found
from playground.google.pages import page

if TYPE_CHECKING:
    from playground.google.call import Call
    from playground.google.front import Handler
    from playground.google.world import World
    from playground.people import Person

REMINDERS = [{"method": "popup", "minutes": 10}]


def calendar_handlers(world: Callable[[], World]) -> Mapping[str, Handler]:
    """All of Calendar that is emulated. `world` is asked at each call, because a reset makes a new one."""
    return {
        **EventRoutes(world).handlers(),
        "calendar.freebusy.query": lambda call: free_busy(world().agenda, call.person, call.body),
        "calendar.calendarList.list": _calendar_list,
        "calendar.calendarList.get": _calendar_entry,
        "calendar.calendars.get": _calendar,
        "calendar.settings.get": _setting,
        "calendar.settings.list": _settings,
    }


def _calendar_list(call: Call) -> JsonObject:
    entries, following = page([_entry(call.person)], call.text("pageToken"), call.number("maxResults", 100))
    answer: JsonObject = {"kind": "calendar#calendarList", "etag": '"p1"', "items": list(entries)}
    return answer | ({"nextPageToken": following} if following else {})


def _calendar_entry(call: Call) -> JsonObject:
    check_calendar(call)
    return _entry(call.person)


def _calendar(call: Call) -> JsonObject:
    check_calendar(call)
    return {
        "kind": "calendar#calendar",
        "etag": f'"{call.person.handle}-1"',
        "id": call.person.email,
        "summary": call.person.email,
        "timeZone": call.person.zone,
        "conferenceProperties": {"allowedConferenceSolutionTypes": ["hangoutsMeet"]},
    }


def _entry(person: Person) -> JsonObject:
    return {
        "kind": "calendar#calendarListEntry",
        "etag": f'"{person.handle}-1"',
        "id": person.email,
        "summary": person.email,
        "timeZone": person.zone,
        "colorId": "14",
        "backgroundColor": "#9fe1e7",
        "foregroundColor": "#000000",
        "selected": True,
        "primary": True,
        "accessRole": "owner",
        "defaultReminders": REMINDERS,
    }


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
