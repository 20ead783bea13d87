"""A replica that stops while it seals, between two rows of one call; `test_postgresql.py` starts it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from itertools import count
from typing import Any

import psycopg
from psycopg.types.string import StrDumper

from bot.clock import SystemClock
from bot.runtime.audit.sealer import Sealer
from bot.secrets import KeyRing
from bot.store.engine.postgresql import PostgresqlConnection, PostgresqlDatabase
from bot.store.store import Store

STOP_AT = 1200
"""Which text of those that it sends. An entry has three, so libpq's buffer of 64 KiB was full before, and was sent."""


class _Stopping(StrDumper):
    texts = count(1)

    def dump(self, obj: str) -> Any:
        if next(self.texts) == STOP_AT:
            os.kill(os.getpid(), signal.SIGSTOP)
        return super().dump(obj)


class _Connection(PostgresqlConnection):
    def __init__(self, driver: psycopg.AsyncConnection[Any]) -> None:
        super().__init__(driver)
        driver.adapters.register_dumper(str, _Stopping)


class _Database(PostgresqlDatabase):
    connections = _Connection


async def main(url: str, key: str) -> None:
    """Seal, and stop after a part of it."""
    keyring = KeyRing([key])
    await Sealer(store=Store(_Database(url), keyring=keyring, clock=SystemClock()), keyring=keyring).seal()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
