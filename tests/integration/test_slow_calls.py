"""Writes that must not double go by the deadline as it is when they are sent, not as it was when the call began."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from integrations.errors import ToolFailed
from tests.integration.google_world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

MAIL = {"to": ["helen.marsh@marshgardens.example"], "subject": "Slow", "body": "Hi Helen."}
EVENT = {"title": "Slow", "start": "2026-12-01T10:00", "end": "2026-12-01T11:00"}


@pytest.mark.parametrize(
    ("name", "arguments"), [("gmail_send", MAIL), ("gmail_draft_create", MAIL), ("calendar_event_create", EVENT)]
)
async def test_a_call_that_takes_long_sends_while_its_deadline_is_moved_on(
    world: World, name: str, arguments: Mapping[str, object]
) -> None:
    """What was prepared for longer than the first deadline is sent if that was moved on, and else is not."""
    tool, now = world.tools[name], world.clock.now()
    call = replace(world.call("slow"), deadline=now - timedelta(seconds=1))
    args = tool.args.model_validate(arguments)
    with pytest.raises(ToolFailed) as refused:
        await tool.execute(args, call)
    assert refused.value.code == "too_late"
    await tool.execute(args, replace(call, moved_on=lambda: world.clock.now() + timedelta(seconds=25)))
