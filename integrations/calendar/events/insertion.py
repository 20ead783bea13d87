"""Inserting an event once: under an id of our own it never exists twice, even after a crash."""

from __future__ import annotations

from collections.abc import Mapping

from integrations.base import Call
from integrations.calendar.client import PRIMARY, CalendarClient, split_event_id
from integrations.calendar.wire import Event
from integrations.errors import Ambiguous, ToolError
from integrations.google.errors import Duplicate, Missing


async def insert_once(
    client: CalendarClient,
    event_id: str,
    body: Mapping[str, object],
    call: Call,
    *,
    notify: str,
    calendar: str = PRIMARY,
) -> Event:
    """Insert; when the outcome is not known, look, then insert again. The id makes the second request harmless."""
    if call.attempt > 1 and (earlier := await _found(client, event_id)):
        return earlier

    async def inserted() -> Event:
        _, plain = split_event_id(event_id)
        try:
            return await client.insert(plain, body, notify=notify, deadline=call.until, calendar=calendar)
        except Duplicate:
            found = await _found(client, event_id)
            if found is None:
                raise Ambiguous("creating the event") from None
            return found

    try:
        return await inserted()
    except Ambiguous as doubt:
        try:
            return await _found(client, event_id) or await inserted()
        except ToolError:
            raise doubt from None  # the first attempt may have arrived all the same


async def _found(client: CalendarClient, event_id: str) -> Event | None:
    try:
        return await client.event(event_id)
    except Missing:
        return None
