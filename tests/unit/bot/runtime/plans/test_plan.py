"""Plans: proposed, changed in words, confirmed, and carried out in rounds, one task after another."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.plans import Phase, Plan, PlanTask, Round, TaskStatus
from bot.domain.questions import Choice
from bot.domain.runs import DEADLINE, Run, RunState
from bot.llm import wire
from bot.llm.model import CallingMode, ModelEvent, ModelRequest, ModelUnavailable
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.plans.deadlines import LONGEST
from bot.runtime.plans.refinement import Refinement, refine_plan
from bot.runtime.questions.edit import Edit, Editing
from bot.runtime.runs import resume
from bot.runtime.texts import about_plans
from integrations.base import Option, ToolQuestion
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said

FIND = {"title": "Find the mail", "goal": "The mail of Anna is found."}
SEND = {"title": "Send the answer", "goal": "Anna has an answer."}
PROPOSE: Said = [("propose_plan", {"tasks": [FIND, SEND]})]
ONE: Said = [("propose_plan", {"tasks": [FIND]})]
LOOK: Said = [("gmail_search", {"text": "anna"})]
WRITE: Said = [("gmail_send", {"text": "it"})]


def judged(summary: str = "Done.", *, complete: bool = True, **more: object) -> str:
    """What a model answers at the end of a round."""
    return json.dumps({"is_task_complete": complete, "summary": summary, **more})


FOUND: list[Said] = ["I look for it.", LOOK, judged("Found: mail m1.")]
SENT: list[Said] = ["I answer.", WRITE, judged("Sent to Anna.")]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path) as made:
        yield made


async def planned(here: Harness, *says: Said, **values: Any) -> Run:
    """A request for a plan, served until it waits."""
    given: dict[str, Any] = {"phase": Phase.PROPOSE, "limits": DEFAULT_LIMITS, "ceiling": DEFAULT_LIMITS}
    return await here.asked(*says, **given | values)


async def confirmed(here: Harness, *says: Said, plan: Said = PROPOSE, **values: Any) -> Run:
    """A plan that its owner confirmed at once, served as far as it goes."""
    run = await planned(here, plan, **values)
    here.model.says += says
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    await here.serve()
    return await here.run(run.id)


async def plan_of(here: Harness, run: Run) -> Plan:
    async with here.base.store.read() as work:
        found = await work.plans.find(run.id)
    assert found is not None
    return found


async def tasks_of(here: Harness, run: Run) -> Sequence[PlanTask]:
    async with here.base.store.read() as work:
        return await work.plans.tasks(run.id)


async def history_of(here: Harness, run: Run, task: str) -> Sequence[Round]:
    async with here.base.store.read() as work:
        return await work.plans.history(run.id, task)


async def below(here: Harness, run: Run) -> Sequence[Run]:
    async with here.base.store.read() as work:
        return await work.runs.given_work(run.id)


def last_text(request: Any) -> str:
    """What the model was told last."""
    return "\n".join(str(part.get("text", "")) for part in wire.parts(request.contents[-1]))


async def test_a_plan_waits_for_its_owner(here: Harness) -> None:
    run = await planned(here, LOOK, PROPOSE)
    assert run.state is RunState.AWAITING, (run.error, here.codes())
    tasks = await tasks_of(here, run)
    assert [(task.id, task.title, task.status) for task in tasks] == [
        ("1", "Find the mail", TaskStatus.PENDING),
        ("2", "Send the answer", TaskStatus.PENDING),
    ]
    plan = await plan_of(here, run)
    assert (plan.revision, plan.confirmed) == (1, None)
    assert json.loads(plan.raw_plan) == [task.shown for task in tasks]
    assert here.effect.calls == []


async def test_only_what_looks_things_up_is_in_reach_of_planning(here: Harness) -> None:
    await planned(here, PROPOSE)
    declared = {tool.name for tool in here.model.requests[0].tools}
    assert declared >= {"propose_plan", "gmail_search"}
    assert "gmail_send" not in declared


async def test_a_call_that_changes_something_is_refused_in_planning_at_any_level(here: Harness) -> None:
    run = await planned(here, WRITE, PROPOSE)
    assert run.state is RunState.AWAITING, (run.error, here.codes())
    assert here.effect.calls == []
    assert "action.denied" in here.codes()


async def test_a_confirmed_plan_is_carried_out_task_by_task(here: Harness) -> None:
    run = await confirmed(here, *FOUND, *SENT)
    assert run.state is RunState.COMPLETED, run.error
    assert [(task.status, task.summary) for task in await tasks_of(here, run)] == [
        (TaskStatus.COMPLETED, "Found: mail m1."),
        (TaskStatus.COMPLETED, "Sent to Anna."),
    ]
    assert len(here.effect.calls) == 1
    assert [child.state for child in await below(here, run)] == [RunState.COMPLETED, RunState.COMPLETED]
    assert "Find the mail: Found: mail m1." in run.summary


async def test_a_round_asks_three_times_and_is_kept(here: Harness) -> None:
    run = await confirmed(here, *FOUND, plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
    reason, act, reflect = here.model.requests[-3:]
    assert [request.calling_mode for request in (reason, act, reflect)] == [
        CallingMode.NONE,
        CallingMode.ANY,
        CallingMode.NONE,
    ]
    assert reflect.output_schema is not None
    assert "complete_task" not in {tool.name for tool in act.tools}
    (entry,) = await history_of(here, run, "1")
    assert entry.reason == "I look for it."
    assert entry.action == {"tool": "gmail_search", "args": {"text": "anna"}}
    assert isinstance(entry.observation, Mapping)


async def test_a_reply_makes_a_revision_and_confirms_nothing(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    old = await here.card_of(run.id)
    here.model.says = [ONE]
    await here.says("Only find it, please.")
    await here.serve()
    new = await here.card_of(run.id)
    assert (await plan_of(here, run)).revision == 2
    assert [task.title for task in await tasks_of(here, run)] == ["Find the mail"]
    assert "Only find it, please." in last_text(here.model.requests[-1])
    late = await here.click(old, Choice.CONFIRM)
    assert not late.accepted
    assert "newer card" in late.text
    assert new.id != old.id


@pytest.mark.parametrize("words", ["yes", "ok"])
async def test_words_of_consent_confirm_nothing(here: Harness, words: str) -> None:
    run = await planned(here, PROPOSE)
    await here.says(words)
    await here.serve()
    assert (await plan_of(here, run)).confirmed is None
    assert (await here.run(run.id)).state is RunState.AWAITING


@pytest.mark.parametrize("words", ["no", "Cancel."])
async def test_no_ends_the_plan(here: Harness, words: str) -> None:
    run = await planned(here, PROPOSE)
    await here.says(words)
    await here.serve()
    assert (await here.run(run.id)).state is RunState.CANCELLED
    assert here.effect.calls == []


@pytest.mark.parametrize("is_changed", [False, True], ids=["made", "changed"])
@pytest.mark.parametrize("words", ["no", "Cancel, please."])
async def test_no_ends_the_plan_also_while_it_is_made_or_changed(
    here: Harness, words: str, *, is_changed: bool
) -> None:
    """The model is asked at that moment; what it proposes is shown to nobody."""
    stream = here.model.stream

    async def interrupted(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if bool(here.base.rows("SELECT 1 FROM plan_tasks")) is is_changed:
            await here.says(words)
        async for event in stream(request):
            yield event

    here.model.stream = interrupted
    run = await planned(here, PROPOSE)
    if is_changed:
        here.model.says = [ONE]
        assert (await refined(here, run, "Only find it.")).accepted
    assert (await here.run(run.id)).state is RunState.CANCELLED
    async with here.base.store.read() as work:
        assert await work.questions.open_of_run(run.id) == []
        assert await work.messages.untaken(run.id) == []


async def test_no_that_answers_a_question_of_planning_does_not_end_the_plan(here: Harness) -> None:
    """A tool asks which of several is meant, and hears that none is."""
    here.asking.inquiries = [ToolQuestion(text="Which Anna?", options=[Option(value="a", label="Anna")])]
    run = await planned(here, [("calendar_search", {"text": "anna"})])
    assert run.state is RunState.AWAITING, here.codes()
    here.model.says = [PROPOSE]
    await here.says("no")
    await here.serve()
    assert (await here.run(run.id)).state is RunState.AWAITING
    assert len(await tasks_of(here, run)) == 2


async def test_cancel_ends_the_plan(here: Harness) -> None:
    """Its card says that nothing was done, and its answer how to have another plan."""
    run = await planned(here, PROPOSE)
    assert (await here.click(await here.card_of(run.id), Choice.REJECT)).accepted
    await here.serve()
    ended = await here.run(run.id)
    assert (ended.state, ended.summary) == (RunState.CANCELLED, about_plans.NO_PLAN_THEN)


async def test_only_its_owner_confirms(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    turned_away = await here.click(await here.card_of(run.id), Choice.CONFIRM, user="U2")
    assert not turned_away.accepted
    assert (await plan_of(here, run)).confirmed is None


async def test_a_persistent_error_fails_the_task_and_asks_once_what_follows(here: Harness) -> None:
    gone = ["I look.", LOOK, judged("There is no such mail.", complete=False, persistent_error=True)]
    instead = {"kind": "add", "title": "Ask Anna", "goal": "Anna is asked.", "replaces": "1", "why": "no mail"}
    replan = json.dumps({"modifications": [instead, {"kind": "obsolete", "id": "2", "why": "nothing to answer"}]})
    run = await confirmed(here, *gone, replan, *SENT)
    assert run.state is RunState.COMPLETED, run.error
    assert [(task.id, task.status) for task in await tasks_of(here, run)] == [
        ("1", TaskStatus.FAILED),
        ("2", TaskStatus.OBSOLETE),
        ("3", TaskStatus.COMPLETED),
    ]
    assert (await plan_of(here, run)).revision == 2


async def test_a_failure_that_nothing_replaces_fails_the_plan(here: Harness) -> None:
    gone = ["I look.", LOOK, judged("There is no such mail.", complete=False, persistent_error=True)]
    run = await confirmed(here, *gone, '{"modifications": []}', *SENT)
    assert run.state is RunState.FAILED
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.FAILED, TaskStatus.COMPLETED]
    assert "“Find the mail” failed" in run.error


async def test_a_card_of_a_task_holds_the_plan_and_a_confirmed_plan_approves_nothing(here: Harness) -> None:
    run = await confirmed(here, *FOUND, *SENT[:2], level=TrustLevel.SUPERVISED)
    assert run.state is RunState.AWAITING, (run.error, here.codes())
    assert here.effect.calls == []
    child = (await below(here, run))[-1]
    here.model.says += SENT[2:]
    assert (await here.click(await here.card_of(child.id))).accepted
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert len(here.effect.calls) == 1


# Time ---------------------------------------------------------------------------------------------------------


async def test_at_its_deadline_nothing_more_is_begun_and_cards_expire(here: Harness) -> None:
    until = here.base.clock.now() + timedelta(minutes=30)
    run = await confirmed(here, *FOUND, *SENT[:2], level=TrustLevel.SUPERVISED, deadline_at=until)
    child = (await below(here, run))[-1]
    card = await here.card_of(child.id)
    here.base.clock.advance(31 * 60)
    await here.serve()
    stopped = await here.run(run.id)
    assert (stopped.state, stopped.stop_code) == (RunState.PAUSED, DEADLINE)
    assert not (await here.click(card)).accepted
    assert here.effect.calls == []
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.COMPLETED, TaskStatus.PENDING]


async def test_continue_asks_for_a_deadline_in_the_place_of_one_that_is_over(here: Harness) -> None:
    """The one that is suggested lies ahead; without one, or with one that cannot be, the plan stays as it is. With it
    the task is taken again that was stopped.
    """
    until = here.base.clock.now() + timedelta(minutes=30)
    run = await confirmed(here, *FOUND, *SENT[:2], level=TrustLevel.SUPERVISED, deadline_at=until)
    here.base.clock.advance(31 * 60)
    await here.serve()
    here.model.says += SENT
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.trusts(TrustLevel.AUTONOMOUS)
    click, now = ButtonClick(team=TEAM, user=DANA, value=run.id), here.base.clock.now()
    refused: dict[datetime | None, str] = {
        None: about_plans.NEEDS_DEADLINE,
        now: about_plans.is_over(now, now, "Europe/London"),
        now + LONGEST + timedelta(minutes=1): about_plans.TOO_FAR,
    }
    for at, why in refused.items():
        assert await resume.continue_run(here.transactions, click, at) == ClickOutcome(accepted=False, text=why)
    assert (await here.run(run.id)).state is RunState.PAUSED
    at = await resume.suggested_deadline(here.transactions, click)
    assert at == until + timedelta(days=1)
    assert await resume.suggested_deadline(here.transactions, replace(click, user="U0MARA")) is None
    assert (await resume.continue_run(here.transactions, click, at)).accepted
    assert await resume.suggested_deadline(here.transactions, click) is None
    await here.serve()
    ended = await here.run(run.id)
    assert (ended.state, ended.deadline_at) == (RunState.COMPLETED, at)
    assert len(here.effect.calls) == 1
    logged = here.base.rows("SELECT body FROM audit WHERE code = 'run.continued'")
    assert [json.loads(row["body"])["details"]["deadline"] for row in logged] == [f"{at:%Y-%m-%dT%H:%M:%S+00:00}"]


async def test_a_waiting_plan_is_woken_at_its_deadline(here: Harness) -> None:
    run = await planned(here, PROPOSE, deadline_at=here.base.clock.now() + timedelta(hours=1))
    async with here.base.store.read() as work:
        assert await work.runs.timed_threads(now=here.base.clock.now()) == []
    here.base.clock.advance(3_601)
    async with here.base.store.read() as work:
        assert await work.runs.timed_threads(now=here.base.clock.now()) == ["thr_1"]
    await here.serve()
    async with here.base.store.read() as work:
        assert await work.runs.timed_threads(now=here.base.clock.now()) == []
    assert (await here.run(run.id)).state is RunState.PAUSED


# Changing it without a reply ----------------------------------------------------------------------------------


async def refined(here: Harness, run: Run, words: str, **values: Any) -> ClickOutcome:
    """Its owner says in a window what is to be different."""
    question = await here.card_of(run.id)
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "value": question.button_value(), "words": words}
    here.base.clock.advance(1)
    outcome = await refine_plan(here.transactions, Refinement(**given | values))
    await here.serve()
    return outcome


async def test_a_window_changes_the_plan_as_a_reply_does(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    here.model.says = [ONE]
    assert (await refined(here, run, "Only find it.")).accepted
    assert "Only find it." in last_text(here.model.requests[-1])
    assert (await plan_of(here, run)).revision == 2


@pytest.mark.parametrize("private", [False, True])
async def test_words_in_a_window_are_seen_as_wide_as_the_card_was(here: Harness, *, private: bool) -> None:
    """In the channel where it stands, or by its owner alone; the plan that they make as well."""
    run = await planned(here, PROPOSE, in_channel=True)
    if private:  # it looks into something that only its owner may see
        await here.change_run(run.id, private=True)
        here.model.says = [PROPOSE]
        assert (await refined(here, run, "Better, please.")).accepted
    card = await here.queries.card((await here.card_of(run.id)).id)
    assert card is not None
    assert card.card_private is private
    here.model.says = [ONE]
    assert (await refined(here, run, "Only find it.")).accepted
    (said,) = here.base.rows("SELECT audience, owner FROM messages WHERE text = 'Only find it.'")
    assert (said["audience"], said["owner"]) == (("owner", DANA) if private else ("channel", DANA))
    newer = await here.queries.card((await here.card_of(run.id)).id)
    assert newer is not None
    assert newer.card_private is private


async def test_an_empty_change_changes_nothing(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    outcome = await refined(here, run, "  \n ")
    assert not outcome.accepted
    assert outcome.text == about_plans.SAY_WHAT
    assert (await plan_of(here, run)).revision == 1


async def test_words_for_a_card_that_shows_no_plan_change_nothing(here: Harness) -> None:
    """The window of a plan is sent with what stands on a card of a task: that goes on waiting."""
    run = await confirmed(here, *SENT[:2], plan=ONE, level=TrustLevel.SUPERVISED)
    (child,) = await below(here, run)
    assert await refined(here, child, "Otherwise.") == ClickOutcome(accepted=False, text=about_plans.NO_PLAN)
    assert (await here.run(child.id)).state is RunState.AWAITING
    assert (await plan_of(here, run)).revision == 1


async def test_only_its_owner_has_it_changed(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    assert not (await refined(here, run, "Other things.", user="U2")).accepted
    assert (await plan_of(here, run)).revision == 1


async def test_what_is_changed_by_hand_is_a_revision_that_is_asked_about_anew(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    old = await here.card_of(run.id)
    args = {"tasks": [SEND | {"goal": "Anna has a short answer."}]}
    edit = Edit(team=TEAM, user=DANA, value=old.button_value(), args=args)
    editing = Editing(transactions=here.transactions, registry=here.runner.evaluator.claims.registry)
    assert (await editing.edit(edit)).accepted
    await here.serve()
    assert (await here.card_of(run.id)).id != old.id
    assert [task.goal for task in await tasks_of(here, run)] == ["Anna has a short answer."]
    assert (await plan_of(here, run)).revision == 2
    here.model.says = [*SENT]
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_forty_changes_keep_every_revision(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    for turn in range(40):
        here.model.says = [PROPOSE if turn % 2 else ONE]
        assert (await refined(here, run, f"Change {turn}.")).accepted
    async with here.base.store.read() as work:
        assert len(await work.plans.revisions(run.id)) == 41


@pytest.mark.parametrize(
    "answers",
    [[ModelUnavailable("overloaded")], ["I cannot.", "I really cannot."]],
    ids=["the model is away", "it proposes nothing"],
)
async def test_a_plan_that_could_not_be_changed_is_asked_about_as_it_was(here: Harness, answers: list[Said]) -> None:
    run = await planned(here, PROPOSE)
    here.model.says = [*answers]
    assert (await refined(here, run, "Only find it.")).accepted
    again = await here.card_of(run.id)
    view = await here.queries.card(again.id)
    assert view is not None
    assert any("could not be changed" in text for text in view.preview.warnings)
    assert [task.title for task in await tasks_of(here, run)] == ["Find the mail", "Send the answer"]
    here.model.says = [ONE]
    await refined(here, run, "Only find it, please.")
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    here.model.says = [*FOUND]
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED


# Changing itself too much -------------------------------------------------------------------------------------


async def test_more_than_ten_added_tasks_are_asked_about(here: Harness) -> None:
    more = [{"kind": "add", "title": f"More {n}", "goal": f"More {n} is done.", "why": "so"} for n in range(11)]
    run = await confirmed(here, "I look.", LOOK, judged("Found.", modifications=more), plan=ONE)
    assert run.state is RunState.AWAITING
    view = await here.queries.card((await here.card_of(run.id)).id)
    assert view is not None
    assert len([field for field in view.preview.fields if not field.aside]) == 11
    assert [task.id for task in await tasks_of(here, run)] == [str(n) for n in range(1, 13)]
    assert (await tasks_of(here, run))[0].status is TaskStatus.COMPLETED
    before = (await here.run(run.id)).ceiling
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    here.model.says = [said for n in range(11) for said in ("I look.", [("gmail_search", {"text": str(n)})], judged())]
    await here.serve()
    ended = await here.run(run.id)
    assert ended.state is RunState.COMPLETED
    assert ended.ceiling == before


async def test_ten_added_tasks_are_not(here: Harness) -> None:
    more = [{"kind": "add", "title": f"More {n}", "goal": f"More {n} is done.", "why": "so"} for n in range(10)]
    begin: list[Said] = ["I look.", LOOK, judged("Found.", modifications=more)]
    rest: list[Said] = [said for n in range(10) for said in ("I look.", [("gmail_search", {"text": str(n)})], judged())]
    run = await confirmed(here, *begin, *rest, plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
