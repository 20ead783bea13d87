"""Meet links: requested once per action, then awaited while Google makes them.

Calendar API, "Create events": a conference is made asynchronously, and the request's id must be new for each request.
"""

from __future__ import annotations

import hashlib

from integrations.calendar.client import CalendarClient
from integrations.calendar.wire import Event
from integrations.errors import ToolError

LOOKS = 5
FIRST_PAUSE_SECONDS = 0.5


def conference_for(key: str) -> dict[str, object]:
    """The request for a Meet link: the same in every attempt of one action."""
    request_id = hashlib.sha256(f"meet:{key}".encode()).hexdigest()[:32]
    return {"createRequest": {"requestId": request_id, "conferenceSolutionKey": {"type": "hangoutsMeet"}}}


async def with_meet(client: CalendarClient, event: Event) -> Event:
    """The event once its link is made, or as it is when that takes too long. Never raises, because the event exists."""
    pause = FIRST_PAUSE_SECONDS
    for _ in range(LOOKS):
        if not event.is_pending():
            break
        await client.pause(pause)
        pause *= 1.5
        try:
            event = await client.event(event.id)
        except ToolError:
            break
    return event
