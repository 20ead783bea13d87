"""The emulators' states as the page keeps them: lists become objects by id, so that changes stay small.

Unknown parts are passed on as they are.
"""

from __future__ import annotations

from typing import Any, cast

from playground.page.upstream import JsonObject

FOLDERS = ("inbox", "sent", "drafts")


def slack_shape(state: JsonObject) -> JsonObject:
    """Users and channels by id, messages by channel and timestamp."""
    messages = cast("dict[str, Any]", state.get("messages") or {})
    return {
        **state,
        "users": by_key(state.get("users"), "id"),
        "channels": by_key(state.get("channels"), "id"),
        "messages": {channel: by_key(rows, "ts") for channel, rows in messages.items()},
    }


def google_shape(state: JsonObject) -> JsonObject:
    """Everybody's mails and events in one object each, with owner, folder and key; `people` keeps the rest.

    Events of a shared calendar have that calendar as their owner; `calendars` are their names.
    """
    people = cast("dict[str, JsonObject]", state.get("people") or {})
    shared = cast("dict[str, JsonObject]", state.get("calendars") or {})
    mails = [
        {**mail, "owner": owner, "folder": folder, "key": f"{owner}:{folder}:{mail.get('id')}"}
        for owner, person in people.items()
        for folder in FOLDERS
        for mail in cast("list[JsonObject]", person.get(folder) or [])
    ]
    events = [
        {**event, "owner": owner, "key": f"{owner}:{event.get('id')}"}
        for owner, has in (*people.items(), *shared.items())
        for event in cast("list[JsonObject]", has.get("events") or [])
    ]
    listed = {*FOLDERS, "events"}
    about = {
        owner: {key: value for key, value in person.items() if key not in listed} for owner, person in people.items()
    }
    names = {calendar: one.get("name") for calendar, one in shared.items()}
    return {"people": about, "calendars": names, "mails": by_key(mails, "key"), "events": by_key(events, "key")}


def supervisor_shape(state: JsonObject) -> JsonObject:
    """Audit entries by their id."""
    audit = cast("JsonObject", state.get("audit") or {})
    return {**state, "audit": {**audit, "entries": by_key(audit.get("entries"), "id")}}


def by_key(rows: object, *keys: str) -> JsonObject:
    """A list of objects as one object; an object stays as it is."""
    if isinstance(rows, dict):
        return cast("JsonObject", rows)
    listed = cast("list[JsonObject]", rows or [])
    return {":".join(str(row.get(key, "")) for key in keys): row for row in listed}
