"""What attacks on plans found: nothing that was done is done again, nothing pending is lost, every change is shown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.agents import reader
from bot.domain.limits import DEFAULT_LIMITS, Limits
from bot.domain.plans import Phase, PlanTask, TaskStatus
from bot.domain.questions import Choice
from bot.domain.runs import DEADLINE, Run, RunState
from bot.llm.model import CallingMode, ModelEvent, ModelRequest, ModelUnavailable
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.lifecycle.runs import retry_source
from bot.runtime.limits.stops import DeadlineMonitor
from bot.runtime.plans import record
from bot.runtime.plans.record import session
from bot.runtime.questions import expiry
from bot.runtime.questions.edit import Edit, Editing
from bot.runtime.runs import resume
from bot.tools import forms
from bot.tools.plans import as_fields
from bot.tools.registry import Registry
from policies.types import TrustLevel
from tests.builders import DANA, TEAM, HandClock
from tests.unit.bot.runtime.plans.test_plan import (
    FIND,
    FOUND,
    LOOK,
    ONE,
    PROPOSE,
    SEND,
    SENT,
    WRITE,
    confirmed,
    judged,
    planned,
    refined,
    tasks_of,
)
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said

BRIEFER = """
name: meeting_brief
description: Briefs.
inputConfig: {inputs: {topic: {description: What it is about., type: string, required: true}}}
outputConfig: {outputName: text, description: The text., schema: {type: string}}
promptConfig: {query: "Brief on ${topic}.", systemPrompt: You brief.}
toolConfig: {tools: [gmail_search]}
runConfig: {max_time_minutes: 30}
"""
GONE: list[Said] = ["I look.", LOOK, judged("There is no such mail.", complete=False, persistent_error=True)]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    agent = reader.read(BRIEFER, "meeting_brief", suffix=".yaml").definition
    async with harness(tmp_path, agents=[agent]) as made:
        yield made


def added(count: int) -> list[dict[str, str]]:
    return [
        {"kind": "add", "title": f"More {n}", "goal": f"More {n} is done.", "why": "it is needed"} for n in range(count)
    ]


async def test_a_task_is_given_to_an_agent_that_needs_inputs_of_its_own(here: Harness) -> None:
    by_agent: Said = [("propose_plan", {"tasks": [FIND | {"agent": "meeting_brief"}]})]
    run = await confirmed(here, *FOUND, plan=by_agent)
    assert run.state is RunState.COMPLETED, run.error


async def test_what_was_looked_up_for_a_plan_and_a_denied_task_are_in_the_log(tmp_path: Path) -> None:
    """The agent of a task was taken out before its turn came."""
    agent = reader.read(BRIEFER, "meeting_brief", suffix=".yaml").definition
    by_agent: Said = [("propose_plan", {"tasks": [FIND | {"agent": "meeting_brief"}, SEND]})]
    async with harness(tmp_path, agents=[agent]) as here:
        run = await planned(here, LOOK, WRITE, by_agent)
        tools = [tool for tool in here.runner.plans.registry if tool.name != "meeting_brief"]
        here.runner = replace(here.runner, plans=replace(here.runner.plans, registry=Registry(tools)))
        here.model.says = ['{"modifications": []}', *SENT]
        assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
        await here.serve()
        async with here.base.store.read() as work:
            found = await session(work, run.id)
    assert found is not None
    assert [(one.task, one.round, one.tool, one.state) for one in found.log] == [
        ("", 0, "gmail_search", "completed"),
        ("", 0, "gmail_send", "denied"),
        ("1", 0, "plan_task", "denied"),
        ("2", 1, "gmail_send", "completed"),
    ]
    assert "meeting_brief" in str(found.log[2].observation)


@pytest.mark.parametrize(
    "words",
    [
        {"title": "Find", "goal": "By the agent meeting_brief.\nThe mail is found."},
        {"title": "Find", "goal": "\n *by  agent* meeting_brief: the mail is found."},
        {"title": "Find\nBy the agent meeting_brief.", "goal": "The mail is found."},
    ],
    ids=["goal", "like it", "title"],
)
def test_a_card_tells_words_that_name_an_agent_from_a_task_of_that_agent(words: dict[str, Any]) -> None:
    spoken, given = as_fields([PlanTask(id="1", **words), PlanTask(id="2", **words, agent="week_review")])
    assert [one.value.splitlines()[1] for one in (spoken, given)] == ["By no agent.", "By the agent week_review."]


@pytest.mark.parametrize("agent", ["meeting_brief", "nobody", "gmail_search"])
async def test_a_plan_is_edited_for_an_agent_that_takes_tasks_alone(here: Harness, agent: str) -> None:
    run = await planned(here, PROPOSE)
    old = await here.card_of(run.id)
    edit = Edit(team=TEAM, user=DANA, value=old.button_value(), args={"tasks": [FIND | {"agent": agent}]})
    registry = here.runner.evaluator.claims.registry
    editing = Editing(transactions=here.transactions, registry=registry, agents={"meeting_brief", "gmail_search"})
    outcome = await editing.edit(edit)
    is_taken = agent == "meeting_brief"
    assert (outcome.accepted, agent in outcome.text) == (is_taken, not is_taken)
    asked = len(here.model.requests)
    await here.serve()
    assert [task.agent for task in await tasks_of(here, run)] == ([agent] if is_taken else ["", ""])
    assert len(here.model.requests) == asked


@pytest.mark.parametrize(
    "last", ["That is what I have.", LOOK, ModelUnavailable("off")], ids=["a text", "a call", "none"]
)
async def test_a_limit_of_changing_a_plan_asks_about_it_as_it_was(here: Harness, last: Said) -> None:
    most = replace(DEFAULT_LIMITS, steps=1)
    run = await planned(here, PROPOSE, limits=most, ceiling=most)
    here.model.says = [LOOK, last]
    assert (await refined(here, run, "Only find it.")).accepted
    card = await here.queries.card((await here.card_of(run.id)).id)
    assert card is not None
    assert any("limit of steps" in text for text in card.preview.warnings), card.preview.warnings
    here.model.says = [*FOUND, *SENT]
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_words_at_the_limit_of_changing_a_plan_are_a_change(here: Harness) -> None:
    most = replace(DEFAULT_LIMITS, steps=1)
    run = await planned(here, PROPOSE, limits=most, ceiling=most)
    stream = here.model.stream

    async def interrupted(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if request.calling_mode is CallingMode.NONE:  # tools are off: it is asked for its last word
            await here.says("Only send it.")
        async for event in stream(request):
            yield event

    here.model.stream = interrupted
    here.model.says = [LOOK, "That is what I have.", [("propose_plan", {"tasks": [SEND]})]]
    assert (await refined(here, run, "Better, please.")).accepted
    assert [task.title for task in await tasks_of(here, run)] == [SEND["title"]]
    assert (await here.run(run.id)).state is RunState.AWAITING


async def test_what_was_completed_is_not_done_again_where_the_rest_is_changed(here: Harness) -> None:
    begin: list[Said] = [*FOUND, "I answer.", WRITE, judged("Sent.", modifications=added(11))]
    run = await confirmed(here, *begin)
    here.model.says = [[("propose_plan", {"tasks": [SEND, {"title": "More 0", "goal": "More 0 is done."}]})]]
    assert (await refined(here, run, "Only the first of these.")).accepted
    told = "".join(map(str, here.model.requests[-1].contents))
    assert "More 3 is done" in told  # the model knows the whole plan
    pending = [task.title for task in await tasks_of(here, run) if task.status is TaskStatus.PENDING]
    assert pending == ["More 0"]
    here.model.says = ["I look.", [("gmail_search", {"text": "0"})], judged()]
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert len(here.effect.calls) == 1


async def test_a_change_that_names_no_agent_there_is_comes_back(here: Harness) -> None:
    wrong = [added(1)[0] | {"agent": "nobody"}]
    run = await confirmed(here, "I look.", LOOK, judged(modifications=wrong), judged(), plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
    assert len(await tasks_of(here, run)) == 1
    assert "nobody" in str(here.model.requests[-1].contents)


async def test_the_model_is_asked_about_a_failure_once_also_after_continue(here: Harness) -> None:
    instead = [added(1)[0] | {"replaces": "1"}]
    until = here.base.clock.now() + timedelta(minutes=30)
    run = await confirmed(
        here,
        *GONE,
        json.dumps({"modifications": instead}),
        *SENT[:2],
        level=TrustLevel.SUPERVISED,
        deadline_at=until,
    )
    here.base.clock.advance(31 * 60)
    await here.serve()
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.trusts(TrustLevel.AUTONOMOUS)
    asked = len(here.model.requests)
    here.model.says += [*SENT, *SENT]
    click, again = ButtonClick(team=TEAM, user=DANA, value=run.id), here.base.clock.now() + timedelta(hours=1)
    assert (await resume.continue_run(here.transactions, click, again)).accepted
    await here.serve()
    assert not any("[REPLAN]" in str(request.contents[-1]) for request in here.model.requests[asked:])
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_more_than_twenty_pending_tasks_are_too_many(here: Harness) -> None:
    many: Said = [("propose_plan", {"tasks": [FIND, *({"title": f"T{n}", "goal": f"G{n}."} for n in range(19))]})]
    run = await confirmed(here, "I look.", LOOK, judged(modifications=added(11)), ModelUnavailable("off"), plan=many)
    assert len(await tasks_of(here, run)) == 20
    assert any("at most 20 tasks" in str(request.contents) for request in here.model.requests)


async def test_a_change_says_why_and_what_on_the_card(here: Harness) -> None:
    other = {"kind": "change", "id": "2", "goal": "Everything is forwarded.", "why": "a mail says so"}
    silent = {"kind": "change", "id": "2", "goal": "Everything is forwarded."}
    run = await planned(here, PROPOSE)
    card = await here.card_of(run.id)
    here.model.says += ["I look.", LOOK, judged(modifications=[silent]), judged(modifications=[other]), *SENT]
    assert (await here.click(card, Choice.CONFIRM)).accepted
    await here.serve()
    view = await here.queries.card(card.id)
    assert view is not None
    assert view.plan is not None
    (told,) = view.plan.changes
    assert "Everything is forwarded" in told
    assert "a mail says so" in told


@pytest.mark.parametrize(
    "answers", [[ModelUnavailable("overloaded")], [LOOK, LOOK, LOOK]], ids=["it is away", "it calls"]
)
async def test_a_plan_goes_on_where_the_model_cannot_replan(here: Harness, answers: list[Said]) -> None:
    run = await confirmed(here, *GONE, *answers, *SENT)
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.FAILED, TaskStatus.COMPLETED]
    assert run.state is RunState.FAILED
    assert len(here.effect.calls) == 1


async def test_a_confirmed_plan_has_what_its_card_says(here: Harness) -> None:
    most = Limits(steps=8, cards=1, effects=1)
    run = await confirmed(here, *FOUND, plan=ONE, limits=most, ceiling=most)
    assert (run.ceiling.effects, run.ceiling.cards) == (1, 1)


async def test_the_deadline_ends_a_plan_that_waits_and_not_silence(here: Harness) -> None:
    run = await planned(here, PROPOSE, deadline_at=here.base.clock.now() + timedelta(hours=1))
    here.base.clock.advance(3_601)
    await expiry.tick(here.transactions)
    await here.serve()
    assert (await here.run(run.id)).stop_code == DEADLINE


async def test_the_same_plan_after_each_wish_is_asked_about(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    for _ in range(6):
        here.model.says = [PROPOSE]
        assert (await refined(here, run, "Better, please.")).accepted
    assert (await here.run(run.id)).state is RunState.AWAITING


async def test_a_task_that_is_done_counts_although_its_changes_cannot_be_made(here: Harness) -> None:
    wrong = judged(modifications=[{"kind": "obsolete", "id": "1", "why": "it is done"}])
    run = await confirmed(here, "I look.", LOOK, wrong, wrong, wrong, plan=ONE)
    assert run.state is RunState.COMPLETED, run.error


@pytest.mark.parametrize("monitor_looked", [True, False])
async def test_the_requests_time_leaves_a_task_pending_whose_agent_has_a_limit_of_its_own(
    here: Harness, *, monitor_looked: bool
) -> None:
    """Whether or not the monitor of working time has stopped the plan itself before its task ends."""
    if not monitor_looked:
        here.runner = replace(here.runner, deadlines=DeadlineMonitor(clock=HandClock()))
    by_agent: Said = [("propose_plan", {"tasks": [FIND | {"agent": "meeting_brief"}]})]
    most = replace(DEFAULT_LIMITS, active_ms=3_000)
    looks: list[Said] = []
    for n in range(3):
        looks += ["I look.", [("gmail_search", {"text": str(n)})], judged("So far.", complete=False)]
    run = await confirmed(here, *looks, "What I have.", plan=by_agent, limits=most, ceiling=most)
    (task,) = await tasks_of(here, run)
    assert (run.state, run.phase, task.status) == (RunState.PAUSED, Phase.CARRY_OUT, TaskStatus.PENDING)
    assert "30 minutes" not in task.summary


@pytest.mark.parametrize("last", ["Still to do: all.", judged("Still to do: all.", complete=False)])
async def test_the_last_word_of_a_task_at_a_limit_is_told_in_words(here: Harness, last: str) -> None:
    """Also where the model judges once more, as after each of its rounds."""
    most = replace(DEFAULT_LIMITS, active_ms=3_000)
    looks: list[Said] = ["I look.", LOOK, judged("So far.", complete=False)]
    run = await confirmed(here, *looks, last, plan=ONE, limits=most, ceiling=most)
    (task,) = await tasks_of(here, run)
    assert task.summary.endswith("\n\nStill to do: all.")
    assert "{" not in task.summary


async def test_try_again_grants_a_plan_no_more_than_the_first_time(here: Harness) -> None:
    before = here.base.clock.now() + timedelta(minutes=30)
    run = await confirmed(here, *GONE, '{"modifications": []}', *SENT, deadline_at=before)
    assert run.state is RunState.FAILED
    here.base.clock.advance(31 * 60)
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    here.model.says = [PROPOSE]
    assert (await resume.try_again(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await here.serve()
    async with here.base.store.read() as work:
        again = await work.runs.by_source(retry_source(run.id))
    assert again is not None
    assert (again.state, again.deadline_at) == (RunState.AWAITING, None)
    assert again.limits == here.transactions.limits


async def test_the_card_of_a_plan_that_is_tried_again_names_what_stays_done(here: Harness) -> None:
    run = await confirmed(here, *FOUND, *GONE, '{"modifications": []}')
    done = [task.title for task in await tasks_of(here, run) if task.status is TaskStatus.COMPLETED]
    assert (run.state, len(done)) == (RunState.FAILED, 1)
    here.model.says = [PROPOSE]
    assert (await resume.try_again(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await here.serve()
    async with here.base.store.read() as work:
        again = await work.runs.by_source(retry_source(run.id))
    assert again is not None
    card = await here.queries.card((await here.card_of(again.id)).id)
    assert card is not None
    assert card.plan is not None
    assert card.plan.done_before == done


async def test_only_the_card_that_was_confirmed_is_written_anew(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    old = await here.card_of(run.id)
    here.model.says = [PROPOSE]
    await refined(here, run, "Better, please.")
    shown = await here.card_of(run.id)
    here.model.says = [*FOUND, *SENT]
    assert (await here.click(shown, Choice.CONFIRM)).accepted
    before = here.base.rows("SELECT max(id) AS newest FROM outbox")[0]["newest"]
    await here.serve()
    rows = here.base.rows("SELECT subject, id FROM outbox WHERE kind = 'card' ORDER BY id")
    assert {row["subject"] for row in rows if row["id"] > before} == {shown.id} != {old.id}


@pytest.mark.parametrize("late", [timedelta(minutes=2), timedelta(hours=20)])
async def test_what_was_approved_in_time_is_not_begun_after_the_deadline(here: Harness, late: timedelta) -> None:
    """Its card was approved a minute before, and nobody served the thread until it was over: nothing is sent, and what
    the plan says is true.
    """
    until = here.base.clock.now() + timedelta(minutes=30)
    run = await confirmed(here, *FOUND, *SENT[:2], level=TrustLevel.SUPERVISED, deadline_at=until)
    (sending,) = [one for one in await children_of(here, run) if await here.question(one.id)]
    here.base.clock.advance((until - here.base.clock.now() - timedelta(minutes=1)).total_seconds())
    assert (await here.click(await here.card_of(sending.id))).accepted
    here.base.clock.advance(late.total_seconds())
    await sealed(here)
    await here.serve()
    assert here.effect.calls == []
    assert ((await here.run(run.id)).state, (await here.run(run.id)).stop_code) == (RunState.PAUSED, DEADLINE)


async def children_of(here: Harness, run: Run) -> Sequence[Run]:
    async with here.base.store.read() as work:
        return await work.runs.below(run.id)


async def sealed(here: Harness) -> None:
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()


async def test_a_plan_that_is_cancelled_later_tells_what_it_did(here: Harness) -> None:
    """It sent a mail when the deadline came; the plan that was proposed then is not wanted."""
    run = await half_done(here)
    here.model.says = [[("propose_plan", {"tasks": [FIND]})]]
    assert (await refined(here, run, "Only find it.")).accepted
    assert (await here.click(await here.card_of(run.id), Choice.REJECT)).accepted
    await here.serve()
    assert (await here.run(run.id)).summary == "Stopped.\n• Did it"


@pytest.mark.parametrize("again", [SEND | {"goal": "Anna has an answer, and a label."}, FIND], ids=["reworded", "left"])
async def test_a_task_that_was_begun_keeps_what_it_did_however_the_plan_is_changed(
    here: Harness, again: dict[str, str]
) -> None:
    """It sent a mail when the deadline came, and then the plan was proposed anew: in other words it is the same task,
    and whoever does it knows of the mail; where it is left out, the log still has it.
    """
    run = await half_done(here)
    here.model.says = [[("propose_plan", {"tasks": [again]})]]
    assert (await refined(here, run, "Only that.")).accepted
    first, *rest = await tasks_of(here, run)
    assert first.child is not None
    is_left = again is FIND
    assert (first.status, len(rest)) == ((TaskStatus.OBSOLETE, 1) if is_left else (TaskStatus.PENDING, 0))
    asked = len(here.model.requests)
    here.model.says = ["I look.", LOOK, judged("Done.")]
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    await here.serve()
    assert ("[TRIED BEFORE]" in here.model.requests[asked].instruction) is not is_left
    async with here.base.store.read() as work:
        session = await record.session(work, run.id)
    assert session is not None
    assert [entry.tool for entry in session.log if entry.tool == "gmail_send"] == ["gmail_send"]
    assert len(here.effect.calls) == 1


@pytest.mark.parametrize("by_hand", [False, True], ids=["in words", "by hand"])
async def test_what_replaces_a_failure_does_so_where_the_model_words_it_anew(here: Harness, *, by_hand: bool) -> None:
    """Title and goal are others; the model names the task, and a form keeps which one it is."""
    instead = {"kind": "add", "title": "Ask Ben", "goal": "Ben is asked.", "replaces": "1", "why": "there is none"}
    run = await confirmed(here, *GONE, json.dumps({"modifications": [instead, *added(10)]}), plan=ONE)
    card, words = await here.card_of(run.id), {"title": "Ask Mara", "goal": "Mara is asked."}
    if by_hand:
        registry = here.runner.evaluator.claims.registry
        async with here.base.store.read() as work:
            offered = json.loads((await work.actions.find(card.action_id)).args)["tasks"]
        args = forms.read(registry["propose_plan"], {"tasks": offered}, _only_first(offered, words))
        edit = Edit(team=TEAM, user=DANA, value=card.button_value(), args=args)
        assert (await Editing(transactions=here.transactions, registry=registry).edit(edit)).accepted
        await here.serve()
    else:
        here.model.says = [[("propose_plan", {"tasks": [words | {"id": "2"}]})]]
        assert (await refined(here, run, "Ask Mara, and leave out the rest.")).accepted
    here.model.says = [*FOUND]
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    await here.serve()
    tasks = {task.id: task for task in await tasks_of(here, run)}
    assert (tasks["2"].title, tasks["2"].replaces, tasks["2"].status) == ("Ask Mara", "1", TaskStatus.COMPLETED)
    assert (await here.run(run.id)).state is RunState.COMPLETED


def _only_first(tasks: Sequence[object], words: Mapping[str, str]) -> Mapping[str, str]:
    """A form in which only the first task is left, in these words."""
    emptied = {f"tasks.{place}": "" for place in range(len(tasks))}
    return emptied | {"tasks.0": f"{words['title']}\n{words['goal']}", "tasks.new": ""}


async def half_done(here: Harness) -> Run:
    """A plan of one task that sent its mail, was not done when the deadline came, and is asked about anew."""
    until, stream = here.base.clock.now() + timedelta(minutes=30), here.model.stream

    async def slow(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        is_next = request.calling_mode is CallingMode.NONE and request.output_schema is None
        if is_next and len(here.effect.calls) == 1 and here.base.clock.now() < until:
            here.base.clock.advance(31 * 60)
            await asyncio.Event().wait()
        async for event in stream(request):
            yield event

    here.model.stream = slow
    says = ["I send.", WRITE, judged("Sent, and the label is to come.", complete=False, modifications=added(11))]
    only: Said = [("propose_plan", {"tasks": [SEND]})]
    run = await confirmed(here, *says, plan=only, deadline_at=until)
    assert (run.state, run.stop_code) == (RunState.PAUSED, DEADLINE)
    await sealed(here)
    later = here.base.clock.now() + timedelta(hours=5)
    click = ButtonClick(team=TEAM, user=DANA, value=run.id)
    assert (await resume.continue_run(here.transactions, click, later)).accepted
    here.model.says = []
    await here.serve()
    return await here.run(run.id)


@pytest.mark.parametrize("text", ["T\x07", '<untrusted source="mail">', "\x00"])
@pytest.mark.parametrize("field", ["title", "goal"])
async def test_a_change_with_characters_that_nothing_takes_is_asked_for_again(
    here: Harness, text: str, field: str
) -> None:
    change = {"kind": "add", "title": "T", "goal": "G", "why": "w"} | {field: text}
    says = ["I look.", LOOK, judged("Found.", modifications=[change]), judged("Found.")]
    run = await confirmed(here, *says, plan=[("propose_plan", {"tasks": [FIND]})])
    assert (run.state, [task.title for task in await tasks_of(here, run)]) == (RunState.COMPLETED, [FIND["title"]])
