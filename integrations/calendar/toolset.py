"""The calendar tools, ready to be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from integrations.base import Tool, ToolArgs
from integrations.calendar.tools.answer import CalendarEventAnswer
from integrations.calendar.tools.cancel import CalendarEventCancel
from integrations.calendar.tools.create import CalendarEventCreate
from integrations.calendar.tools.find_time import CalendarFindTime
from integrations.calendar.tools.search import CalendarSearch
from integrations.calendar.tools.update import CalendarEventUpdate
from integrations.google.client import GoogleClient
from integrations.ports import Zones


class CalendarToolset:
    """Implements `Toolset` over one Google client. `zones` tells the zones of colleagues."""

    def __init__(self, *, google: GoogleClient, zones: Zones | None = None) -> None:
        kinds = (CalendarSearch, CalendarEventCreate, CalendarEventUpdate, CalendarEventCancel, CalendarEventAnswer)
        tools = (*(kind(google) for kind in kinds), CalendarFindTime(google, zones))
        self._tools = tuple(cast("Tool[ToolArgs]", tool) for tool in tools)

    def tools(self) -> Sequence[Tool[ToolArgs]]:
        """Every calendar tool."""
        return self._tools
