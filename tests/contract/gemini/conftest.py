"""An emulator for each module, emptied for each test, on both transports."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio

from bot.llm.model import DEVELOPER, VERTEX
from playground.gemini.app import build
from playground.serve import Served
from tests.contract.gemini.world import World


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def emulator() -> AsyncIterator[str]:
    async with Served(build(pace_seconds=0)) as url:
        yield url


@pytest_asyncio.fixture(params=[DEVELOPER, VERTEX], loop_scope="module")
async def world(emulator: str, request: pytest.FixtureRequest) -> World:
    async with aiohttp.ClientSession() as session, session.post(f"{emulator}/__admin/reset"):
        return World(url=emulator, transport=request.param)
