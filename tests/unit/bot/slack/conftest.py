from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.stores import Opened, opened
from tests.unit.bot.slack.connected import World, app_running
from tests.unit.bot.slack.emulated import Slack, slack_running
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import Stage, staged


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    """The emulator alone."""
    async with slack_running() as running:
        yield running


@pytest.fixture
async def base(tmp_path: Path) -> AsyncIterator[Opened]:
    """An empty store."""
    async with opened(tmp_path) as made:
        yield made


@pytest.fixture
def rows(base: Opened) -> Rows:
    return Rows(base)


@pytest.fixture
async def stage(slack: Slack, rows: Rows) -> AsyncIterator[Stage]:
    async with staged(slack, rows) as made:
        yield made


@pytest.fixture
async def world(base: Opened) -> AsyncIterator[World]:
    """The emulator with our app on it, over Socket Mode."""
    async with app_running(base) as running:
        yield running
