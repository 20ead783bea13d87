"""How lines are sent: with a sign of life between them, and left in good order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from bot.api.lines import alive

SOON = 0.01


async def test_nothing_to_say_is_said() -> None:
    """Empty lines keep a connection open while nothing comes, and what comes is neither lost nor doubled."""
    come = asyncio.Event()

    async def texts() -> AsyncGenerator[str]:
        yield "one\n"
        await come.wait()
        yield "two\n"

    sent: list[str] = []
    async for text in alive(texts(), SOON):
        sent.append(text)
        if sent.count("\n") == 3:
            come.set()
    assert [text for text in sent if text != "\n"] == ["one\n", "two\n"]
    assert sent[:4] == ["one\n", "\n", "\n", "\n"]


async def test_who_leaves_ends_what_was_waited_for() -> None:
    """Also in the middle of a wait."""
    ended = asyncio.Event()

    async def texts() -> AsyncGenerator[str]:
        try:
            yield "one\n"
            await asyncio.Event().wait()
        finally:
            ended.set()

    lines = alive(texts(), SOON)
    assert [await anext(lines), await anext(lines)] == ["one\n", "\n"]
    reading = asyncio.ensure_future(anext(lines))
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    async with asyncio.timeout(5):
        await ended.wait()
