"""Confirm beside something else at the same moment: one of them counts, and the other is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.plans import TaskStatus
from bot.domain.questions import QUESTION_LIFE, Choice, Question
from bot.domain.runs import Run, RunState
from bot.runtime.plans.refinement import Refinement, refine_plan
from bot.runtime.questions import expiry
from bot.runtime.questions.edit import Edit, Editing
from bot.runtime.runs import stop
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.plans.mortal import Watch
from tests.unit.bot.runtime.plans.test_plan import FIND, FOUND, ONE, PROPOSE, SENT, plan_of, planned, tasks_of
from tests.unit.bot.runtime.runtime_harness import Harness, harness

Other = Callable[[Harness, Run, Question], Awaitable[bool]]


@pytest.fixture(params=["sqlite", "postgresql"])
async def here(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncGenerator[Harness]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    async with harness(tmp_path, postgresql=url) as made:
        yield made


async def confirms(here: Harness, run: Run, question: Question) -> bool:
    return (await here.click(question, Choice.CONFIRM)).accepted


async def cancels(here: Harness, run: Run, question: Question) -> bool:
    return (await here.click(question, Choice.REJECT)).accepted


async def refines(here: Harness, run: Run, question: Question) -> bool:
    wanted = Refinement(team=TEAM, user=DANA, value=question.button_value(), words="Only find it.")
    return (await refine_plan(here.transactions, wanted)).accepted


async def edits(here: Harness, run: Run, question: Question) -> bool:
    edit = Edit(team=TEAM, user=DANA, value=question.button_value(), args={"tasks": [FIND]})
    editing = Editing(transactions=here.transactions, registry=here.runner.evaluator.claims.registry)
    return (await editing.edit(edit)).accepted


async def says_no(here: Harness, run: Run, question: Question) -> bool:
    await here.says("no")
    return (await here.run(run.id)).cancel_requested


async def stops(here: Harness, run: Run, question: Question) -> bool:
    async with here.transactions.write() as tx:
        await stop.stop(tx, await tx.work.runs.find(run.id), by=DANA)
    return True


async def expires(here: Harness, run: Run, question: Question) -> bool:
    await expiry.tick(here.transactions)
    return (await here.run(run.id)).state is RunState.PAUSED


EXCLUDING: list[Other] = [confirms, cancels, refines, edits]
"""Of these and Confirm only one counts."""


@pytest.mark.parametrize("other", EXCLUDING, ids=lambda other: other.__name__)
@pytest.mark.parametrize("first", [True, False], ids=["first", "second"])
async def test_of_confirm_and_another_answer_one_counts(here: Harness, other: Other, first: bool) -> None:
    run = await planned(here, PROPOSE)
    card = await here.card_of(run.id)
    both = [confirms(here, run, card), other(here, run, card)]
    counted = await asyncio.gather(*(both if first else reversed(both)))
    assert sum(counted) == 1
    confirmed = counted[0 if first else 1] or other is confirms
    here.model.says = [*FOUND, *SENT] if confirmed else [ONE]
    await here.serve()
    await Watch(here).look()
    assert ((await plan_of(here, run)).confirmed == 1) == confirmed
    assert len(here.effect.calls) == confirmed
    if other is not cancels or confirmed:
        assert (await here.run(run.id)).state is (RunState.COMPLETED if confirmed else RunState.AWAITING)


@pytest.mark.parametrize("first", [True, False], ids=["first", "second"])
async def test_of_two_changes_at_once_one_is_made(here: Harness, first: bool) -> None:
    run = await planned(here, PROPOSE)
    card = await here.card_of(run.id)
    assert sum(await asyncio.gather(refines(here, run, card), (refines if first else edits)(here, run, card))) == 1
    here.model.says = [ONE]
    await here.serve()
    assert (await plan_of(here, run)).revision == 2
    assert [task.title for task in await tasks_of(here, run)] == ["Find the mail"]


@pytest.mark.parametrize("first", [True, False], ids=["first", "second"])
async def test_a_stop_beside_confirm_begins_nothing_more(here: Harness, first: bool) -> None:
    run = await planned(here, PROPOSE)
    card = await here.card_of(run.id)
    here.model.says = [*FOUND, *SENT]
    both = [confirms(here, run, card), stops(here, run, card)]
    await asyncio.gather(*(both if first else reversed(both)))
    await here.serve()
    await Watch(here).look()
    assert (await here.run(run.id)).state is RunState.CANCELLED
    assert {task.status for task in await tasks_of(here, run)} == {TaskStatus.PENDING}
    assert here.effect.calls == []


@pytest.mark.parametrize("first", [True, False], ids=["first", "second"])
async def test_no_beside_confirm(here: Harness, first: bool) -> None:
    """What was confirmed before is carried out; the words go to it."""
    run = await planned(here, PROPOSE)
    card = await here.card_of(run.id)
    both = [confirms(here, run, card), says_no(here, run, card)]
    counted = await asyncio.gather(*(both if first else reversed(both)))
    assert sum(counted) == 1
    await Watch(here).look()
    confirmed = counted[0 if first else 1]
    assert ((await plan_of(here, run)).confirmed == 1) == confirmed


@pytest.mark.parametrize("first", [True, False], ids=["first", "second"])
async def test_confirm_beside_expiry_is_too_late(here: Harness, first: bool) -> None:
    run = await planned(here, PROPOSE)
    card = await here.card_of(run.id)
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    both = [confirms(here, run, card), expires(here, run, card)]
    await asyncio.gather(*(both if first else reversed(both)))
    await here.serve()
    assert (await plan_of(here, run)).confirmed is None
    assert (await here.run(run.id)).state is RunState.PAUSED


async def test_confirm_at_the_deadline_is_too_late(here: Harness) -> None:
    until = here.base.clock.now() + timedelta(minutes=5)
    run = await planned(here, PROPOSE, deadline_at=until)
    card = await here.card_of(run.id)
    here.base.clock.advance((until - here.base.clock.now()).total_seconds())
    counted, _ = await asyncio.gather(confirms(here, run, card), here.serve())
    assert not counted
    assert (await plan_of(here, run)).confirmed is None
    assert (await here.run(run.id)).state is RunState.PAUSED
