"""The addresses of cards: what waits for them while Slack is slow."""

from __future__ import annotations

import asyncio

from bot.slack.connection.errors import SlackError
from bot.wiring.agent_api import LINKS_AT_ONCE, MOST_LINKS, Links

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


async def test_an_address_is_asked_for_once() -> None:
    """It stays what it is; one that could not be had is asked for again, and not more are remembered than so many."""
    asked: list[str] = []

    async def permalink(channel: str, ts: str) -> str:
        asked.append(ts)
        if asked == ["0"]:
            raise SlackError
        return f"{ADDRESS}/{channel}/{ts}"

    links = Links(permalink=permalink)
    assert [await links.of("D1", "0") for _ in range(3)] == ["", f"{ADDRESS}/D1/0", f"{ADDRESS}/D1/0"]
    assert asked == ["0", "0"]
    for n in range(1, MOST_LINKS + 1):
        await links.of("D1", str(n))
    assert await links.of("D1", str(MOST_LINKS)) == f"{ADDRESS}/D1/{MOST_LINKS}"
    assert len(asked) == MOST_LINKS + 2
    await links.of("D1", "0")
    assert len(asked) == MOST_LINKS + 3
