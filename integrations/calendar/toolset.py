"""The calendar tools, ready to be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from integrations.base import Tool, ToolArgs
from integrations.calendar.answer import CalendarEventAnswer
from integrations.calendar.cancel import CalendarEventCancel
from integrations.calendar.create import CalendarEventCreate
from integrations.calendar.search import CalendarSearch
from integrations.calendar.update import CalendarEventUpdate
from integrations.google.client import GoogleClient


class CalendarToolset:
    """Implements `Toolset` over one Google client."""

    def __init__(self, *, google: GoogleClient) -> None:
        kinds = (CalendarSearch, CalendarEventCreate, CalendarEventUpdate, CalendarEventCancel, CalendarEventAnswer)
        self._tools = tuple(cast("Tool[ToolArgs]", kind(google)) for kind in kinds)

    def tools(self) -> Sequence[Tool[ToolArgs]]:
        """Every calendar tool."""
        return self._tools
