"""A bot in its world with every instrument attached, and time that moves only from one count to the next."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

from pydantic import SecretStr

from bot.domain.audit import AuditCode, AuditEvent
from bot.runtime.core.lock import PLACES
from bot.runtime.core.priority import Priorities
from bot.runtime.core.transaction import AGENT
from bot.secrets import new_key
from bot.store.unit_of_work import UnitOfWork
from playground.people import COLLEAGUES, TEAM_ID, Person
from tests.acceptance.world import DATABASE, PATIENT, Emulator, Json, World, world
from tests.verification.costs import postgresql_wire, sqlite_wire, written
from tests.verification.costs.causes import Causes
from tests.verification.costs.cost import Cost
from tests.verification.costs.meter import Meter, Tally
from tests.verification.costs.model_gate import ModelGates, model_gates
from tests.verification.costs.stopped_time import StoppedTime, stopped_time
from tests.verification.costs.traffic import Traffic, look_again
from tests.verification.costs.written import Written

_ROUND_SECONDS = 0.21  # longer than the sealer and the live view rest, and all rounds of a step are shorter than a tick
_ROUNDS = 2  # one may have begun to rest just now
_LINGER_ROUNDS = 3_000  # an effect follows its claim before anything is shown, however late a server answers
_LOOKING = {"thread #", "slack-update-#", "wake-ups", "process job serve[#]"}
_NEVER = 86_400.0
_ENTRIES = 100
"""An entry of the log names the number of an earlier one: from here on all of them have three digits."""

_UNDELIVERED = "SELECT id FROM outbox WHERE state = 'pending' LIMIT 1"
_UNSEALED = "SELECT id FROM audit WHERE seq IS NULL LIMIT 1"
_UNFINISHED = "SELECT id FROM runs WHERE state IN ('queued', 'planning', 'executing', 'awaiting_confirmation') LIMIT 1"


@dataclass(slots=True, kw_only=True)
class Scene:
    """Plays until something is so, and says what that cost."""

    here: World
    meter: Meter
    written: Written
    traffic: Traffic
    gates: ModelGates
    clock: StoppedTime
    is_ordered: bool
    """Whether tasks go on in the same order each time; with a server that answers when it can they do not."""

    _logged: dict[str, int] = field(default_factory=dict[str, int])

    async def model_asked(self) -> Cost:
        """Until the model is asked, and what came before it is shown and sealed."""
        return await self._cost(lambda: self.gates.asked.waiting)

    async def answer(self) -> None:
        """The model answers, and what it says is shown before it ends."""
        self.gates.asked.let_through()
        await self._rest(lambda: self.gates.said.waiting)
        self.gates.said.let_through()

    async def card_for(self, person: Person) -> tuple[Json, Cost]:
        """Until the person's only card stands, and their thread is left alone."""
        while not (cards := await self.here.cards(self.here.dm_of(person))):
            await look_again()
        (card,) = cards
        return card, await self._cost(lambda: not _is_there("thread "))

    async def end(self) -> Cost:
        """Until every run has ended."""
        return await self._cost(lambda: not self.written.rows(_UNFINISHED) and not _is_there("thread "))

    async def _rest(self, is_so: Callable[[], object]) -> None:
        """Until this is so, and nothing is left that waits for less than a tick."""
        await self.traffic.until(lambda: is_so() and self._is_delivered())
        for _ in range(_ROUNDS):
            self.clock.advance(_ROUND_SECONDS)
            await self.traffic.until(self._is_delivered)

    async def _cost(self, is_so: Callable[[], object]) -> Cost:
        await self._rest(is_so)
        assert not self.written.rows(_UNSEALED)
        return Cost(
            tallies=[
                (cause, tally) for cause, tally in self.meter.taken() if self.is_ordered or not _looks(cause, tally)
            ],
            model=len(await self._calls(self.here.gemini)),
            slack=Counter(path.removeprefix("/api/") for path in await self._calls(self.here.slack)),
            google=len(await self._calls(self.here.google)),
            stored=self.written.taken(),
        )

    def _is_delivered(self) -> bool:
        return not self.written.rows(_UNDELIVERED) and not _is_there("deliver ")

    async def _calls(self, emulator: Emulator) -> list[str]:
        """The paths of the requests that this one got since the last time."""
        entries = (await emulator.get(f"/__admin/log?after={self._logged.get(emulator.url, 0)}"))["entries"]
        self._logged[emulator.url] = max((entry["n"] for entry in entries), default=self._logged.get(emulator.url, 0))
        return [entry["path"] for entry in entries if entry["direction"] == "in" and entry["method"] in {"GET", "POST"}]


def _looks(cause: str, tally: Tally) -> bool:
    """Whether somebody looked what there is to do in a thread, to be shown of it, or for a job: how often depends on
    the order of tasks, and on how long all of it takes. A job that was there was deleted, which is no look.
    """
    return cause in _LOOKING and not tally.writing


def _is_there(beginning: str) -> bool:
    """Whether there is a task whose name begins like this."""
    return any(task.get_name().startswith(beginning) for task in asyncio.all_tasks())


@asynccontextmanager
async def scene(folder: Path, *, postgresql: str = "", alone: Person) -> AsyncGenerator[Scene]:
    """The bot over a SQLite file in this folder, or over this PostgreSQL database; it acts `alone` for this person."""
    causes, meter, traffic = Causes(), Meter(), Traffic()
    async with AsyncExitStack() as stack:
        clock = stack.enter_context(stopped_time())
        here = await stack.enter_async_context(world(folder))
        stack.enter_context(causes.noted())
        stack.enter_context(traffic.of_slack())
        gates = stack.enter_context(model_gates())
        stack.enter_context(patch.dict(Priorities.__init__.__kwdefaults__, linger=_LINGER_ROUNDS))
        if postgresql:
            rows = stack.enter_context(written.in_postgresql(postgresql))
            stack.enter_context(postgresql_wire.heard(meter, causes, traffic))
        else:
            rows = stack.enter_context(written.in_sqlite(folder / DATABASE))
            stack.enter_context(sqlite_wire.heard(folder / DATABASE, meter, causes))
        await _start(here, postgresql)
        stack.push_async_callback(here.stop_bot)
        await here.act_alone(alone)
        stack.enter_context(clock.in_the_loop())
        yield Scene(
            here=here, meter=meter, written=rows, traffic=traffic, gates=gates, clock=clock, is_ordered=not postgresql
        )


async def _start(here: World, postgresql: str) -> None:
    timings = replace(PATIENT, sweep_seconds=_NEVER)
    if postgresql:
        await here.start_bot(timings=timings, database_url=postgresql, encryption_keys=SecretStr(new_key()))
    else:
        await here.start_bot(timings=timings)
    for person in COLLEAGUES:
        await here.connect(person)
    async with here.base.store.write() as work:
        await _use(work, here.base.clock.now())


async def _use(work: UnitOfWork, now: datetime) -> None:
    """Make the database one that was used before."""
    some = AuditEvent(team=TEAM_ID, code=AuditCode.CONNECTION_ADOPTED, actor=AGENT)
    await work.audit.record(*[some] * _ENTRIES)
    for place in range(PLACES):  # which of them a message is locked by is chance, and the first time costs less
        await work.leases.take(f"alone:{place}", AGENT, now=now, seconds=0.0)
