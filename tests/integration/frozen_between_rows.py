"""A replica that stops, for good, in the middle of a statement for several rows; `test_postgresql.py` starts it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any

from psycopg.types.string import StrDumper
from sqlalchemy import event, text

from bot.store.engine.postgresql import postgresql_engine

MORE_THAN_A_BUFFER = 200_000
"""Characters. Libpq sends what was queued as soon as its buffer of 64 KiB is full."""


class Stop(str):
    """A value at which this process stops."""

    __slots__ = ()


class _Stopping(StrDumper):
    def dump(self, obj: str) -> Any:
        os.kill(os.getpid(), signal.SIGSTOP)
        return super().dump(obj)


async def main(url: str) -> None:
    """Change three rows and stop at the last one."""
    engine = postgresql_engine(url)

    def connected(connection: Any, _record: object) -> None:
        connection.driver_connection.adapters.register_dumper(Stop, _Stopping)

    event.listen(engine.sync_engine, "connect", connected)
    values = ("a" * MORE_THAN_A_BUFFER, "b" * MORE_THAN_A_BUFFER, Stop("c"))
    async with engine.begin() as connection:
        rows = [{"id": number, "value": value} for number, value in enumerate(values)]
        await connection.execute(text("UPDATE rows SET value = :value WHERE id = :id"), rows)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
