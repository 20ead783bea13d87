"""Countersign carrying plans out: one task, of so many rounds.

`python -m tests.verification.benchmarks.contestants.planned MODEL_URL DATABASE_URL`. A line is `{"steps": 8, "runs":
1}`: so many rounds, and so many plans at once. A process that takes up what another one left plays nothing.
"""

from __future__ import annotations

import asyncio
import logging
import sys

import structlog
from pydantic import SecretStr

from bot.commands.event_loop import new_event_loop
from bot.domain.events import Event, RunMoved
from bot.domain.limits import Limits
from bot.domain.runs import RunState
from bot.runtime.plans.requests import PlanRequests
from bot.runtime.plans.service import PlanService
from bot.settings import Settings
from bot.wiring.core import Core
from tests import proxies
from tests.verification.benchmarks.contestants.assembly import assembled
from tests.verification.benchmarks.contestants.serving import serve

_TEAM, _PERSON = "T1", "U1DANA"


class _People:
    """Have a plan made, confirm it, and wait for its end."""

    def __init__(self, core: Core) -> None:
        requests = PlanRequests(transactions=core.transactions, limits=Limits())
        self._plans = PlanService(requests=requests, team=_TEAM, user=_PERSON)
        self._moved: dict[str, asyncio.Queue[RunState]] = {}
        core.bus.attend(self._hear)

    async def play(self, rounds: int, runs: int) -> int:
        """So many plans at once; how many did not come to a good end."""
        ended = await asyncio.gather(*(self._plan(rounds) for _ in range(runs)))
        return sum(state is not RunState.COMPLETED for state in ended)

    async def _plan(self, rounds: int) -> RunState:
        session = await self._plans.begin(f"Look things up: rounds={rounds}")
        moved = self._of(session)
        while (state := await moved.get()) is not RunState.AWAITING:
            if not state.is_live():
                return state
        await self._plans.confirm_shown(session)
        while (state := await moved.get()).is_live():
            pass
        return state

    def _hear(self, event: Event) -> None:
        if isinstance(event, RunMoved):
            self._of(event.run_id).put_nowait(event.state)

    def _of(self, run_id: str) -> asyncio.Queue[RunState]:
        return self._moved.setdefault(run_id, asyncio.Queue())


async def _main(model: str, database: str) -> None:
    settings = Settings(
        database_url=database, gemini_api_key=SecretStr("bench"), gemini_model="bench",
        google_gemini_base_url=model, agent_requests_per_minute=0,
    )  # fmt: skip
    async with assembled(settings) as core:
        async with core.base.store.write() as work:
            await work.leases.void_all()  # as the bot does when it starts: on SQLite those of a killed one are nobody's
        await core.dispatcher.sweep()
        await serve(_People(core).play)


if __name__ == "__main__":
    proxies.forget()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with asyncio.Runner(loop_factory=new_event_loop) as runner:  # as `countersign run` does
        runner.run(_main(*sys.argv[1:]))
