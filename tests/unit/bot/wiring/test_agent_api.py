"""The addresses of cards: what waits for them while Slack is slow."""

from __future__ import annotations

import asyncio

from bot.wiring.agent_api import LINKS_AT_ONCE, Links

ADDRESS = "https://acme.slack.com/archives/D1/p1"


async def test_a_slow_slack_does_not_fill_our_connections() -> None:
    """Few answers wait for the address of their card; all others are told at once, without it."""
    asked: list[str] = []
    all_wait, answers = asyncio.Event(), asyncio.Event()

    async def permalink(channel: str, ts: str) -> str:
        asked.append(ts)
        if len(asked) == LINKS_AT_ONCE:
            all_wait.set()
        await answers.wait()
        return ADDRESS

    links = Links(permalink=permalink)
    waiting = [asyncio.create_task(links.of("D1", str(n))) for n in range(LINKS_AT_ONCE)]
    await all_wait.wait()
    assert await links.of("D1", "one more") == ""
    assert len(asked) == LINKS_AT_ONCE
    answers.set()
    assert await asyncio.gather(*waiting) == [ADDRESS] * LINKS_AT_ONCE
    assert await links.of("D1", "later") == ADDRESS
