"""An empty store, and a runtime over one."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from tests.dispatchers import Nobody
from tests.stores import Opened, opened
from tests.unit.bot.runtime.runtime_harness import Harness, harness


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    """An empty store."""
    async with opened(tmp_path) as made:
        yield made


@pytest.fixture
def transactions(base: Opened) -> TransactionFactory:
    """Its transactions, which wake nobody."""
    return TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=Nobody())


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    """A runtime with scripted tools and a scripted model, served by hand."""
    async with harness(tmp_path) as made:
        yield made
