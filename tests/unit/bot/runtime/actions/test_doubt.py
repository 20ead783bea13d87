"""Attempts of unknown outcome, and defects: nothing happens twice, nothing hangs, every end is explained."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import fields, replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.events import JobCrashed
from bot.domain.questions import Choice, QuestionKind
from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.runtime.actions.reconcile import Reconciler
from bot.runtime.core.backoff import CrashBackoff
from bot.runtime.core.lease import Lease
from bot.runtime.runs import stop
from bot.runtime.runs.runner import Runner
from bot.runtime.texts import to_people
from integrations.base import Done, NotDone, Preview, Unknown
from integrations.errors import Ambiguous, BasisChanged, Busy, IntegrationError, ModelRetry, TooLate, ToolFailed
from policies.types import TrustLevel
from tests.builders import DANA, NOW, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import HURRIED_SECONDS, Harness, until
from tests.unit.bot.runtime.scripted import FOUND, Gate

LOOK, SEND, BOOK = (
    ("gmail_search", {"text": "it"}),
    ("gmail_send", {"text": "it"}),
    ("calendar_event_create", {"text": "it"}),
)
BROKEN = "UPDATE actions SET args = '{}'"


def response(action: Any) -> str:
    """What the model was told."""
    return str(action.response)


# What cannot be saved --------------------------------------------------------------------------------------------

FULL = """
CREATE TRIGGER full BEFORE UPDATE ON actions WHEN OLD.state = 'executing' AND NEW.state = '{}'
BEGIN SELECT RAISE(ABORT, 'disk full'); END
"""


@pytest.mark.parametrize(
    ("outcome", "moved_to", "state", "calls"),
    [
        (FOUND, "completed", ActionState.COMPLETED, 1),
        (ToolFailed("gone", "It is gone."), "failed", ActionState.FAILED, 1),
        (BasisChanged(what="it"), "planned", ActionState.COMPLETED, 2),
    ],
    ids=["done", "certainly not done", "the world changed"],
)
async def test_an_outcome_that_cannot_be_saved_is_known_all_the_same(
    here: Harness, outcome: Any, moved_to: str, state: ActionState, calls: int
) -> None:
    """It is saved when the database takes it again: no doubt, and neither provider nor owner is asked."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            await here.base.tamper("DROP TRIGGER full")

    reconciler = replace(here.runner.reconciler, sleep=sleep)
    here.runner = replace(
        here.runner, reconciler=reconciler, executor=replace(here.runner.executor, reconciler=reconciler)
    )
    await here.base.tamper(FULL.format(moved_to))
    here.blind.outcomes = [outcome]
    run = await here.asked([BOOK])
    done = await here.action(run)
    assert (done.state, done.attempt, done.doubt) == (state, calls, False)
    assert (len(here.blind.calls), slept, run.state) == (calls, [3.0] * 3, RunState.COMPLETED)
    assert "action.in_doubt" not in here.codes()


# Reads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcomes", "state", "attempts"),
    [
        ([TimeoutError(), Ambiguous("reading")], ActionState.COMPLETED, 3),
        ([TimeoutError()] * 5, ActionState.FAILED, 3),
        ([KeyError("defect")], ActionState.COMPLETED, 2),
    ],
    ids=["broken off twice", "never answered", "a defect"],
)
async def test_a_read_without_an_outcome_is_repeated(
    here: Harness, outcomes: list[Exception], state: ActionState, attempts: int
) -> None:
    """A read changes nothing, so it is begun again at once, three times at most; each attempt is recorded, the model
    is told of a failure, and the run goes on.
    """
    here.read.outcomes = list(outcomes)
    run = await here.asked([LOOK])
    action = await here.action(run)
    assert (run.state, action.state, action.attempt) == (RunState.COMPLETED, state, attempts)
    assert [call.attempt for call in here.read.calls] == [*range(1, attempts + 1)]
    assert here.codes().count("action.repeated") == attempts - 1
    assert ("timeout" in response(action)) is (state is ActionState.FAILED)
    assert here.waited == []


async def test_a_read_of_a_dead_process_is_repeated(here: Harness) -> None:
    """What another process began to read is read again at once."""
    action = await here.standing(here.read, ActionState.EXECUTING, attempt=1, deadline_at=NOW + timedelta(seconds=60))
    await here.serve()
    now = await here.action(action)
    assert (now.state, now.attempt, here.waited) == (ActionState.COMPLETED, 2, [])


@pytest.mark.parametrize(("tool", "end"), [("read", ActionState.FAILED), ("effect", ActionState.CANCELLED)])
async def test_nothing_of_a_stopped_run_is_repeated(here: Harness, tool: str, end: ActionState) -> None:
    """Nobody wants it any more: a read has failed, and an effect that did not happen is not begun again."""
    action = await here.standing(getattr(here, tool), ActionState.EXECUTING, attempt=1)
    await here.change_run(action.run_id, cancel_requested=True)
    here.effect.settled = [NotDone()]
    await here.serve()
    assert (await here.action(action)).state is end
    assert (await here.run(action.run_id)).state is RunState.CANCELLED
    assert here.read.calls == here.effect.calls == []


# Effects --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error", [Ambiguous("sending"), TimeoutError(), TooLate("too_late", "No time left."), KeyError("defect")]
)
@pytest.mark.parametrize(
    ("found", "state", "code", "calls"),
    [
        (Done(FOUND), ActionState.COMPLETED, "action.reconciled", 1),
        (NotDone(), ActionState.COMPLETED, "action.not_done", 2),
        (Unknown(where="the sky"), ActionState.UNKNOWN, "action.unknown", 1),
        (ToolFailed("gone", "It is gone."), ActionState.UNKNOWN, "action.unknown", 1),
    ],
    ids=["done", "not done", "unknown", "cannot be asked"],
)
async def test_a_doubtful_effect_is_settled_by_asking(
    here: Harness, error: Exception, found: Any, state: ActionState, code: str, calls: int
) -> None:
    """Whatever broke off, the provider is asked once the deadline is over; only what certainly did not happen is begun
    again, and what nobody can tell its owner is asked.
    """
    here.effect.outcomes, here.effect.settled = [error], [found]
    run = await here.asked([SEND])
    action = await here.action(run)
    assert (action.state, len(here.effect.calls)) == (state, calls)
    assert code in here.codes()
    assert here.codes().index("action.in_doubt") < here.codes().index(code)
    assert here.waited[0] == here.effect.timeout_seconds
    asked = await here.question(run.id)
    assert (asked is not None) == (state is ActionState.UNKNOWN) == action.doubt
    assert len({call.key for call in here.effect.calls}) == 1
    assert not any(call.doubt for call in here.effect.calls)  # nobody said to do it whatever became of the first


async def test_a_restart_in_the_middle_of_a_doubt_adds_no_entry(here: Harness) -> None:
    """However often the process dies while it waits for the deadline, the log says once that it is in doubt."""

    async def dies(seconds: float) -> None:
        raise LostRace("process", "it", "alive", "dead")

    await here.standing(here.effect, ActionState.EXECUTING, attempt=1, deadline_at=NOW + timedelta(seconds=5))
    kept = here.runner
    for _ in range(3):
        here.runner = replace(kept, reconciler=replace(kept.reconciler, sleep=dies))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.3):
                await here.runner.serve("thr_1", asyncio.Event())
    here.runner = kept
    await here.serve()
    assert here.codes().count("action.in_doubt") == 1
    assert here.codes().count("action.unknown") == 1


async def test_a_provider_that_is_away_is_asked_again(here: Harness) -> None:
    """Twice after a pause; then its owner is asked, with where to look."""
    here.effect.outcomes, here.effect.settled = (
        [Ambiguous("sending")],
        [IntegrationError(), TimeoutError(), Done(FOUND)],
    )
    assert (await here.action(await here.asked([SEND]))).state is ActionState.COMPLETED
    assert here.waited[1:] == [1.0, 3.0]
    here.effect.outcomes, here.effect.settled = [Ambiguous("sending")], [IntegrationError()] * 3
    run = await here.asked([SEND])
    asked = await here.card_of(run.id)
    assert (asked.kind, run.state) == (QuestionKind.SETTLE, RunState.AWAITING)


async def test_a_note_that_is_fenced_out_is_no_crash(here: Harness) -> None:
    """A worker that was overtaken while its tool ran ends silently: whoever has the thread finds out the rest."""
    here.effect.outcomes = [LostRace("lease", "thread", "epoch 1", "held")]
    here.effect.settled = [Done(FOUND)]
    with capture_logs() as logs:
        run = await here.asked([SEND])
    assert ((await here.action(run)).state, len(here.effect.calls)) == (ActionState.COMPLETED, 1)
    events = [log["event"] for log in logs]
    assert "job.lost_race" in events
    assert "action.crashed" not in events


async def test_what_never_happens_is_given_up(here: Harness) -> None:
    """After three attempts that certainly did not happen it has failed, without doubt; what may be left is told."""
    left = NotDone("A draft of it stays.", final=True)
    here.effect.outcomes, here.effect.settled = [Ambiguous("sending")] * 5, [left] * 5
    run = await here.asked([SEND])
    action = await here.action(run)
    assert (action.state, action.doubt, len(here.effect.calls)) == (ActionState.FAILED, False, 3)
    assert f"{to_people.NEVER_HAPPENED} {left.left}" in response(action)


async def test_what_may_still_happen_is_never_said_to_be_not_done(here: Harness) -> None:
    """Three attempts without an answer, and the provider had not acted on any so far: it may still act on what it was
    sent. So each attempt keeps the doubt, the tool may not do it a second time, and at last its owner is asked.
    """
    here.effect.outcomes, here.effect.settled = [Ambiguous("sending")] * 5, [NotDone()] * 5
    run = await here.asked([SEND])
    action = await here.action(run)
    assert (action.state, action.doubt, run.state) == (ActionState.UNKNOWN, True, RunState.AWAITING)
    assert [(call.attempt, call.doubt) for call in here.effect.calls] == [(1, False), (2, False), (3, False)]
    assert (await here.card_of(run.id)).kind is QuestionKind.SETTLE
    assert here.codes().count("action.not_done") == 2


async def test_only_its_owner_lets_it_be_done_in_spite_of_a_doubt(here: Harness) -> None:
    """“Try again” is for one attempt: what follows it because the provider had not acted so far is not covered."""
    here.effect.outcomes, here.effect.settled = [Ambiguous("sending")] * 2, [Unknown(), NotDone()]
    run = await here.asked([SEND])
    asked = await here.card_of(run.id)
    await here.click(asked, Choice.TRY_AGAIN)
    await here.serve()
    action = await here.action(run)
    assert (action.state, action.doubt) == (ActionState.COMPLETED, False)
    assert [call.doubt for call in here.effect.calls] == [False, True, False]


@pytest.mark.parametrize(
    ("outcome", "state", "calls"),
    [
        (ToolFailed("gone", "It is gone."), ActionState.FAILED, 2),
        (Busy("rate_limited", "Wait.", seconds=0), ActionState.COMPLETED, 3),
    ],
    ids=["refused", "busy"],
)
async def test_what_a_later_attempt_says_is_not_about_the_one_in_doubt(
    here: Harness, outcome: Exception, state: ActionState, calls: int
) -> None:
    """The second attempt certainly did nothing, and the first may still be acted on: the failure says so, and where
    the provider is busy it is tried once more.
    """
    here.effect.outcomes, here.effect.settled = [Ambiguous("sending"), outcome], [NotDone()]
    action = await here.action(await here.asked([SEND]))
    assert (action.state, action.doubt, len(here.effect.calls)) == (state, state is ActionState.FAILED, calls)
    assert ("may have happened" in response(action)) is action.doubt


async def test_an_attempt_without_time_to_send_leaves_no_doubt(here: Harness) -> None:
    """The machine stood still before anything was sent, three times: it certainly was not done."""
    here.effect.outcomes = [TooLate("too_late", "No time left.")] * 5
    here.effect.settled = [NotDone()] * 5
    action = await here.action(await here.asked([SEND]))
    assert (action.state, action.doubt, len(here.effect.calls)) == (ActionState.FAILED, False, 3)
    assert to_people.NEVER_HAPPENED in response(action)


@pytest.mark.parametrize(
    ("final", "said"), [(True, "not done. "), (False, "not done (attempt 1 may have happened). ")], ids=["no", "maybe"]
)
async def test_what_a_stopped_attempt_left_behind_is_told(here: Harness, final: bool, said: str) -> None:
    """It did not happen, and nobody wants it any more: its card and the run's last words say what is left, and whether
    it may still happen.
    """
    left = NotDone("A draft of it stays.", final=final)
    here.effect.outcomes, here.effect.settled, here.effect.busy = [Ambiguous("sending")], [left], asyncio.Event()
    run = await here.asked([SEND], level=TrustLevel.SUPERVISED)
    await here.approve(run)
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.effect.calls)
    await stop.stop_person(here.transactions, TEAM, DANA)
    await here.base.tamper("DELETE FROM outbox")
    here.effect.busy.set()
    await serving
    run, action = await here.run(run.id), await here.action(run)
    assert (run.state, action.state, action.summary) == (RunState.CANCELLED, ActionState.CANCELLED, left.left)
    assert f"{said}{left.left}" in run.summary
    assert len(here.base.rows("SELECT id FROM outbox WHERE kind = 'card'")) == 2  # it is looked up; it was stopped


@pytest.mark.parametrize(
    ("outcome", "state", "told"),
    [
        (TooLate("too_late", "No time left."), ActionState.FAILED, "too_late"),
        (Ambiguous("booking"), ActionState.UNKNOWN, "outcome_unknown"),
    ],
    ids=["too late", "in doubt"],
)
async def test_a_tool_that_cannot_reconcile(here: Harness, outcome: Exception, state: ActionState, told: str) -> None:
    """It certainly did nothing where it had no time to; what it leaves in doubt is its owner's to settle."""
    here.blind.outcomes = [outcome]
    action = await here.action(await here.asked([BOOK]))
    assert (action.state, action.doubt, len(here.blind.calls)) == (state, state is ActionState.UNKNOWN, 1)
    assert told in response(action)


async def test_a_tool_that_is_gone_cannot_be_asked(here: Harness) -> None:
    """An effect that was under way when its tool was taken out is its owner's to settle."""
    action = await here.standing(here.effect, ActionState.EXECUTING, attempt=1)
    await here.base.tamper("UPDATE actions SET tool = 'retired_tool'")
    await here.serve()
    assert (await here.action(action)).state is ActionState.UNKNOWN


# A changed world ------------------------------------------------------------------------------------------------


async def test_a_changed_world_is_judged_again(here: Harness) -> None:
    """What was approved is not what would happen now: it is previewed again, and not done meanwhile."""
    here.effect.outcomes = [BasisChanged(what="the event")]
    run = await here.asked([SEND])
    action = await here.action(run)
    assert (action.state, action.attempt) == (ActionState.COMPLETED, 2)
    assert "action.basis_changed" in here.codes()


async def test_a_world_that_keeps_changing_is_given_up(here: Harness) -> None:
    """After three attempts it has failed, and certainly was not done."""
    here.effect.outcomes = [BasisChanged(what="the event")] * 5
    action = await here.action(await here.asked([SEND]))
    assert (action.state, action.doubt) == (ActionState.FAILED, False)
    assert to_people.KEEPS_CHANGING in response(action)


async def test_what_is_given_up_says_what_an_attempt_left_behind(here: Harness) -> None:
    """The first attempt was cut off after it had begun; then the world changed, until no attempt was left."""
    changed = BasisChanged(what="the event")
    here.effect.outcomes = [Ambiguous("sending"), changed, changed]
    here.effect.settled = [NotDone("A draft of it stays.", final=True)]
    action = await here.action(await here.asked([SEND]))
    assert (action.state, action.attempt) == (ActionState.FAILED, 3)
    assert action.summary == f"{to_people.KEEPS_CHANGING} A draft of it stays."


async def test_a_changed_world_after_a_doubtful_attempt_is_its_owners(here: Harness) -> None:
    """Perhaps the earlier attempt changed it: nobody is sure, so its owner is asked."""
    action = await here.standing(here.effect, ActionState.APPROVED, attempt=1, doubt=True)
    await here.trusts(TrustLevel.AUTONOMOUS)
    here.effect.outcomes = [BasisChanged(what="the event")]
    await here.serve()
    assert (await here.action(action)).state is ActionState.UNKNOWN


# Previews -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TimeoutError(), "preview_unavailable"),
        (Ambiguous("looking"), "preview_unavailable"),
        (BasisChanged(what="it"), "preview_unavailable"),
        (KeyError("defect"), "internal"),
        (ModelRetry("bad_address", "No such address."), "bad_address"),
    ],
)
async def test_what_cannot_be_previewed_is_not_done(here: Harness, error: Exception, code: str) -> None:
    """Without a preview there is no card and no effect; the model is told why, and the siblings go on."""
    here.effect.previews = [error]
    run = await here.asked([SEND, LOOK], level=TrustLevel.SUPERVISED)
    async with here.base.store.read() as work:
        sent, looked = await work.actions.of_run(run.id)
    assert (sent.state, looked.state, run.state) == (ActionState.FAILED, ActionState.COMPLETED, RunState.COMPLETED)
    assert code in response(sent)
    assert here.effect.calls == []


async def test_a_look_without_end_is_ended(here: Harness) -> None:
    """It has a time of its own, which is no part of the time that an attempt may take."""
    here.effect.gate, here.model.says = Gate(), [[SEND]]
    run = await here.request()
    evaluator = replace(here.runner.evaluator, look_seconds=0.0)
    await replace(here.runner, evaluator=evaluator).serve("thr_1", asyncio.Event())
    action = await here.action(run)
    assert (action.state, here.effect.calls) == (ActionState.FAILED, [])
    assert "preview_unavailable" in response(action)


@pytest.mark.parametrize("previews", [[], [ModelRetry("bad", "No.")]], ids=["it could be asked", "it would fail"])
async def test_a_stop_during_the_preview_wins(here: Harness, previews: list[Exception | Preview]) -> None:
    """What was stopped while its preview was made is neither asked, nor failed, nor done."""
    here.effect.previews, here.model.says, here.effect.gate = list(previews), [[SEND]], Gate()
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await here.effect.gate.looked.wait()
    await stop.stop_person(here.transactions, TEAM, DANA)
    here.effect.gate.opened.set()
    await serving
    assert (await here.action(run)).state is ActionState.CANCELLED
    assert await here.question(run.id) is None
    assert here.effect.calls == []


# The log --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [ActionState.PLANNED, ActionState.APPROVED])
async def test_no_audit_no_action(here: Harness, state: ActionState) -> None:
    """While the log is not sealed effects wait, in whatever state; reads go on. Once it is, they happen."""
    async with here.base.store.write() as work:
        await work.users.set_level(TEAM, DANA, TrustLevel.AUTONOMOUS.value)
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA))
    here.base.clock.advance(61)
    action = await here.standing(here.effect, state)
    serving = asyncio.create_task(here.serve())
    await asyncio.sleep(0.1)
    assert (await here.action(action)).state is state
    here.base.clock.at = NOW
    await serving
    assert (await here.action(action)).state is ActionState.COMPLETED


# Defects of our own -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "state", "end"),
    [
        ("effect", ActionState.PLANNED, ActionState.FAILED),
        ("effect", ActionState.APPROVED, ActionState.FAILED),
        ("effect", ActionState.EXECUTING, ActionState.UNKNOWN),
        ("read", ActionState.EXECUTING, ActionState.FAILED),
    ],
)
async def test_a_defect_leaves_nothing_hanging(here: Harness, tool: str, state: ActionState, end: ActionState) -> None:
    """When our own code breaks on an action, it ends: not done where that is certain, else its owner is asked."""
    action = await here.standing(getattr(here, tool), state, attempt=1 if state is ActionState.EXECUTING else 0)
    here.effect.settled = [KeyError("defect")]
    await here.base.tamper(BROKEN)
    await here.serve()
    now = await here.action(action)
    assert now.state is end
    assert here.effect.calls == here.read.calls == []


class _Defective(Reconciler):
    """Cannot give up."""

    async def give_up(self, action_id: str, lease: Lease) -> None:
        raise KeyError(action_id)


def _defective(here: Harness, *, hurried: bool) -> tuple[Runner, list[JobCrashed]]:
    """A worker that cannot give up, and the crashes that it tells of. No rest of it takes any time if it is `hurried`,
    and none ends otherwise.
    """
    reconciler, ticks, heard = here.runner.reconciler, count(step=100), list[JobCrashed]()
    made = {each.name: getattr(reconciler, each.name) for each in fields(reconciler)}
    crashes = CrashBackoff(monotonic=lambda: float(next(ticks)) if hurried else 0.0)
    here.transactions.bus.attend(lambda event: heard.append(event) if isinstance(event, JobCrashed) else None)
    return replace(here.runner, reconciler=_Defective(**made), crashes=crashes), heard


async def test_a_job_that_crashes_again_and_again_ends_its_run(here: Harness) -> None:
    """After five crashes in a row the run has failed, with the id to quote, and nothing of it is left open."""
    action = await here.standing(here.read, ActionState.EXECUTING, attempt=1)
    await here.base.tamper(BROKEN)
    runner, heard = _defective(here, hurried=True)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await runner.serve("thr_1", asyncio.Event())
    run, ended = await here.run(action.run_id), await here.action(action)
    assert (run.state, run.error) == (RunState.FAILED, to_people.run_failed(run, [ended]))
    assert ended.state is ActionState.FAILED
    assert heard == [JobCrashed("action")] * 5


async def test_what_is_in_doubt_stays_so_however_often_its_job_crashes(here: Harness) -> None:
    """A run with an effect of which nobody knows whether it happened is not ended by a defect."""
    action = await here.standing(here.effect, ActionState.EXECUTING, attempt=1)
    here.effect.settled = [KeyError("defect")] * 1000
    await here.base.tamper(BROKEN)
    runner, heard = _defective(here, hurried=True)
    serving = asyncio.create_task(runner.serve("thr_1", asyncio.Event()))
    async with asyncio.timeout(PATIENCE_SECONDS):
        await until(lambda: len(heard) >= 7)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    assert (await here.action(action)).state is ActionState.EXECUTING
    assert (await here.run(action.run_id)).state is RunState.EXECUTING


async def test_a_job_that_crashed_rests(here: Harness) -> None:
    """It is not begun again at once, and its thread is served on meanwhile."""
    await here.standing(here.read, ActionState.EXECUTING, attempt=1)
    await here.base.tamper(BROKEN)
    runner, heard = _defective(here, hurried=False)
    serving = asyncio.create_task(runner.serve("thr_1", asyncio.Event()))
    await until(lambda: heard)
    await asyncio.sleep(5 * HURRIED_SECONDS)
    assert not serving.done()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    assert heard == [JobCrashed("action")]


async def test_a_defect_in_the_loop_ends_the_run(here: Harness) -> None:
    """The run has failed, and says an id to quote; whether it was just begun or planning."""
    run = await here.asked(KeyError("defect"))
    assert (run.state, run.error) == (RunState.FAILED, to_people.run_failed(run, []))
    here.directory.error = KeyError("defect")
    run = await here.asked("never said")
    assert (run.state, run.error) == (RunState.FAILED, to_people.run_failed(run, []))


async def test_a_defect_says_what_was_done_before(here: Harness) -> None:
    """A mail for which there is no card has left: who reads of the defect reads of it, too."""
    run = await here.asked([SEND], KeyError("defect"))
    assert (run.state, len(here.effect.calls)) == (RunState.FAILED, 1)
    assert "• Did it" in run.error


async def test_a_store_in_trouble_is_waited_for(here: Harness) -> None:
    """While rows cannot be written nothing is given up; once they can, the work goes on where it was. An outage is no
    defect: the log has its reason and no traceback.
    """
    await here.base.tamper("CREATE TRIGGER broken BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'disk'); END")
    run = await here.request()
    with capture_logs() as logs:
        serving = asyncio.create_task(here.serve())
        await until(lambda: logs)
    assert (await here.run(run.id)).state is RunState.QUEUED
    await here.base.tamper("DROP TRIGGER broken")
    await serving
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert (logs[0]["event"], "exc_info" in logs[0]) == ("job.store_in_trouble", False)
    assert "disk" in logs[0]["why"]


async def test_what_cannot_be_given_up_is_tried_again(here: Harness) -> None:
    """A defect whose end cannot be written down now is written down later."""
    await here.base.tamper("CREATE TRIGGER broken BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'disk'); END")
    here.directory.error = KeyError("defect")
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await asyncio.sleep(0.2)
    await here.base.tamper("DROP TRIGGER broken")
    await serving
    assert (await here.run(run.id)).state is RunState.FAILED


async def test_a_stopped_run_does_not_wait_for_the_model(here: Harness) -> None:
    """A model call whose run was ended is broken off."""
    run = await here.request()
    async with here.asking_the_model() as serving:
        await stop.stop_person(here.transactions, TEAM, DANA)
        await serving
    assert (await here.run(run.id)).state is RunState.CANCELLED


async def test_two_workers_do_not_serve_one_thread(here: Harness) -> None:
    """While one holds the thread another one returns at once."""
    await here.request()
    async with here.asking_the_model():
        await asyncio.wait_for(replace(here.runner, holder="other").serve("thr_1", asyncio.Event()), PATIENCE_SECONDS)
        assert len(here.model.requests) == 1
