from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.store.unit_of_work import SqlStore
from tests.stores import Opened, opened


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    async with opened(tmp_path) as made:
        yield made


@pytest.fixture
def store(base: Opened) -> SqlStore:
    return base.store
