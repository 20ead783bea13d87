"""An empty store, and a house over one."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from tests.dispatchers import Nobody
from tests.stores import Opened, opened
from tests.unit.bot.runtime.runtime_harness import House, house


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    """An empty store."""
    async with opened(tmp_path) as made:
        yield made


@pytest.fixture
def transactions(base: Opened) -> TransactionFactory:
    """Its journal, which wakes nobody."""
    return TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=Nobody())


@pytest.fixture
async def home(tmp_path: Path) -> AsyncGenerator[House]:
    """A runtime with scripted tools and a scripted model, served by hand."""
    async with house(tmp_path) as made:
        yield made


@pytest.fixture
def at(home: House) -> House:
    """The same by a shorter name."""
    return home
