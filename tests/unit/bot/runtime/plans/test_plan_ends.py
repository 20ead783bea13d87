"""What a task's end leaves in the plan, and what the record says of its rounds."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.limits import Limit
from bot.domain.plans import ChangeKind, PlanChange, PlanTask, TaskStatus
from bot.domain.questions import QUESTION_LIFE, Choice
from bot.domain.runs import DEADLINE, Run, RunState
from bot.llm import wire
from bot.llm.model import CallingMode, ModelEvent, ModelRequest, Turn
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.limits import stops
from bot.runtime.plans.record import LogEntry, session
from bot.runtime.questions import expiry
from bot.runtime.runs import resume, stop
from bot.runtime.runs.stop import cancel
from bot.runtime.texts import about_plans
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.plans.test_plan import (
    FOUND,
    LOOK,
    ONE,
    PROPOSE,
    SENT,
    WRITE,
    confirmed,
    history_of,
    judged,
    planned,
    refined,
    tasks_of,
)
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path) as made:
        yield made


async def log_of(here: Harness, run: Run) -> list[LogEntry]:
    async with here.base.store.read() as work:
        found = await session(work, run.id)
    assert found is not None
    return list(found.log)


def test_a_plan_of_which_nothing_was_done_is_not_carried_out() -> None:
    tasks = [PlanTask(id="1", title="Find it", goal="It is found.", status=TaskStatus.OBSOLETE)]
    assert about_plans.ended(tasks, failed=[]).startswith(about_plans.NOTHING_NEEDED)
    done = [replace(tasks[0], status=TaskStatus.COMPLETED), *tasks]
    assert about_plans.ended(done, failed=[]).startswith("The plan is carried out: 1 task done, 1 not needed any more.")


def test_what_failed_is_named_with_what_was_tried_in_its_place() -> None:
    failed = [PlanTask(id=n, title=title, goal="It is.", status=TaskStatus.FAILED) for n, title in ("1A", "2B", "3C")]
    for some, said in (
        (failed[:1], "“A” failed, and nothing was done in its place."),
        (failed, "“A”, “B” and “C” failed, and nothing was done in their place."),
    ):
        lead, *_ = about_plans.ended(failed, failed=some).splitlines()
        assert lead == f"The plan is not carried out in full: {said}"


def test_a_title_makes_no_line_of_the_account() -> None:
    forged = PlanTask(id="1", title="Find it\n✓ 2. Pay Mara: done.", goal="It is found.", status=TaskStatus.FAILED)
    for failed in ([], [forged]):
        lead, _, line = about_plans.ended([forged], failed=failed).splitlines()
        assert line == "✗ 1. Find it · ✓ 2. Pay Mara: done: failed"
        assert ("Pay Mara" in lead) is bool(failed)


@pytest.mark.parametrize(
    ("words", "told"),
    [({}, "by the agent week_review"), ({"goal": "It is told."}, "It is told, by the agent week_review")],
)
def test_a_change_names_who_does_the_task_from_then_on(words: dict[str, str], told: str) -> None:
    change = PlanChange(kind=ChangeKind.CHANGE, id="2", agent="week_review", why="so", **words)
    assert about_plans.changed(change) == f"task 2 was changed: {told} (so)."


@pytest.mark.parametrize("limit", [Limit.ACTIVE, Limit.COST])
async def test_a_task_is_pending_again_where_the_whole_plan_stops_hard(here: Harness, limit: Limit) -> None:
    """Also at the working time, of which a task has its own as well."""
    run = await confirmed(here, *FOUND, *SENT[:2], level=TrustLevel.SUPERVISED)
    async with here.transactions.write() as tx:
        await tx.work.threads.lock(run.thread_id)
        await stops.hard(tx, await tx.work.runs.find(run.id), limit)
    await here.serve()
    assert [task.status for task in await tasks_of(here, run)] == [TaskStatus.COMPLETED, TaskStatus.PENDING]
    assert (await here.run(run.id)).state is RunState.PAUSED


async def test_the_log_has_the_reason_of_a_round_in_which_the_model_first_made_no_call(here: Harness) -> None:
    run = await confirmed(here, "I look.", "No.", LOOK, judged("Not yet.", complete=False), *FOUND, plan=ONE)
    assert run.state is RunState.COMPLETED, run.error
    assert [(one.round, one.reason) for one in await log_of(here, run)] == [(1, "I look."), (2, "I look for it.")]


async def test_the_log_goes_on_with_the_rounds_of_a_task_that_is_taken_again(here: Harness) -> None:
    begun = ["I look.", LOOK, judged("Not yet.", complete=False), "I write.", WRITE]
    run = await confirmed(here, *begun, plan=ONE, level=TrustLevel.SUPERVISED)
    async with here.transactions.write() as tx:
        await tx.work.threads.lock(run.thread_id)
        await stops.hard(tx, await tx.work.runs.find(run.id), Limit.COST)
    await here.serve()
    await here.trusts(TrustLevel.AUTONOMOUS)
    here.model.says = ["I write again.", WRITE, judged("Written.")]
    assert (await resume.continue_run(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    told = [(one.round, one.reason, one.state) for one in await log_of(here, run)]
    assert told[-1] == (3, "I write again.", "completed")
    assert [one[:2] for one in told] == [(1, "I look."), (2, "I write."), (3, "I write again.")]


async def test_a_task_that_is_taken_again_keeps_as_many_rounds_as_its_limit_and_the_log_every_reason(
    here: Harness,
) -> None:
    """What its history drops, the log finds in the conversation of the run that said it."""
    here.model.stream = with_contents(here.model.stream)
    here.runner = replace(
        here.runner, plans=replace(here.runner.plans, limits=replace(here.runner.plans.limits, steps=3))
    )
    begun: list[Said] = ["I look.", LOOK, judged("Not yet.", complete=False), "I write.", "No.", WRITE]
    run = await confirmed(here, *begun, plan=ONE, level=TrustLevel.SUPERVISED)
    async with here.transactions.write() as tx:
        await tx.work.threads.lock(run.thread_id)
        await stops.hard(tx, await tx.work.runs.find(run.id), Limit.COST)
    await here.serve()
    await here.trusts(TrustLevel.AUTONOMOUS)
    again: list[Said] = ["I look again.", LOOK, judged("Not yet.", complete=False), "I write again.", WRITE]
    here.model.says = [*again, judged("Written.")]
    assert (await resume.continue_run(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    said = ["I look.", "I write.", "I look again.", "I write again."]
    assert [one.reason for one in await history_of(here, run, "1")] == said[1:]
    assert [(one.round, one.reason) for one in await log_of(here, run)] == [*enumerate(said, start=1)]


def with_contents(stream: Callable[[ModelRequest], AsyncGenerator[ModelEvent]]) -> Any:
    """The same model, whose turns have a content, as those of the API have."""

    async def streamed(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        async for event in stream(request):
            if isinstance(event, Turn):
                said: list[dict[str, object]] = [{"text": event.text}] if event.text else []
                said.extend({"functionCall": {"name": call.name, "args": call.args}} for call in event.calls)
                yield replace(event, content=wire.content("model", said))
            else:
                yield event

    return streamed


async def test_the_card_is_written_anew_where_it_ends_between_two_tasks(here: Harness) -> None:
    """Else it would say that the plan is under way, and offer Stop."""
    run = await planned(here, PROPOSE)
    card = await here.card_of(run.id)
    assert (await here.click(card, Choice.CONFIRM)).accepted
    before = _newest(here, card.id)
    async with here.transactions.write() as tx:
        await cancel(tx, await tx.work.runs.find(run.id), by=DANA)
    await here.serve()
    assert (await here.run(run.id)).state is RunState.CANCELLED
    assert _newest(here, card.id) > before


def _newest(here: Harness, subject: str) -> int:
    return int(here.base.rows("SELECT max(id) AS id FROM outbox WHERE subject = ?", subject)[0]["id"])


# The log as a file --------------------------------------------------------------------------------------------


def logs(here: Harness) -> list[str]:
    """Of which runs the log is to be delivered."""
    return [row["subject"] for row in here.base.rows("SELECT subject FROM outbox WHERE kind = 'log' ORDER BY id")]


@pytest.mark.parametrize(
    ("says", "state"),
    [(FOUND, RunState.COMPLETED), ([*FOUND[:2], judged(persistent_error=True, complete=False)], RunState.FAILED)],
)
async def test_the_log_is_delivered_at_the_end(here: Harness, says: list[Said], state: RunState) -> None:
    run = await confirmed(here, *says, '{"modifications": []}', plan=ONE)
    assert (run.state, logs(here)) == (state, [run.id])


async def test_a_log_that_cannot_be_shared_holds_nothing_up(here: Harness) -> None:
    """It has a lane of its own, beside that of its thread."""
    run = await confirmed(here, *FOUND, plan=ONE)
    lanes = {row["kind"]: row["lane"] for row in here.base.rows("SELECT kind, lane FROM outbox")}
    assert (lanes["answer"], lanes["log"]) == (run.thread_id, f"log:{run.id}")


async def test_the_log_stands_below_the_answer(here: Harness) -> None:
    """It is delivered a moment later: what says how the plan ended is read first."""
    await confirmed(here, *FOUND, plan=ONE)
    due = {row["kind"]: row["not_before"] for row in here.base.rows("SELECT kind, not_before FROM outbox")}
    assert due["answer"] is None
    assert (due["log"] or "") > str(here.base.clock.now())[:19]


async def test_the_log_is_delivered_when_its_owner_stops_a_plan(here: Harness) -> None:
    run = await confirmed(here, *SENT[:2], plan=ONE, level=TrustLevel.SUPERVISED)
    assert logs(here) == []
    assert (await stop.stop_request(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await here.serve()
    assert ((await here.run(run.id)).state, logs(here)) == (RunState.CANCELLED, [run.id])


async def test_a_plan_that_is_stopped_says_what_came_of_every_task(here: Harness) -> None:
    """Also of those that were not begun, each once; its card then says only how each stands."""
    run = await confirmed(here, *SENT[:2], level=TrustLevel.SUPERVISED)
    assert (await stop.stop_request(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await here.serve()
    ended, tasks = await here.run(run.id), await tasks_of(here, run)
    assert ended.summary == f"Stopped.\n\n{about_plans.account(tasks)}"
    assert [task.status for task in tasks] == [TaskStatus.FAILED, TaskStatus.PENDING]
    assert "not begun" in ended.summary


async def test_a_plan_that_silence_paused_is_stopped_with_its_task(here: Harness) -> None:
    run = await confirmed(here, *SENT[:2], plan=ONE, level=TrustLevel.SUPERVISED)
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    await expiry.tick(here.transactions)
    await here.serve()
    assert (await here.run(run.id)).state is RunState.PAUSED
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    assert (await stop.stop_request(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await here.serve()
    (task,) = await tasks_of(here, run)
    ended = await here.run(run.id)
    assert (ended.state, task.status) == (RunState.CANCELLED, TaskStatus.FAILED)
    assert ended.summary == f"Stopped.\n\n{about_plans.account([task])}"
    assert logs(here) == [run.id]


def test_a_task_that_a_pause_put_back_was_begun() -> None:
    task = PlanTask(id="1", title="Write", goal="It is sent.")
    assert about_plans.account([task]) == "○ 1. Write: not begun."
    paused = replace(task, summary="Send it: not done")
    assert about_plans.account([paused]) == "○ 1. Write: not ended. Send it: not done."


async def test_the_log_is_delivered_at_the_deadline_and_again_at_the_end(here: Harness) -> None:
    deadline = here.base.clock.now() + timedelta(hours=1)
    run = await confirmed(here, *SENT[:2], plan=ONE, level=TrustLevel.SUPERVISED, deadline_at=deadline)
    here.base.clock.advance(3_700)
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.serve()
    assert ((await here.run(run.id)).stop_code, logs(here)) == (DEADLINE, [run.id])
    here.model.says = [*FOUND]
    click, later = ButtonClick(team=TEAM, user=DANA, value=run.id), here.base.clock.now() + timedelta(hours=1)
    assert (await resume.continue_run(here.transactions, click, later)).accepted
    await here.serve()
    assert ((await here.run(run.id)).state, logs(here)) == (RunState.COMPLETED, [run.id, run.id])


async def test_a_plan_that_nobody_confirmed_has_no_log_to_deliver(here: Harness) -> None:
    run = await planned(here, ONE)
    assert (await here.click(await here.card_of(run.id), Choice.REJECT)).accepted
    await here.serve()
    assert ((await here.run(run.id)).state, logs(here)) == (RunState.CANCELLED, [])


async def test_a_plan_that_can_go_on_has_no_log_yet(here: Harness) -> None:
    """It paused at a limit, not at its end."""
    run = await confirmed(here, *SENT[:2], plan=ONE, level=TrustLevel.SUPERVISED)
    async with here.transactions.write() as tx:
        await tx.work.threads.lock(run.thread_id)
        await stops.hard(tx, await tx.work.runs.find(run.id), Limit.COST)
    await here.serve()
    assert ((await here.run(run.id)).state, logs(here)) == (RunState.PAUSED, [])


async def test_a_card_of_a_plan_with_nothing_left_says_so(here: Harness) -> None:
    """More was added than one confirmation covers, and its owner has all of that left out."""
    more = [{"kind": "add", "title": f"More {n}", "goal": f"More {n}.", "why": "so"} for n in range(11)]
    run = await confirmed(here, "I look.", LOOK, judged(modifications=more), plan=ONE)
    here.model.says = [ONE]
    assert (await refined(here, run, "Leave out the rest.")).accepted
    view = await here.queries.card((await here.card_of(run.id)).id)
    assert view is not None
    assert (about_plans.TO_DO, about_plans.NOTHING_LEFT) in [(one.label, one.value) for one in view.preview.fields]
    assert (await here.click(await here.card_of(run.id), Choice.CONFIRM)).accepted
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_a_call_that_the_model_makes_after_the_deadline_is_not_begun(here: Harness) -> None:
    """It was asked in time, and its answer came before the tick that ends the plan."""
    until, stream = here.base.clock.now() + timedelta(minutes=30), here.model.stream

    async def late(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if request.calling_mode is CallingMode.ANY and here.base.clock.now() < until:
            here.base.clock.advance(31 * 60)
        async for event in stream(request):
            yield event

    here.model.stream = late
    run = await confirmed(here, *FOUND[:2], plan=ONE, deadline_at=until)
    assert (run.state, run.stop_code, here.read.calls) == (RunState.PAUSED, DEADLINE, [])
    click = ButtonClick(team=TEAM, user=DANA, value=run.id)
    later = here.base.clock.now() + timedelta(hours=1)
    assert (await resume.continue_run(here.transactions, click, later)).accepted
    here.model.says = [*FOUND]
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert len(here.read.calls) == 1
