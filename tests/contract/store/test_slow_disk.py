"""A disk that takes long for its fsync: who waits for it is who commits, and nobody else."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Generator

import pytest

from bot.store.engine import sqlite_driver
from bot.store.store import Store
from tests import builders as make
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened

_READS = _ACKNOWLEDGEMENTS = 8


class Disk:
    """Its COMMITs end when `go` is set, and count."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.commits = 0

    def commit(self, raw: sqlite3.Connection) -> None:
        self.commits += 1
        assert self.go.wait(PATIENCE_SECONDS), "the loop does not go on meanwhile"
        raw.execute("COMMIT")


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Generator[Disk]:
    made = Disk()
    monkeypatch.setattr(sqlite_driver, "_commit", made.commit)
    yield made
    made.go.set()


async def add(store: Store, name: str, told: list[str], *, patience: float | None = None) -> None:
    async with store.write(patience=patience) as work:
        work.after_commit(lambda: told.append(name))
        await work.runs.add(make.run(id=name))


async def test_all_else_goes_on_while_the_disk_syncs(sqlite: Opened, disk: Disk) -> None:
    """Meanwhile others read, and see what was durable before; nobody is told. Whoever is to be acknowledged meanwhile
    waits for this sync and for one more, however many they are.
    """
    told = list[str]()
    first = asyncio.create_task(add(sqlite.store, "run", told))
    while not disk.commits:
        await asyncio.sleep(0)
    hurried = [f"run_{n}" for n in range(_ACKNOWLEDGEMENTS)]
    acknowledged = [
        asyncio.create_task(add(sqlite.store, name, told, patience=2 * PATIENCE_SECONDS)) for name in hurried
    ]
    for _ in range(_READS):
        async with sqlite.store.read() as work:
            assert await work.runs.live("thr_1") == []
    assert (told, disk.commits, first.done()) == ([], 1, False)
    disk.go.set()
    await asyncio.gather(first, *acknowledged)
    assert (told, disk.commits) == (["run", *hurried], 2)
