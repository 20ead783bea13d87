"""A replica that does nothing but keep time: it ticks until its input ends. Started as a process by `test_firing`."""

from __future__ import annotations

import asyncio
import sys
from functools import partial

from bot.clock import SystemClock
from bot.domain.limits import DEFAULT_LIMITS
from bot.runtime.core.batch import due
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.questions import expiry
from bot.runtime.schedules.service import ScheduleService
from bot.scheduler import CronTimetable, Scheduler
from bot.secrets import KeyRing
from bot.store.engine.database import database_for
from bot.store.repositories.due import Due
from bot.store.store import Store
from tests.dispatchers import Nobody


def transactions(url: str, key: str) -> TransactionFactory:
    clock = SystemClock()
    store = Store(database_for(url), keyring=KeyRing([key]), clock=clock)
    return TransactionFactory(store=store, clock=clock, bus=Bus(), dispatcher=Nobody())


async def keep_time(url: str, key: str) -> None:
    kept, scheduler = transactions(url, key), Scheduler()
    schedules = ScheduleService(transactions=kept, timetable=CronTimetable(), limits=DEFAULT_LIMITS)
    scheduler.look_for_work(0.05, partial(due, kept))
    scheduler.when_found(Due.SCHEDULES, schedules.tick)
    scheduler.when_found(Due.QUESTIONS, partial(expiry.tick, kept))
    async with scheduler:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(keep_time(*sys.argv[1:]))
