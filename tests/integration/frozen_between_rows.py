"""A replica that stops while it seals, between two of its statements; `test_postgresql.py` starts it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from bot.clock import SystemClock
from bot.runtime.audit.sealer import Sealer
from bot.secrets import KeyRing
from bot.store.engine.connection import DriverResult
from bot.store.engine.postgresql import PostgresqlDatabase
from bot.store.engine.postgresql_driver import PostgresqlConnection
from bot.store.engine.statements import Bound
from bot.store.store import Store

STOP_AT = 1200
"""Which value of those that it sends. A statement has fewer, so others were sent before."""


class _Connection(PostgresqlConnection):
    sent = 0

    async def run(self, sql: str, values: Bound) -> DriverResult:
        """Stop before the statement that has the value."""
        before, self.sent = self.sent, self.sent + len(values)
        if before < STOP_AT <= self.sent:
            os.kill(os.getpid(), signal.SIGSTOP)
        return await super().run(sql, values)


class _Database(PostgresqlDatabase):
    connections = _Connection


async def main(url: str, key: str) -> None:
    """Seal, and stop after a part of it."""
    keyring = KeyRing([key])
    await Sealer(store=Store(_Database(url), keyring=keyring, clock=SystemClock()), keyring=keyring).seal()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
