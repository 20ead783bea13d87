"""How long an exclusion lasts, beside what waits for it."""

from __future__ import annotations

from bot.runtime.core.lock import LONGEST_SECONDS
from integrations.base import Tool
from integrations.calendar.tools.create import CalendarEventCreate
from integrations.gmail.tools.send import GmailSend


def test_a_tool_outlasts_what_a_dead_process_did_alone() -> None:
    """A token that was being renewed when its process died is renewed by the next, before the tool's time is over."""
    for tool in (Tool, GmailSend, CalendarEventCreate):
        assert tool.timeout_seconds >= LONGEST_SECONDS + 10
