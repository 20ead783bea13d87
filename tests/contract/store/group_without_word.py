"""A process whose group of units is committed, and which never comes to tell them: `python -m … DATABASE_URL`.

It says `told NAME` for each unit that hears of its commit, and `committed` when the shared COMMIT is over.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import threading

from bot.secrets import KeyRing, new_key
from bot.store.engine import sqlite_driver
from bot.store.engine.database import database_for
from bot.store.store import Store
from tests import builders as make

UNITS = ("run_0", "run_1", "run_2")


def _says(what: str) -> None:
    os.write(sys.stdout.fileno(), f"{what}\n".encode())


def _commit(raw: sqlite3.Connection) -> None:
    """In the thread: the loop that would tell the units waits for its end."""
    raw.execute("COMMIT")
    _says("committed")
    threading.Event().wait()


async def _add(store: Store, name: str) -> None:
    async with store.write() as work:
        work.after_commit(lambda: _says(f"told {name}"))
        await work.runs.add(make.run(id=name))


async def _together(url: str) -> None:
    sqlite_driver._commit = _commit  # pyright: ignore[reportPrivateUsage] - where it is to stop
    store = Store(database_for(url), keyring=KeyRing([new_key()]), clock=make.HandClock())
    async with store.write():
        adding = [asyncio.ensure_future(_add(store, name)) for name in UNITS]
        await asyncio.sleep(0)
    await asyncio.gather(*adding)


if __name__ == "__main__":
    asyncio.run(_together(sys.argv[1]))
