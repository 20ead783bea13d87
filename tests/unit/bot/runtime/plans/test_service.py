"""Plans for code: begun, changed, confirmed and carried out by calls, beside the bot that does the work."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.plans import MOST_ADDED, PlanTask, TaskStatus
from bot.domain.questions import QUESTION_LIFE, Choice, Question, QuestionKind, QuestionState
from bot.domain.threads import Message
from bot.llm.model import ModelUnavailable
from bot.runtime.delivery.plans import stands
from bot.runtime.plans.deadlines import LONGEST
from bot.runtime.plans.record import PlanSession, SessionStatus
from bot.runtime.plans.refinement import WORDS_KEPT
from bot.runtime.plans.requests import PlanRequest, PlanRequests
from bot.runtime.plans.service import LOOK_SECONDS, MOST_CHARACTERS, PlanRefused, PlanService
from bot.runtime.questions import expiry
from bot.runtime.texts import about_plans
from integrations.base import Option, ToolQuestion
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.dispatchers import OneThread
from tests.unit.bot.runtime.plans.test_plan import FIND, FOUND, LOOK, ONE, PROPOSE, SENT, judged
from tests.unit.bot.runtime.runs.test_delegating import defined
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said

SCOUT = """
name: meeting_brief
description: Finds what was said.
inputConfig: {inputs: {topic: {description: What about., type: string, required: true}}}
outputConfig: {outputName: report, description: What was found., schema: {type: string}}
promptConfig: {query: "Find ${topic}.", systemPrompt: You look.}
toolConfig: {tools: [gmail_search]}
"""
LEAD = """
name: week_review
description: Has things found.
inputConfig: {inputs: {}}
outputConfig: {outputName: text, description: The text., schema: {type: string}}
promptConfig: {query: Write., systemPrompt: You have things found.}
toolConfig: {tools: [gmail_search, meeting_brief]}
"""
GIVE: Said = [("meeting_brief", {"topic": "the mail"})]
HAND_OVER: Said = [("complete_task", {"report": "mail m1"})]
PROMPT = "Answer Anna, please"
IN_PARIS = "Europe/Paris"
MOST_PAUSES = 5


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path) as made:
        async with made.base.store.write() as work:
            await work.users.seen(make.person())
        await made.trusts(TrustLevel.AUTONOMOUS)
        yield made


def service(here: Harness, **values: Any) -> PlanService:
    """Dana's plans. While it pauses, the bot works on every thread until only people can move it."""

    pauses = count()

    async def works(seconds: float) -> None:
        assert seconds == LOOK_SECONDS
        assert next(pauses) < MOST_PAUSES
        here.base.clock.advance(seconds)
        await serve(here)

    requests = PlanRequests(transactions=here.transactions, limits=DEFAULT_LIMITS)
    given: dict[str, Any] = {"requests": requests, "team": TEAM, "user": DANA, "sleep": works}
    return PlanService(**given | values)


async def serve(here: Harness) -> None:
    dispatcher = here.transactions.dispatcher
    assert isinstance(dispatcher, OneThread)
    for row in here.base.rows("SELECT id FROM threads"):
        await here.runner.serve(row["id"], dispatcher.serving)


async def started(here: Harness, *says: Said, **values: Any) -> str:
    """A plan that waits for Dana; its session."""
    here.model.says = list(says or [PROPOSE])
    return (await service(here).start_planning(PROMPT, **values)).session_id


async def refusal(asked: Any) -> str:
    with pytest.raises(PlanRefused) as refused:
        await asked
    return str(refused.value)


# Planning -----------------------------------------------------------------------------------------------------


async def test_a_plan_is_the_list_of_its_tasks_and_names_its_session(here: Harness) -> None:
    here.model.says = [LOOK, PROPOSE]
    plan = await service(here).start_planning(PROMPT)
    assert list(plan) == [
        PlanTask(id="1", title="Find the mail", goal="The mail of Anna is found."),
        PlanTask(id="2", title="Send the answer", goal="Anna has an answer."),
    ]
    assert (len(plan), plan[-1].id, [task.id for task in plan[:1]], plan.revision) == (2, "2", ["1"], 1)
    found = await service(here).session(plan.session_id)
    assert (found.status, found.revision, found.confirmed) == (SessionStatus.AWAITING_CONFIRMATION, 1, None)


async def test_a_session_plans_from_the_first_moment(here: Harness) -> None:
    session_id = await service(here).begin(PROMPT)
    assert (await service(here).session(session_id)).status is SessionStatus.PLANNING


async def test_asking_twice_from_one_source_is_asking_once(here: Harness) -> None:
    requests = PlanRequests(transactions=here.transactions, limits=DEFAULT_LIMITS)
    asked = PlanRequest(team=TEAM, user=DANA, prompt=PROMPT, source="form:T1:V1")
    assert (await requests.begin(asked)).run_id == (await requests.begin(asked)).run_id != ""


async def test_planning_that_ends_without_a_plan_says_why(here: Harness) -> None:
    here.model.says = ["There is nothing to plan."] * 3
    assert about_plans.NOTHING_PROPOSED in await refusal(service(here).start_planning(PROMPT))


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        (" \n", about_plans.SAY_WHAT_FOR),
        ("a" * (MOST_CHARACTERS + 1), "20,001 characters, and 20,000 are taken"),
        ("a\x07b", "The text has a control character (U+0007); leave it out."),
        ("half \ud83d", about_plans.HALF_CHARACTER),
    ],
)
async def test_a_prompt_that_cannot_be_taken_begins_nothing(here: Harness, prompt: str, why: str) -> None:
    assert why in await refusal(service(here).start_planning(prompt))
    assert here.base.rows("SELECT id FROM runs") == []


@pytest.mark.parametrize("by_operator", [False, True])
async def test_an_operators_words_do_not_count_as_typed_by_the_person(here: Harness, by_operator: bool) -> None:
    here.model.says = [PROPOSE, ONE]
    plans = service(here, by_operator=by_operator)
    session_id = (await plans.start_planning(PROMPT)).session_id
    await plans.refine_plan(session_id, "Only find it.")
    await plans.confirm_plan(session_id, 2)
    said = await messages(here, session_id)
    assert [one.text for one in said] == [PROMPT, "Only find it."]
    assert [one.typed for one in said] == (["", ""] if by_operator else [PROMPT, "Only find it."])
    codes = "'run.queued', 'plan.to_be_changed', 'plan.confirmed'"
    by = here.base.rows(f"SELECT json_extract(body, '$.details.by') AS who FROM audit WHERE code IN ({codes})")
    assert [row["who"] for row in by] == ["operator" if by_operator else None] * 3


async def messages(here: Harness, session_id: str) -> list[Message]:
    async with here.base.store.read() as work:
        return list(await work.records.messages(await work.runs.find(session_id)))


# Changing and confirming --------------------------------------------------------------------------------------


async def test_words_change_the_plan_and_return_the_revision_that_came_of_them(here: Harness) -> None:
    session_id = await started(here)
    here.model.says = [ONE]
    plan = await service(here).refine_plan(session_id, "Only find it.")
    assert ([task.title for task in plan], plan.revision, plan.session_id) == (["Find the mail"], 2, session_id)


@pytest.mark.parametrize(
    ("words", "why"),
    [("  ", about_plans.SAY_WHAT), ("a" * (WORDS_KEPT + 1), "3,001 characters, and 3,000 are taken")],
)
async def test_words_that_cannot_be_taken_change_nothing(here: Harness, words: str, why: str) -> None:
    session_id = await started(here)
    assert why in await refusal(service(here).refine_plan(session_id, words))
    assert (await service(here).session(session_id)).revision == 1


async def test_an_older_revision_is_not_confirmed(here: Harness) -> None:
    session_id = await started(here)
    here.model.says = [ONE]
    await service(here).refine_plan(session_id, "Only find it.")
    assert await refusal(service(here).confirm_plan(session_id, 1)) == about_plans.is_older(1, 2)
    assert (await service(here).session(session_id)).confirmed is None


async def test_the_shown_revision_is_confirmed_once(here: Harness) -> None:
    session_id = await started(here)
    await service(here).confirm_plan(session_id, 1)
    await service(here).confirm_plan(session_id, 1)
    found = await service(here).session(session_id)
    assert (found.status, found.confirmed) == (SessionStatus.EXECUTING, 1)
    assert here.codes().count("plan.confirmed") == 1
    assert await refusal(service(here).confirm_plan(session_id, 2)) == about_plans.IS_CONFIRMED.format(revision=1)
    assert await refusal(service(here).refine_plan(session_id, "More.")) == about_plans.NOT_ASKED.format(
        status="EXECUTING"
    )


async def test_a_press_and_a_call_at_the_same_moment_confirm_once(here: Harness) -> None:
    """Both want the same revision, so neither is refused."""
    session_id = await started(here)
    plans, card = service(here), await here.card_of(session_id)
    assert (await here.click(card, Choice.CONFIRM)).accepted
    await plans._confirm(session_id, card, 1)  # pyright: ignore[reportPrivateUsage] - it had read that nobody did
    assert here.codes().count("plan.confirmed") == 1


async def test_a_question_that_was_closed_meanwhile_confirms_nothing(here: Harness) -> None:
    session_id = await started(here)
    old = await here.card_of(session_id)
    here.model.says = [ONE]
    await service(here).refine_plan(session_id, "Only find it.")
    why = await refusal(service(here)._confirm(session_id, old, 1))  # pyright: ignore[reportPrivateUsage] - as above
    assert "newer card" in why


async def test_a_plan_that_nobody_is_asked_about_is_not_confirmed(here: Harness) -> None:
    session_id = await started(here)
    assert (await here.click(await here.card_of(session_id), Choice.REJECT)).accepted
    await serve(here)
    for asked in (service(here).confirm_plan(session_id, 1), service(here).execute_plan(session_id)):
        assert await refusal(asked) == about_plans.NOT_ASKED.format(status="CANCELLED")


async def test_a_plan_whose_question_was_closed_is_waited_for(here: Harness) -> None:
    """The next question counts, also while the run has not begun to change anything."""
    session_id = await started(here)
    old = await here.card_of(session_id)
    here.model.says = [ONE]
    with pytest.raises(AssertionError):  # nobody asks another one
        await service(here).proposed(session_id, after=old.id)


async def test_a_plan_that_could_not_be_changed_is_returned_as_it_was(here: Harness) -> None:
    session_id = await started(here)
    here.model.says = [ModelUnavailable("network")]
    plan = await service(here).refine_plan(session_id, "Only find it.")
    assert (plan.revision, len(plan)) == (1, 2)
    await service(here).confirm_plan(session_id, 1)


@pytest.mark.parametrize("other", [{"user": "U2"}, {"team": "T2"}])
async def test_plans_of_others_are_not_known(here: Harness, other: dict[str, str]) -> None:
    session_id = await started(here)
    theirs, unknown = service(here, **other), about_plans.NO_SUCH_PLAN.format(session_id=session_id)
    for asked in (
        theirs.refine_plan(session_id, "Less."),
        theirs.confirm_plan(session_id, 1),
        theirs.execute_plan(session_id),
        theirs.session(session_id),
    ):
        assert await refusal(asked) == unknown
    assert (await here.card_of(session_id)).state is QuestionState.OPEN


async def test_a_request_that_is_no_plan_is_none(here: Harness) -> None:
    run = await here.asked("Hello.")
    assert await refusal(service(here).session(run.id)) == about_plans.NO_SUCH_PLAN.format(session_id=run.id)
    assert "There is no plan run_9 of this person." in await refusal(service(here).session("run_9"))


# Carrying out -------------------------------------------------------------------------------------------------


async def test_a_plan_is_carried_out_to_its_end_with_a_log_of_every_action(here: Harness) -> None:
    session_id = await started(here)
    here.model.says = [*FOUND, *SENT]
    result = await service(here).execute_plan(session_id)
    assert result.status is SessionStatus.COMPLETED
    assert [(entry.task, entry.round, entry.tool, entry.reason, entry.state) for entry in result.log] == [
        ("1", 1, "gmail_search", "I look for it.", "completed"),
        ("2", 1, "gmail_send", "I answer.", "completed"),
    ]
    assert (await service(here).session(session_id)).confirmed == 1
    again = await service(here).execute_plan(session_id)
    assert again == result


async def test_what_an_agent_did_for_a_task_is_in_the_log_behind_the_call_of_it(tmp_path: Path) -> None:
    """With the task and the round in which it was given that work, and its name."""
    async with harness(tmp_path, agents=[defined(SCOUT), defined(LEAD)]) as here:
        await here.trusts(TrustLevel.AUTONOMOUS)
        async with here.base.store.write() as work:
            await work.users.seen(make.person())
        session_id = await started(here, [("propose_plan", {"tasks": [FIND | {"agent": "week_review"}]})])
        here.model.says = ["I look.", LOOK, judged(complete=False), "I have it found.", GIVE, LOOK, HAND_OVER, judged()]
        result = await service(here).execute_plan(session_id)
    assert result.status is SessionStatus.COMPLETED
    assert [(one.task, one.round, one.agent, one.tool, one.reason) for one in result.log] == [
        ("1", 1, "", "gmail_search", "I look."),
        ("1", 2, "", "meeting_brief", "I have it found."),
        ("1", 2, "meeting_brief", "gmail_search", "I have it found."),
    ]


async def test_what_was_rejected_is_in_the_log_with_who_decided(here: Harness) -> None:
    await here.trusts(TrustLevel.SUPERVISED)
    session_id = await started(here)
    here.model.says = [*FOUND, *SENT[:2], judged("It was refused.", complete=False, persistent_error=True)]
    here.model.says.append('{"modifications": []}')
    plans = service(here)
    await plans.confirm_plan(session_id, 1)
    await serve(here)
    async with here.base.store.read() as work:
        child = (await work.runs.given_work(session_id))[-1]
    assert (await here.click(await here.card_of(child.id), Choice.REJECT)).accepted
    result = await plans.execute_plan(session_id)
    assert result.status is SessionStatus.FAILED
    assert [(entry.tool, entry.state, entry.approved_by) for entry in result.log] == [
        ("gmail_search", "completed", None),
        ("gmail_send", "rejected", None),
    ]
    assert here.effect.calls == []


async def test_what_a_confirmed_plan_asks_anew_is_confirmed_by_its_own_revision(here: Harness) -> None:
    """It added more than ten tasks, so its owner is asked again; what was confirmed before answers nothing, and nothing
    confirms it unread.
    """
    session_id = await started(here, ONE)
    more = [{"kind": "add", "why": "so", "title": f"More {n}", "goal": "More is done."} for n in range(MOST_ADDED + 1)]
    here.model.says = [*FOUND[:2], judged(modifications=more)]
    plans = service(here)
    await plans.confirm_plan(session_id, 1)
    await serve(here)
    assert await refusal(plans.confirm_plan(session_id, 1)) == about_plans.is_older(1, 2)
    assert await refusal(plans.execute_plan(session_id)) == about_plans.ASKED_ANEW.format(revision=2)
    assert (await plans.session(session_id)).confirmed == 1
    here.model.says = FOUND * (MOST_ADDED + 1)
    await plans.confirm_plan(session_id, 2)
    assert (await plans.execute_plan(session_id)).status is SessionStatus.COMPLETED
    assert (await plans.session(session_id)).confirmed == 2


async def test_progress_tells_each_change_once_and_ends(here: Harness) -> None:
    session_id = await started(here)
    here.model.says = [*FOUND, *SENT]
    await service(here).confirm_shown(session_id)
    seen = [one async for one in service(here).progress(session_id)]
    assert [one.status for one in seen] == [SessionStatus.EXECUTING, SessionStatus.COMPLETED]
    assert [task.status for task in seen[-1].tasks] == [TaskStatus.COMPLETED] * 2
    assert [one.log for one in seen] == [(), ()]


async def asked_now(here: Harness) -> Question:
    """The only question that is open."""
    async with here.base.store.read() as work:
        (question,) = await work.questions.open_of(TEAM, DANA, limit=9)
    return question


async def test_a_look_up_that_asks_is_still_planning(here: Harness) -> None:
    """Whoever waits for the plan is told of that question, and goes on waiting."""
    here.asking.inquiries = [ToolQuestion(text="Which Anna?", options=[Option(value="a", label="Anna")])]
    here.model.says = [[("calendar_search", {"text": "it"})]]
    session_id = await service(here).begin(PROMPT)
    await serve(here)
    found = await service(here).session(session_id)
    assert (found.status, [asked.about for asked in found.waits_for]) == (SessionStatus.PLANNING, ["Which Anna?"])
    now = here.base.clock.now()
    assert stands(await here.run(session_id), found.tasks, now, agreed=False) == "waits for your answer"
    told = list[PlanSession]()
    here.model.says = [PROPOSE]
    assert (await here.click(await asked_now(here), Choice.ANSWER, option=0)).accepted
    assert len(await service(here).proposed(session_id, tell=told.append)) == 2
    assert {one.status for one in told} == {SessionStatus.PLANNING, SessionStatus.AWAITING_CONFIRMATION}


async def test_progress_tells_what_is_waited_for(here: Harness) -> None:
    """A tool's question, the card of a task, and then the rest of the plan; of the task it says which one it is."""
    session_id = await started(here, ONE)
    here.asking.inquiries = [ToolQuestion(text="Which Anna?", options=[Option(value="a", label="Anna")])]
    more = [{"kind": "add", "title": f"More {n}", "goal": f"More {n}.", "why": "so"} for n in range(MOST_ADDED + 1)]
    here.model.says = ["I look.", [("calendar_search", {"text": "it"})]]
    plans = service(here)
    assert (await plans.session(session_id)).waits_for[0].kind is QuestionKind.PLAN
    await plans.confirm_plan(session_id, 1)
    await serve(here)
    (asked,) = (await plans.session(session_id)).waits_for
    assert (asked.kind, asked.task, asked.about, asked.channel) == (QuestionKind.ANSWER, "1", "Which Anna?", "")
    await here.trusts(TrustLevel.SUPERVISED)
    here.model.says = [judged("Not yet.", complete=False), *SENT[:2]]
    assert (await here.click(await asked_now(here), Choice.ANSWER, option=0)).accepted
    await serve(here)
    (asked,) = (await plans.session(session_id)).waits_for
    assert (asked.kind, asked.task, asked.about) == (QuestionKind.APPROVE, "1", "Do it")
    here.model.says = [judged(modifications=more)]
    assert (await here.click(await asked_now(here))).accepted
    await serve(here)
    (asked,) = (await plans.session(session_id)).waits_for
    assert (asked.kind, asked.task, asked.about) == (QuestionKind.PLAN, "", "revision 2")


async def test_the_deadline_ends_waiting_for_a_plan(here: Harness) -> None:
    """A card waits for nobody's answer, so the result says that the deadline was over."""
    await here.trusts(TrustLevel.SUPERVISED)
    until = here.base.clock.now() + timedelta(minutes=30)
    session_id = await started(here, deadline=until)
    here.model.says = [*FOUND, *SENT[:2]]
    plans = service(here)
    await plans.confirm_plan(session_id, 1)
    await serve(here)
    here.base.clock.advance(31 * 60)
    result = await plans.execute_plan(session_id)
    assert result.status is SessionStatus.DEADLINE_EXCEEDED
    assert (await plans.session(session_id)).deadline == until


async def test_a_deadline_that_passes_while_silence_paused_a_plan_is_told(here: Harness) -> None:
    await here.trusts(TrustLevel.SUPERVISED)
    session_id = await started(here, ONE, deadline=here.base.clock.now() + 2 * QUESTION_LIFE)
    here.model.says = SENT[:2]
    plans = service(here)
    await plans.confirm_plan(session_id, 1)
    await serve(here)
    seen = list[SessionStatus]()
    for _ in range(2):
        here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
        await expiry.tick(here.transactions)
        await serve(here)
        seen.append((await plans.session(session_id)).status)
    assert seen == [SessionStatus.PAUSED, SessionStatus.DEADLINE_EXCEEDED]


# Deadlines ----------------------------------------------------------------------------------------------------


async def test_a_deadline_in_the_past_begins_nothing(here: Harness) -> None:
    """It is told by the clocks of the person."""
    async with here.base.store.write() as work:
        await work.users.seen(make.person(zone=IN_PARIS))
    now = here.base.clock.now()
    why = await refusal(service(here).start_planning(PROMPT, deadline=now))
    assert why == about_plans.is_over(now, now, IN_PARIS)
    assert f"({IN_PARIS}) is over" in why
    assert here.base.rows("SELECT id FROM runs") == []


async def test_a_deadline_without_a_zone_begins_nothing(here: Harness) -> None:
    tomorrow = (here.base.clock.now() + timedelta(days=1)).replace(tzinfo=None)
    assert await refusal(service(here).start_planning(PROMPT, deadline=tomorrow)) == about_plans.NO_ZONE


async def test_a_deadline_that_is_too_far_away_begins_nothing(here: Harness) -> None:
    latest = here.base.clock.now() + LONGEST
    for late in (latest + timedelta(seconds=1), datetime.max.replace(tzinfo=UTC)):
        assert await refusal(service(here).start_planning(PROMPT, deadline=late)) == about_plans.TOO_FAR
    here.model.says = [PROPOSE]
    plan = await service(here).start_planning(PROMPT, deadline=latest)
    assert (await service(here).session(plan.session_id)).deadline == latest


async def test_a_repository_is_named_on_the_plan(here: Harness) -> None:
    session_id = await started(here, repo_url=" website ")
    assert (await service(here).session(session_id)).repository == "website"
    assert "1,001 characters" in await refusal(service(here).start_planning(PROMPT, "a" * 1_001))
