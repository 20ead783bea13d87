"""The HTTP server while nobody asks: it does next to nothing."""

from __future__ import annotations

import asyncio

import pytest
import uvicorn

from bot.api.server import serve
from tests.unit.bot.api.wire import asked


async def test_only_the_date_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each second, where uvicorn looks ten times as often; every answer has it."""
    ticks, on_tick = list[int](), uvicorn.Server.on_tick

    async def counted(self: uvicorn.Server, counter: int) -> bool:
        ticks.append(counter)
        return await on_tick(self, counter)

    monkeypatch.setattr(uvicorn.Server, "on_tick", counted)
    loop = asyncio.get_running_loop()
    async with serve([], host="127.0.0.1", port=0) as served:
        begun, before = loop.time(), len(ticks)
        assert "date" in (await asked(served, "GET /nowhere")).headers
        await asyncio.sleep(0.5)
        assert len(ticks) - before <= 1 + int(loop.time() - begun)
    assert set(ticks) == {0}, "with another count it would not write it"
