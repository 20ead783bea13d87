from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from bot.commands.event_loop import new_event_loop
from tests.acceptance.http_side import Client, client
from tests.acceptance.slack_side import start_over_http
from tests.acceptance.world import HURRIED, Opening, World, world


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


@pytest.fixture(scope="module")
def opening() -> Opening:
    """How the bot of a module's company is started; a module may have its own."""

    async def start(here: World) -> None:
        await here.start_bot(timings=HURRIED)

    return start


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company(tmp_path_factory: pytest.TempPathFactory, opening: Opening) -> AsyncGenerator[World]:
    """A world with a running bot that hurries, for all tests of a module; each request there is a thread of its own."""
    async with world(tmp_path_factory.mktemp("company")) as made:
        await opening(made)
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def shared(company: World) -> AsyncGenerator[World]:
    """The module's world, without the faults of the test before. For tests that run in the module's loop."""
    await company.mend()
    yield company
    await company.mend()


@pytest_asyncio.fixture(loop_scope="module")
async def dana(company: World) -> AsyncGenerator[Client]:
    """Dana, who is signed in to the HTTP API of the module's company; nothing goes wrong any more afterwards."""
    yield await client(company)
    await company.mend()


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The bot of these tests runs on the event loop of the service."""
    return {"the service's": new_event_loop}
