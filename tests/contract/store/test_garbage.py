"""What a transaction is made of goes with it: Python's collector, which stops everything, finds nothing of it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Generator

import pytest

from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.stores import Opened


@pytest.fixture
def without_a_collector() -> Generator[None]:
    gc.disable()
    yield
    gc.enable()


async def _written(base: Opened) -> weakref.ref[UnitOfWork]:
    told = list[bool]()
    async with base.store.write() as work:
        await work.runs.add(make.run(id="run_1"))
        work.after_commit(lambda: told.append(work.delivers))
        return weakref.ref(work)


async def _read(base: Opened) -> weakref.ref[UnitOfWork]:
    async with base.store.read() as work:
        await work.runs.find("run_1")
        return weakref.ref(work)


async def test_a_transaction_that_ended_is_gone(base: Opened, without_a_collector: None) -> None:
    """Its rows, its repositories and who waited for its commit hold each other no longer than it lasts."""
    assert [(await one(base))() for one in (_written, _read)] == [None, None]
