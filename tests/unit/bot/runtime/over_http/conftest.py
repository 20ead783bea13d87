"""A desk where prompts over HTTP are taken in."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.unit.bot.runtime.over_http.desk import Desk, desk


@pytest.fixture
async def at(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with desk(tmp_path) as made:
        yield made
