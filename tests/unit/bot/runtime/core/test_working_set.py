"""What the holder of a thread's lease knows: what its own commits left, and nothing for longer than it is true."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

import pytest

from bot.domain.actions import ActionState
from bot.domain.runs import Run, RunState
from bot.errors import BotError
from bot.llm import wire
from bot.runtime.core import working_set
from bot.runtime.core.lease import Lease, leased
from bot.runtime.core.working_set import WorkingSet
from bot.store.repositories.runs import Runs
from policies.types import Label
from tests import builders as make
from tests.unit.bot.runtime.runtime_harness import Harness


@pytest.fixture
async def lease(here: Harness) -> AsyncGenerator[Lease]:
    async with leased(here.transactions, "thr_1", "here") as held:
        assert held is not None
        yield held


@pytest.fixture
async def known(here: Harness, lease: Lease) -> WorkingSet:
    """It has looked at a thread without runs."""
    assert await lease.working_set.look(here.base.store)
    return lease.working_set


async def planning(here: Harness, known: WorkingSet) -> Run:
    """A run that plans, and is known."""
    run = await here.request(state=RunState.PLANNING)
    await known.look(here.base.store)
    return run


async def test_a_commit_under_the_lease_tells_what_it_left(here: Harness, lease: Lease, known: WorkingSet) -> None:
    """Runs and actions are known as they were committed; what ended is known no more. Nothing is read again."""
    run = await planning(here, known)
    step = make.step(run_id=run.id)
    reads = [make.action(run_id=run.id, step_id=step.id, state=ActionState.EXECUTING) for _ in range(2)]
    async with lease.write() as tx:
        await tx.work.steps.add(step)
        await tx.work.actions.add(reads)
        await tx.work.runs.move(await tx.work.runs.find(run.id), RunState.EXECUTING)
    assert known.runs[run.id].state is RunState.EXECUTING
    assert known.actions.keys() == {read.id for read in reads}
    async with lease.write() as tx:
        await tx.work.actions.move(await tx.work.actions.find(reads[0].id), ActionState.COMPLETED)
    assert known.actions.keys() == {reads[1].id}
    assert known.is_current


async def test_a_commit_that_failed_tells_nothing(here: Harness, lease: Lease, known: WorkingSet) -> None:
    """What was rolled back was never so."""
    run = await planning(here, known)

    async def fails() -> None:
        async with lease.write() as tx:
            await tx.worsen("thr_1", Label.EXTERNAL)
            await tx.work.runs.move(await tx.work.runs.find(run.id), RunState.CANCELLED)
            raise BotError

    with pytest.raises(BotError):
        await fails()
    assert (known.runs[run.id].state, known.label) == (RunState.PLANNING, Label.OWNER)


async def test_what_is_written_past_it_is_read_again(here: Harness, lease: Lease, known: WorkingSet) -> None:
    """A note of an attempt changes a row that the transaction does not know: it is to be looked at."""
    action = await here.standing(here.effect, ActionState.EXECUTING, attempt=1)
    await known.look(here.base.store)
    async with lease.write() as tx:
        await tx.work.actions.note(action.id, 1, {"draft": "d1"})
    assert not known.is_current


async def test_a_look_that_a_commit_overtook_does_not_count(
    here: Harness, lease: Lease, known: WorkingSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read before a commit of our own is older than what that commit told."""
    run, live = await planning(here, known), Runs.live

    async def overtaken(runs: Runs, thread_id: str) -> Sequence[Run]:
        found = await live(runs, thread_id)
        async with lease.write() as tx:
            await tx.work.runs.move(await tx.work.runs.find(run.id), RunState.EXECUTING)
        return found

    with monkeypatch.context() as now:
        now.setattr(Runs, "live", overtaken)
        assert not await known.look(here.base.store)
    assert known.runs[run.id].state is RunState.EXECUTING
    assert await known.look(here.base.store)


async def test_contents_are_read_once(here: Harness, lease: Lease, known: WorkingSet) -> None:
    """Those that were read are kept, and what anybody adds is read behind them."""
    run = await planning(here, known)
    texts = [wire.user_text(str(n)) for n in range(3)]
    for before, added in ((0, texts[:1]), (1, texts[1:])):
        async with here.base.store.write() as work:
            await work.steps.append(run.id, added)
        async with here.base.store.read() as work:
            with here.base.heard() as said:
                found = await known.contents(work, run.id)
        assert [content for content, _ in found] == texts[: before + len(added)]
        assert [list(values)[1] for _, values in said] == [before]


async def test_more_than_that_is_not_kept(here: Harness, known: WorkingSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contents that are too long for the memory are read for each call, and are whole all the same."""
    monkeypatch.setattr(working_set, "_MOST_KEPT", 10)
    run = await planning(here, known)
    async with here.base.store.write() as work:
        await work.steps.append(run.id, [wire.user_text("more than ten characters")])
    for _ in range(2):
        async with here.base.store.read() as work:
            assert len(await known.contents(work, run.id)) == 1
    assert not known._contents  # pyright: ignore[reportPrivateUsage] - nothing else shows what is kept


async def test_what_is_known_of_a_run_ends_with_it(here: Harness, lease: Lease, known: WorkingSet) -> None:
    """Who serves a busy thread for long keeps nothing of the runs that are over."""
    run = await planning(here, known)
    async with here.base.store.read() as work:
        await known.contents(work, run.id)
        await known.deferred(work, run.id)
    await known.asked_for(here.base.store, run)
    async with lease.write() as tx:
        await tx.work.runs.move(await tx.work.runs.find(run.id), RunState.CANCELLED)
    kept = (known.runs, known._contents, known._deferred, known._asked_for)  # pyright: ignore[reportPrivateUsage]
    assert not any(kept)
