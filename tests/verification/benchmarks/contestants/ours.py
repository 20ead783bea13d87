"""Countersign: the real loop with policy, log, outbox and google-genai, durable at every step.

`python -m tests.verification.benchmarks.contestants.ours MODEL_URL DATABASE_URL [KEY]`. Requests come in through the
intake, each in a thread of its own, as if Slack had sent them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence

import structlog
from pydantic import SecretStr

from bot.commands import heap
from bot.commands.event_loop import new_event_loop
from bot.domain.events import Event, RunMoved
from bot.domain.limits import Limits
from bot.domain.runs import RunState
from bot.runtime.runs.incoming import Admitted, Incoming
from bot.runtime.runs.intake import Intake
from bot.settings import Settings
from bot.store.errors import NotRead, NotSaved
from bot.wiring.core import Core
from tests import proxies
from tests.verification.benchmarks.contestants.assembly import assembled
from tests.verification.benchmarks.contestants.serving import More, nothing_more, serve

_TEAM, _PERSON = "T1", "U1DANA"
_REPLICA = f"{os.getpid() % 1_000_000:06}"
"""No other one asks at the same place."""

_LOOK_SECONDS = 0.01
_ENDING_SECONDS = 4.0


class _People:
    """Ask, and wait until every request has ended."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._intake = Intake(transactions=core.transactions, limits=Limits())
        self._number = int(core.base.clock.now().timestamp() * 1000)
        self._ended: dict[str, asyncio.Event] = {}
        core.bus.attend(self._hear)

    async def play(self, steps: int, runs: int) -> int:
        """So many requests at once; how many did not come to a good end."""
        asked = await asyncio.gather(*(self._ask(steps) for _ in range(runs)))
        await (self._looked(asked) if self._core.base.shared else self._heard(asked))
        async with self._core.base.store.read() as work:
            ended = [await work.runs.find(run_id) for run_id in asked]
        return sum(run.state is not RunState.COMPLETED for run in ended)

    async def _ask(self, steps: int) -> str:
        self._number += 1
        said = Incoming(
            event_id=f"Ev{self._number}.{_REPLICA}", team=_TEAM, channel="D1", ts=f"{self._number}.{_REPLICA}",
            thread_ts=None, user=_PERSON, text=f"Look things up: steps={steps}", typed="Look things up", is_dm=True,
            mentions_agent=False,
        )  # fmt: skip
        while (admitted := await self._taken(said)) is None:
            await asyncio.sleep(_LOOK_SECONDS)
        assert admitted.run_id is not None, admitted
        return admitted.run_id

    async def _taken(self, said: Incoming) -> Admitted | None:
        """None where it was not saved in time: Slack sends it again."""
        try:
            return await self._intake.message(said)
        except (NotSaved, NotRead):
            return None

    def _hear(self, event: Event) -> None:
        if isinstance(event, RunMoved) and not event.state.is_live():
            self._of(event.run_id).set()

    def _of(self, run_id: str) -> asyncio.Event:
        return self._ended.setdefault(run_id, asyncio.Event())

    async def _heard(self, asked: Sequence[str]) -> None:
        for run_id in asked:
            await self._of(run_id).wait()
        self._ended.clear()

    async def _looked(self, asked: Sequence[str]) -> None:
        """Another replica may have served it: the rows say when it is done."""
        waiting = list(asked)
        while waiting:
            async with self._core.base.store.read() as work:
                while waiting and not (await work.runs.find(waiting[-1])).state.is_live():
                    waiting.pop()
            await asyncio.sleep(_LOOK_SECONDS if waiting else 0)


def _end_for_certain() -> None:
    """What this process works with may be gone: it does not wait for that without end."""
    timer = threading.Timer(_ENDING_SECONDS, os._exit, (0,))
    timer.daemon = True
    timer.start()


async def _serve(model: str, database: str, key: str = "", *, more: More) -> None:
    settings = Settings(
        database_url=database, encryption_keys=SecretStr(key) if key else None, gemini_api_key=SecretStr("bench"),
        gemini_model="bench", google_gemini_base_url=model, agent_requests_per_minute=0,
    )  # fmt: skip
    async with contextlib.AsyncExitStack() as stack:
        with heap.built():  # as `countersign run` does
            core = await stack.enter_async_context(assembled(settings))
        await serve(_People(core).play, more)
        _end_for_certain()


def main(*given: str, loop_factory: Callable[[], asyncio.AbstractEventLoop], more: More = nothing_more) -> None:
    """Serve; `more` is what an answer tells besides."""
    proxies.forget()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_serve(*given, more=more))


if __name__ == "__main__":
    main(*sys.argv[1:], loop_factory=new_event_loop)  # as `countersign run` does
