"""What the holder of a thread's lease knows: what its own commits left, and nothing for longer than it is true."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import ExitStack

import pytest

from bot.domain.actions import ActionState
from bot.domain.runs import Run, RunChanges, RunState
from bot.errors import BotError
from bot.llm import wire
from bot.llm.model import Wire
from bot.llm.wire import NOBODY
from bot.runtime.core.lease import Lease, leased
from bot.runtime.core.working_set import HeldThreads, History, WorkingSet
from bot.store.repositories.actions import Actions
from bot.store.repositories.runs import MARKS, Runs
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


CALLS = 12


async def history(here: Harness, known: WorkingSet, run: Run) -> tuple[History, int]:
    """The run's history, and how many statements it took."""
    with here.base.heard() as said:
        async with here.base.store.read() as work:
            found = await known.history(work, run.id, calls=CALLS)
    return found, len(said)


async def appended(here: Harness, run: Run, *texts: Wire) -> None:
    """Somebody else adds contents."""
    async with here.base.store.write() as work:
        await work.steps.append(run.id, texts)


async def test_a_history_is_read_once_after_a_look(here: Harness, lease: Lease, known: WorkingSet) -> None:
    """Its contents from where they ended. What is committed under the lease is known, contents and calls."""
    run = await planning(here, known)
    texts = [wire.user_text(str(n)) for n in range(4)]
    await appended(here, run, texts[0])
    assert (await history(here, known, run))[0].contents == [(texts[0], NOBODY)]
    async with lease.write() as tx:
        step = make.step(run_id=run.id)
        await tx.work.steps.add(step)
        await tx.work.steps.append(run.id, texts[1:3])
        await tx.work.actions.add([make.action(run_id=run.id, step_id=step.id, tool="gmail_search", args_hash="h")])
    found, statements = await history(here, known, run)
    assert ([content for content, _ in found.contents], found.calls) == (texts[:3], ["gmail_search:h"])
    assert statements == 0
    await appended(here, run, texts[3])
    await known.look(here.base.store)
    with here.base.heard() as said:
        found, _ = await history(here, known, run)
    assert [content for content, _ in found.contents] == texts
    assert [list(values)[1] for sql, values in said if "FROM contents" in sql] == [3]
    assert found.calls == ["gmail_search:h"]


async def test_what_others_add_between_is_not_left_out(here: Harness, lease: Lease, known: WorkingSet) -> None:
    """A content of our own that does not stand right behind those that are known has another one before it."""
    run = await planning(here, known)
    texts = [wire.user_text(str(n)) for n in range(3)]
    await appended(here, run, texts[0])
    await history(here, known, run)
    await appended(here, run, texts[1])
    async with lease.write() as tx:
        await tx.work.steps.append(run.id, texts[2:])
    found, _ = await history(here, known, run)
    assert [content for content, _ in found.contents] == texts


async def test_a_history_that_a_commit_overtook_is_read_again(
    here: Harness, lease: Lease, known: WorkingSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read before a commit of our own lacks what that added."""
    run, calls = await planning(here, known), Actions.calls

    async def overtaken(actions: Actions, run_id: str, *, limit: int) -> Sequence[str]:
        async with lease.write() as tx:
            await tx.work.steps.append(run.id, [wire.user_text("meanwhile")])
        return await calls(actions, run_id, limit=limit)

    with monkeypatch.context() as now:
        now.setattr(Actions, "calls", overtaken)
        assert (await history(here, known, run))[0].contents == []
    assert len((await history(here, known, run))[0].contents) == 1


async def test_what_was_said_to_a_run_is_looked_for_until_it_was_taken_in(
    here: Harness, lease: Lease, known: WorkingSet
) -> None:
    """A history that is steered is not current."""
    run = await planning(here, known)
    async with here.base.store.write() as work:
        message = make.message(thread_id="thr_1", ts="9.1")
        await work.messages.add(message)
        await work.messages.change(message.id, steers=run.id)
    for _ in range(2):
        assert (await history(here, known, run))[0].is_steered
    async with lease.write() as tx:
        await tx.work.messages.change(message.id, taken_at=tx.now)
    found, _ = await history(here, known, run)
    assert not found.is_steered


async def test_more_than_that_is_not_kept(here: Harness) -> None:
    """Contents that are too long for the memory are read for each call, and are whole all the same."""
    known = WorkingSet(thread_id="thr_1", most_kept=10)
    run = await planning(here, known)
    async with here.base.store.write() as work:
        await work.steps.append(run.id, [wire.user_text("more than ten characters")])
    for _ in range(2):
        assert len((await history(here, known, run))[0].contents) == 1
    assert not known._histories  # pyright: ignore[reportPrivateUsage] - nothing else shows what is kept


async def test_what_is_known_of_a_run_ends_with_it(here: Harness, lease: Lease, known: WorkingSet) -> None:
    """Who serves a busy thread for long keeps nothing of the runs that are over."""
    run = await planning(here, known)
    async with here.base.store.read() as work:
        await known.history(work, run.id, calls=CALLS)
        await known.deferred(work, run.id)
    await known.asked_for(here.base.store, run)
    async with lease.write() as tx:
        await tx.work.runs.move(await tx.work.runs.find(run.id), RunState.CANCELLED)
    assert not known.runs
    assert not known._histories  # pyright: ignore[reportPrivateUsage] - as above
    assert not known._deferred  # pyright: ignore[reportPrivateUsage] - as above
    assert not known._asked_for  # pyright: ignore[reportPrivateUsage] - as above


# Looking at all of them -------------------------------------------------------------------------------------------

OTHER = WorkingSet(thread_id="thr_other")


async def test_one_look_is_for_all_threads(here: Harness, known: WorkingSet) -> None:
    """Each is told once, as it was not looked at before; then two statements say that nothing changed in any."""
    run, threads, told = await planning(here, known), HeldThreads(), list[str]()
    others = [WorkingSet(thread_id=f"thr_{n}") for n in range(2, 5)]
    with ExitStack() as stack:
        for one in (known, *others):
            stack.enter_context(threads.held(one, _telling(one, told)))
        await threads.look(here.base.store, known, seconds=0)
        assert (told, known.is_current) == (["thr_2", "thr_3", "thr_4"], False)
        for one in (known, *others):
            await one.look(here.base.store)
        told.clear()
        with here.base.heard() as said:
            await threads.look(here.base.store, others[0], seconds=0)
            await threads.look(here.base.store, known, seconds=30)
        assert [sql for sql, _ in said if "FROM" in sql] == [said[0][0], said[1][0]]
        assert (told, all(one.is_current for one in (known, *others))) == ([], True)
        assert known.runs == {run.id: run}


def _telling(one: WorkingSet, told: list[str]) -> Callable[[], None]:
    return lambda: told.append(one.thread_id)


@pytest.mark.parametrize("changes", [{"cancel_requested": True}, {"stopping": "time"}, {}])
async def test_what_others_change_is_told_to_who_serves_the_thread(
    here: Harness, known: WorkingSet, changes: RunChanges
) -> None:
    """Whoever looks."""
    run, threads, told = await planning(here, known), HeldThreads(), list[str]()
    looks = WorkingSet(thread_id="thr_2")
    with threads.held(known, _telling(known, told)), threads.held(looks, _telling(looks, told)):
        for _ in range(2):
            await threads.look(here.base.store, looks, seconds=0)
            await known.look(here.base.store)
        told.clear()
        if changes:
            async with here.base.store.write() as work:
                await work.runs.change(run.id, **changes)
        await threads.look(here.base.store, looks, seconds=0)
    assert (told, known.is_current) == ((["thr_1"], False) if changes else ([], True))


async def test_a_look_at_marks_lets_histories_be_read_again(here: Harness, known: WorkingSet) -> None:
    """What was said to a run stands in no row of it."""
    run, threads = await planning(here, known), HeldThreads()
    with threads.held(known, lambda: None), threads.held(OTHER, lambda: None):
        await threads.look(here.base.store, known, seconds=0)
        await known.look(here.base.store)
        await history(here, known, run)
        assert (await history(here, known, run))[1] == 0
        await threads.look(here.base.store, known, seconds=0)
    assert known.is_current
    assert (await history(here, known, run))[1] > 0


async def test_own_commits_are_looked_at_too(here: Harness, lease: Lease, known: WorkingSet) -> None:
    """The look behind a commit of our own reads the rows, which may have been changed by others at the same time."""
    run, threads = await planning(here, known), HeldThreads()
    with threads.held(known, lambda: None), threads.held(OTHER, lambda: None):
        await threads.look(here.base.store, known, seconds=0)
        await known.look(here.base.store)
        async with lease.write() as tx:
            await tx.work.runs.change((await tx.work.runs.find(run.id)).id, summary="So far.")
        assert known.is_current
        await threads.look(here.base.store, known, seconds=0)
    assert not known.is_current


async def test_one_that_nobody_looks_at_is_read(here: Harness, known: WorkingSet) -> None:
    await HeldThreads().look(here.base.store, known, seconds=0)
    assert not known.is_current


async def test_one_alone_is_read(here: Harness, known: WorkingSet) -> None:
    """As that is what a look could lead to."""
    threads = HeldThreads()
    with threads.held(known, lambda: None), here.base.heard() as said:
        await threads.look(here.base.store, known, seconds=0)
    assert (known.is_current, said) == (False, [])


def test_whatever_others_may_change_is_seen() -> None:
    """A column that may change is a mark, or is only changed under the lease of the run's thread."""
    by_its_holder = {"mode", "model", "transport", "instruction", "private", "usage", "cost_micros", "output"}
    with_its_state = {"summary", "partial", "error", "started_at", "completed_at", "duration_ms"}
    assert RunChanges.__annotations__.keys() - {*MARKS} == by_its_holder | with_its_state
