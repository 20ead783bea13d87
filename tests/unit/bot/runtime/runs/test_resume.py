"""Resuming: Continue, Ask again and Try again are their owner's, the first press wins, and later ones are told."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.deliveries import Post
from bot.domain.limits import Limits, Rate
from bot.domain.questions import QUESTION_LIFE, SETTLE_LIFE, QuestionKind, QuestionState, SettlePayload
from bot.domain.runs import FollowUp, Run, RunState
from bot.llm import wire
from bot.llm.model import ModelUnavailable
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.delivery.views import CardView
from bot.runtime.questions import expiry
from bot.runtime.runs import resume, stop
from bot.runtime.runs.intake import Intake
from bot.runtime.texts import to_model, to_people
from policies.types import TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runs.test_steering import Thread
from tests.unit.bot.runtime.runtime_harness import House

SUPERVISED = TrustLevel.SUPERVISED
SEND, OTHER, LOOK = (
    [("gmail_send", {"text": "it"})],
    [("gmail_send", {"text": "that"})],
    [("gmail_search", {"text": "x"})],
)


def press(value: str, **more: Any) -> ButtonClick:
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "value": value}
    return ButtonClick(**given | more)


async def continued(at: House, run: Run, **more: Any) -> ClickOutcome:
    return await resume.continue_run(at.transactions, press(**{"value": run.id} | more))


async def asked_again(at: House, value: str, **more: Any) -> ClickOutcome:
    return await resume.ask_again(at.transactions, press(value, **more))


async def tried_again(at: House, run: Run, **more: Any) -> ClickOutcome:
    return await resume.try_again(at.transactions, press(run.id, **more))


async def offer(at: House, run: Run) -> FollowUp | None:
    return (await at.queries.answer(run.id)).offer


async def card(at: House, question_id: str) -> CardView:
    view = await at.queries.card(question_id)
    assert view is not None
    return view


async def silence(at: House, life: timedelta) -> None:
    """Nobody answers for so long; the log is sealed meanwhile."""
    at.base.clock.advance(life.total_seconds() + 1)
    await expiry.tick(at.transactions)
    await Sealer(store=at.base.store, keyring=at.base.keyring).seal()


async def expired(at: House, *says: Any) -> Run:
    """A request whose cards nobody answered in time."""
    run = await at.asked(*says or (SEND,), level=SUPERVISED)
    await silence(at, QUESTION_LIFE)
    await at.serve()
    return await at.run(run.id)


async def limited(at: House, **values: Any) -> Run:
    """A request that stopped at its limit of one step."""
    at.model.says = [LOOK, "That is all I found."]
    run = await at.request(limits=Limits(steps=1), ceiling=Limits(steps=1), **values)
    await at.serve()
    return await at.run(run.id)


def questions_of(at: House, action: Action) -> list[dict[str, Any]]:
    return at.base.rows("SELECT * FROM questions WHERE action_id = ? ORDER BY created_at, id", action.id)


# Continue -----------------------------------------------------------------------------------------------------


async def test_a_run_at_its_limit_is_continued(at: House) -> None:
    """Continue gives one fresh allowance on top of what was used; the model is told that tools are on again."""
    run = await limited(at)
    assert (run.state, await offer(at, run)) == (RunState.PAUSED, FollowUp.CONTINUE)
    at.model.says = [LOOK, "Now I have it all."]
    assert await continued(at, run) == ClickOutcome(accepted=True)
    renewed = await at.run(run.id)
    assert (renewed.state, renewed.ceiling.steps, renewed.stopping, renewed.hard_stop) == (
        RunState.PLANNING, run.steps_taken + 1, None, None,
    )  # fmt: skip
    await at.serve()
    assert len(at.read.calls) == 2
    assert to_model.CONTINUED in [
        part.get("text") for content in at.model.requests[-1].contents for part in wire.parts(content)
    ]
    assert not at.model.requests[2].tools_off
    again = await at.run(run.id)
    assert (again.state, await offer(at, again)) == (RunState.PAUSED, FollowUp.CONTINUE)
    assert "run.continued" in at.codes()


async def test_what_was_said_at_the_pause_stays(at: House) -> None:
    """The message of the pause is left standing without its button, and what comes is another message."""
    run = await limited(at)
    async with at.base.store.write() as work:
        await work.posts.save(Post(run_id=run.id, slot="answer", channel="D1", ts="5.1"))
        await work.posts.save(Post(run_id=run.id, slot="answer:2", channel="D1", ts="5.2"))
    assert (await continued(at, run, channel="D1", message_ts="5.2")).accepted
    async with at.base.store.read() as work:
        assert {post.slot for post in await work.posts.of_run(run.id)} >= {"said:5.1", "said:5.2"}
    (row,) = at.base.rows("SELECT subject FROM outbox WHERE kind = 'resumed'")
    view = await at.queries.resumed(row["subject"])
    assert (view.channel, view.ts, view.text) == ("D1", "5.2", run.summary)


async def test_continue_twice(at: House) -> None:
    """Two presses at once: one continues the run, with one allowance, and the other is told."""
    run = await limited(at)
    first, second = await asyncio.gather(continued(at, run), continued(at, run))
    assert {first.accepted, second.accepted} == {True, False}
    assert to_people.GOES_ON in {first.text, second.text}
    assert (await at.run(run.id)).ceiling.steps == run.steps_taken + 1
    assert at.codes().count("run.continued") == 1
    await at.serve()
    late = await continued(at, run)
    assert (late.accepted, late.text) == (False, to_people.NOT_PAUSED)
    assert at.codes().count("run.not_continued") == 2


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"user": MARA}, "click.wrong_person"),
        ({"team": "T2"}, "click.wrong_person"),
        ({"channel": "C9", "message_ts": "9.9"}, "click.wrong_place"),
        ({"value": "run_none"}, "click.unknown"),
    ],
)
async def test_only_its_owner_continues(at: House, more: dict[str, Any], code: str) -> None:
    """Somebody else's press, a copy of the button and an unknown run change nothing, and are in the log."""
    run = await limited(at)
    async with at.base.store.write() as work:
        await work.posts.save(Post(run_id=run.id, slot="answer", channel="D1", ts="5.1"))
    outcome = await continued(at, run, **more)
    assert (outcome.accepted, bool(outcome.text)) == (False, True)
    assert code in at.codes()
    assert await at.run(run.id) == run


async def test_continue_asks_again_what_nobody_answered(at: House) -> None:
    """With an open step, expired actions are judged and asked anew; the model is asked after them only."""
    run = await expired(at, [*SEND, *OTHER], "Sent.")
    assert run.state is RunState.PAUSED
    assert (await continued(at, run)).accepted
    await at.serve()
    assert len(at.model.requests) == 1
    assert (await at.run(run.id)).state is RunState.AWAITING
    states = [row["state"] for row in at.base.rows("SELECT state FROM questions ORDER BY created_at, id")]
    assert sorted(states) == ["expired", "expired", "open", "open"]
    await at.approve(run, serve=True)
    await at.approve(run, serve=True)
    assert len(at.effect.calls) == 2
    assert (await at.run(run.id)).summary == "Sent."


async def test_continue_asks_again_what_is_doubtful(at: House) -> None:
    """A doubtful effect that nobody settled is asked about once more, and never repeated by itself."""
    action = await at.standing(at.effect, ActionState.EXECUTING, attempt=1, deadline_at=at.base.clock.now())
    await at.serve()
    await silence(at, SETTLE_LIFE)
    run = await at.run(action.run_id)
    assert run.state is RunState.PAUSED
    assert (await continued(at, run)).accepted
    await at.serve()
    question = await at.card_of(run.id)
    assert (question.kind, question.payload_as(SettlePayload).where) == (QuestionKind.SETTLE, "the sky")
    assert (await at.run(run.id)).state is RunState.AWAITING
    assert not at.effect.calls


async def test_a_deleted_request_is_not_continued(at: House) -> None:
    """Who deleted the request gets no Continue, and a paused run of it is cancelled."""
    run = await limited(at, source_key="slack:T1:D1:9.9")
    await Intake(transactions=at.transactions, limits=Limits()).deleted(TEAM, "D1", "9.9")
    cancelled = await at.run(run.id)
    assert (cancelled.state, cancelled.request_deleted) == (RunState.CANCELLED, True)
    assert await offer(at, cancelled) is None
    assert (await continued(at, run)).text == to_people.DELETED


async def test_a_stop_and_a_continue(at: House) -> None:
    """A stop ends the continued run like any other."""
    run = await expired(at)
    assert (await continued(at, run)).accepted
    await stop.stop_person(at.transactions, TEAM, DANA)
    await at.serve()
    assert (await at.run(run.id)).state is RunState.CANCELLED
    assert (await at.action(run)).state is ActionState.CANCELLED


# Ask again ----------------------------------------------------------------------------------------------------


async def test_ask_again(at: House) -> None:
    """What nobody answered is judged anew and asked on a new card; approved there, it is done once."""
    run = await expired(at, SEND, "Sent.")
    action = await at.action(run)
    (old,) = questions_of(at, action)
    assert (await card(at, old["id"])).ask_again
    assert (await asked_again(at, f"{old['id']}.{old['nonce']}")).accepted
    assert not (await card(at, old["id"])).ask_again
    await at.serve()
    _, new = questions_of(at, action)
    assert new["state"] == QuestionState.OPEN.value
    assert (await at.run(run.id)).state is RunState.AWAITING
    twice = await asked_again(at, f"{old['id']}.{old['nonce']}")
    assert (twice.accepted, twice.text) == (False, to_people.ASKED_ALREADY)
    await at.approve(run, serve=True)
    assert len(at.effect.calls) == 1
    assert (await at.run(run.id)).summary == "Sent."
    closed = await asked_again(at, f"{old['id']}.{old['nonce']}")
    assert (closed.accepted, closed.text) == (False, to_people.CLOSED)
    assert "action.asked_again" in at.codes()


async def test_one_of_two_is_asked_again(at: House) -> None:
    """Ask again takes up this one; the other stays expired, and the model is told that nobody answered it."""
    run = await expired(at, [*SEND, *OTHER], "One of two.")
    async with at.base.store.read() as work:
        first, second = await work.actions.of_run(run.id)
    (old,) = questions_of(at, first)
    assert (await asked_again(at, f"{old['id']}.{old['nonce']}")).accepted
    await at.serve()
    await at.approve(run, serve=True)
    assert len(at.effect.calls) == 1
    assert ((await at.action(second)).state, (await at.run(run.id)).summary) == (ActionState.EXPIRED, "One of two.")
    (left,) = questions_of(at, second)
    assert not (await card(at, left["id"])).ask_again


async def test_ask_again_while_the_other_card_waits(at: House) -> None:
    """Of a step that waits for another card, an expired one can be asked again; the run goes on waiting."""
    run = await at.asked([*SEND, *OTHER], "Both.", level=SUPERVISED)
    async with at.base.store.read() as work:
        first, second = await work.actions.of_run(run.id)
    (old,) = questions_of(at, first)
    await at.base.tamper(f"UPDATE questions SET expires_at = '2026-11-21 00:00:00.000000' WHERE id = '{old['id']}'")
    await expiry.tick(at.transactions)
    assert (await at.run(run.id)).state is RunState.AWAITING
    assert (await asked_again(at, f"{old['id']}.{old['nonce']}")).accepted
    await at.serve()
    assert len(questions_of(at, first)) == 2
    assert len(questions_of(at, second)) == 1
    assert (await at.run(run.id)).state is RunState.AWAITING


async def test_ask_again_does_not_lift_a_limit(at: House) -> None:
    """A run that stopped hard at a limit is asked by Continue, not by Ask again; the person is told so."""
    run = await expired(at)
    await at.base.tamper(f"UPDATE runs SET hard_stop = 'a limit' WHERE id = '{run.id}'")
    (old,) = questions_of(at, await at.action(run))
    assert not (await card(at, old["id"])).ask_again
    outcome = await asked_again(at, f"{old['id']}.{old['nonce']}")
    assert (outcome.accepted, outcome.text) == (False, to_people.AT_A_LIMIT)
    assert (await continued(at, run)).accepted


async def test_ask_again_against_a_stop(at: House) -> None:
    """Whichever comes first, nothing is left hanging: after the stop it is refused, before it the stop ends it."""
    run = await expired(at)
    (old,) = questions_of(at, await at.action(run))
    value = f"{old['id']}.{old['nonce']}"
    asked, _ = await asyncio.gather(asked_again(at, value), stop.stop_person(at.transactions, TEAM, DANA))
    await at.serve()
    state = (await at.run(run.id)).state
    assert asked.accepted
    assert state in {RunState.CANCELLED, RunState.AWAITING}
    await stop.stop_person(at.transactions, TEAM, DANA)
    assert (await at.run(run.id)).state is RunState.CANCELLED
    refused = await asked_again(at, value)
    assert (refused.accepted, refused.text) == (False, to_people.CLOSED)


@pytest.mark.parametrize(
    ("more", "code"), [({"user": MARA}, "click.wrong_person"), ({"value": "q_1.x"}, "click.unknown")]
)
async def test_only_its_owner_asks_again(at: House, more: dict[str, Any], code: str) -> None:
    """Ask again is checked like every click on the card."""
    run = await expired(at)
    (old,) = questions_of(at, await at.action(run))
    given = {"value": f"{old['id']}.{old['nonce']}", **more}
    assert not (await asked_again(at, **given)).accepted
    assert code in at.codes()
    assert (await at.run(run.id)).state is RunState.PAUSED


# Try again ----------------------------------------------------------------------------------------------------


async def test_try_again(at: House) -> None:
    """A failed request is run anew as a run of its own; a double press starts one, and the button goes."""
    failed = await at.asked(ModelUnavailable("network"))
    assert (failed.state, await offer(at, failed)) == (RunState.FAILED, FollowUp.TRY_AGAIN)
    at.model.says = ["This time."]
    first, second = await asyncio.gather(tried_again(at, failed), tried_again(at, failed))
    assert {first.accepted, second.accepted} == {True, False}
    assert to_people.TRIED_ALREADY in {first.text, second.text}
    assert await offer(at, failed) is FollowUp.TRIED_AGAIN
    await at.serve()
    (row,) = at.base.rows("SELECT id FROM runs WHERE retry_of = ?", failed.id)
    again = await at.run(row["id"])
    assert (again.state, again.summary, again.message_id) == (RunState.COMPLETED, "This time.", failed.message_id)
    assert at.codes().count("run.tried_again") == 1


async def test_try_again_knows_what_was_done(at: House) -> None:
    """What the failed run did outside is told to the new one, which must not do it again."""
    failed = await at.asked(SEND, ModelUnavailable("network"))
    assert (failed.state, len(at.effect.calls)) == (RunState.FAILED, 1)
    assert (await tried_again(at, failed)).accepted
    await at.serve()
    instruction = at.model.requests[-1].instruction
    assert "[TRIED BEFORE]" in instruction
    assert "Do it: done" in instruction


async def test_try_again_takes_in_what_was_said_to_the_failed_run(at: House) -> None:
    """What its requester said to the failed run counts for the new one."""
    run = await at.asked(SEND, ModelUnavailable("network"), level=SUPERVISED)
    await Thread(at).says("Friday instead")
    await at.serve()
    failed = await at.run(run.id)
    assert failed.state is RunState.FAILED
    assert (await tried_again(at, failed)).accepted
    await at.serve()
    assert str(wire.parts(at.model.requests[-1].contents[-1])[-1]["text"]).endswith("Friday instead")


async def test_what_did_not_fail_is_not_tried_again(at: House) -> None:
    """Only a failed run is tried again, by its owner; a person who may not ask is not offered it."""
    done = await at.asked("Done.")
    assert (await tried_again(at, done)).text == to_people.NOT_FAILED
    failed = await at.asked(ModelUnavailable("network"))
    assert not (await tried_again(at, failed, user=MARA)).accepted
    await at.base.tamper(f"UPDATE runs SET error = '{to_people.NO_PERSON}' WHERE id = '{failed.id}'")
    assert await offer(at, failed) is None


async def test_a_deleted_request_is_not_tried_again(at: House) -> None:
    """Deleting the request takes the button away, and reaches the new run when there is one already."""
    failed = await at.asked(ModelUnavailable("network"))
    assert (await tried_again(at, failed)).accepted
    (row,) = at.base.rows("SELECT source_key FROM runs WHERE id = ?", failed.id)
    _, team, channel, ts = row["source_key"].split(":")
    await Intake(transactions=at.transactions, limits=Limits()).deleted(team, channel, ts)
    (new,) = at.base.rows("SELECT * FROM runs WHERE retry_of = ?", failed.id)
    assert (new["state"], bool(new["request_deleted"])) == ("cancelled", True)
    assert (await at.run(failed.id)).request_deleted
    other = await at.asked(ModelUnavailable("network"))
    (row,) = at.base.rows("SELECT source_key FROM runs WHERE id = ?", other.id)
    _, team, channel, ts = row["source_key"].split(":")
    await Intake(transactions=at.transactions, limits=Limits()).deleted(team, channel, ts)
    assert await offer(at, await at.run(other.id)) is None
    assert (await tried_again(at, other)).text == to_people.DELETED


async def test_what_was_forgotten_is_not_tried_again(at: House) -> None:
    """Once its record is gone nobody knows what the failed run did, so nothing of it is done again."""
    failed = await at.asked(LOOK, ModelUnavailable("overloaded"))
    assert await offer(at, failed) is FollowUp.TRY_AGAIN
    await at.change_run(failed.id, instruction="")
    assert await offer(at, failed) is None
    assert (await tried_again(at, failed)).text == to_people.FORGOTTEN


async def test_trying_again_counts_as_a_request(at: House) -> None:
    """A model that is away is not asked as often as somebody presses a button."""
    rate = Rate(per_minute=1, burst=1)
    runs = [await at.asked(ModelUnavailable("overloaded")), await at.asked(ModelUnavailable("overloaded"))]
    assert (await resume.try_again(at.transactions, press(runs[0].id), rate)).accepted
    refused = await resume.try_again(at.transactions, press(runs[1].id), rate)
    assert not refused.accepted
    assert "minute" in refused.text
