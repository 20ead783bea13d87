"""Which zone a person's local times are read in, and his events are shown in, unless another one is named."""

from __future__ import annotations

from integrations.base import Call, Requester
from integrations.calendar.client import Agenda
from integrations.calendar.spans import is_zone
from integrations.errors import ToolError

UNSET_ZONE = "UTC"  # what a person has whose zone Slack does not tell


async def zone_of(requester: Requester, agenda: Agenda) -> str:
    """His in Slack, else his calendar's."""
    if requester.zone != UNSET_ZONE or not agenda.sees_events:
        return requester.zone
    try:
        found = await agenda.zone()
    except ToolError:
        return requester.zone
    return found if found and is_zone(found) else requester.zone


async def zone_for(call: Call, agenda: Agenda) -> str:
    """The one of the card that was approved, or that an earlier attempt noted: a later change of his moves no event."""
    kept = call.basis.get("zone") or call.noted.get("zone")
    return str(kept) if kept else await zone_of(call.requester, agenda)
