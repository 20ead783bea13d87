"""A worker that was frozen in the middle of an attempt, and goes on after another took its thread over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.limits import Limit
from bot.domain.questions import QuestionState
from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.runtime.core.lease import Lease
from bot.runtime.limits import stops
from bot.runtime.runs import stop
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness
from tests.unit.bot.runtime.scripted import FOUND


async def taken_over(here: Harness) -> Action:
    """An attempt as its frozen worker knows it; its owner was asked what happened."""
    action = await here.standing(here.blind, ActionState.EXECUTING, attempt=1)
    await here.serve()
    assert (await here.action(action)).state is ActionState.UNKNOWN
    return action


async def tell(here: Harness, action: Action) -> None:
    """The frozen worker goes on: it was done."""
    lease = Lease(transactions=here.transactions, name="thread:thr_1", holder="frozen", epoch=0)
    await here.runner.reconciler.completed(action, FOUND, lease)


async def test_what_was_done_is_done(here: Harness) -> None:
    """Nobody is asked any more, the model gets the result, and the run goes on to its end."""
    action = await taken_over(here)
    asked = await here.question(action.run_id)
    here.model.says = ["Done."]
    await tell(here, action)
    now, run = await here.action(action), await here.run(action.run_id)
    assert (now.state, now.doubt, run.state) == (ActionState.COMPLETED, False, RunState.PLANNING)
    assert asked is not None
    async with here.base.store.read() as work:
        settled = await work.questions.find(asked.id)
    assert settled is not None
    assert settled.state is QuestionState.WITHDRAWN
    await here.serve()
    assert (await here.run(action.run_id)).state is RunState.COMPLETED


async def test_a_paused_run_rests(here: Harness) -> None:
    """Its card says that it happened; only its owner takes the run up again."""
    action = await taken_over(here)
    async with here.transactions.write() as tx:
        await stops.hard(tx, await here.run(action.run_id), Limit.ACTIVE)
    await tell(here, action)
    assert (await here.action(action)).state is ActionState.COMPLETED
    assert (await here.run(action.run_id)).state is RunState.PAUSED
    assert here.base.rows("SELECT open, closed_at FROM steps") == [{"open": 0, "closed_at": None}]


async def test_an_ended_run_stays_as_it_is(here: Harness) -> None:
    """What was said to be unknown at its stop is known after all; its step stays closed."""
    action = await taken_over(here)
    await stop.stop_person(here.transactions, TEAM, DANA)
    await tell(here, action)
    assert (await here.action(action)).state is ActionState.COMPLETED
    assert (await here.run(action.run_id)).state is RunState.CANCELLED
    async with here.base.store.read() as work:
        assert await work.steps.open_of(action.run_id) is None


async def test_nobody_is_in_doubt(here: Harness) -> None:
    """What its owner settled meanwhile stays settled."""
    action = await taken_over(here)
    async with here.base.store.write() as work:
        await work.actions.move(await here.action(action), ActionState.FAILED)
    with pytest.raises(LostRace):
        await tell(here, action)
    assert (await here.action(action)).state is ActionState.FAILED


async def test_the_word_is_told_until_it_counts(here: Harness) -> None:
    """The next worker asks the provider, who cannot tell, for a minute: only then is its owner asked."""
    action = await here.standing(here.blind, ActionState.EXECUTING, attempt=1)
    frozen = Lease(transactions=here.transactions, name="thread:thr_1", holder="frozen", epoch=0)
    minute = list[float]()

    async def sleep(seconds: float) -> None:
        minute.append(seconds)
        if sum(minute) > 60 and (await here.action(action)).state is ActionState.EXECUTING:
            await here.serve()

    reconciler = replace(here.runner.reconciler, sleep=sleep)
    await reconciler.completed(action, FOUND, frozen)
    assert (await here.action(action)).state is ActionState.COMPLETED
    assert 60 < sum(minute) < 70


async def test_the_word_is_not_told_for_ever(here: Harness) -> None:
    """Where nobody takes the thread over it is given up after some minutes."""
    action = await here.standing(here.blind, ActionState.EXECUTING, attempt=1)
    with pytest.raises(LostRace):
        await tell(here, action)
    assert 240 <= sum(here.waited) <= 360
