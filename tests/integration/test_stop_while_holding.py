"""“Stop” in the very moment in which something is being held back, on a real PostgreSQL: nothing leaves later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.limits import Limits
from bot.domain.questions import Choice
from bot.domain.runs import Run, RunState
from bot.domain.threads import User
from bot.runtime.lifecycle.runs import message_source
from bot.runtime.questions.decide import Click, decide
from bot.runtime.runs import stop
from bot.runtime.runs.incoming import Incoming
from bot.runtime.runs.intake import Intake
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.actions.test_defer import SEND, every_run, later
from tests.unit.bot.runtime.runtime_harness import Directory, Harness, harness

DAY = timedelta(days=1)
Stop = Callable[[Harness, Run], Awaitable[object]]


@pytest.fixture
async def here(tmp_path: Path, postgres_url: str) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, postgresql=postgres_url) as made:
        yield made


async def typed(here: Harness, run: Run, *, thread_ts: str | None) -> None:
    said = Incoming(
        event_id="Ev9", team=TEAM, channel="D1", ts="9.1", thread_ts=thread_ts, user=DANA, text="stop", typed="stop",
        is_dm=True, mentions_agent=False,
    )  # fmt: skip
    await Intake(transactions=here.transactions, limits=Limits()).message(said)


async def typed_in_the_thread(here: Harness, run: Run) -> None:
    await typed(here, run, thread_ts="1.1")


async def typed_in_the_dm(here: Harness, run: Run) -> None:
    await typed(here, run, thread_ts=None)


async def by_button(here: Harness, run: Run) -> None:
    await stop.stop_thread(here.transactions, TEAM, DANA, "D1", "1.1")


async def of_everything(here: Harness, run: Run) -> None:
    await stop.stop_person(here.transactions, TEAM, DANA)


async def by_leaving(here: Harness, run: Run) -> None:
    await stop.person_changed(here.transactions, make.person(is_deleted=True))


async def by_deleting(here: Harness, run: Run) -> None:
    await Intake(transactions=here.transactions, limits=Limits()).deleted(TEAM, "D1", "1.1")


WAYS: list[Stop] = [typed_in_the_thread, typed_in_the_dm, by_button, of_everything, by_leaving, by_deleting]


async def approved(here: Harness) -> Run:
    """A run whose only action was approved for tomorrow; nobody has begun with it."""
    here.effect.moment = here.base.clock.now() + DAY
    async with here.base.store.write() as work:
        await work.users.set_level(TEAM, DANA, TrustLevel.SUPERVISED.value)
    here.model.says = [SEND]
    run = await here.request(order_key="1.1")
    async with here.base.store.write() as work:
        await work.messages.change(run.message_id, channel="D1", ts="1.1")
    source = message_source(TEAM, "D1", "1.1")
    await here.base.tamper(f"UPDATE runs SET source_key = '{source}' WHERE id = '{run.id}'")
    await here.serve()
    question = await here.question(run.id)
    assert question is not None
    click = Click(team=TEAM, user=DANA, value=question.button_value(), choice=Choice.APPROVE)
    assert (await decide(here.transactions, click)).accepted
    return await here.run(run.id)


async def waiting_for_rows(here: Harness, count: int) -> None:
    """Until so many transactions wait for a lock."""
    query = (
        "SELECT count(*) AS waiting FROM pg_stat_activity "
        "WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await asyncio.to_thread(here.base.rows, query))[0]["waiting"] < count:
            await asyncio.sleep(0.01)


async def about_to_claim(here: Harness) -> tuple[asyncio.Task[None], asyncio.Event]:
    """A worker that has the thread and waits, before its claim, until it is let go on."""
    there, going_on = asyncio.Event(), asyncio.Event()

    class Gate(Directory):
        async def profile(self, team: str, user: str) -> User:
            there.set()
            await going_on.wait()
            return make.person(user=user)

    prepared = replace(
        here.runner.executor.claims, profiles=replace(here.runner.executor.claims.profiles, profiles=Gate())
    )
    runner = replace(here.runner, executor=replace(here.runner.executor, claims=prepared))
    serving = asyncio.create_task(runner.serve("thr_1", asyncio.Event()))
    await asyncio.wait_for(there.wait(), PATIENCE_SECONDS)
    return serving, going_on


async def _stopped(stop: Stop, here: Harness, run: Run) -> None:
    await stop(here, run)


@pytest.mark.parametrize("first", ["the hold", "the stop"])
@pytest.mark.parametrize("stop", WAYS, ids=lambda stop: stop.__name__)
async def test_whoever_is_first(here: Harness, stop: Stop, first: str) -> None:
    """Both wait for the thread at once; in either order nothing is left that would be done at its moment.

    The model waits for the stop: row locks are no queue, and whoever has just had one may have it again before those
    that wait, so a run that goes on could complete before it is stopped.
    """
    run = await approved(here)
    here.model.hold = asyncio.Event()
    serving, going_on = await about_to_claim(here)
    async with asyncio.TaskGroup() as both, here.base.store.write() as work:
        await work.threads.lock(run.thread_id)
        for n, who in enumerate([going_on.set, None] if first == "the hold" else [None, going_on.set], start=1):
            if who is None:
                both.create_task(_stopped(stop, here, run))
            else:
                who()
            await waiting_for_rows(here, n)
    here.model.hold.set()
    await serving
    await later(here, 2 * DAY)
    await here.serve()
    assert not here.effect.calls
    runs = await every_run(here)
    if stop is not by_leaving:  # nothing is even held back for somebody who is known to be gone
        assert sum(each.holds is not None for each in runs) == (first == "the hold")
    assert {each.state for each in runs} == {RunState.CANCELLED}
