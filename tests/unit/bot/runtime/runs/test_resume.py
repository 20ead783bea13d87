"""Resuming: Continue, Ask again and Try again are their owner's, the first press wins, and later ones are told."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.deliveries import Post
from bot.domain.limits import Limits, Rate
from bot.domain.questions import QUESTION_LIFE, SETTLE_LIFE, Choice, QuestionKind, QuestionState, SettlePayload
from bot.domain.runs import FollowUp, Run, RunState
from bot.domain.threads import Surface
from bot.llm import wire
from bot.llm.model import CallingMode, ModelUnavailable
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.delivery.views import CardView
from bot.runtime.questions import expiry
from bot.runtime.runs import resume, stop
from bot.runtime.runs.intake import Intake
from bot.runtime.texts import to_model, to_people
from integrations.base import Preview
from policies.provenance import Impact
from policies.types import TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

SUPERVISED = TrustLevel.SUPERVISED
SEND, OTHER, LOOK = (
    [("gmail_send", {"text": "it"})],
    [("gmail_send", {"text": "that"})],
    [("gmail_search", {"text": "x"})],
)


def press(value: str, **more: Any) -> ButtonClick:
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "value": value}
    return ButtonClick(**given | more)


async def continued(here: Harness, run: Run, **more: Any) -> ClickOutcome:
    return await resume.continue_run(here.transactions, press(**{"value": run.id} | more))


async def asked_again(here: Harness, value: str, **more: Any) -> ClickOutcome:
    return await resume.ask_again(here.transactions, press(value, **more))


async def tried_again(here: Harness, run: Run, **more: Any) -> ClickOutcome:
    return await resume.try_again(here.transactions, press(run.id, **more))


async def offer(here: Harness, run: Run) -> FollowUp | None:
    return (await here.queries.answer(run.id)).offer


async def card(here: Harness, question_id: str) -> CardView:
    view = await here.queries.card(question_id)
    assert view is not None
    return view


async def silence(here: Harness, life: timedelta) -> None:
    """Nobody answers for so long; the log is sealed meanwhile."""
    here.base.clock.advance(life.total_seconds() + 1)
    await expiry.tick(here.transactions)
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()


async def expired(here: Harness, *says: Any) -> Run:
    """A request whose cards nobody answered in time."""
    run = await here.asked(*says or (SEND,), level=SUPERVISED)
    await silence(here, QUESTION_LIFE)
    await here.serve()
    return await here.run(run.id)


async def limited(here: Harness, **values: Any) -> Run:
    """A request that stopped at its limit of one step."""
    here.model.says = [LOOK, "That is all I found."]
    run = await here.request(limits=Limits(steps=1), ceiling=Limits(steps=1), **values)
    await here.serve()
    return await here.run(run.id)


def questions_of(here: Harness, action: Action) -> list[dict[str, Any]]:
    return here.base.rows("SELECT * FROM questions WHERE action_id = ? ORDER BY created_at, id", action.id)


# Continue -----------------------------------------------------------------------------------------------------


async def test_a_run_at_its_limit_is_continued(here: Harness) -> None:
    """Continue gives one fresh allowance on top of what was used; the model is told that tools are on again."""
    run = await limited(here)
    assert (run.state, await offer(here, run)) == (RunState.PAUSED, FollowUp.CONTINUE)
    here.model.says = [LOOK, "Now I have it all."]
    assert await continued(here, run) == ClickOutcome(accepted=True)
    renewed = await here.run(run.id)
    assert (renewed.state, renewed.ceiling.steps, renewed.stopping, renewed.hard_stop) == (
        RunState.PLANNING, run.steps_taken + 1, None, None,
    )  # fmt: skip
    await here.serve()
    assert len(here.read.calls) == 2
    assert to_model.CONTINUED in [
        part.get("text") for content in here.model.requests[-1].contents for part in wire.parts(content)
    ]
    assert here.model.requests[2].calling_mode is CallingMode.AUTO
    again = await here.run(run.id)
    assert (again.state, await offer(here, again)) == (RunState.PAUSED, FollowUp.CONTINUE)
    assert (await here.queries.answer(run.id)).asks_again == 0
    assert "run.continued" in here.codes()


async def test_its_answer_counts_what_continue_only_asks_again(here: Harness) -> None:
    """What was decided meanwhile is not asked again; a deadline is asked for first, so that is more."""
    run = await expired(here, [*SEND, *OTHER])
    assert (await here.queries.answer(run.id)).asks_again == 2
    await here.change_run(run.id, deadline_at=here.base.clock.now() + timedelta(minutes=30))
    assert (await here.queries.answer(run.id)).asks_again == 0


async def test_what_was_said_at_the_pause_stays(here: Harness) -> None:
    """The message of the pause is left standing without its button, and what comes is another message."""
    run = await limited(here)
    async with here.base.store.write() as work:
        await work.posts.save(Post(run_id=run.id, slot="answer", channel="D1", ts="5.1"))
        await work.posts.save(Post(run_id=run.id, slot="answer:2", channel="D1", ts="5.2"))
    assert (await continued(here, run, channel="D1", message_ts="5.2")).accepted
    async with here.base.store.read() as work:
        assert {post.slot for post in await work.posts.of_run(run.id)} >= {"said:5.1", "said:5.2"}
    (row,) = here.base.rows("SELECT subject FROM outbox WHERE kind = 'resumed'")
    view = await here.queries.resumed(row["subject"])
    assert (view.channel, view.ts, view.text) == ("D1", "5.2", run.summary)


async def test_continue_twice(here: Harness) -> None:
    """Two presses at once: one continues the run, with one allowance, and the other is told."""
    run = await limited(here)
    first, second = await asyncio.gather(continued(here, run), continued(here, run))
    assert {first.accepted, second.accepted} == {True, False}
    assert to_people.GOES_ON in {first.text, second.text}
    assert (await here.run(run.id)).ceiling.steps == run.steps_taken + 1
    assert here.codes().count("run.continued") == 1
    await here.serve()
    late = await continued(here, run)
    assert (late.accepted, late.text) == (False, to_people.NOT_PAUSED)
    assert here.codes().count("run.not_continued") == 2


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"user": MARA}, "click.wrong_person"),
        ({"team": "T2"}, "click.wrong_person"),
        ({"channel": "C9", "message_ts": "9.9"}, "click.wrong_place"),
        ({"value": "run_none"}, "click.unknown"),
    ],
)
async def test_only_its_owner_continues(here: Harness, more: dict[str, Any], code: str) -> None:
    """Somebody else's press, a copy of the button and an unknown run change nothing, and are in the log."""
    run = await limited(here)
    async with here.base.store.write() as work:
        await work.posts.save(Post(run_id=run.id, slot="answer", channel="D1", ts="5.1"))
    outcome = await continued(here, run, **more)
    assert (outcome.accepted, bool(outcome.text)) == (False, True)
    assert code in here.codes()
    assert await here.run(run.id) == run


async def test_continue_asks_again_what_nobody_answered(here: Harness) -> None:
    """With an open step, expired actions are judged and asked anew; the model is asked after them only."""
    run = await expired(here, [*SEND, *OTHER], "Sent.")
    assert run.state is RunState.PAUSED
    assert (await continued(here, run)).accepted
    await here.serve()
    assert len(here.model.requests) == 1
    assert (await here.run(run.id)).state is RunState.AWAITING
    states = [row["state"] for row in here.base.rows("SELECT state FROM questions ORDER BY created_at, id")]
    assert sorted(states) == ["expired", "expired", "open", "open"]
    await here.approve(run, serve=True)
    await here.approve(run, serve=True)
    assert len(here.effect.calls) == 2
    assert (await here.run(run.id)).summary == "Sent."


async def test_continue_asks_again_what_is_doubtful(here: Harness) -> None:
    """A doubtful effect that nobody settled is asked about once more, and never repeated by itself."""
    action = await here.standing(here.effect, ActionState.EXECUTING, attempt=1, deadline_at=here.base.clock.now())
    await here.serve()
    await silence(here, SETTLE_LIFE)
    run = await here.run(action.run_id)
    assert run.state is RunState.PAUSED
    assert (await continued(here, run)).accepted
    await here.serve()
    question = await here.card_of(run.id)
    assert (question.kind, question.payload_as(SettlePayload).where) == (QuestionKind.SETTLE, "the sky")
    assert (await here.run(run.id)).state is RunState.AWAITING
    assert not here.effect.calls


async def test_a_deleted_request_is_not_continued(here: Harness) -> None:
    """Who deleted the request gets no Continue, and a paused run of it is cancelled."""
    run = await limited(here, source_key="slack:T1:D1:9.9")
    await Intake(transactions=here.transactions, limits=Limits()).deleted(TEAM, "D1", "9.9")
    cancelled = await here.run(run.id)
    assert (cancelled.state, cancelled.request_deleted) == (RunState.CANCELLED, True)
    assert await offer(here, cancelled) is None
    assert (await continued(here, run)).text == to_people.DELETED


async def test_a_stop_and_a_continue(here: Harness) -> None:
    """A stop ends the continued run like any other."""
    run = await expired(here)
    assert (await continued(here, run)).accepted
    await stop.stop_person(here.transactions, TEAM, DANA)
    await here.serve()
    assert (await here.run(run.id)).state is RunState.CANCELLED
    assert (await here.action(run)).state is ActionState.CANCELLED


# Ask again ----------------------------------------------------------------------------------------------------


async def test_ask_again(here: Harness) -> None:
    """What nobody answered is judged anew and asked on a new card; approved there, it is done once."""
    run = await expired(here, SEND, "Sent.")
    action = await here.action(run)
    (old,) = questions_of(here, action)
    assert (await card(here, old["id"])).ask_again
    assert (await asked_again(here, f"{old['id']}.{old['nonce']}")).accepted
    assert not (await card(here, old["id"])).ask_again
    await here.serve()
    _, new = questions_of(here, action)
    assert new["state"] == QuestionState.OPEN.value
    assert (await here.run(run.id)).state is RunState.AWAITING
    twice = await asked_again(here, f"{old['id']}.{old['nonce']}")
    assert (twice.accepted, twice.text) == (False, to_people.ASKED_ALREADY)
    await here.approve(run, serve=True)
    assert len(here.effect.calls) == 1
    assert (await here.run(run.id)).summary == "Sent."
    closed = await asked_again(here, f"{old['id']}.{old['nonce']}")
    assert (closed.accepted, closed.text) == (False, to_people.CLOSED)
    assert "action.asked_again" in here.codes()


async def test_one_of_two_is_asked_again(here: Harness) -> None:
    """Ask again takes up this one; the other stays expired, and the model is told that nobody answered it."""
    run = await expired(here, [*SEND, *OTHER], "One of two.")
    async with here.base.store.read() as work:
        first, second = await work.actions.of_run(run.id)
    (old,) = questions_of(here, first)
    assert (await asked_again(here, f"{old['id']}.{old['nonce']}")).accepted
    await here.serve()
    await here.approve(run, serve=True)
    assert len(here.effect.calls) == 1
    assert ((await here.action(second)).state, (await here.run(run.id)).summary) == (ActionState.EXPIRED, "One of two.")
    (left,) = questions_of(here, second)
    assert not (await card(here, left["id"])).ask_again


async def test_ask_again_while_the_other_card_waits(here: Harness) -> None:
    """Of a step that waits for another card, an expired one can be asked again; the run goes on waiting."""
    run = await here.asked([*SEND, *OTHER], "Both.", level=SUPERVISED)
    async with here.base.store.read() as work:
        first, second = await work.actions.of_run(run.id)
    (old,) = questions_of(here, first)
    await here.base.tamper(f"UPDATE questions SET expires_at = '2026-11-21 00:00:00.000000' WHERE id = '{old['id']}'")
    await expiry.tick(here.transactions)
    assert (await here.run(run.id)).state is RunState.AWAITING
    assert (await asked_again(here, f"{old['id']}.{old['nonce']}")).accepted
    await here.serve()
    assert len(questions_of(here, first)) == 2
    assert len(questions_of(here, second)) == 1
    assert (await here.run(run.id)).state is RunState.AWAITING


async def test_ask_again_does_not_lift_a_limit(here: Harness) -> None:
    """A run that stopped hard at a limit is asked by Continue, not by Ask again; the person is told so."""
    run = await expired(here)
    await here.base.tamper(f"UPDATE runs SET hard_stop = 'a limit' WHERE id = '{run.id}'")
    (old,) = questions_of(here, await here.action(run))
    assert not (await card(here, old["id"])).ask_again
    outcome = await asked_again(here, f"{old['id']}.{old['nonce']}")
    why = to_people.AT_A_LIMIT.format(continue_it=to_people.CONTINUE_IT[Surface.SLACK])
    assert (outcome.accepted, outcome.text) == (False, why)
    await here.base.tamper(f"UPDATE threads SET surface = 'http', owner = '{run.user}' WHERE id = '{run.thread_id}'")
    assert "under my last answer" not in (await asked_again(here, f"{old['id']}.{old['nonce']}")).text
    assert (await continued(here, run)).accepted


async def test_ask_again_against_a_stop(here: Harness) -> None:
    """Whichever comes first, nothing is left hanging: after the stop it is refused, before it the stop ends it."""
    run = await expired(here)
    (old,) = questions_of(here, await here.action(run))
    value = f"{old['id']}.{old['nonce']}"
    asked, _ = await asyncio.gather(asked_again(here, value), stop.stop_person(here.transactions, TEAM, DANA))
    await here.serve()
    state = (await here.run(run.id)).state
    assert asked.accepted
    assert state in {RunState.CANCELLED, RunState.AWAITING}
    await stop.stop_person(here.transactions, TEAM, DANA)
    assert (await here.run(run.id)).state is RunState.CANCELLED
    refused = await asked_again(here, value)
    assert (refused.accepted, refused.text) == (False, to_people.CLOSED)


@pytest.mark.parametrize(
    ("more", "code"), [({"user": MARA}, "click.wrong_person"), ({"value": "q_1.x"}, "click.unknown")]
)
async def test_only_its_owner_asks_again(here: Harness, more: dict[str, Any], code: str) -> None:
    """Ask again is checked like every click on the card."""
    run = await expired(here)
    (old,) = questions_of(here, await here.action(run))
    given = {"value": f"{old['id']}.{old['nonce']}", **more}
    assert not (await asked_again(here, **given)).accepted
    assert code in here.codes()
    assert (await here.run(run.id)).state is RunState.PAUSED


# Try again ----------------------------------------------------------------------------------------------------


async def test_try_again(here: Harness) -> None:
    """A failed request is run anew as a run of its own; a double press starts one, and the button goes."""
    failed = await here.asked(ModelUnavailable("network"))
    assert (failed.state, await offer(here, failed)) == (RunState.FAILED, FollowUp.TRY_AGAIN)
    here.model.says = ["This time."]
    first, second = await asyncio.gather(tried_again(here, failed), tried_again(here, failed))
    assert {first.accepted, second.accepted} == {True, False}
    assert to_people.TRIED_ALREADY in {first.text, second.text}
    assert await offer(here, failed) is FollowUp.TRIED_AGAIN
    await here.serve()
    (row,) = here.base.rows("SELECT id FROM runs WHERE retry_of = ?", failed.id)
    again = await here.run(row["id"])
    assert (again.state, again.summary, again.message_id) == (RunState.COMPLETED, "This time.", failed.message_id)
    assert here.codes().count("run.tried_again") == 1


async def test_try_again_knows_what_was_done(here: Harness) -> None:
    """What the failed run did outside is told to the new one, which must not do it again."""
    failed = await here.asked(SEND, ModelUnavailable("network"))
    assert (failed.state, len(here.effect.calls)) == (RunState.FAILED, 1)
    assert (await tried_again(here, failed)).accepted
    await here.serve()
    instruction = here.model.requests[-1].instruction
    assert "[TRIED BEFORE]" in instruction
    assert "Do it: done" in instruction


WARNING = "This request is tried again, and an earlier try did this already: “Do it”."


@pytest.mark.parametrize("level", [SUPERVISED, TrustLevel.AUTONOMOUS])
async def test_what_an_earlier_try_did_is_asked_about_with_a_warning(here: Harness, level: TrustLevel) -> None:
    """Whatever the level: a model that does not heed what it is told does nothing twice unasked."""
    failed = await here.asked(SEND, ModelUnavailable("network"))
    here.model.says = [SEND, "Done."]
    await here.trusts(level)
    assert (await tried_again(here, failed)).accepted
    await here.serve()
    (row,) = here.base.rows("SELECT id FROM runs WHERE retry_of = ?", failed.id)
    again = await here.run(row["id"])
    assert (again.state, len(here.effect.calls)) == (RunState.AWAITING, 1)
    view = await card(here, (await here.card_of(again.id)).id)
    assert view.preview.warnings[0] == WARNING
    assert (view.reason == WARNING) is (level is TrustLevel.AUTONOMOUS)
    await here.approve(again, serve=True)
    assert len(here.effect.calls) == 2


@pytest.mark.parametrize(
    ("before", "now", "asks"),
    [("a@x.example", "A@x.example", True), ("a@x.example", "b@x.example", False), ("", "b@x.example", True)],
)
async def test_what_an_earlier_try_did_for_somebody_else_is_not_asked_about(
    here: Harness, before: str, now: str, *, asks: bool
) -> None:
    """Where one of both reaches nobody it counts as the same."""
    for who in (before, now):
        reached, alone = (who,) if who else (), Impact(is_alone=True)
        here.effect.previews.append(Preview(title="Do it?", fields=[], recipients=reached, impact=alone))
    failed = await here.asked(SEND, ModelUnavailable("network"))
    here.model.says = [OTHER, "Done."]
    assert (await tried_again(here, failed)).accepted
    await here.serve()
    assert len(here.effect.calls) == (1 if asks else 2)


async def test_what_an_earlier_try_did_not_do_is_not_asked_about(here: Harness) -> None:
    failed = await here.asked(SEND, ModelUnavailable("network"), level=SUPERVISED)
    await here.click(await here.card_of(failed.id), Choice.REJECT)
    await here.serve()
    here.model.says = [SEND, "Done."]
    await here.trusts(TrustLevel.AUTONOMOUS)
    assert (await tried_again(here, failed)).accepted
    await here.serve()
    assert len(here.effect.calls) == 1


async def test_try_again_takes_in_what_was_said_to_the_failed_run(here: Harness) -> None:
    """What its requester said to the failed run counts for the new one."""
    run = await here.asked(SEND, ModelUnavailable("network"), level=SUPERVISED)
    await here.says("Friday instead")
    await here.serve()
    failed = await here.run(run.id)
    assert failed.state is RunState.FAILED
    assert (await tried_again(here, failed)).accepted
    await here.serve()
    assert str(wire.parts(here.model.requests[-1].contents[-1])[-1]["text"]).endswith("Friday instead")


async def test_what_did_not_fail_is_not_tried_again(here: Harness) -> None:
    """Only a failed run is tried again, by its owner; a person who may not ask is not offered it."""
    done = await here.asked("Done.")
    assert (await tried_again(here, done)).text == to_people.NOT_FAILED
    failed = await here.asked(ModelUnavailable("network"))
    assert not (await tried_again(here, failed, user=MARA)).accepted
    await here.base.tamper(f"UPDATE runs SET error = '{to_people.NO_PERSON}' WHERE id = '{failed.id}'")
    assert await offer(here, failed) is None


async def test_a_deleted_request_is_not_tried_again(here: Harness) -> None:
    """Deleting the request takes the button away, and reaches the new run when there is one already."""
    failed = await here.asked(ModelUnavailable("network"))
    assert (await tried_again(here, failed)).accepted
    (row,) = here.base.rows("SELECT source_key FROM runs WHERE id = ?", failed.id)
    _, team, channel, ts = row["source_key"].split(":")
    await Intake(transactions=here.transactions, limits=Limits()).deleted(team, channel, ts)
    (new,) = here.base.rows("SELECT * FROM runs WHERE retry_of = ?", failed.id)
    assert (new["state"], bool(new["request_deleted"])) == ("cancelled", True)
    assert (await here.run(failed.id)).request_deleted
    other = await here.asked(ModelUnavailable("network"))
    (row,) = here.base.rows("SELECT source_key FROM runs WHERE id = ?", other.id)
    _, team, channel, ts = row["source_key"].split(":")
    await Intake(transactions=here.transactions, limits=Limits()).deleted(team, channel, ts)
    assert await offer(here, await here.run(other.id)) is None
    assert (await tried_again(here, other)).text == to_people.DELETED


async def test_what_was_forgotten_is_not_tried_again(here: Harness) -> None:
    """Once its record is gone nobody knows what the failed run did, so nothing of it is done again."""
    failed = await here.asked(LOOK, ModelUnavailable("overloaded"))
    assert await offer(here, failed) is FollowUp.TRY_AGAIN
    await here.change_run(failed.id, instruction="")
    assert await offer(here, failed) is None
    assert (await tried_again(here, failed)).text == to_people.FORGOTTEN


async def test_trying_again_counts_as_a_request(here: Harness) -> None:
    """A model that is away is not asked as often as somebody presses a button."""
    rate = Rate(per_minute=1, burst=1)
    runs = [await here.asked(ModelUnavailable("overloaded")), await here.asked(ModelUnavailable("overloaded"))]
    assert (await resume.try_again(here.transactions, press(runs[0].id), rate)).accepted
    refused = await resume.try_again(here.transactions, press(runs[1].id), rate)
    assert not refused.accepted
    assert "minute" in refused.text
