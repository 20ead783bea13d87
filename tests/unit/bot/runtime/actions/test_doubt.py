"""Attempts of unknown outcome, and defects: nothing happens twice, nothing hangs, every end is explained."""

from __future__ import annotations

import asyncio
from dataclasses import fields, replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.events import JobCrashed
from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.runtime.actions.reconcile import Reconciler
from bot.runtime.core.backoff import CrashBackoff
from bot.runtime.core.lease import Lease
from bot.runtime.runs import stop
from bot.runtime.runs.runner import Runner
from bot.runtime.texts import to_people
from integrations.base import Done, NotDone, Preview, Unknown
from integrations.errors import Ambiguous, BasisChanged, IntegrationError, ModelRetry, TooLate, ToolFailed
from policies.types import TrustLevel
from tests.builders import DANA, NOW, TEAM
from tests.unit.bot.runtime.runtime_harness import House, until
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
    home: House, outcome: Any, moved_to: str, state: ActionState, calls: int
) -> None:
    """It is saved when the database takes it again: no doubt, and neither provider nor owner is asked."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            await home.base.tamper("DROP TRIGGER full")

    reconciler = replace(home.runner.reconciler, sleep=sleep)
    home.runner = replace(
        home.runner, reconciler=reconciler, executor=replace(home.runner.executor, reconciler=reconciler)
    )
    await home.base.tamper(FULL.format(moved_to))
    home.blind.outcomes = [outcome]
    run = await home.asked([BOOK])
    done = await home.action(run)
    assert (done.state, done.attempt, done.doubt) == (state, calls, False)
    assert (len(home.blind.calls), slept, run.state) == (calls, [3.0] * 3, RunState.COMPLETED)
    assert "action.in_doubt" not in home.codes()


# Reads ----------------------------------------------------------------------------------------------------------


async def test_a_read_without_an_outcome_is_repeated(home: House) -> None:
    """Twice broken off and then answered: one action in three attempts, each recorded, and the run goes on."""
    home.read.outcomes = [TimeoutError(), Ambiguous("reading")]
    run = await home.asked([LOOK])
    action = await home.action(run)
    assert (run.state, action.state, action.attempt) == (RunState.COMPLETED, ActionState.COMPLETED, 3)
    assert [call.attempt for call in home.read.calls] == [1, 2, 3]
    assert home.codes().count("action.repeated") == 2
    assert home.waited == []


async def test_a_read_is_not_repeated_for_ever(home: House) -> None:
    """After three attempts it has failed, and the model is told."""
    home.read.outcomes = [TimeoutError()] * 5
    run = await home.asked([LOOK])
    action = await home.action(run)
    assert (run.state, action.state, len(home.read.calls)) == (RunState.COMPLETED, ActionState.FAILED, 3)
    assert "timeout" in response(action)


async def test_a_defect_of_a_read_is_repeated_too(home: House) -> None:
    """A read that crashed changed nothing."""
    home.read.outcomes = [KeyError("defect")]
    run = await home.asked([LOOK])
    assert (await home.action(run)).state is ActionState.COMPLETED


async def test_a_read_of_a_dead_process_is_repeated(home: House) -> None:
    """What another process began to read is read again at once."""
    action = await home.standing(home.read, ActionState.EXECUTING, attempt=1, deadline_at=NOW + timedelta(seconds=60))
    await home.serve()
    now = await home.action(action)
    assert (now.state, now.attempt, home.waited) == (ActionState.COMPLETED, 2, [])


async def test_a_read_of_a_stopped_run_is_not_repeated(home: House) -> None:
    """Nobody wants it any more: it has failed, and the run is cancelled."""
    action = await home.standing(home.read, ActionState.EXECUTING, attempt=1)
    await home.change_run(action.run_id, cancel_requested=True)
    await home.serve()
    assert (await home.action(action)).state is ActionState.FAILED
    assert (await home.run(action.run_id)).state is RunState.CANCELLED
    assert home.read.calls == []


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
    home: House, error: Exception, found: Any, state: ActionState, code: str, calls: int
) -> None:
    """Whatever broke off, the provider is asked once the deadline is over; only what certainly did not happen is begun
    again, and what nobody can tell its owner is asked.
    """
    home.effect.outcomes, home.effect.settled = [error], [found]
    run = await home.asked([SEND])
    action = await home.action(run)
    assert (action.state, len(home.effect.calls)) == (state, calls)
    assert code in home.codes()
    assert home.codes().index("action.in_doubt") < home.codes().index(code)
    assert home.waited[0] == home.effect.timeout_seconds
    asked = await home.question(run.id)
    assert (asked is not None) == (state is ActionState.UNKNOWN) == action.doubt
    assert len({call.key for call in home.effect.calls}) == 1
    assert not any(call.doubt for call in home.effect.calls)  # nobody said to do it whatever became of the first


async def test_a_provider_that_is_away_is_asked_again(home: House) -> None:
    """Twice after a pause; then its owner is asked, with where to look."""
    home.effect.outcomes, home.effect.settled = (
        [Ambiguous("sending")],
        [IntegrationError(), TimeoutError(), Done(FOUND)],
    )
    assert (await home.action(await home.asked([SEND]))).state is ActionState.COMPLETED
    assert home.waited[1:] == [1.0, 3.0]
    home.effect.outcomes, home.effect.settled = [Ambiguous("sending")], [IntegrationError()] * 3
    run = await home.asked([SEND])
    asked = await home.card_of(run.id)
    assert (asked.kind, run.state) == (QuestionKind.SETTLE, RunState.AWAITING)


async def test_a_note_that_is_fenced_out_is_no_crash(home: House) -> None:
    """A worker that was overtaken while its tool ran ends silently: whoever has the thread finds out the rest."""
    home.effect.outcomes = [LostRace("lease", "thread", "epoch 1", "held")]
    home.effect.settled = [Done(FOUND)]
    with capture_logs() as logs:
        run = await home.asked([SEND])
    assert ((await home.action(run)).state, len(home.effect.calls)) == (ActionState.COMPLETED, 1)
    events = [log["event"] for log in logs]
    assert "job.lost_race" in events
    assert "action.crashed" not in events


async def test_what_never_happens_is_given_up(home: House) -> None:
    """After three attempts that certainly did not happen it has failed, without doubt; what may be left is told."""
    left = NotDone("A draft of it stays.")
    home.effect.outcomes, home.effect.settled = [Ambiguous("sending")] * 5, [left] * 5
    run = await home.asked([SEND])
    action = await home.action(run)
    assert (action.state, action.doubt, len(home.effect.calls)) == (ActionState.FAILED, False, 3)
    assert f"{to_people.NEVER_HAPPENED} {left.left}" in response(action)


async def test_what_a_stopped_attempt_left_behind_is_told(home: House) -> None:
    """It certainly did not happen, and nobody wants it any more: its card and the run's last words say what is left."""
    left = NotDone("A draft of it stays.")
    home.effect.outcomes, home.effect.settled, home.effect.busy = [Ambiguous("sending")], [left], asyncio.Event()
    run = await home.asked([SEND], level=TrustLevel.SUPERVISED)
    await home.approve(run)
    serving = asyncio.create_task(home.serve())
    await until(lambda: home.effect.calls)
    await stop.stop_person(home.transactions, TEAM, DANA)
    await home.base.tamper("DELETE FROM outbox")
    home.effect.busy.set()
    await serving
    run, action = await home.run(run.id), await home.action(run)
    assert (run.state, action.state, action.summary) == (RunState.CANCELLED, ActionState.CANCELLED, left.left)
    assert f"not done. {left.left}" in run.summary
    assert len(home.base.rows("SELECT id FROM outbox WHERE kind = 'card'")) == 2  # it is looked up; it was stopped


async def test_what_was_too_late_and_cannot_be_looked_up_failed(home: House) -> None:
    """A tool that cannot reconcile certainly did nothing where it had no time to."""
    home.blind.outcomes = [TooLate("too_late", "No time left.")]
    run = await home.asked([BOOK])
    action = await home.action(run)
    assert (action.state, action.doubt, len(home.blind.calls)) == (ActionState.FAILED, False, 1)


async def test_without_anybody_to_ask_its_owner_is_asked(home: House) -> None:
    """A tool that cannot reconcile leaves the action unknown."""
    home.blind.outcomes = [Ambiguous("booking")]
    run = await home.asked([BOOK])
    assert (await home.action(run)).state is ActionState.UNKNOWN
    assert "outcome_unknown" in response(await home.action(run))


async def test_a_tool_that_is_gone_cannot_be_asked(home: House) -> None:
    """An effect that was under way when its tool was taken out is its owner's to settle."""
    action = await home.standing(home.effect, ActionState.EXECUTING, attempt=1)
    await home.base.tamper("UPDATE actions SET tool = 'retired_tool'")
    await home.serve()
    assert (await home.action(action)).state is ActionState.UNKNOWN


# A changed world ------------------------------------------------------------------------------------------------


async def test_a_changed_world_is_judged_again(home: House) -> None:
    """What was approved is not what would happen now: it is previewed again, and not done meanwhile."""
    home.effect.outcomes = [BasisChanged(what="the event")]
    run = await home.asked([SEND])
    action = await home.action(run)
    assert (action.state, action.attempt) == (ActionState.COMPLETED, 2)
    assert "action.basis_changed" in home.codes()


async def test_a_world_that_keeps_changing_is_given_up(home: House) -> None:
    """After three attempts it has failed, and certainly was not done."""
    home.effect.outcomes = [BasisChanged(what="the event")] * 5
    action = await home.action(await home.asked([SEND]))
    assert (action.state, action.doubt) == (ActionState.FAILED, False)
    assert to_people.KEEPS_CHANGING in response(action)


async def test_a_changed_world_after_a_doubtful_attempt_is_its_owners(home: House) -> None:
    """Perhaps the earlier attempt changed it: nobody is sure, so its owner is asked."""
    action = await home.standing(home.effect, ActionState.APPROVED, attempt=1, doubt=True)
    await home.trusts(TrustLevel.AUTONOMOUS)
    home.effect.outcomes = [BasisChanged(what="the event")]
    await home.serve()
    assert (await home.action(action)).state is ActionState.UNKNOWN


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
async def test_what_cannot_be_previewed_is_not_done(home: House, error: Exception, code: str) -> None:
    """Without a preview there is no card and no effect; the model is told why, and the siblings go on."""
    home.effect.previews = [error]
    run = await home.asked([SEND, LOOK], level=TrustLevel.SUPERVISED)
    async with home.base.store.read() as work:
        sent, looked = await work.actions.of_run(run.id)
    assert (sent.state, looked.state, run.state) == (ActionState.FAILED, ActionState.COMPLETED, RunState.COMPLETED)
    assert code in response(sent)
    assert home.effect.calls == []


@pytest.mark.parametrize("previews", [[], [ModelRetry("bad", "No.")]], ids=["it could be asked", "it would fail"])
async def test_a_stop_during_the_preview_wins(home: House, previews: list[Exception | Preview]) -> None:
    """What was stopped while its preview was made is neither asked, nor failed, nor done."""
    home.effect.previews, home.model.says, home.effect.gate = list(previews), [[SEND]], Gate()
    run = await home.request()
    serving = asyncio.create_task(home.serve())
    await home.effect.gate.looked.wait()
    await stop.stop_person(home.transactions, TEAM, DANA)
    home.effect.gate.opened.set()
    await serving
    assert (await home.action(run)).state is ActionState.CANCELLED
    assert await home.question(run.id) is None
    assert home.effect.calls == []


# The log --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [ActionState.PLANNED, ActionState.APPROVED])
async def test_no_audit_no_action(home: House, state: ActionState) -> None:
    """While the log is not sealed effects wait, in whatever state; reads go on. Once it is, they happen."""
    async with home.base.store.write() as work:
        await work.users.set_level(TEAM, DANA, TrustLevel.AUTONOMOUS.value)
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA))
    home.base.clock.advance(61)
    action = await home.standing(home.effect, state)
    serving = asyncio.create_task(home.serve())
    await asyncio.sleep(0.1)
    assert (await home.action(action)).state is state
    home.base.clock.at = NOW
    await serving
    assert (await home.action(action)).state is ActionState.COMPLETED


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
async def test_a_defect_leaves_nothing_hanging(home: House, tool: str, state: ActionState, end: ActionState) -> None:
    """When our own code breaks on an action, it ends: not done where that is certain, else its owner is asked."""
    action = await home.standing(getattr(home, tool), state, attempt=1 if state is ActionState.EXECUTING else 0)
    home.effect.settled = [KeyError("defect")]
    await home.base.tamper(BROKEN)
    await home.serve()
    now = await home.action(action)
    assert now.state is end
    assert home.effect.calls == home.read.calls == []


class _Defective(Reconciler):
    """Cannot give up."""

    async def give_up(self, action_id: str, lease: Lease) -> None:
        raise KeyError(action_id)


def _defective(home: House, *, hurried: bool) -> tuple[Runner, list[JobCrashed]]:
    """A worker that cannot give up, `hurried` if no rest takes it any time; and the crashes that it tells of."""
    reconciler, ticks, heard = home.runner.reconciler, count(step=100), list[JobCrashed]()
    made = {each.name: getattr(reconciler, each.name) for each in fields(reconciler)}
    crashes = CrashBackoff(monotonic=lambda: float(next(ticks))) if hurried else CrashBackoff()
    home.transactions.bus.attend(lambda event: heard.append(event) if isinstance(event, JobCrashed) else None)
    return replace(home.runner, reconciler=_Defective(**made), crashes=crashes), heard


async def test_a_job_that_crashes_again_and_again_ends_its_run(home: House) -> None:
    """After five crashes in a row the run has failed, with the id to quote, and nothing of it is left open."""
    action = await home.standing(home.read, ActionState.EXECUTING, attempt=1)
    await home.base.tamper(BROKEN)
    runner, heard = _defective(home, hurried=True)
    async with asyncio.timeout(20):
        await runner.serve("thr_1", asyncio.Event())
    run, ended = await home.run(action.run_id), await home.action(action)
    assert (run.state, run.error) == (RunState.FAILED, to_people.run_failed(run, [ended]))
    assert ended.state is ActionState.FAILED
    assert heard == [JobCrashed("action")] * 5


async def test_what_is_in_doubt_stays_so_however_often_its_job_crashes(home: House) -> None:
    """A run with an effect of which nobody knows whether it happened is not ended by a defect."""
    action = await home.standing(home.effect, ActionState.EXECUTING, attempt=1)
    home.effect.settled = [KeyError("defect")] * 1000
    await home.base.tamper(BROKEN)
    runner, heard = _defective(home, hurried=True)
    serving = asyncio.create_task(runner.serve("thr_1", asyncio.Event()))
    async with asyncio.timeout(20):
        await until(lambda: len(heard) >= 7)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    assert (await home.action(action)).state is ActionState.EXECUTING
    assert (await home.run(action.run_id)).state is RunState.EXECUTING


async def test_a_job_that_crashed_rests(home: House) -> None:
    """It is not begun again at once, and its thread is served on meanwhile."""
    await home.standing(home.read, ActionState.EXECUTING, attempt=1)
    await home.base.tamper(BROKEN)
    runner, heard = _defective(home, hurried=False)
    serving = asyncio.create_task(runner.serve("thr_1", asyncio.Event()))
    await asyncio.sleep(0.3)
    assert not serving.done()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    assert heard == [JobCrashed("action")]


async def test_a_defect_in_the_loop_ends_the_run(home: House) -> None:
    """The run has failed, and says an id to quote; whether it was just begun or planning."""
    run = await home.asked(KeyError("defect"))
    assert (run.state, run.error) == (RunState.FAILED, to_people.run_failed(run, []))
    home.directory.error = KeyError("defect")
    run = await home.asked("never said")
    assert (run.state, run.error) == (RunState.FAILED, to_people.run_failed(run, []))


async def test_a_defect_says_what_was_done_before(home: House) -> None:
    """A mail for which there is no card has left: who reads of the defect reads of it, too."""
    run = await home.asked([SEND], KeyError("defect"))
    assert (run.state, len(home.effect.calls)) == (RunState.FAILED, 1)
    assert "• Do it: done" in run.error


async def test_a_store_in_trouble_is_waited_for(home: House) -> None:
    """While rows cannot be written nothing is given up; once they can, the work goes on where it was. An outage is no
    defect: the log has its reason and no traceback.
    """
    await home.base.tamper("CREATE TRIGGER broken BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'disk'); END")
    run = await home.request()
    with capture_logs() as logs:
        serving = asyncio.create_task(home.serve())
        await until(lambda: logs)
    assert (await home.run(run.id)).state is RunState.QUEUED
    await home.base.tamper("DROP TRIGGER broken")
    await serving
    assert (await home.run(run.id)).state is RunState.COMPLETED
    assert (logs[0]["event"], "exc_info" in logs[0]) == ("job.store_in_trouble", False)
    assert "disk" in logs[0]["why"]


async def test_what_cannot_be_given_up_is_tried_again(home: House) -> None:
    """A defect whose end cannot be written down now is written down later."""
    await home.base.tamper("CREATE TRIGGER broken BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'disk'); END")
    home.directory.error = KeyError("defect")
    run = await home.request()
    serving = asyncio.create_task(home.serve())
    await asyncio.sleep(0.2)
    await home.base.tamper("DROP TRIGGER broken")
    await serving
    assert (await home.run(run.id)).state is RunState.FAILED


async def test_a_stopped_run_does_not_wait_for_the_model(home: House) -> None:
    """A model call whose run was ended is broken off."""
    home.model.hold = asyncio.Event()
    run = await home.request()
    serving = asyncio.create_task(home.serve())
    await until(lambda: home.model.requests)
    await stop.stop_person(home.transactions, TEAM, DANA)
    await serving
    assert (await home.run(run.id)).state is RunState.CANCELLED


async def test_two_workers_do_not_serve_one_thread(home: House) -> None:
    """While one holds the thread another one returns at once."""
    home.model.hold = asyncio.Event()
    await home.request()
    first = asyncio.create_task(home.serve())
    await until(lambda: home.model.requests)
    await asyncio.wait_for(replace(home.runner, holder="other").serve("thr_1", asyncio.Event()), 5)
    assert len(home.model.requests) == 1
    home.model.hold.set()
    await first


async def test_a_stop_during_a_doubtful_effect_is_kept(home: House) -> None:
    """What turns out not to have happened after its run was stopped is not begun again."""
    action = await home.standing(home.effect, ActionState.EXECUTING, attempt=1)
    await home.change_run(action.run_id, cancel_requested=True)
    home.effect.settled = [NotDone()]
    await home.serve()
    assert (await home.action(action)).state is ActionState.CANCELLED
    assert (await home.run(action.run_id)).state is RunState.CANCELLED
    assert home.effect.calls == []
