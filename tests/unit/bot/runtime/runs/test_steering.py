"""Steering: what a requester says to their run rejects what waits, and is taken in before the next model call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import Post
from bot.domain.limits import DEFAULT_LIMITS, Limits, Rate
from bot.domain.questions import Choice, QuestionState
from bot.domain.runs import Run, RunState
from bot.domain.threads import Audience
from bot.llm import wire
from bot.llm.model import ModelUnavailable, Wire
from bot.runtime.lifecycle.progress import finish_run
from bot.runtime.runs import stop
from bot.runtime.runs.incoming import Admission
from bot.runtime.runs.intake import Intake
from bot.runtime.texts import to_model, to_people
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness
from tests.unit.bot.runtime.scripted import Gate

SUPERVISED = TrustLevel.SUPERVISED
SEND, OTHER = [("gmail_send", {"text": "it"})], [("calendar_event_create", {"text": "that"})]


def told(here: Harness, n: int = -1) -> list[str]:
    """The texts of the contents of a model call."""
    return [
        "\n\n".join(str(part["text"]) for part in wire.parts(each) if "text" in part) for each in _contents(here, n)
    ]


def _contents(here: Harness, n: int) -> Sequence[Wire]:
    return here.model.requests[n].contents


async def runs(here: Harness) -> list[Run]:
    """Every run, in the order in which they were made."""
    return [await here.run(row["id"]) for row in here.base.rows("SELECT id FROM runs ORDER BY created_at, id")]


async def click(here: Harness, run: Run, choice: Choice) -> bool:
    return (await here.click(await here.card_of(run.id), choice)).accepted


async def test_a_reply_supersedes_what_waits(here: Harness) -> None:
    """Words under a card reject it with the words as the reason, and the same run goes on with them."""
    run = await here.asked(SEND, "It goes on Friday.", level=SUPERVISED)
    await here.card_of(run.id)
    admitted = await here.says("Friday instead")
    assert (admitted.admission, admitted.run_id) == (Admission.STEERS, run.id)
    await here.serve()
    action, run = await here.action(run), await here.run(run.id)
    assert (action.state, run.state, run.summary) == (ActionState.REJECTED, RunState.COMPLETED, "It goes on Friday.")
    (question,) = here.base.rows("SELECT * FROM questions")
    assert (question["state"], question["reason"]) == (QuestionState.WITHDRAWN.value, "Friday instead")
    assert (action.response or {})["error"] == to_model.superseded()["error"]
    assert told(here)[-1] == f"{to_model.STEERED}\n\nFriday instead"
    (message,) = here.base.rows("SELECT * FROM messages WHERE steers = ?", run.id)
    assert message["taken_at"] is not None
    codes = here.codes()
    assert codes.index("action.superseded") < codes.index("message.taken_in")
    assert not here.effect.calls


@pytest.mark.parametrize("said", ["yes", "OK, send it!"])
async def test_a_yes_points_at_the_buttons(here: Harness, said: str) -> None:
    """A yes in words decides nothing: the card stays open, nobody asks the model, and the buttons are pointed at."""
    run = await here.asked(SEND, level=SUPERVISED)
    assert (await here.says(said)).admission is Admission.POINTED
    await here.serve()
    assert (await here.run(run.id)).state is RunState.AWAITING
    assert len(here.model.requests) == 1
    (row,) = here.base.rows("SELECT subject FROM outbox WHERE kind = 'refusal'")
    assert row["subject"].startswith("buttons:")
    assert await click(here, run, Choice.APPROVE)
    await here.serve()
    assert len(here.effect.calls) == 1


async def test_a_yes_without_a_card_is_said_to_the_run(here: Harness) -> None:
    """Where nothing waits for approval, a yes may answer what the model asked in words."""
    run = await here.request()
    assert (await here.says("yes")).admission is Admission.STEERS
    await here.serve()
    assert told(here)[-1].endswith("yes")
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_a_no_rejects(here: Harness) -> None:
    """A no is the vote of the Reject button: the card says who rejected, and the run goes on."""
    run = await here.asked([*SEND, *OTHER], "Then not.", level=SUPERVISED)
    assert (await here.says("No, thanks")).admission is Admission.REJECTED
    await here.serve()
    assert (await here.run(run.id)).summary == "Then not."
    for question in here.base.rows("SELECT * FROM questions"):
        assert (question["state"], question["decided_by"], question["decision"]) == ("decided", DANA, "reject")
    assert {row["state"] for row in here.base.rows("SELECT state FROM actions")} == {"rejected"}
    assert len(here.base.rows("SELECT * FROM votes WHERE choice = 'reject'")) == 2
    assert not here.base.rows("SELECT * FROM messages WHERE steers IS NOT NULL")


async def test_what_is_approved_goes_on(here: Harness) -> None:
    """A reply leaves alone what was approved before: it is done, and the reply is taken in after it."""
    run = await here.asked([*SEND, *OTHER], "Done so far.", level=SUPERVISED)
    asked = await here.card_of(run.id)
    assert await click(here, run, Choice.APPROVE)
    await here.says("not the other one")
    await here.serve()
    states = {row["id"]: row["state"] for row in here.base.rows("SELECT id, state FROM actions")}
    assert states.pop(asked.action_id) == "completed"
    assert list(states.values()) == ["rejected"]
    assert len(here.effect.calls) + len(here.blind.calls) == 1
    assert (await here.run(run.id)).summary == "Done so far."


async def test_what_was_not_asked_yet_is_rejected(here: Harness) -> None:
    """What would open a card while a reply is untaken is rejected instead: the reply comes first."""
    here.effect.gate = Gate()
    here.model.says = [SEND, "As you say."]
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await here.effect.gate.looked.wait()
    assert (await here.says("to Priya instead")).admission is Admission.STEERS
    here.effect.gate.opened.set()
    await serving
    assert (await here.action(run)).state is ActionState.REJECTED
    assert not here.base.rows("SELECT * FROM questions")
    assert (await here.run(run.id)).summary == "As you say."
    assert told(here)[-1].endswith("to Priya instead")


async def test_what_is_doubtful_stays_open(here: Harness) -> None:
    """A reply never settles a doubtful effect: the question stays, and the reply waits until it is answered."""
    action = await here.standing(here.blind, ActionState.EXECUTING, attempt=1, deadline_at=here.base.clock.now())
    await here.serve()
    assert (await here.action(action)).state is ActionState.UNKNOWN
    admitted = await here.says("what about Friday?")
    assert (admitted.admission, admitted.run_id) == (Admission.STEERS, action.run_id)
    await here.serve()
    assert (await here.run(action.run_id)).state is RunState.AWAITING
    assert not here.model.requests
    assert await click(here, await here.run(action.run_id), Choice.HAPPENED)
    await here.serve()
    assert told(here)[-1].endswith("what about Friday?")


async def test_a_message_that_arrives_as_its_run_completes(here: Harness) -> None:
    """The answer that was made without it is not shown: the model is told so, and answers once more."""
    here.model.says = ["Too early.", "With everything."]
    run = await here.request()
    async with here.asking_the_model():
        assert (await here.says("and the calendar")).admission is Admission.STEERS
    run = await here.run(run.id)
    assert (run.state, run.summary, run.steps_taken) == (RunState.COMPLETED, "With everything.", 2)
    assert told(here)[-1] == f"{to_model.NOT_SHOWN}\n\nand the calendar"
    assert [row["text"] for row in here.base.rows("SELECT text FROM messages WHERE speaker = 'agent'")] == [run.summary]


async def test_a_message_after_the_end_is_a_request(here: Harness) -> None:
    """Once the run is completed, what is said next starts a new one."""
    run = await here.asked("Done.")
    admitted = await here.says("and the calendar")
    assert admitted.admission is Admission.STARTED
    assert admitted.run_id != run.id


@pytest.mark.parametrize(
    "values",
    [{"state": RunState.PAUSED}, {"state": RunState.QUEUED, "not_before": NOW + timedelta(hours=2)}],
    ids=["paused", "held back"],
)
async def test_a_run_that_rests_is_not_steered(here: Harness, values: dict[str, Any]) -> None:
    """What is paused, or is to happen later, is left as it is: the message starts a new run."""
    run = await here.request(**values)
    admitted = await here.says("and the calendar")
    assert (admitted.admission, admitted.run_id != run.id) == (Admission.STARTED, True)
    assert (await here.run(run.id)).state is values["state"]


async def test_a_failed_run_hands_on_what_it_did_not_take_in(here: Harness) -> None:
    """When the run fails, what was said meanwhile becomes a new run, of the first message; the others steer it."""
    here.model.says = [ModelUnavailable("network"), "Both."]
    run = await here.request(limits=Limits(steps=3))
    async with here.asking_the_model():
        await here.says("first")
        await here.says("second")
    failed, following = await runs(here)
    assert failed.id == run.id
    assert (failed.state, following.state, following.summary) == (RunState.FAILED, RunState.COMPLETED, "Both.")
    assert failed.error.endswith(to_people.HANDED_ON)
    assert following.limits == DEFAULT_LIMITS, "those of the installation, not what is left of the other"
    assert told(here)[-2].endswith("first")
    assert told(here)[-1] == f"{to_model.STEERED}\n\nsecond"


async def test_a_pause_hands_on_what_came_after_the_soft_stop(here: Harness) -> None:
    """With tools off nothing is taken in any more: what was said then is a run of its own, after the pause."""
    here.model.says = ["So far.", "The rest."]
    run = await here.request(state=RunState.PLANNING, stopping=to_people.STEP_LIMIT)
    async with here.asking_the_model():
        await here.says("go on")
    paused, following = await runs(here)
    assert (paused.id, paused.state, following.summary) == (run.id, RunState.PAUSED, "The rest.")
    assert to_people.HANDED_ON in paused.summary


async def test_a_stop_withdraws_what_was_not_taken_in(here: Harness) -> None:
    """At a stop what was said and not taken in is withdrawn, and that is said."""
    run = await here.request()
    await here.says("and the calendar")
    await stop.stop_person(here.transactions, TEAM, DANA)
    await here.serve()
    (stopped,) = await runs(here)
    assert (stopped.id, stopped.state) == (run.id, RunState.CANCELLED)
    assert stopped.summary.endswith(to_people.WITHDRAWN)
    assert "message.withdrawn" in here.codes()
    assert not here.model.requests


async def test_somebody_else_never_steers(here: Harness) -> None:
    """Another person's message in the thread is a request of its own, and decides nothing of the first."""
    run = await here.asked(SEND, level=SUPERVISED)
    said = [await here.says(text, user=MARA) for text in ("no", "yes", "Friday instead")]
    assert [one.admission for one in said] == [Admission.STARTED, Admission.STEERS, Admission.STEERS]
    assert run.id not in {one.run_id for one in said}
    assert (await here.run(run.id)).state is RunState.AWAITING
    assert (await here.question(run.id)) is not None


async def test_a_reply_concerns_the_run_under_whose_post_it_stands(here: Harness) -> None:
    """With several waiting runs it is the one whose post is replied to, else the newest."""
    older = await here.asked(SEND, level=SUPERVISED)
    newer = await here.asked(OTHER, level=SUPERVISED)
    async with here.base.store.write() as work:
        await work.posts.save(Post(run_id=older.id, slot="card:x", channel="D1", ts="1.5"))
    assert (await here.says("no")).run_id == newer.id
    assert (await here.says("rather on Friday", thread_ts="1.5")).run_id == older.id


async def test_words_from_the_direct_messages_make_a_run_private(here: Harness) -> None:
    """What its owner says to a channel's run in the direct messages is owner-only: the run is private from then on."""
    async with here.base.store.write() as work:
        await work.threads.ensure(make.thread(channel="C1", is_dm=False))
    asked = make.message("please", channel="C1")
    run = make.run(message_id=asked.id)
    async with here.base.store.write() as work:
        await work.messages.add(asked)
        await work.runs.add(run)
        await work.posts.save(Post(run_id=run.id, slot="card:x", channel="D1", ts="1.5"))
    await here.says("my home address is …", thread_ts="1.5")
    await here.serve()
    private = await here.run(run.id)
    assert private.private
    assert [row["audience"] for row in here.base.rows("SELECT audience FROM messages WHERE speaker = 'agent'")] == [
        Audience.OWNER.value
    ]
    assert here.base.rows("SELECT * FROM outbox WHERE kind = 'stub'")


async def test_what_comes_late_runs_next(here: Harness) -> None:
    """What was said before a run that has begun is no reply to it: it runs next, and its context says so."""
    run = await here.asked(SEND, "Late, but here.", level=SUPERVISED)
    admitted = await here.says("and Mara?", ts="0.000001")
    assert admitted.admission is Admission.STARTED
    assert admitted.run_id
    assert (await here.run(admitted.run_id)).late
    await here.serve()
    assert (await here.run(run.id)).state is RunState.AWAITING
    assert "[LATE]" in here.model.requests[-1].instruction
    assert "[LATE]" not in here.model.requests[0].instruction


async def test_a_late_stop_leaves_what_was_asked_after_it(here: Harness) -> None:
    """“stop” that was said before a request, and arrives after it, is not about that request."""
    later = await here.says("second request", ts="2.900000")
    assert later.run_id
    stopped = await here.says("stop", ts="2.500000")
    assert (stopped.admission, stopped.run_id) == (Admission.STOPPED, None)
    assert (await here.run(later.run_id)).state is RunState.QUEUED


async def test_a_stop_ends_what_is_paused_where_nothing_is_live(here: Harness) -> None:
    """A paused request holds nobody up, but its owner can end it; a live one in the same thread goes first."""
    paused = await here.asked(SEND, level=SUPERVISED, limits=Limits(steps=1), ceiling=Limits(steps=1))
    async with here.transactions.write() as tx:
        await finish_run(tx, await tx.work.runs.find(paused.id), RunState.PAUSED, summary="At a limit.")
    live = await here.says("something else")
    assert live.run_id
    for stopped in (live.run_id, paused.id):
        assert (await here.says("stop")).run_id == stopped
        assert (await here.run(stopped)).state is RunState.CANCELLED


async def test_what_was_unsaid_is_not_taken_in(here: Harness) -> None:
    """A reply that its author deletes before the run heard of it never reaches the model."""
    run = await here.asked(SEND, "It goes on.", level=SUPERVISED)
    assert (await here.says("tell everybody the secret", ts="2.000100")).run_id == run.id
    await Intake(transactions=here.transactions, limits=Limits(steps=8)).deleted(TEAM, "D1", "2.000100", may_ask=False)
    await here.serve()
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert "secret" not in str(here.model.requests[-1].contents)
    assert "message.withdrawn" in here.codes()


async def test_what_is_said_to_a_run_counts_as_requests_do(here: Harness) -> None:
    """A flood of replies is refused like a flood of requests; “no” and “stop” are always heard."""
    run = await here.asked(SEND, level=SUPERVISED)
    rate = Rate(per_minute=1, burst=2)
    said = [(await here.says(f"word {n}", rate=rate)).admission for n in range(3)]
    assert said == [Admission.STEERS, Admission.STEERS, Admission.REFUSED]
    assert (await here.says("stop", rate=rate)).run_id == run.id


async def test_the_requests_of_somebody_who_left_end(here: Harness) -> None:
    """Deactivated, or made a guest: what waits and what is paused is cancelled, and their card decides nothing."""
    waiting = await here.asked(SEND, level=SUPERVISED)
    paused = await here.asked(OTHER, level=SUPERVISED)
    async with here.transactions.write() as tx:
        await finish_run(tx, await tx.work.runs.find(paused.id), RunState.PAUSED, summary="At a limit.")
    asked = await here.card_of(waiting.id)
    await stop.person_changed(here.transactions, make.person(name="Dana O."))
    assert (await here.run(waiting.id)).state is RunState.AWAITING
    await stop.person_changed(here.transactions, make.person(is_deleted=True))
    assert {(await here.run(run.id)).state for run in (waiting, paused)} == {RunState.CANCELLED}
    assert here.codes().count("run.requester_gone") == 2
    outcome = await here.click(asked)
    assert not outcome.accepted
    await stop.person_changed(here.transactions, make.person(user="U0NOBODY"))


async def test_what_was_cut_off_as_somebody_left_is_gone_on_with(here: Harness) -> None:
    """The profile was kept and the process ended before the requests did: told again, the rest ends, and once."""
    waiting = await here.asked(SEND, level=SUPERVISED)
    await here.seen(make.person(is_deleted=True))
    for _ in range(2):
        await stop.person_changed(here.transactions, make.person(is_deleted=True))
    assert (await here.run(waiting.id)).state is RunState.CANCELLED
    assert here.codes().count("run.requester_gone") == 1


async def test_a_great_many_requests_are_stopped_one_by_one(here: Harness) -> None:
    """“Stop everything” holds nobody up: each has its own transaction, and all are told."""
    runs = [await here.request() for _ in range(5)]
    stopped = await stop.stop_person(here.transactions, TEAM, DANA)
    assert {run.id for run in stopped} == {run.id for run in runs}
    assert await stop.stop_person(here.transactions, TEAM, DANA) == []
