"""What a plan does later, and its deadline: nothing is begun after that, be it scheduled or still to be undone."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.actions import ActionState
from bot.domain.plans import TaskStatus
from bot.domain.questions import QUESTION_LIFE, Choice, Question
from bot.domain.runs import DEADLINE, Run, RunState
from bot.domain.threads import Surface
from bot.llm.model import ModelEvent, ModelRequest
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.limits.stops import DeadlineMonitor
from bot.runtime.plans.record import session
from bot.runtime.questions import expiry
from bot.runtime.questions.edit import Edit, Editing
from bot.runtime.questions.edit_forms import EditForms
from bot.runtime.runs import resume
from bot.runtime.texts import about_plans, to_people
from integrations.base import Preview, Variant
from policies.types import TrustLevel
from tests.builders import DANA, TEAM, HandClock
from tests.unit.bot.runtime.plans.test_plan import (
    FOUND,
    SEND,
    SENT,
    below,
    confirmed,
    history_of,
    judged,
    planned,
    tasks_of,
)
from tests.unit.bot.runtime.plans.test_plan_mended import sealed
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said

ONLY: Said = [("propose_plan", {"tasks": [SEND]})]
NOT_DONE: Sequence[Said] = (judged("It is not scheduled: the deadline is before that."), "Nothing more.")
AN_HOUR = timedelta(hours=1)


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path) as made:
        yield made


async def held_by(here: Harness) -> Sequence[Run]:
    """The runs that wait for a moment, or waited."""
    found = [await here.run(row["id"]) for row in here.base.rows("SELECT id FROM runs")]
    return [run for run in found if run.holds]


async def at(here: Harness, moment: datetime) -> None:
    """It is this late by now, and nobody served the thread meanwhile."""
    await sealed(here)
    here.base.clock.advance((moment - here.base.clock.now()).total_seconds())
    await sealed(here)


@pytest.mark.parametrize("level", [TrustLevel.SUPERVISED, TrustLevel.AUTONOMOUS])
@pytest.mark.parametrize("later", [timedelta(0), AN_HOUR], ids=["at the deadline", "after it"])
async def test_what_would_be_due_after_the_deadline_is_refused_and_nobody_is_asked(
    here: Harness, level: TrustLevel, later: timedelta
) -> None:
    """The model is told both moments, and so is whoever reads the log."""
    deadline = here.base.clock.now() + AN_HOUR
    here.effect.moment = deadline + later
    run = await confirmed(here, *SENT[:2], *NOT_DONE, plan=ONLY, level=level, deadline_at=deadline)
    assert run.state is RunState.COMPLETED, run.error
    told = about_plans.due_too_late(deadline + later, deadline, "Europe/London")
    (entry,) = await history_of(here, run, "1")
    assert entry.observation == {
        "error": {"code": "after_deadline", "retryable": True, "message": told, "try": about_plans.NAME_EARLIER}
    }
    (child,) = await below(here, run)
    assert (await here.action(child)).state is ActionState.FAILED
    assert (await held_by(here), here.effect.calls) == ([], [])
    async with here.base.store.read() as work:
        found = await session(work, run.id)
    assert found is not None
    assert told in str(found.log[-1].observation)


@pytest.mark.parametrize("variant", [None, 0], ids=["Edit", "Send later"])
async def test_a_form_takes_no_moment_that_is_not_before_the_deadline(here: Harness, variant: int | None) -> None:
    """Its owner reads at the field which deadline it is; the card stays as it was, and an earlier moment is taken."""
    deadline = here.base.clock.now() + AN_HOUR
    here.effect.previews = [Preview(title="Do it?", fields=[], variants=[Variant(label="Send later", asks="text")])]
    run = await confirmed(here, *SENT[:2], plan=ONLY, level=TrustLevel.SUPERVISED, deadline_at=deadline)
    (child,) = await below(here, run)
    before, card = await here.action(child), await here.card_of(child.id)
    editing = Editing(transactions=here.transactions, registry=here.runner.loop.registry)
    forms = EditForms(editing=editing, requesters=here.runner.evaluator.requesters)
    edit = Edit(team=TEAM, user=DANA, value=card.button_value(), variant=variant, args={"text": "then"})
    here.effect.moment = deadline
    outcome = await forms.submitted(edit)
    told = about_plans.choose_earlier(deadline, "Europe/London")
    offered = await forms.form(ButtonClick(team=TEAM, user=DANA, value=card.button_value()), variant)
    assert offered.form is not None
    assert [field.hint for field in offered.form.fields] == [told if variant == 0 else ""]
    assert (outcome.accepted, outcome.errors) == (False, {"text": told})
    assert await here.action(child) == before
    here.effect.moment = deadline - timedelta(minutes=1)
    assert (await forms.submitted(edit)).accepted


async def test_what_is_due_before_the_deadline_is_done(here: Harness) -> None:
    deadline = here.base.clock.now() + AN_HOUR
    here.effect.moment = deadline - timedelta(minutes=1)
    run = await confirmed(here, *SENT, plan=ONLY, deadline_at=deadline)
    (held,) = await held_by(here)
    await at(here, here.effect.moment)
    await here.serve()
    assert (run.state, len(here.effect.calls)) == (RunState.COMPLETED, 1)
    assert (await here.run(held.id)).state is RunState.COMPLETED


async def test_what_could_be_undone_until_after_the_deadline_is_not_begun(
    here: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(here.effect, "hold", timedelta(minutes=2))
    deadline = here.base.clock.now() + timedelta(minutes=1)
    run = await confirmed(here, *SENT[:2], *NOT_DONE, plan=ONLY, deadline_at=deadline)
    (child,) = await below(here, run)
    action = await here.action(child)
    assert action.state is ActionState.DENIED
    assert action.verdict is not None
    assert (action.verdict.rule, "from the deadline of the plan on" in action.summary) == ("limit.deadline", True)
    assert (await held_by(here), here.effect.calls) == ([], [])


async def test_what_was_held_back_and_comes_too_late_is_not_begun(here: Harness) -> None:
    """It was due before the deadline, and nobody was there to do it. Its owner is told."""
    deadline = here.base.clock.now() + AN_HOUR
    here.effect.moment = deadline - timedelta(minutes=1)
    run = await confirmed(here, *SENT, plan=ONLY, deadline_at=deadline)
    assert run.state is RunState.COMPLETED
    await at(here, deadline)
    await here.serve()
    (held,) = await held_by(here)
    assert (held.state, (await here.action(held)).state) == (RunState.COMPLETED, ActionState.DENIED)
    assert about_plans.HELD_TOO_LATE in held.summary
    assert here.effect.calls == []


async def test_a_card_that_is_asked_at_its_moment_approves_nothing_after_the_deadline(here: Harness) -> None:
    deadline = here.base.clock.now() + AN_HOUR
    here.effect.moment = deadline - timedelta(minutes=1)
    await confirmed(here, *SENT, plan=ONLY, deadline_at=deadline)
    (held,) = await held_by(here)
    await here.trusts(TrustLevel.SUPERVISED)
    await at(here, here.effect.moment)
    await here.serve()
    card = await here.card_of(held.id)
    await at(here, deadline)
    assert (await here.click(card)).accepted
    await here.serve()
    assert (await here.action(held)).state is ActionState.DENIED
    assert here.effect.calls == []


async def test_what_was_held_back_goes_by_the_deadline_that_the_plan_has_by_then(here: Harness) -> None:
    """Without one, it has none either."""
    here.effect.moment = here.base.clock.now() + 30 * AN_HOUR
    run = await confirmed(here, *SENT, plan=ONLY)
    await at(here, here.effect.moment)
    await here.serve()
    assert (run.state, len(here.effect.calls)) == (RunState.COMPLETED, 1)


async def test_the_deadline_is_looked_at_before_each_task(here: Harness) -> None:
    """Also by what takes the next one, where nobody else has seen yet that it is over."""
    deadline, stream = here.base.clock.now() + AN_HOUR, here.model.stream

    async def slow(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if request.output_schema is not None:
            here.base.clock.advance(AN_HOUR.total_seconds())
        async for event in stream(request):
            yield event

    here.model.stream = slow
    here.runner = replace(here.runner, deadlines=DeadlineMonitor(clock=HandClock()))
    run = await confirmed(here, *FOUND, *SENT, deadline_at=deadline)
    assert (run.state, run.stop_code, len(await below(here, run))) == (RunState.PAUSED, DEADLINE, 1)
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.COMPLETED, TaskStatus.PENDING]
    assert here.effect.calls == []


# Ask again ----------------------------------------------------------------------------------------------------


async def silence(here: Harness) -> None:
    """Nobody answers a card for a day."""
    await at(here, here.base.clock.now() + QUESTION_LIFE + timedelta(seconds=1))
    await expiry.tick(here.transactions)
    await here.serve()


async def asked_again(here: Harness, card: Question) -> ClickOutcome:
    return await resume.ask_again(here.transactions, ButtonClick(team=TEAM, user=DANA, value=card.button_value()))


@pytest.mark.parametrize("is_confirmed", [False, True], ids=["the plan", "a task"])
async def test_nothing_is_asked_again_after_the_deadline_and_continue_takes_a_new_one(
    here: Harness, *, is_confirmed: bool
) -> None:
    """Silence paused the plan before. With a new deadline it is asked about."""
    deadline = here.base.clock.now() + QUESTION_LIFE + AN_HOUR
    run = await planned(here, ONLY, level=TrustLevel.SUPERVISED, deadline_at=deadline)
    if is_confirmed:
        here.model.says = [*SENT[:2]]
        assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
        await here.serve()
    waits = (await below(here, run))[-1] if is_confirmed else run
    card = await here.card_of(waits.id)
    await silence(here)
    assert (await here.run(run.id)).state is RunState.PAUSED
    await at(here, deadline)
    why = about_plans.NOT_ASKED_LATE.format(continue_it=to_people.CONTINUE_IT[Surface.SLACK])
    assert await asked_again(here, card) == ClickOutcome(accepted=False, text=why)
    await here.serve()
    assert ((await here.run(run.id)).state, await here.question(waits.id)) == (RunState.PAUSED, None)
    click = ButtonClick(team=TEAM, user=DANA, value=run.id)
    assert (await resume.continue_run(here.transactions, click, deadline + AN_HOUR)).accepted
    await here.serve()
    assert (await here.card_of(waits.id)).id != card.id


async def test_what_was_held_back_is_not_asked_about_again_after_the_deadline(here: Harness) -> None:
    """Neither by Ask again nor by Continue: nothing of it could begin."""
    deadline = here.base.clock.now() + QUESTION_LIFE + 2 * AN_HOUR
    here.effect.moment = here.base.clock.now() + AN_HOUR
    await confirmed(here, *SENT, plan=ONLY, deadline_at=deadline)
    (held,) = await held_by(here)
    await here.trusts(TrustLevel.SUPERVISED)
    await at(here, here.effect.moment)
    await here.serve()
    card = await here.card_of(held.id)
    await silence(here)
    await at(here, deadline)
    too_late = ClickOutcome(accepted=False, text=about_plans.NOT_BEGUN_LATE)
    assert await asked_again(here, card) == too_late
    click = ButtonClick(team=TEAM, user=DANA, value=held.id)
    assert await resume.continue_run(here.transactions, click) == too_late
    await here.serve()
    assert (await here.question(held.id), here.effect.calls) == (None, [])
