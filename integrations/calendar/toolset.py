"""The calendar tools, ready to be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from integrations.base import Tool, ToolArgs
from integrations.calendar.answer import CalendarEventAnswer
from integrations.calendar.cancel import CalendarEventCancel
from integrations.calendar.create import CalendarEventCreate
from integrations.calendar.find_time import CalendarFindTime
from integrations.calendar.search import CalendarSearch
from integrations.calendar.update import CalendarEventUpdate
from integrations.google.client import GoogleClient
from integrations.ports import Zones


class CalendarToolset:
    """Implements `Toolset` over one Google client. `zones` says where colleagues are."""

    def __init__(self, *, google: GoogleClient, zones: Zones | None = None) -> None:
        kinds = (CalendarSearch, CalendarEventCreate, CalendarEventUpdate, CalendarEventCancel, CalendarEventAnswer)
        tools = (*(kind(google) for kind in kinds), CalendarFindTime(google, zones))
        self._tools = tuple(cast("Tool[ToolArgs]", tool) for tool in tools)

    def tools(self) -> Sequence[Tool[ToolArgs]]:
        """Every calendar tool."""
        return self._tools
