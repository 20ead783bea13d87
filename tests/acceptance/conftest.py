from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.acceptance.world import World, world

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """slack_sdk sends calls to a loopback address to a proxy, whatever NO_PROXY says."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
async def idle_world(tmp_path: Path, no_proxy: None) -> AsyncGenerator[World]:
    """Emulators, and a bot that is not running yet."""
    async with world(tmp_path) as made:
        yield made


@pytest.fixture
async def here(idle_world: World) -> World:
    """Emulators and a running bot."""
    await idle_world.start_bot()
    return idle_world
