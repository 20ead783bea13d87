"""The zone in which a person's local times are read and their events are shown, unless another one is named."""

from __future__ import annotations

from integrations.base import Call, Requester
from integrations.calendar.client import CalendarClient
from integrations.calendar.time_range import is_zone
from integrations.errors import ToolError

UNSET_ZONE = "UTC"  # where Slack does not tell a person's zone


async def user_zone(requester: Requester, client: CalendarClient) -> str:
    """The person's zone in Slack, else their calendar's."""
    if requester.zone != UNSET_ZONE or not client.sees_events:
        return requester.zone
    try:
        found = await client.zone()
    except ToolError:
        return requester.zone
    return found if found and is_zone(found) else requester.zone


async def approved_zone(call: Call, client: CalendarClient) -> str:
    """The zone of the approved card or of an earlier attempt, so that a later move of the person moves no event."""
    kept = call.basis.get("zone") or call.noted.get("zone")
    return str(kept) if kept else await user_zone(call.requester, client)
