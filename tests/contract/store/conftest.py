from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from tests.stores import Opened, opened


@pytest.fixture(params=["sqlite", "postgresql"])
async def base(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Opened]:
    """An empty store on each database."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    async with opened(tmp_path, postgresql=url) as made:
        yield made


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncGenerator[Opened]:
    """An empty store on SQLite."""
    async with opened(tmp_path) as made:
        yield made


@pytest.fixture
async def postgresql(tmp_path: Path, postgres_url: str) -> AsyncGenerator[Opened]:
    """An empty store on PostgreSQL."""
    async with opened(tmp_path, postgresql=postgres_url) as made:
        yield made


@pytest.fixture
def store(base: Opened) -> Store:
    return base.store


@pytest.fixture
async def work(store: Store) -> AsyncGenerator[UnitOfWork]:
    """A writing transaction on each database."""
    async with store.write() as work:
        yield work
