"""What a plan may use, and what its owner is told where it stops while it is made or changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.limits import DailyBudgets, Limit, Spent, day_of
from bot.domain.plans import Phase, TaskStatus
from bot.domain.questions import QUESTION_LIFE, Choice
from bot.domain.runs import Run, RunState
from bot.llm.model import CallingMode, ModelEvent, ModelRequest, ModelUnavailable
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.limits import stops, usage
from bot.runtime.limits.cost import CostTracker
from bot.runtime.questions import expiry
from bot.runtime.questions.edit import Edit, Editing
from bot.runtime.runs import resume
from bot.runtime.texts import about_plans
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.plans.test_plan import (
    FIND,
    FOUND,
    LOOK,
    ONE,
    PROPOSE,
    SEND,
    WRITE,
    confirmed,
    judged,
    planned,
    refined,
    tasks_of,
)
from tests.unit.bot.runtime.plans.test_plan_mended import added, sealed
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path) as made:
        yield made


# What it may use ----------------------------------------------------------------------------------------------


async def grown(here: Harness, **values: Any) -> Run:
    """A plan of two tasks that sent a mail for the first one, added eleven, and is asked about anew."""
    send_first: Said = [("propose_plan", {"tasks": [SEND, FIND]})]
    return await confirmed(
        here, "I answer.", WRITE, judged("Sent.", modifications=added(11)), plan=send_first, **values
    )


async def may_use(here: Harness, run: Run) -> str:
    """What the newest card of the plan says of that."""
    card = await here.queries.card((await here.card_of(run.id)).id)
    assert card is not None
    return next(f"{field.label}: {field.value}" for field in card.preview.fields if field.label.startswith("It may"))


async def test_nothing_after_the_first_confirmation_adds_to_what_a_plan_may_use(here: Harness) -> None:
    """Tasks that are added, changes in words and by hand, and confirming it again all draw from the same amount."""
    run = await grown(here)
    granted = run.ceiling
    assert (granted.cards, granted.effects, granted.recipients) == (6, 20, 20)
    first = await here.queries.card((await here.card_of(run.id)).id)
    assert first is not None
    here.model.says = [[("propose_plan", {"tasks": [FIND, *({"title": f"T{n}", "goal": f"G{n}."} for n in range(9))]})]]
    assert (await refined(here, run, "Other tasks.")).accepted
    assert (await here.run(run.id)).ceiling == granted
    value = (await here.card_of(run.id)).button_value()
    editing = Editing(transactions=here.transactions, registry=here.runner.evaluator.claims.registry)
    assert (await editing.edit(Edit(team=TEAM, user=DANA, value=value, args={"tasks": [FIND]}))).accepted
    await here.serve()
    assert (await may_use(here, run)).startswith("It may still use: at most 6 approvals, 19 changes, US$")
    here.model.says = [*FOUND]
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    await here.serve()
    ended = await here.run(run.id)
    assert (ended.state, ended.ceiling) == (RunState.COMPLETED, granted)


async def test_before_the_first_confirmation_a_card_says_what_that_grants(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    here.model.says = [ONE]
    assert (await refined(here, run, "Only find it.")).accepted
    assert (await may_use(here, run)).startswith("It may use: at most 3 approvals, 10 changes, US$")


@pytest.mark.parametrize(
    "last", ["I looked, and not more.", LOOK, ModelUnavailable("off")], ids=["text", "call", "none"]
)
async def test_a_plan_whose_amount_is_used_up_while_it_is_changed_pauses_and_goes_on_with_the_change(
    here: Harness, last: Said
) -> None:
    """Its owner is told so. Continue grants as much once more; what they said before is not lost."""
    run = await grown(here)
    async with here.transactions.write() as tx:
        await tx.work.runs.change(run.id, ceiling=replace(run.ceiling, tokens=usage.tokens_of(run)))
    here.model.says = [last]
    assert (await refined(here, run, "Only find it.")).accepted
    stopped = await here.run(run.id)
    assert (stopped.state, stopped.phase) == (RunState.PAUSED, Phase.PROPOSE)
    assert "which is the limit for this plan" in stopped.summary
    here.model.says = [ONE]
    assert (await resume.continue_run(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await here.serve()
    assert "Only find it." in str(here.model.requests[-1].contents)
    assert [task.title for task in await tasks_of(here, run) if task.status is TaskStatus.PENDING] == [FIND["title"]]
    assert (await here.run(run.id)).state is RunState.AWAITING


async def test_changing_a_confirmed_plan_that_has_nothing_left_asks_the_model_for_no_more_than_its_last_word(
    here: Harness,
) -> None:
    run = await grown(here)
    async with here.transactions.write() as tx:
        await tx.work.runs.change(run.id, ceiling=replace(run.ceiling, tokens=usage.tokens_of(run)))
    here.model.says = ["I changed nothing."]
    asked = len(here.model.requests)
    assert (await refined(here, run, "Only find it.")).accepted
    assert [request.calling_mode for request in here.model.requests[asked:]] == [CallingMode.NONE]


# Where it stops while it is made or changed -------------------------------------------------------------------


@pytest.mark.parametrize("is_changed", [False, True], ids=["made", "changed"])
@pytest.mark.parametrize("stop", ["budget", "hard", "deadline"])
async def test_a_plan_that_stops_while_it_is_made_or_changed_says_so_and_goes_on_with_what_was_said(
    tmp_path: Path, stop: str, *, is_changed: bool
) -> None:
    """Its owner reads what stopped it, how far the plan is, and what the next step is; then they are asked about it."""
    async with harness(tmp_path, costs=CostTracker(daily=DailyBudgets(user_tokens=1_000))) as here:
        until = here.base.clock.now() + timedelta(minutes=30) if stop == "deadline" else None
        if is_changed:
            run = await planned(here, PROPOSE, deadline_at=until)
            await begins(here, stop)
            assert (await refined(here, run, "Only find it.")).accepted
        else:
            await begins(here, stop)
            run = await planned(here, deadline_at=until)
        paused = await here.run(run.id)
        assert paused.state is RunState.PAUSED
        why = {"budget": "budget for today", "hard": "limit for this plan", "deadline": "The deadline is over"}[stop]
        assert why in paused.summary
        told = (about_plans.NOT_MADE, about_plans.NOT_CHANGED)
        if stop == "deadline":
            told = (about_plans.NOT_MADE_IN_TIME, about_plans.NOT_CHANGED_IN_TIME)
        assert paused.summary.endswith(told[is_changed])
        assert paused.summary.count("Continue") == 1
        async with here.base.store.read() as work:
            assert len(await work.runs.live("thr_1")) == 0
        await sealed(here)
        here.base.clock.advance(86_400)
        here.model.says = [ONE]
        click, later = ButtonClick(team=TEAM, user=DANA, value=run.id), here.base.clock.now() + timedelta(hours=1)
        assert (await resume.continue_run(here.transactions, click, later if until else None)).accepted
        await here.serve()
        assert ("Only find it." in str(here.model.requests[-1].contents)) is is_changed
        assert (await here.run(run.id)).state is RunState.AWAITING
        assert [task.title for task in await tasks_of(here, run)] == [FIND["title"]]


async def begins(here: Harness, stop: str) -> None:
    """The day's budget is used up, or the next call of the model has no answer when this stops the run."""
    if stop == "budget":
        async with here.base.store.write() as work:
            await work.spending.add(TEAM, DANA, day_of(here.base.clock.now()), Spent(tokens=1_000))
        return
    stream = here.model.stream

    async def hanging(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        here.model.stream = stream
        if stop == "deadline":
            here.base.clock.advance(31 * 60)
        async with here.transactions.write() as tx:
            (run,) = await tx.work.runs.live("thr_1")
            if stop == "hard":
                await tx.work.threads.lock(run.thread_id)
                await stops.hard(tx, run, Limit.ACTIVE)
        await asyncio.Event().wait()
        async for event in stream(request):
            yield event

    here.model.stream = hanging


async def test_a_plan_whose_deadline_passes_while_its_card_waits_was_not_confirmed(here: Harness) -> None:
    run = await planned(here, PROPOSE, deadline_at=here.base.clock.now() + timedelta(hours=1))
    here.base.clock.advance(3_601)
    await here.serve()
    said = (await here.run(run.id)).summary
    assert about_plans.NOT_CONFIRMED_IN_TIME in said
    assert said.count("Continue") == 1


async def test_a_plan_that_nobody_answers_is_told_as_anything_else_is(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    await expiry.tick(here.transactions)
    await here.serve()
    paused = await here.run(run.id)
    assert paused.state is RunState.PAUSED
    assert not any(told in paused.summary for told in (about_plans.NOT_CONFIRMED, about_plans.NOT_CHANGED))
