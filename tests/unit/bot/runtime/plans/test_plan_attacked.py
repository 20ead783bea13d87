"""What a model may get wrong or do for ever, in proposing a plan and in carrying it out."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from bot.domain.limits import DEFAULT_LIMITS, Guard, Limit
from bot.domain.plans import MOST_ADDED, MOST_TASKS, OBSERVATION_KEPT, Phase, TaskStatus
from bot.domain.questions import QUESTION_LIFE, Choice
from bot.domain.runs import DEADLINE, RunState
from bot.llm import wire
from bot.llm.model import ModelEvent, ModelRequest
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.questions import expiry
from bot.runtime.runs import resume, stop
from bot.runtime.texts import about_plans, to_people
from integrations.base import Result
from integrations.errors import ToolFailed
from policies.types import Label, TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.plans.test_plan import (
    FIND,
    FOUND,
    LOOK,
    ONE,
    PROPOSE,
    SEND,
    SENT,
    WRITE,
    below,
    confirmed,
    history_of,
    judged,
    plan_of,
    planned,
    refined,
    tasks_of,
)
from tests.unit.bot.runtime.plans.test_plan_ends import with_contents
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said

GONE: Sequence[Said] = ("I look.", LOOK, judged("There is none.", complete=False, persistent_error=True))
NO_CHANGE = '{"modifications": []}'


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path) as made:
        yield made


def proposed(*tasks: dict[str, str]) -> Said:
    return [("propose_plan", {"tasks": list(tasks)})]


def goes_on(rounds: int) -> list[Said]:
    """So many rounds after which the task is not done."""
    not_yet = judged("Not yet.", complete=False)
    return [said for n in range(rounds) for said in ("I look.", [("gmail_search", {"text": f"{n}"})], not_yet)]


def texts_of(content: wire.Wire) -> str:
    return "\n".join(str(part) for part in wire.parts(content))


def texts(request: ModelRequest) -> str:
    return "\n".join(map(texts_of, request.contents))


# Proposals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, MOST_TASKS + 1, 500])
async def test_a_plan_of_too_few_or_too_many_tasks_is_refused(here: Harness, count: int) -> None:
    run = await planned(here, proposed(*[FIND] * count), PROPOSE)
    assert run.state is RunState.AWAITING, run.error
    assert (await plan_of(here, run)).revision == 1
    assert len(await tasks_of(here, run)) == 2
    assert "invalid_arguments" in texts(here.model.requests[-1])


async def test_a_model_that_only_proposes_what_is_no_plan_fails(here: Harness) -> None:
    run = await planned(here, *[proposed()] * 9)
    assert run.state is RunState.FAILED
    assert await tasks_of(here, run) == []


async def test_a_task_for_an_agent_that_is_not_there_is_refused(here: Harness) -> None:
    run = await planned(here, proposed(FIND | {"agent": "nobody"}), PROPOSE)
    assert run.state is RunState.AWAITING, run.error
    assert (await plan_of(here, run)).revision == 1
    assert "cannot be given to nobody" in texts(here.model.requests[-1])


async def test_of_two_proposals_in_one_answer_the_first_is_shown(here: Harness) -> None:
    both: Said = [("propose_plan", {"tasks": [FIND, SEND]}), ("propose_plan", {"tasks": [FIND]})]
    run = await planned(here, both)
    assert run.state is RunState.AWAITING, run.error
    assert (await plan_of(here, run)).revision == 1
    assert len(await tasks_of(here, run)) == 2


async def test_who_does_a_task_proposes_no_plan(here: Harness) -> None:
    run = await confirmed(here, "I plan.", PROPOSE, judged("Nothing came of it."), plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
    assert (await plan_of(here, run)).revision == 1
    (entry,) = await history_of(here, run, "1")
    assert "error" in str(entry.observation)


async def test_the_same_plan_again_is_no_revision(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    here.model.says = [PROPOSE]
    assert (await refined(here, run, "Think again.")).accepted
    assert (await plan_of(here, run)).revision == 1
    assert (await here.run(run.id)).state is RunState.AWAITING


# Rounds -------------------------------------------------------------------------------------------------------


async def test_of_the_calls_of_a_round_only_the_first_is_made(here: Harness) -> None:
    both: Said = [("gmail_search", {"text": "anna"}), ("gmail_send", {"text": "it"})]
    run = await confirmed(here, "I look.", both, judged(), plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
    assert len(here.read.calls) == 1
    assert here.effect.calls == []


async def test_no_call_ends_a_task(here: Harness) -> None:
    """`complete_task` is no call of a task: Reflect says when it is done."""
    ends: Said = [("complete_task", {"result": "it"})]
    run = await confirmed(here, "I end.", ends, *FOUND[1:], plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
    assert [task.summary for task in await tasks_of(here, run)] == ["Found: mail m1."]
    assert "No call ends a task" in texts(here.model.requests[-1])


async def test_a_judgement_that_is_no_json_is_asked_for_again(here: Harness) -> None:
    run = await confirmed(here, "I look.", LOOK, "It went well.", f"```json\n{judged('Found.')}\n```", plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
    assert [task.summary for task in await tasks_of(here, run)] == ["Found."]
    assert "not the JSON" in texts(here.model.requests[-1])


async def test_a_model_that_never_judges_fails_its_task_and_the_next_one_is_done(here: Harness) -> None:
    run = await confirmed(here, "I look.", LOOK, *["It went well."] * 3, NO_CHANGE, *SENT)
    assert run.state is RunState.FAILED
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.FAILED, TaskStatus.COMPLETED]
    assert len(here.effect.calls) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "change", "why": "so", "id": "1", "goal": "Another goal."},
        {"kind": "obsolete", "why": "so", "id": "1"},
        {"kind": "change", "why": "so", "id": "9", "goal": "Of no task."},
        {"kind": "add", "why": "so", "title": "No goal"},
        {"kind": "add", "why": "so", "title": "In place", "goal": "Of what did not fail.", "replaces": "2"},
    ],
    ids=["change finished", "obsolete finished", "unknown", "no goal", "replaces none"],
)
async def test_a_change_that_cannot_be_made_changes_nothing(here: Harness, change: dict[str, str]) -> None:
    """In the round of task 2, when task 1 is completed."""
    wrong = ["I answer.", WRITE, judged("Sent.", modifications=[change]), judged("Sent.")]
    run = await confirmed(here, *FOUND, *wrong)
    assert run.state is RunState.COMPLETED, run.error
    assert (await plan_of(here, run)).revision == 1
    assert [task.goal for task in await tasks_of(here, run)] == [FIND["goal"], SEND["goal"]]
    assert len(here.effect.calls) == 1


async def test_a_plan_does_not_grow_for_ever(here: Harness) -> None:
    more = {"kind": "add", "why": "so", "title": "More", "goal": "More is done."}
    once: list[Said] = ["I look.", LOOK, judged("Found.", modifications=[more])]
    run = await confirmed(here, *once * (MOST_ADDED + 5), plan=ONE)
    assert run.state is RunState.AWAITING, run.error
    plan = await plan_of(here, run)
    assert (plan.added, plan.confirmed) == (MOST_ADDED + 1, 1)
    assert len([one for one in await tasks_of(here, run) if one.status is TaskStatus.COMPLETED]) == MOST_ADDED + 1


@pytest.mark.parametrize("words", ["It is not there.", "x" * (OBSERVATION_KEPT + 1_000)], ids=["short", "cut"])
async def test_the_same_error_three_rounds_running_fails_a_task(here: Harness, words: str) -> None:
    here.read.outcomes = [ToolFailed("gone", words)] * 9
    run = await confirmed(here, *goes_on(3), NO_CHANGE, plan=ONE)
    (task,) = await tasks_of(here, run)
    assert (run.state, task.status) == (RunState.FAILED, TaskStatus.FAILED)
    assert "three rounds running" in task.summary
    assert len(here.read.calls) == 3


async def test_two_errors_running_are_not_too_many(here: Harness) -> None:
    here.read.outcomes = [ToolFailed("gone", "It is not there.")] * 2
    run = await confirmed(here, *goes_on(2), *FOUND, plan=ONE)
    assert run.state is RunState.COMPLETED, run.error


async def test_an_observation_is_cut(here: Harness) -> None:
    here.read.outcomes = [Result(data={"text": "x" * 50_000}, summary="Found.", label=Label.EXTERNAL)]
    run = await confirmed(here, *FOUND, plan=ONE)
    (entry,) = await history_of(here, run, "1")
    assert len(json.dumps(entry.observation)) < OBSERVATION_KEPT + 200


async def test_the_reason_and_the_arguments_of_a_round_are_cut(here: Harness) -> None:
    """What was done has them whole; a long round costs what any other does."""
    words = "x" * 50_000
    run = await confirmed(here, words, [("gmail_search", {"text": words})], judged("Found."), plan=ONE)
    (entry,) = await history_of(here, run, "1")
    assert [len(json.dumps(value)) < OBSERVATION_KEPT + 200 for value in (entry.reason, entry.action)] == [True, True]
    assert words in here.base.rows("SELECT args FROM actions WHERE tool = 'gmail_search'")[0]["args"]


async def test_a_task_that_goes_round_in_circles_fails_and_the_next_one_is_done(here: Harness) -> None:
    again: list[Said] = ["I look.", LOOK, judged("Not yet.", complete=False)]
    run = await confirmed(here, *again * (Guard().failed_at - 1), *again[:2], NO_CHANGE, *SENT)
    first, second = await tasks_of(here, run)
    assert (run.state, first.status, second.status) == (RunState.FAILED, TaskStatus.FAILED, TaskStatus.COMPLETED)
    assert first.summary.startswith(to_people.DOOM_LOOP)
    assert len(here.effect.calls) == 1


async def test_a_card_of_a_task_holds_the_plan_and_not_the_thread(here: Harness) -> None:
    """Somebody else's request in it is answered while it waits."""
    run = await confirmed(here, *SENT[:2], level=TrustLevel.SUPERVISED, plan=proposed(SEND))
    here.model.says = ["It is noon."]
    other = await here.says("What time is it?", user=MARA)
    await here.serve()
    assert other.run_id not in {None, run.id}
    assert (await here.run(other.run_id or "")).state is RunState.COMPLETED
    assert (await here.run(run.id)).state is RunState.AWAITING


async def test_a_task_that_never_ends_stops_at_its_own_limit(here: Harness) -> None:
    steps = DEFAULT_LIMITS.steps or 0
    run = await confirmed(here, *goes_on(steps), "That is what I have.", NO_CHANGE, plan=ONE)
    (task,) = await tasks_of(here, run)
    assert (run.state, task.status) == (RunState.FAILED, TaskStatus.FAILED)
    assert len(await history_of(here, run, "1")) == steps
    assert "That is what I have." in task.summary


async def test_what_each_phase_asks_is_kept_before_its_answer_so_contents_alternate(here: Harness) -> None:
    """Two contents of the model in a row are refused by Gemini, also where the model answered without a call."""
    here.model.stream = with_contents(here.model.stream)
    run = await confirmed(here, *FOUND[:2], judged("Not yet.", complete=False), "I look again.", *FOUND[1:], plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
    last = [wire.role(content) for content in here.model.requests[-1].contents]
    assert last.count("model") == 5
    assert ("model", "model") not in pairwise(last)
    asked = [texts_of(content) for content in here.model.requests[-1].contents if wire.role(content) == "user"]
    assert [sum(f"[{phase}]" in text for text in asked) for phase in ("REASON", "ACT", "REFLECT")] == [2, 2, 2]
    assert len(next(text for text in asked if "[REFLECT]" in text)) < 100  # what each round asks is not sent again


async def test_a_call_while_it_reasons_is_not_made(here: Harness) -> None:
    run = await confirmed(here, WRITE, *FOUND, plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
    assert here.effect.calls == []
    assert len(here.read.calls) == 1


async def test_a_task_is_not_complete_while_its_owner_says_something_more(here: Harness) -> None:
    run = await planned(here, ONE)
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    stream = here.model.stream

    async def interrupted(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if "[REFLECT]" in texts_of(request.contents[-1]) and not here.effect.calls:
            await here.says("And write to Ben.")
        async for event in stream(request):
            yield event

    here.model.stream = interrupted
    here.model.says = [*FOUND, "I write.", WRITE, judged("Written.")]
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert [task.summary for task in await tasks_of(here, run)] == ["Written."]
    assert len(here.effect.calls) == 1


async def test_a_replacement_that_fails_replaces_nothing(here: Harness) -> None:
    again = {"kind": "add", "why": "so", "title": "Again", "goal": "It is tried again.", "replaces": "1"}
    run = await confirmed(here, *GONE, json.dumps({"modifications": [again]}), *GONE, NO_CHANGE, plan=ONE)
    assert run.state is RunState.FAILED
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.FAILED, TaskStatus.FAILED]


# Stops --------------------------------------------------------------------------------------------------------


async def test_a_task_that_a_budget_stopped_is_pending_again(here: Harness) -> None:
    run = await planned(here, PROPOSE, level=TrustLevel.SUPERVISED)
    here.model.says = [*FOUND, *SENT[:2]]
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    await here.serve()
    await here.change_run(run.id, stopping="It is enough.", stop_code=Limit.COST.value, hard_stop="It is enough.")
    child = (await below(here, run))[-1]
    await here.change_run(child.id, hard_stop="It is enough.", stop_code=Limit.COST.value)
    await here.click(await here.card_of(child.id), Choice.REJECT)
    await here.serve()
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.COMPLETED, TaskStatus.PENDING]
    assert (await here.run(run.id)).state is RunState.PAUSED


async def test_a_stop_of_one_task_fails_it_and_the_plan_goes_on(here: Harness) -> None:
    """By the button of the task: the model is told who stopped it, and is asked what follows."""
    run = await confirmed(here, "I answer.", WRITE, level=TrustLevel.SUPERVISED, plan=proposed(SEND, FIND))
    here.model.says = [NO_CHANGE, *FOUND]
    asked = len(here.model.requests)
    click = ButtonClick(team=TEAM, user=DANA, value=(await below(here, run))[-1].id)
    assert (await stop.stop_agent(here.transactions, click)).accepted
    await here.serve()
    assert "[REPLAN] Task 1" in texts(here.model.requests[asked])
    assert about_plans.STOPPED_TASK in texts(here.model.requests[asked])
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.FAILED, TaskStatus.COMPLETED]
    assert (await here.run(run.id)).state is RunState.FAILED
    assert here.effect.calls == []


async def test_a_refinement_has_an_allowance_of_its_own(here: Harness) -> None:
    run = await planned(here, LOOK, PROPOSE)
    before = await here.run(run.id)
    here.model.says = [ONE]
    assert (await refined(here, run, "Only find it.")).accepted
    after = await here.run(run.id)
    assert after.ceiling.steps == before.steps_taken + (DEFAULT_LIMITS.steps or 0)


async def test_continue_at_a_deadline_asks_the_same_plan_again(here: Harness) -> None:
    """The card that waited is over; a new one is bound to the plan with its new deadline."""
    run = await planned(here, PROPOSE, deadline_at=here.base.clock.now() + timedelta(minutes=5))
    old = await here.card_of(run.id)
    here.base.clock.advance(301)
    await here.serve()
    stopped = await here.run(run.id)
    assert (stopped.state, stopped.stop_code) == (RunState.PAUSED, DEADLINE)
    click, again = ButtonClick(team=TEAM, user=DANA, value=run.id), here.base.clock.now() + timedelta(hours=1)
    assert (await resume.continue_run(here.transactions, click, again)).accepted
    await here.serve()
    new = await here.card_of(run.id)
    assert new.hash != old.hash
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    assert not (await here.click(old, Choice.CONFIRM)).accepted
    here.model.says = [*FOUND, *SENT]
    assert (await here.click(new, Choice.CONFIRM)).accepted
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert (await here.run(run.id)).phase is Phase.CARRY_OUT


async def test_a_confirmed_plan_may_use_as_much_as_that_many_requests(here: Harness) -> None:
    run = await planned(here, PROPOSE)
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    granted = (await here.run(run.id)).limits
    assert granted.effects == 2 * (DEFAULT_LIMITS.effects or 0)
    assert granted.cards == 2 * (DEFAULT_LIMITS.cards or 0)


async def test_what_silence_paused_goes_on_with_the_plan(here: Harness) -> None:
    run = await confirmed(here, "I answer.", WRITE, level=TrustLevel.SUPERVISED, plan=proposed(SEND))
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    await expiry.tick(here.transactions)
    await here.serve()
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.EXECUTING]
    here.model.says = [judged("Sent.")]
    assert (await resume.continue_run(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.serve()
    (child,) = await below(here, run)
    assert (await here.click(await here.card_of(child.id))).accepted
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert len(here.effect.calls) == 1
