"""The scheduler: APScheduler ticking idempotent jobs, with the jobs' tasks owned here; and its reading of cron fields.

APScheduler's `shutdown(wait=True)` cancels running coroutines, and its default grace for a late tick is one second.
So a tick only starts a task of ours, is never too late, and ticks that were missed count once. It goes by the wall
clock: when that is set back by an hour, what was due in a second is due in an hour, which is seen and mended here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from typing import Any, Self, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger

from bot.domain.schedules import CRON_FIELDS, BadSchedule
from bot.runtime.core.heartbeat import Heartbeat
from bot.store.errors import NotRead, NotSaved

log = structlog.get_logger()

SILENCE_SECONDS = 60.0
LOOK_SECONDS = 1.0
ROUND_SECONDS = 60.0
"""How long a job usually takes at most."""
OUTSIDE_SECONDS = 900.0
"""That of one that looks outside a hundred times, while nobody answers there."""
_FIELD_LENGTH = 60
_YEARS = 40  # how far a schedule may be ahead: the 29th of February on a given weekday comes within these

Job = Callable[[], Awaitable[None]]
Look = Callable[[], Awaitable[Collection[str]]]
"""The names of the jobs that have something to do."""


class _Every(BaseTrigger):
    """So long after now, whatever was before: a clock that jumps ahead by a year has one tick to make up, not all."""

    def __init__(self, interval: timedelta) -> None:
        self.interval = interval

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> Any:
        """APScheduler asks for the time after `previous_fire_time`, at `now`."""
        return now + self.interval


@dataclass(slots=True)
class _Waiting:
    """A job that is begun when a look finds something for it; `free_at` of the loop's clock at the earliest."""

    job: Job
    seconds: float
    free_at: float = 0.0


class Scheduler:
    """Calls jobs again and again between `async with` and its end; one that still runs is not begun anew.

    `task` ends after so many seconds without any tick: APScheduler's timer, once lost, is lost without a word.
    `heartbeat` beats at each tick, and each of `heartbeats` when its job ends in any way: one that hangs is seen there.
    """

    def __init__(self, *, silence: float = SILENCE_SECONDS, look: float = LOOK_SECONDS) -> None:
        self._ticks: Any = AsyncIOScheduler(timezone="UTC")  # APScheduler 3 carries no types
        self._silence = silence
        self._look = look
        self._ticked = 0
        self.heartbeat = Heartbeat()
        self.heartbeats: dict[str, Heartbeat] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._running: dict[str, asyncio.Task[None]] = {}
        self._waiting: dict[str, _Waiting] = {}

    def every(self, seconds: float, name: str, job: Job, *, within: float = ROUND_SECONDS) -> None:
        """Call the job this often; one that is well ends `within` so many seconds."""
        self.heartbeats[name] = Heartbeat(rest=seconds + within)
        self._ticks.add_job(
            self._tick,
            _Every(timedelta(seconds=seconds)),
            args=[name, job],
            id=name,
            coalesce=True,
            misfire_grace_time=None,
        )

    def look_for_work(self, seconds: float, look: Look) -> None:
        """Ask this often which of the jobs of `when_found` have something to do, and begin those."""
        self.every(seconds, "look", partial(self._look_for_work, look))

    def when_found(self, name: str, job: Job, *, seconds: float = 0.0, within: float = ROUND_SECONDS) -> None:
        """Call the job when the look has its name, and not again within so many seconds. `within` is as above."""
        self.heartbeats[name] = Heartbeat(rest=seconds + within)
        self._waiting[name] = _Waiting(job, seconds)

    async def _look_for_work(self, look: Look) -> None:
        """A job that has nothing to do is well, and so is one that cannot be told of it."""
        found: Collection[str] = ()
        try:
            found = await look()
        finally:
            now = asyncio.get_running_loop().time()
            for name, waiting in self._waiting.items():
                if name in found and now >= waiting.free_at:
                    waiting.free_at = now + waiting.seconds
                    self._begin(name, waiting.job)
                elif name not in self._running:
                    self.heartbeats[name].beat()

    async def _tick(self, name: str, job: Job) -> None:
        """Begin the job; APScheduler's own task ends at once."""
        self._ticked += 1
        self.heartbeat.beat()
        self._begin(name, job)

    def _begin(self, name: str, job: Job) -> None:
        """In a task of its own, unless it still runs."""
        if name not in self._running:
            self._running[name] = asyncio.create_task(self._guarded(name, job), name=f"job {name}")

    async def _guarded(self, name: str, job: Job) -> None:
        try:
            await job()
        except (NotSaved, NotRead) as trouble:
            log.error("job.store_in_trouble", job=name, why=str(trouble))
        except Exception:  # the task's outer edge; the next tick tries again
            log.exception("job.failed", job=name)
        finally:
            del self._running[name]
            self.heartbeats[name].beat()

    @property
    def task(self) -> asyncio.Task[None]:
        """What watches the ticks; while they come it never ends."""
        assert self._tasks, "not entered"
        return self._tasks[0]

    async def _watch(self) -> None:
        heard = -1
        while heard != self._ticked:
            heard = self._ticked
            await asyncio.sleep(self._silence)

    async def _mend(self) -> None:
        """A job that is further ahead than its interval was set before the clock went back: it is due now."""
        while True:
            await asyncio.sleep(self._look)
            now = datetime.now(UTC)  # noqa: TID251 - APScheduler's own clock
            for job in self._ticks.get_jobs():
                if job.next_run_time - now > job.trigger.interval + timedelta(seconds=self._look):
                    log.warning("clock.went_back", job=job.id, due=str(job.next_run_time))
                    job.modify(next_run_time=now)

    async def __aenter__(self) -> Self:
        self._ticks.start()
        watching = asyncio.create_task(self._watch(), name="scheduler")
        self._tasks = [watching, asyncio.create_task(self._mend(), name="scheduler clock")]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ticks.pause()
        await asyncio.sleep(0)  # ticks that were just begun end; APScheduler would cancel them, and complain of it
        await asyncio.sleep(0)
        self._ticks.shutdown(wait=False)
        tasks = [*self._tasks, *self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class CronTimetable:
    """When a schedule fires next. Implements `ports.Timetable` with APScheduler's cron fields, given by name.

    The fields are matched against the clock on the wall, and its time is looked up in the zone afterwards: one that the
    clock skips in spring comes as much later as it skips, one that it shows twice in autumn counts the first time.
    """

    def next(self, spec: Mapping[str, object], zone: str, *, after: datetime) -> datetime | None:
        """See the port."""
        place = _zone(zone)
        if "at" in spec:
            once = _instant(_local(spec), place)
            return once if once > after else None
        cron = _cron(spec, after)
        wall = after.astimezone(place).replace(tzinfo=UTC)
        while (found := cast("datetime | None", cron.get_next_fire_time(None, wall))) is not None:
            if (moment := _instant(found.replace(tzinfo=None), place)) > after:
                return moment
            wall = found + timedelta(seconds=1)
        return None


def _instant(wall: datetime, place: tzinfo) -> datetime:
    try:
        return wall.replace(tzinfo=place, fold=0).astimezone(UTC)
    except OverflowError as error:
        raise BadSchedule("This time is beyond the calendar.") from error


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadSchedule(f"“{name[:60]}” is no time zone.") from error


def _local(spec: Mapping[str, object]) -> datetime:
    try:
        at = datetime.fromisoformat(str(spec["at"]))
    except ValueError as error:
        raise BadSchedule("A single time is written like 2026-11-23T16:00.") from error
    if at.tzinfo is not None or len(spec) > 1:
        raise BadSchedule("A single time stands alone, and its zone apart from it.")
    return at


def _year(spec: Mapping[str, object], after: datetime) -> object:
    """Bounded: fields that never meet, such as a 53rd week in June, would be looked for until the year 9999."""
    year = spec.get("year", "*")
    if str(year).isdigit():
        return year
    if year != "*":
        raise BadSchedule("The year of a repeating time is one number, or left out.")
    return f"{after.year}-{after.year + _YEARS}"


def _cron(spec: Mapping[str, object], after: datetime) -> Any:
    """The trigger, on a clock without zones. Numbers for weekdays are refused: APScheduler counts from Monday = 0, cron
    from Sunday (apscheduler.readthedocs.io, "cron").
    """
    if not spec or not CRON_FIELDS.issuperset(spec):
        raise BadSchedule(f"A repeating time needs some of {', '.join(sorted(CRON_FIELDS))}, and nothing else.")
    if any(sign.isdigit() for sign in str(spec.get("day_of_week", ""))):
        raise BadSchedule("Weekdays are written as names: mon, tue, … or mon-fri.")
    if not all(isinstance(value, int | str) and len(str(value)) <= _FIELD_LENGTH for value in spec.values()):
        raise BadSchedule("Each field of a repeating time is a number or a short text, as in mon-fri.")
    try:
        return CronTrigger(timezone=UTC, **{**spec, "year": _year(spec, after)})
    except (ValueError, TypeError) as error:
        raise BadSchedule("These fields make no repeating time.") from error
