from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.acceptance.slack_side import start_over_http
from tests.acceptance.world import HURRIED, World, world


@pytest.fixture
async def idle_world(tmp_path: Path) -> AsyncGenerator[World]:
    """Emulators, and a bot that is not running yet."""
    async with world(tmp_path) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def town(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    """Emulators for all tests of a module; see `fresh_idle` and `here`."""
    async with world(tmp_path_factory.mktemp("town")) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def fresh_idle(town: World, tmp_path: Path) -> AsyncGenerator[World]:
    """The module's emulators as seeded, and a bot with an empty database that is not running yet."""
    await town.begin_again(tmp_path)
    yield town
    await town.stop_bot()


@pytest_asyncio.fixture(loop_scope="module")
async def here(fresh_idle: World) -> World:
    """The same with the bot running. For tests that run in the module's loop."""
    await fresh_idle.start_bot()
    return fresh_idle


@pytest_asyncio.fixture(loop_scope="module")
async def over_http(fresh_idle: World) -> World:
    """The bot behind signed HTTP, where a test can send what Slack's own client would not."""
    await start_over_http(fresh_idle)
    return fresh_idle


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    """A world with a running bot that hurries, for all tests of a module; each request there is a thread of its own."""
    async with world(tmp_path_factory.mktemp("company")) as made:
        await made.start_bot(timings=HURRIED)
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def shared(company: World) -> AsyncGenerator[World]:
    """The module's world, without the faults of the test before. For tests that run in the module's loop."""
    await company.mend()
    yield company
    await company.mend()
