"""The opening scene, with the agent played by the test."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from playground.gemini.script.dates import day_in
from playground.opening import Opened, open_scene, request
from playground.people import DANA
from playground.stage.stage import Stage
from playground.world.dates import Days
from tests.integration.playground.stage.conftest import Agent
from tests.patience import PATIENCE_SECONDS


def buttons(**styles: str) -> list[dict[str, Any]]:
    made = [
        {"type": "button", "text": {"type": "plain_text", "text": label}, "action_id": label, "value": "v"}
        | ({"style": style} if style else {})
        for label, style in styles.items()
    ]
    return [{"type": "actions", "elements": made}]


@pytest.mark.parametrize("day", range(21, 28))
def test_the_planning_is_moved_to_the_day_after_it(day: int) -> None:
    """Whatever day it is, the Thursday that Dana asks for is the one that Helen means: after the coming Wednesday."""
    now = datetime(2026, 11, day, 12, tzinfo=UTC)
    asked = request(now)
    assert day_in(asked.partition("planning to")[2], now.date()) == Days(now).coming("wed") + timedelta(days=1)


async def test_a_request_at_its_limit_is_no_card(stage: Stage, agent: Agent) -> None:
    """Continue looks like Approve and is none: the scene is over when it stands there, with what it offers."""
    opening = asyncio.create_task(open_scene(agent.api))
    channel = await stage.slack.dm(DANA)
    while not (asked := await stage.slack.messages(channel)):
        await asyncio.sleep(0.02)
    said = {"channel": channel, "thread_ts": asked[-1].ts, "text": "said"}
    await agent.call("chat.postMessage", **said, blocks=buttons(Send="primary", Reject="danger"))
    await agent.call("chat.postMessage", **said, blocks=buttons(Continue="primary"))
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert await opening == Opened(waiting=1, offered="Continue")
