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
from tests.unit.bot.runtime.runtime_harness import House
from tests.unit.bot.runtime.scripted import FOUND


async def taken_over(home: House) -> Action:
    """An attempt as its frozen worker knows it; its owner was asked what happened."""
    action = await home.standing(home.blind, ActionState.EXECUTING, attempt=1)
    await home.serve()
    assert (await home.action(action)).state is ActionState.UNKNOWN
    return action


async def tell(home: House, action: Action) -> None:
    """The frozen worker goes on: it was done."""
    lease = Lease(transactions=home.transactions, name="thread:thr_1", holder="frozen", epoch=0)
    await home.runner.reconciler.completed(action, FOUND, lease)


async def test_what_was_done_is_done(home: House) -> None:
    """Nobody is asked any more, the model gets the result, and the run goes on to its end."""
    action = await taken_over(home)
    asked = await home.question(action.run_id)
    home.model.says = ["Done."]
    await tell(home, action)
    now, run = await home.action(action), await home.run(action.run_id)
    assert (now.state, now.doubt, run.state) == (ActionState.COMPLETED, False, RunState.PLANNING)
    assert asked is not None
    async with home.base.store.read() as work:
        settled = await work.questions.find(asked.id)
    assert settled is not None
    assert settled.state is QuestionState.WITHDRAWN
    await home.serve()
    assert (await home.run(action.run_id)).state is RunState.COMPLETED


async def test_a_paused_run_rests(home: House) -> None:
    """Its card says that it happened; only its owner takes the run up again."""
    action = await taken_over(home)
    async with home.transactions.write() as tx:
        await stops.hard(tx, await home.run(action.run_id), Limit.ACTIVE)
    await tell(home, action)
    assert (await home.action(action)).state is ActionState.COMPLETED
    assert (await home.run(action.run_id)).state is RunState.PAUSED
    assert home.base.rows("SELECT open, closed_at FROM steps") == [{"open": 0, "closed_at": None}]


async def test_an_ended_run_stays_as_it_is(home: House) -> None:
    """What was said to be unknown at its stop is known after all."""
    action = await taken_over(home)
    await stop.stop_person(home.transactions, TEAM, DANA)
    await tell(home, action)
    assert (await home.action(action)).state is ActionState.COMPLETED
    assert (await home.run(action.run_id)).state is RunState.CANCELLED


async def test_nobody_is_in_doubt(home: House) -> None:
    """What its owner settled meanwhile stays settled."""
    action = await taken_over(home)
    async with home.base.store.write() as work:
        await work.actions.move(await home.action(action), ActionState.FAILED)
    with pytest.raises(LostRace):
        await tell(home, action)
    assert (await home.action(action)).state is ActionState.FAILED


async def test_the_word_is_told_until_it_counts(home: House) -> None:
    """The next worker asks the provider, who cannot tell, for a minute: only then is its owner asked."""
    action = await home.standing(home.blind, ActionState.EXECUTING, attempt=1)
    frozen = Lease(transactions=home.transactions, name="thread:thr_1", holder="frozen", epoch=0)
    minute = list[float]()

    async def sleep(seconds: float) -> None:
        minute.append(seconds)
        if sum(minute) > 60 and (await home.action(action)).state is ActionState.EXECUTING:
            await home.serve()

    reconciler = replace(home.runner.reconciler, sleep=sleep)
    await reconciler.completed(action, FOUND, frozen)
    assert (await home.action(action)).state is ActionState.COMPLETED
    assert 60 < sum(minute) < 70


async def test_the_word_is_not_told_for_ever(home: House) -> None:
    """Where nobody takes the thread over it is given up after some minutes."""
    action = await home.standing(home.blind, ActionState.EXECUTING, attempt=1)
    with pytest.raises(LostRace):
        await tell(home, action)
    assert 240 <= sum(home.waited) <= 360
