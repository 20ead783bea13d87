"""The opening scene, with the agent played by the test."""

from __future__ import annotations

import asyncio
from typing import Any

from playground.opening import Opened, open_scene
from playground.people import DANA
from playground.stage.stage import Stage
from tests.integration.playground.stage.conftest import Agent


def buttons(**styles: str) -> list[dict[str, Any]]:
    made = [
        {"type": "button", "text": {"type": "plain_text", "text": label}, "action_id": label, "value": "v"}
        | ({"style": style} if style else {})
        for label, style in styles.items()
    ]
    return [{"type": "actions", "elements": made}]


async def test_a_request_at_its_limit_is_no_card(stage: Stage, agent: Agent) -> None:
    """Continue looks like Approve and is none: the scene is over when it stands there, with what it offers."""
    opening = asyncio.create_task(open_scene(agent.api))
    channel = await stage.slack.dm(DANA)
    while not (asked := await stage.slack.messages(channel)):
        await asyncio.sleep(0.02)
    said = {"channel": channel, "thread_ts": asked[-1].ts, "text": "said"}
    await agent.call("chat.postMessage", **said, blocks=buttons(Send="primary", Reject="danger"))
    await agent.call("chat.postMessage", **said, blocks=buttons(Continue="primary"))
    async with asyncio.timeout(5):
        assert await opening == Opened(waiting=1, offered="Continue")
