"""The calendar tools, ready to be called."""

from __future__ import annotations

from integrations.base import Tools
from integrations.calendar.tools.answer import CalendarEventAnswer
from integrations.calendar.tools.cancel import CalendarEventCancel
from integrations.calendar.tools.create import CalendarEventCreate
from integrations.calendar.tools.find_time import CalendarFindTime
from integrations.calendar.tools.search import CalendarSearch
from integrations.calendar.tools.update import CalendarEventUpdate
from integrations.google.client import GoogleClient
from integrations.ports import Zones


def calendar_tools(google: GoogleClient, zones: Zones | None = None) -> Tools:
    """Every calendar tool over one Google client. `zones` tells the zones of colleagues."""
    kinds = (CalendarSearch, CalendarEventCreate, CalendarEventUpdate, CalendarEventCancel, CalendarEventAnswer)
    return [*(kind(google) for kind in kinds), CalendarFindTime(google, zones)]
