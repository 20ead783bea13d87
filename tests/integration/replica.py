"""A replica that does nothing but keep time: it ticks until its input ends. Started as a process by `test_firing`."""

from __future__ import annotations

import asyncio
import sys

from bot.clock import SystemClock
from bot.domain.limits import DEFAULT_LIMITS
from bot.runtime.bus import Bus
from bot.runtime.expiry import Expiry
from bot.runtime.leases import Journal
from bot.runtime.schedules import Schedules
from bot.scheduler import Scheduler, Timetable
from bot.secrets import KeyRing
from bot.store.engine import engine_for
from bot.store.unit_of_work import SqlStore
from tests.dispatchers import Nobody


def journal(url: str, key: str) -> Journal:
    clock = SystemClock()
    store = SqlStore(engine_for(url), keyring=KeyRing([key]), clock=clock)
    return Journal(store=store, clock=clock, bus=Bus(), dispatcher=Nobody())


async def keep_time(url: str, key: str) -> None:
    kept, scheduler = journal(url, key), Scheduler()
    scheduler.every(0.05, "schedules", Schedules(journal=kept, timetable=Timetable(), limits=DEFAULT_LIMITS).tick)
    scheduler.every(0.05, "questions", Expiry(journal=kept).tick)
    async with scheduler:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(keep_time(*sys.argv[1:]))
