"""The functional requirements of the core agent service (CAS §1), each by the emulators and the calls of its interface.

Most of them look at one plan: it is proposed, confirmed, and carried out; the bot is stopped and started again while a
card waits.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import cast

import pytest
import pytest_asyncio

from bot.commands.requester import transactions_of
from bot.domain.plans import Phase, Plan, PlanTask, Revision, Round, TaskStatus, as_json
from bot.domain.runs import Run, RunState
from bot.runtime.plans.record import LogEntry, PlanSession, SessionStatus
from bot.runtime.plans.requests import PlanRequests
from bot.runtime.plans.service import PlanRefused, PlanResult, PlanService, ProposedPlan
from bot.slack.views import plan_forms
from bot.slack.views.blocks import VALUE
from bot.store.unit_of_work import UnitOfWork
from bot.wiring.limits import chat_limits
from playground import sample_repositories
from playground.people import DANA, MARA, TEAM_ID, Person
from tests.acceptance.slack_side import HELEN, act
from tests.acceptance.world import APPROVE, HURRIED, REJECT, Json, World, button_ids, text_of, world

pytestmark = pytest.mark.asyncio(loop_scope="module")

TIMINGS = replace(HURRIED, sweep_seconds=0.1)
"""What is written beside the bot is looked for at once."""

TEA, LORRY, SHOWROOM = "Remember that tea is at 4.", "Remember that the lorry is booked.", "Remember the showroom."
PROMPT = (
    f"plan: {TEA[:-1]} [[plan: change 2 to remember that the lorry comes at 9]] [[plan: drop 3]]"
    f" [[plan: add remember that Ben knows]]; {LORRY[:-1]}; {SHOWROOM[:-1]}; "
    "answer Helen's mail about the benches that Thursday works"
)
"""The first task changes the plan: another one, one that is dropped, and one more. The fourth asks with a card."""

CONFIRM = "question_confirm"

LOOKS, REPLY = ("gmail_search", "gmail_thread_read"), "gmail_reply"
"""What the fourth task looks up, and what it asks about."""

MAIL = "4"
"""The task that asks: it looks the mail up first, so it takes more than one round."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    """A world with a repository, and a running bot that hurries."""
    folder = tmp_path_factory.mktemp("company")
    sample_repositories.laid_out(folder / "repositories")
    async with world(folder) as made:
        await made.start_bot(timings=TIMINGS, repositories_dir=str(folder / "repositories"))
        yield made


def plans(here: World, person: Person = DANA) -> PlanService:
    """The interface, for this person."""

    async def soon(seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.03))

    requests = PlanRequests(transactions=transactions_of(here.base), limits=chat_limits(here.settings))
    return PlanService(requests=requests, team=TEAM_ID, user=person.user_id, sleep=soon)


async def card(here: World, words: str, button: str = APPROVE) -> Json:
    """A card in Dana's direct messages with this button and these words."""
    found = f"a card with “{words}”"
    return await here.message(here.dm_of(DANA), lambda m: button in button_ids(m) and words in text_of(m), found)


async def asked_of_model(here: World, words: str) -> list[Json]:
    """What the model was asked about this, in order."""
    return [entry["request"] for entry in await here.gemini.log() if words in str(entry["request"])]


def declared(request: Json) -> set[str]:
    """The tools that a request to the model has."""
    return {one["name"] for tool in request.get("tools", []) for one in tool["functionDeclarations"]}


def phase_of(request: Json) -> str:
    """What of a round the model is asked for; empty outside of rounds."""
    last = str(request["contents"][-1]["parts"][-1].get("text", ""))
    found = re.search(r"^\[(REASON|ACT|REFLECT)\]", last, re.M)
    return found[1] if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A plan as it is stored, with its run and those of its tasks."""

    run: Run
    plan: Plan
    tasks: Sequence[PlanTask]
    revisions: Sequence[Revision]
    children: Sequence[Run]
    history: Sequence[Sequence[Round]]


async def rows(here: World, session_id: str) -> Rows:
    async def looked(work: UnitOfWork) -> Rows:
        plan, tasks = await work.plans.find(session_id), await work.plans.tasks(session_id)
        assert plan is not None
        return Rows(
            run=await work.runs.find(session_id),
            plan=plan,
            tasks=tasks,
            revisions=await work.plans.revisions(session_id),
            children=await work.runs.given_work(session_id),
            history=[await work.plans.history(session_id, task.id) for task in tasks],
        )

    return await here.read(looked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """One plan from its beginning to its end: what was seen of it on the way."""

    id: str
    begun: PlanSession
    proposed: ProposedPlan
    stored: Rows
    asked: PlanSession
    waiting: PlanSession
    paused_at: Rows
    ended: PlanResult
    rows: Rows
    requests: Sequence[Json]

    @property
    def log(self) -> Sequence[LogEntry]:
        return self.ended.log


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def walked(company: World) -> Walked:
    """Begun while the model is slow, confirmed, left and taken up by another process while the card of a mail waits."""
    await company.gemini.fault("hold", contains=TEA[:-1], seconds=60)
    session_id = await plans(company).begin(PROMPT)
    begun = await plans(company).session(session_id)
    await company.mend()
    proposed = await plans(company).proposed(session_id)
    stored, asked = await rows(company, session_id), await plans(company).session(session_id)
    await plans(company).confirm_plan(session_id, proposed.revision)
    await card(company, HELEN)
    waiting, paused_at = await plans(company).session(session_id), await rows(company, session_id)
    await company.stop_bot()
    await company.start_bot(timings=TIMINGS)
    await company.click(DANA, await card(company, HELEN), APPROVE)
    return Walked(
        id=session_id,
        begun=begun,
        proposed=proposed,
        stored=stored,
        asked=asked,
        waiting=waiting,
        paused_at=paused_at,
        ended=await plans(company).execute_plan(session_id),
        rows=await rows(company, session_id),
        requests=await asked_of_model(company, "tea is at 4"),
    )


def phases(walked: Walked, goal: str) -> list[str]:
    """Those in which the model was asked about the task with this goal, in order."""
    return [
        phase_of(request)
        for request in walked.requests
        if f"\nGoal: {goal}" in request["contents"][0]["parts"][0]["text"]
    ]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def refused(company: World, walked: Walked) -> PlanResult:
    """A plan whose owner rejects the mail, and then the draft of it."""
    plan = await plans(company).start_planning(f"plan: email {HELEN} that Monday works")
    await plans(company).confirm_plan(plan.session_id, 1)
    await company.click(DANA, await card(company, "Monday"), REJECT)
    await company.click(DANA, await card(company, "Save this draft?"), REJECT)
    return await plans(company).execute_plan(plan.session_id)


def tool_of(one: Round) -> str:
    """The tool that a round called."""
    return cast("Json", one.action)["tool"]


# General ------------------------------------------------------------------------------------------------------


async def test_fr_101_there_are_two_modes_planning_and_execution(walked: Walked) -> None:
    """What plans can look things up and propose; what executes can act, and proposes nothing."""
    planning = [request for request in walked.requests if "propose_plan" in declared(request)]
    executing = [request for request in walked.requests if phase_of(request) == "ACT"]
    assert walked.requests[0] in planning
    assert planning
    assert executing
    for request in planning:
        assert "gmail_search" in declared(request)
        assert not declared(request) & {"gmail_send", "save_memory", "calendar_event_create"}
    for request in executing:
        assert {"gmail_send", "save_memory"} <= declared(request)
        assert "propose_plan" not in declared(request)


async def test_fr_102_a_session_goes_from_state_to_state(walked: Walked, refused: PlanResult) -> None:
    """The last one is COMPLETED here, FAILED where nothing replaced a failure; FR-306 has DEADLINE_EXCEEDED."""
    seen = [walked.begun.status, walked.asked.status, walked.waiting.status, walked.ended.status]
    assert seen == [
        SessionStatus.PLANNING,
        SessionStatus.AWAITING_CONFIRMATION,
        SessionStatus.EXECUTING,
        SessionStatus.COMPLETED,
    ]
    assert refused.status is SessionStatus.FAILED


async def test_fr_103_every_operation_goes_by_the_id_of_its_session(shared: World, walked: Walked) -> None:
    """Nothing is found by another id or for another person, and all that is stored has that id."""
    stored = walked.rows
    assert walked.proposed.session_id == stored.run.id == stored.plan.run_id == walked.id
    assert {one.run_id for one in stored.revisions} == {walked.id}
    assert {child.parent for child in stored.children} == {walked.id}
    assert (await plans(shared).session(walked.id)).session_id == walked.id
    for service, session_id in ((plans(shared), "run_none"), (plans(shared, MARA), walked.id)):
        for asked in (
            service.session(session_id),
            service.refine_plan(session_id, "Leave out the first."),
            service.confirm_plan(session_id, 1),
            service.execute_plan(session_id),
        ):
            with pytest.raises(PlanRefused, match="There is no plan"):
                await asked


# Planning mode ------------------------------------------------------------------------------------------------


async def test_fr_201_a_new_session_is_in_planning_mode(walked: Walked) -> None:
    """From the prompt on, before the model has said anything."""
    assert walked.begun.status is SessionStatus.PLANNING
    assert (list(walked.begun.tasks), walked.begun.revision, walked.begun.confirmed) == ([], 0, None)


async def submitted(here: World, window: Json, repository: str, **fields: Json) -> Json:
    """What Slack is told where the window is sent."""
    values = {
        name: {VALUE: {"type": "plain_text_input", "value": value}}
        for name, value in ((plan_forms.WHAT, f"{LORRY} {TEA}"), (plan_forms.REPOSITORY, repository))
    }
    return await act(here, "submit", user=DANA.user_id, view_id=window["id"], values=values | fields)


async def test_fr_202_the_prompt_the_repository_and_agent_md_are_analyzed(shared: World) -> None:
    """The window of `/agent plan` names the repositories. The model is told what the repository says, as others' text,
    and makes tasks of the prompt.
    """
    await shared.command(DANA, "plan")
    (window,) = await shared.until(lambda: shared.windows(DANA), "the window")
    (field,) = (block for block in window["blocks"] if block.get("block_id") == plan_forms.REPOSITORY)
    assert "“customer-visits”" in field["hint"]["text"]
    past, none = ({VALUE: {"type": "datetimepicker", "selected_date_time": at}} for at in (1, None))
    wrong = await submitted(shared, window, repository="no-such-visits", deadline=past)
    assert set(wrong["errors"]) == {plan_forms.DEADLINE, plan_forms.REPOSITORY}
    assert "“customer-visits”" in wrong["errors"][plan_forms.REPOSITORY]
    assert "errors" not in await submitted(shared, window, repository="file:customer-visits", deadline=none)
    shown = text_of(await card(shared, "customer-visits", CONFIRM))
    assert "file:customer-visits, branch main, commit " in shown
    (request, *_) = await asked_of_model(shared, "[REPOSITORY]")
    *_, repository, asked = (content["parts"][-1]["text"] for content in request["contents"])
    for source in ("repository", "repository, paths", "repository, README", "repository, AGENT.md"):
        assert f'<untrusted source="{source}">' in repository
    assert "Make one task of each step" in repository
    assert asked == f"{LORRY} {TEA}"
    newest = (await shared.read(lambda work: work.runs.recent_of(TEAM_ID, DANA.user_id, limit=1)))[0]
    assert [task.goal for task in (await rows(shared, newest.id)).tasks] == [LORRY, TEA]


async def test_fr_203_the_plan_is_returned_and_stored_as_json_and_the_session_awaits_confirmation(
    walked: Walked,
) -> None:
    returned = list(walked.proposed)
    assert [(task.id, task.status) for task in returned] == [(str(n), TaskStatus.PENDING) for n in (1, 2, 3, 4)]
    assert [task.goal for task in returned][1:3] == [LORRY, SHOWROOM]
    assert walked.asked.status is SessionStatus.AWAITING_CONFIRMATION
    assert walked.stored.run.state is RunState.AWAITING
    assert json.loads(walked.stored.plan.raw_plan) == [task.shown for task in returned]


async def test_fr_204_the_plan_is_refined_in_conversation(shared: World) -> None:
    """By the call, and by a reply in its thread, again and again; each time the revised plan comes back."""
    plan = await plans(shared).start_planning(f"plan: {TEA} {LORRY} {SHOWROOM}")
    refined = await plans(shared).refine_plan(plan.session_id, "Leave out the second task.")
    assert ([task.goal for task in refined], refined.revision) == ([TEA, SHOWROOM], 2)
    shown = await card(shared, "showroom", CONFIRM)
    await shared.say(DANA, "Also remember that Ben knows.", thread_ts=shown["thread_ts"])
    await shared.until(
        lambda: plans(shared).session(plan.session_id), "the third revision", when=lambda found: found.revision == 3
    )
    again = await plans(shared).refine_plan(plan.session_id, "Leave out the first task.")
    assert ([task.goal for task in again], again.revision) == ([SHOWROOM, "Remember that Ben knows."], 4)
    found = await plans(shared).session(plan.session_id)
    assert (found.status, found.confirmed) == (SessionStatus.AWAITING_CONFIRMATION, None)


async def test_fr_205_a_confirmation_locks_the_plan_in(shared: World) -> None:
    """That of the revision that is shown; afterwards nothing refines it, and it is executed."""
    plan = await plans(shared).start_planning(f"plan: {TEA} {LORRY}")
    refined = await plans(shared).refine_plan(plan.session_id, "Leave out the second task.")
    with pytest.raises(PlanRefused):
        await plans(shared).confirm_plan(plan.session_id, plan.revision)
    assert (await plans(shared).session(plan.session_id)).confirmed is None
    await plans(shared).confirm_plan(plan.session_id, refined.revision)
    locked = await rows(shared, plan.session_id)
    assert (locked.plan.confirmed, locked.plan.confirmed_by) == (refined.revision, DANA.user_id)
    assert locked.run.phase is not Phase.PROPOSE
    with pytest.raises(PlanRefused):
        await plans(shared).refine_plan(plan.session_id, "Leave out the first task.")
    ended = await plans(shared).execute_plan(plan.session_id)
    assert (ended.status, [entry.task for entry in ended.log]) == (SessionStatus.COMPLETED, ["1"])


# Execution mode -----------------------------------------------------------------------------------------------


async def test_fr_301_once_confirmed_the_session_executes(walked: Walked) -> None:
    """Nothing of it was executed before; also while a card waits it is EXECUTING."""
    assert list(walked.asked.log) == []
    assert list(walked.stored.children) == []
    assert walked.waiting.status is SessionStatus.EXECUTING
    assert walked.waiting.confirmed == walked.proposed.revision


async def test_fr_302_tasks_are_worked_through_in_order(walked: Walked) -> None:
    """One at a time, in the order of the plan: none begins before the one before it ended."""
    by_id = {child.id: child for child in walked.rows.children}
    done = [by_id[task.child] for task in walked.rows.tasks if task.child]
    assert [task.id for task in walked.rows.tasks if task.child] == ["1", "2", "4", "5"]
    for before, after in itertools.pairwise(done):
        assert before.completed_at is not None
        assert before.completed_at <= after.created_at
    assert [entry.task for entry in walked.log] == sorted(entry.task for entry in walked.log)


async def test_fr_303_each_task_goes_round_until_its_goal_is_achieved(walked: Walked) -> None:
    """Reason, Act, Reflect, and again until Reflect says that the goal is reached; each round is kept."""
    assert [phases(walked, goal) for goal in (TEA[:-1], "Answer Helen's mail")] == [
        ["REASON", "ACT", "REFLECT"],
        ["REASON", "ACT", "REFLECT"] * len(walked.rows.history[int(MAIL) - 1]),
    ]
    for task, history in zip(walked.rows.tasks, walked.rows.history, strict=True):
        assert bool(history) is (task.status is TaskStatus.COMPLETED)
        for one in history:
            assert one.reason
            assert tool_of(one)
            assert one.observation
    assert [tool_of(one) for one in walked.rows.history[int(MAIL) - 1]] == [*LOOKS, REPLY]


async def test_fr_304_the_plan_changes_itself_while_it_is_executed(walked: Walked) -> None:
    """A task is added, one is changed, one is obsolete; the JSON of the plan says so, in a revision of its own."""
    tasks = {task.id: task for task in walked.rows.tasks}
    assert tasks["2"].goal == "Remember that the lorry comes at 9."
    assert (tasks["3"].status, tasks["3"].child) == (TaskStatus.OBSOLETE, None)
    assert (tasks["5"].goal, tasks["5"].status) == ("Remember that Ben knows.", TaskStatus.COMPLETED)
    assert walked.rows.plan.raw_plan == as_json(walked.rows.tasks)
    assert walked.rows.plan.revision == walked.proposed.revision + 1
    changed = json.loads(walked.rows.revisions[-1].raw_plan)
    assert [(task["id"], task["status"]) for task in changed if task["id"] in {"3", "5"}] == [
        ("3", "obsolete"),
        ("5", "pending"),
    ]


async def test_fr_305_the_state_is_persisted_after_each_act(walked: Walked) -> None:
    """The current task and its round with what led to the call, as JSON; another process goes on with that round."""
    stored = walked.paused_at
    (current,) = (task for task in stored.tasks if task.status is TaskStatus.EXECUTING)
    (child,) = (child for child in stored.children if child.id == current.child)
    (begun,) = stored.history[int(current.id) - 1][-1:]
    assert (current.id, child.phase) == (MAIL, Phase.REFLECT)
    assert begun.reason
    assert (tool_of(begun), begun.observation) == (REPLY, None)
    after = walked.rows.history[int(MAIL) - 1]
    assert [one.reason for one in after] == [one.reason for one in stored.history[int(MAIL) - 1]]
    assert after[-1].action == begun.action
    assert after[-1].observation is not None


async def test_fr_306_execution_ends_when_all_is_done_or_the_deadline_is_over(shared: World, walked: Walked) -> None:
    """At the deadline nothing more is begun, although a card waits and tasks are pending."""
    ends = {task.status for task in walked.rows.tasks}
    assert (walked.ended.status, ends) == (SessionStatus.COMPLETED, {TaskStatus.COMPLETED, TaskStatus.OBSOLETE})
    deadline = shared.base.clock.now() + timedelta(hours=5)
    plan = await plans(shared).start_planning(f"plan: email {HELEN} that Friday works; {TEA}", deadline=deadline)
    await plans(shared).confirm_plan(plan.session_id, 1)
    await card(shared, "Friday")
    past = f"{shared.base.clock.now() - timedelta(seconds=1):%Y-%m-%d %H:%M:%S.%f}"
    await shared.tamper(f"UPDATE runs SET deadline_at = '{past}' WHERE id = '{plan.session_id}' AND user = ?", DANA)
    ended = await plans(shared).execute_plan(plan.session_id)
    assert ended.status is SessionStatus.DEADLINE_EXCEEDED
    assert not [mail for mail in await shared.sent(DANA) if "Friday" in str(mail)]
    assert [(task.id, task.child is not None) for task in (await rows(shared, plan.session_id)).tasks] == [
        ("1", True),
        ("2", False),
    ]


async def test_fr_307_the_result_has_the_status_and_a_log_of_all_actions(
    shared: World, walked: Walked, refused: PlanResult
) -> None:
    """In order, with task, round, reason, tool, arguments, verdict, who approved it, what came of it, and when; also
    what was rejected. The same is shared as a file.
    """
    found = await plans(shared).session(walked.id)
    assert (found.status, found.log) == (walked.ended.status, walked.ended.log)
    assert [(entry.task, entry.tool, entry.verdict, entry.approved_by, entry.state) for entry in walked.log] == [
        ("1", "save_memory", "allow", None, "completed"),
        ("2", "save_memory", "allow", None, "completed"),
        *((MAIL, tool, "allow", None, "completed") for tool in LOOKS),
        (MAIL, REPLY, "ask", DANA.user_id, "completed"),
        ("5", "save_memory", "allow", None, "completed"),
    ]
    for entry in walked.log:
        assert entry.reason
        assert entry.observation
        assert entry.ended_at is not None
        assert entry.proposed_at <= entry.ended_at
    assert [entry.round for entry in walked.log if entry.task == MAIL] == [1, 2, 3]
    assert "Thursday" in walked.log[-2].arguments
    assert [(entry.tool, entry.approved_by, entry.state) for entry in refused.log] == [
        ("gmail_send", None, "rejected"),
        ("gmail_draft_create", None, "rejected"),
    ]
    name = f"plan-{walked.id}-completed.json"
    message = await shared.message(shared.dm_of(DANA), lambda m: name in str(m.get("files")), "the file with the log")
    (file,) = message["files"]
    assert await shared.slack.get(f"/__act/file?id={file['id']}") == json.loads(json.dumps(found.as_json()))
