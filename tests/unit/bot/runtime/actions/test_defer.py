"""What is held back: a run of one action that waits for its moment, can be undone until then, and asks no model."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, cast

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.deliveries import HELD, DeliveryKind, Post, card_slot
from bot.domain.questions import Choice
from bot.domain.runs import Run, RunState
from bot.llm import wire
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.delivery.views import HeldView
from bot.runtime.questions.edit import Edit, Editing
from bot.runtime.runs import stop, undo
from bot.runtime.runs.incoming import Admission
from bot.runtime.texts import to_people
from integrations.base import Option, Preview, ToolQuestion
from integrations.errors import Ambiguous, ToolFailed
from policies.provenance import Impact
from policies.types import TrustLevel
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

SEND = [("gmail_send", {"text": "it"})]
HOLD = timedelta(seconds=30)
COPY = "This button is a copy and does not count. Use the original."


async def every_run(here: Harness) -> list[Run]:
    return [await here.run(row["id"]) for row in here.base.rows("SELECT id FROM runs ORDER BY id")]


async def waiting(here: Harness) -> tuple[Run, Action]:
    """The run that waits, and what it will do."""
    (held,) = [run for run in await every_run(here) if run.holds]
    return held, await here.action(held)


async def held_back(here: Harness, monkeypatch: pytest.MonkeyPatch) -> tuple[Run, Run, Action]:
    """A call that was allowed without a card, by a tool that holds such back."""
    monkeypatch.setattr(here.effect, "hold", HOLD)
    run = await here.asked(SEND, "It goes out in half a minute.")
    return run, *await waiting(here)


async def approved_for(here: Harness, moment: datetime) -> tuple[Run, Run, Action]:
    """A call that names a moment, approved on its card."""
    here.effect.moment = moment
    run = await here.asked(SEND, "It goes out then.", level=TrustLevel.SUPERVISED)
    await here.approve(run, serve=True)
    return run, *await waiting(here)


async def its_time(here: Harness, held: Run) -> None:
    """Its moment comes, and the thread is served."""
    assert held.not_before is not None
    await later(here, held.not_before - here.base.clock.now())
    await here.serve()


async def later(here: Harness, span: timedelta) -> None:
    """Time passes, and the log is sealed meanwhile."""
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    here.base.clock.advance(max(0.0, span.total_seconds()))


async def press(here: Harness, run: Run, *, now: bool = False, **more: str) -> tuple[bool, str]:
    given = ButtonClick(**{"team": TEAM, "user": DANA, "value": run.id} | more)
    outcome = await (undo.send_now if now else undo.undo_deferred)(here.transactions, given)
    return outcome.accepted, outcome.text


async def view(here: Harness, run: Run) -> HeldView:
    found = await here.queries.held(run.id)
    assert found is not None
    return found


async def test_what_nobody_approved_is_held_back(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """The action that asked completes as scheduled and the run goes on; it is done at its moment, once."""
    run, held, action = await held_back(here, monkeypatch)
    asked = await here.action(run)
    assert (asked.state, asked.attempt, asked.is_scheduled) == (ActionState.COMPLETED, 0, True)
    assert here.told()["output"]["status"] == "scheduled"
    shown = await view(here, held)
    assert (shown.wait, shown.rule, shown.reason) == (HOLD, "", "Not asked because your trust level is autonomous.")
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert (held.state, action.state, action.approval) == (RunState.QUEUED, ActionState.PLANNED, None)
    await here.serve()
    assert not here.effect.calls
    await its_time(here, held)
    assert [call.due for call in here.effect.calls] == [True]
    assert (await here.run(held.id)).state is RunState.COMPLETED
    assert "Done: " in (await here.run(held.id)).summary
    assert len(here.model.requests) == 2
    shown = await view(here, held)
    assert (shown.action, shown.state, shown.can_be_sent_now) == (ActionState.COMPLETED, RunState.COMPLETED, False)


async def test_what_only_waits_for_its_time_is_not_told_as_done(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the model says nothing, code does."""
    monkeypatch.setattr(here.effect, "hold", HOLD)
    run = await here.asked(SEND, "")
    caption = (await here.action(run)).caption
    (told,) = here.base.rows("SELECT text FROM messages WHERE speaker = 'agent'")
    assert told["text"] == f"Done for now.\n• {caption}: scheduled"


async def test_what_was_approved_goes_at_once(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card was the moment to think: what was approved on one is not held back."""
    monkeypatch.setattr(here.effect, "hold", HOLD)
    run = await here.asked(SEND, "Sent.", level=TrustLevel.SUPERVISED)
    await here.approve(run, serve=True)
    assert len(here.effect.calls) == 1


async def test_what_is_held_back_after_an_attempt_has_made_none(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was attempted and not done, and is allowed without a card by now: what is held back begins with its first
    attempt. Else the log, which has no claim of it, would not verify.
    """
    monkeypatch.setattr(here.effect, "hold", HOLD)
    before = here.base.clock.now()
    tried = {"attempt": 1, "started_at": before, "deadline_at": before}
    asked = await here.standing(here.effect, ActionState.PLANNED, **tried)
    await here.trusts(TrustLevel.AUTONOMOUS)
    await here.serve()
    assert (await here.action(asked)).is_scheduled
    _, action = await waiting(here)
    assert (action.attempt, action.started_at, action.deadline_at) == (0, None, None)


async def test_an_approval_is_carried(here: Harness) -> None:
    """What was approved for a moment days away is done then, without another card, however old the approval is."""
    moment = here.base.clock.now() + timedelta(days=20)
    run, held, action = await approved_for(here, moment)
    assert held.not_before == moment
    assert action.approval is not None
    assert action.approval.expires_at >= moment + timedelta(hours=1)
    assert (await here.run(run.id)).state is RunState.COMPLETED
    await its_time(here, held)
    assert len(here.effect.calls) == 1
    assert await here.question(held.id) is None


async def test_a_carried_approval_ends(here: Harness) -> None:
    """More than an hour late the approval is over, and its owner is asked again."""
    _, held, _ = await approved_for(here, here.base.clock.now() + timedelta(days=20))
    await later(here, timedelta(days=20, hours=2))
    await here.serve()
    assert not here.effect.calls
    assert (await here.run(held.id)).state is RunState.AWAITING
    await here.approve(held, serve=True)
    assert len(here.effect.calls) == 1
    assert (await here.run(held.id)).state is RunState.COMPLETED


async def test_it_is_judged_again(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who trusts the agent less by then is asked, and what is rejected is not done."""
    _, held, _ = await held_back(here, monkeypatch)
    await here.trusts(TrustLevel.SUPERVISED)
    await its_time(here, held)
    assert (await here.run(held.id)).state is RunState.AWAITING
    assert (await here.says("no")).admission is Admission.REJECTED
    await here.serve()
    assert (await here.run(held.id)).state is RunState.COMPLETED
    assert "not done" in (await here.run(held.id)).summary
    assert not here.effect.calls


async def test_at_its_moment_it_is_not_edited(here: Harness) -> None:
    """It is done as it was held back, or not at all: nobody would wait for another moment."""
    _, held, _ = await approved_for(here, here.base.clock.now() + timedelta(days=20))
    await later(here, timedelta(days=20, hours=2))
    await here.serve()
    question = await here.card_of(held.id)
    given = Edit(team=TEAM, user=DANA, value=question.button_value(), args={"to": "somebody@else.example"})
    outcome = await Editing(transactions=here.transactions, registry=here.runner.loop.registry).edit(given)
    assert (outcome.accepted, outcome.text) == (False, to_people.HELD_AS_IT_IS)


async def test_it_is_for_the_account_of_before(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was held back for one account is not done with another."""
    _, held, _ = await held_back(here, monkeypatch)
    here.effect.previews.append(
        Preview(title="Do it?", fields=[], account="a2", recipients=("helen@x.example",), impact=Impact(is_alone=True))
    )
    await its_time(here, held)
    assert not here.effect.calls
    assert (await here.run(held.id)).state is RunState.COMPLETED
    assert "not done" in (await here.run(held.id)).summary


async def test_undo(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Undone before its moment it never happens; a second press, and somebody else's, changes nothing and is told."""
    _, held, _ = await held_back(here, monkeypatch)
    assert (await press(here, held, user=MARA))[0] is False
    assert await press(here, held) == (True, "")
    assert (await here.run(held.id)).state is RunState.CANCELLED
    assert await press(here, held) == (False, to_people.HELD_UNDONE)
    await its_time(here, held)
    assert not here.effect.calls
    assert (await view(here, held)).stopped_by == DANA
    assert "run.undone" in here.codes()


async def test_its_buttons_stand_on_the_card(here: Harness) -> None:
    """Where it was approved: there its Undo counts, and in a copy of that card it does not."""
    run, held, _ = await approved_for(here, here.base.clock.now() + timedelta(hours=3))
    question_id = await card_stands(here, run, "5.0")
    assert (await view(here, held)).card == question_id
    assert await press(here, held, channel="D1", message_ts="6.0") == (False, COPY)
    assert await press(here, held, channel="D1", message_ts="5.0") == (True, "")


async def test_what_stood_in_a_message_of_its_own_stays_there(here: Harness) -> None:
    """An earlier release showed it so: it is changed there, and its Undo counts there."""
    run, held, _ = await approved_for(here, here.base.clock.now() + timedelta(hours=3))
    await card_stands(here, run, "5.0")
    async with here.base.store.write() as work:
        await work.posts.save(Post(run_id=held.id, slot=HELD, channel="D1", ts="5.5"))
    assert not (await view(here, held)).card
    assert await press(here, held, channel="D1", message_ts="5.5") == (True, "")


async def card_stands(here: Harness, run: Run, ts: str) -> str:
    """The message of this run's card; whose card it is."""
    async with here.base.store.write() as work:
        (action,) = await work.actions.of_run(run.id)
        (question_id,) = await work.questions.ids_of_action(action.id)
        await work.posts.save(Post(run_id=run.id, slot=card_slot(question_id), channel="D1", ts=ts))
    return question_id


async def test_undo_after_it_was_done(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too late, the press is told so."""
    _, held, _ = await held_back(here, monkeypatch)
    await its_time(here, held)
    assert await press(here, held) == (False, to_people.HELD_DONE)


async def test_undo_between_its_moment_and_its_claim(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is looked at once more it can still be undone: then the claim finds it cancelled."""
    _, held, _ = await held_back(here, monkeypatch)
    pressed: list[bool] = []
    preview = here.effect.preview

    async def look(*given: Any) -> Any:
        pressed.append((await press(here, held))[0])
        return await preview(*given)

    monkeypatch.setattr(here.effect, "preview", look)
    await its_time(here, held)
    assert pressed == [True]
    assert (await here.run(held.id)).state is RunState.CANCELLED
    assert not here.effect.calls


async def test_send_now(here: Harness) -> None:
    """What waits for long is done at once when its owner says so."""
    _, held, _ = await approved_for(here, here.base.clock.now() + timedelta(days=3))
    waiting = await view(here, held)
    assert (waiting.can_be_sent_now, waiting.early) == (True, False)
    assert await press(here, held, now=True) == (True, "")
    await here.serve()
    assert len(here.effect.calls) == 1
    assert (await view(here, held)).early
    assert (await press(here, held, now=True))[0] is False


@pytest.mark.parametrize("trouble", [ToolFailed("gone", "It is gone."), Ambiguous("the send")])
async def test_what_fails_at_its_moment(here: Harness, monkeypatch: pytest.MonkeyPatch, trouble: Exception) -> None:
    """A failure is told; what ended in doubt is asked about, and no model is called for either."""
    _, held, _ = await held_back(here, monkeypatch)
    here.effect.outcomes = [trouble]
    await its_time(here, held)
    run, question = await here.run(held.id), await here.question(held.id)
    if question is None:
        assert (run.state, "it failed" in run.summary) == (RunState.COMPLETED, True)
    else:
        assert (await here.click(question, Choice.HAPPENED)).accepted
        await here.serve()
        assert (await here.run(held.id)).state is RunState.COMPLETED
    assert len(here.model.requests) == 2


async def test_a_moment_that_is_over(here: Harness) -> None:
    """Approved after the moment that it names, it is not done; the model is told what the tool says."""
    here.effect.moment = here.base.clock.now() + timedelta(hours=1)
    run = await here.asked(SEND, "Too late.", level=TrustLevel.SUPERVISED)
    here.effect.moment = ToolFailed("over", "That time is over.")
    await here.approve(run, serve=True)
    assert (await here.action(run)).state is ActionState.FAILED
    assert here.told()["error"]["code"] == "over"
    assert not here.effect.calls


async def test_it_holds_nobody_up(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its moment the thread goes on with other requests; what is said is not said to it."""
    _, held, _ = await held_back(here, monkeypatch)
    here.model.says = ["Here you are."]
    assert (await here.says("and the offer?")).admission is Admission.STARTED
    await here.serve()
    assert [run.state for run in await every_run(here)].count(RunState.COMPLETED) == 2
    await its_time(here, held)
    assert len(here.effect.calls) == 1


async def test_stop_reaches_it(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """“stop” in its thread, and /agent stop, cancel what waits."""
    _, held, _ = await held_back(here, monkeypatch)
    assert (await here.says("stop")).admission is Admission.STOPPED
    assert (await here.run(held.id)).state is RunState.CANCELLED
    here.effect.moment = None
    await here.asked(SEND, "Again.")
    (_, again) = [run for run in await every_run(here) if run.holds]
    assert await stop.stop_person(here.transactions, TEAM, DANA)
    assert (await here.run(again.id)).state is RunState.CANCELLED
    assert not here.effect.calls


async def test_stop_of_the_request_takes_it_back(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped while it goes on with something else, a request takes back what it has held back, and says so."""
    monkeypatch.setattr(here.effect, "hold", HOLD)
    here.asking.inquiries = [ToolQuestion(text="Which one?", options=[Option(value="a", label="A")])]
    run = await here.asked(SEND, [("calendar_search", {"text": "that"})])
    held, action = await waiting(here)
    assert (await here.run(run.id)).state.is_live()
    assert (await here.says("stop")).admission is Admission.STOPPED
    assert (await here.run(held.id)).state is RunState.CANCELLED
    assert f"{action.caption}: undone, nothing was sent" in (await here.run(run.id)).summary
    assert not here.base.rows("SELECT 1 FROM outbox WHERE subject LIKE 'taken_back%'")


async def test_stop_of_what_waits_is_said(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing else is under way, “stop” is answered with what was taken back."""
    await held_back(here, monkeypatch)
    assert (await here.says("stop")).admission is Admission.STOPPED
    (row,) = here.base.rows("SELECT subject FROM outbox WHERE kind = 'refusal'")
    shown = await here.queries.refusal(row["subject"])
    assert shown.text == "Stopped: what was scheduled is taken back and will not be done."
    assert to_people.taken_back(2).startswith("Stopped: 2 scheduled things are taken back")
    assert to_people.taken_back(0) == to_people.HELD_BEGUN


def deliveries(here: Harness, subject: str) -> list[str]:
    """What was delivered about it, in order."""
    return [row["kind"] for row in here.base.rows("SELECT kind FROM outbox WHERE subject = ? ORDER BY id", subject)]


async def test_the_card_that_asked_says_what_came_of_it(here: Harness) -> None:
    """On the card on which it was approved stands at last whether it was done or taken back."""
    for undone, said in ((False, "Done."), (True, "Undone. Nothing was sent.")):
        run, held, _ = await approved_for(here, here.base.clock.now() + timedelta(days=3))
        asked = await here.action(run)
        assert (asked.is_waiting, to_people.outcome(asked)) == (True, "scheduled")
        (card,) = [row["id"] for row in here.base.rows("SELECT id FROM questions WHERE action_id = ?", asked.id)]
        before = len(deliveries(here, card))
        await (press(here, held) if undone else its_time(here, held))
        asked = await here.action(run)
        assert (asked.is_scheduled, asked.is_waiting, asked.summary) == (True, False, said)
        assert to_people.outcome(asked) == ("undone, nothing was sent" if undone else "done")
        assert len(deliveries(here, card)) == before + 1
        over = f"UPDATE runs SET source_key = 'over:{held.id}' WHERE id = '{held.id}'"
        await here.base.tamper(over)  # so that the next one is the only one


async def undone_while_another_waits(here: Harness, *says: list[tuple[str, dict[str, str]]]) -> Run:
    """The first call is approved for later and undone; the second, in its step or in the next, is rejected."""
    here.effect.moment = here.base.clock.now() + timedelta(days=3)
    run = await here.asked(*says, "I tell you how it stands.", level=TrustLevel.SUPERVISED)
    await here.approve(run, serve=True)
    held, _ = await waiting(here)
    assert (await press(here, held))[0]
    assert (await here.click(await here.card_of(run.id), Choice.REJECT)).accepted
    await here.serve()
    return await here.run(run.id)


async def test_the_model_is_told_of_an_undo_before_it_was_told_of_the_call(here: Harness) -> None:
    """What was undone while another card of its step waited is not told as scheduled."""
    run = await undone_while_another_waits(here, [SEND[0], ("gmail_send", {"text": "that"})])
    assert run.state is RunState.COMPLETED
    parts = wire.parts(here.model.requests[-1].contents[-1])
    responses = [cast("dict[str, Any]", part["functionResponse"])["response"] for part in parts]
    (output,) = [response["output"] for response in responses if "output" in response]
    assert output == {"status": "not_scheduled_any_more", "outcome": "Undone. Nothing was sent."}


async def test_the_model_is_told_of_an_undo_since(here: Harness) -> None:
    """What it was told is scheduled, and was undone since, stands in the instruction of the next call only."""
    await undone_while_another_waits(here, SEND, [("gmail_send", {"text": "that"})])
    first, second, last = (request.instruction for request in here.model.requests)
    assert "[SCHEDULED CALLS]" not in first + second
    assert last.startswith(second)
    assert "- gmail_send for " in last
    assert last.endswith(": Undone. Nothing was sent.")


async def test_lately_tells_how_it_stands_now(here: Harness) -> None:
    """A request whose answer told of something scheduled is listed with what came of it, not with that answer."""
    run, held, action = await approved_for(here, here.base.clock.now() + timedelta(days=3))
    assert (await here.run(run.id)).summary == "It goes out then."
    assert await lately(here) == f"{action.caption}: scheduled"
    await press(here, held)
    assert await lately(here) == f"{action.caption}: undone, nothing was sent"


async def test_lately_tells_what_was_done_and_not_when_it_was_to_be(here: Harness) -> None:
    """“Send now” does it earlier than the words of the call say. The run that waited takes no request's place."""
    for _ in range(4):
        await here.asked("Hello.")
    _, held, _ = await approved_for(here, here.base.clock.now() + timedelta(days=3))
    await press(here, held, now=True)
    await here.serve()
    lines = (await here.queries.home(TEAM, DANA)).runs
    assert [line.summary for line in lines] == [(await here.action(held)).summary, *["Hello."] * 4]
    assert lines[0].summary


async def lately(here: Harness) -> str:
    (line,) = (await here.queries.home(TEAM, DANA)).runs
    return line.summary


async def test_its_message_is_written_anew(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """When its moment comes, when it is asked about, when it was decided and when it ended: each time it says so."""
    _, held, _ = await held_back(here, monkeypatch)
    await here.trusts(TrustLevel.SUPERVISED)
    assert deliveries(here, held.id) == ["held"]
    await its_time(here, held)
    assert deliveries(here, held.id) == ["held"] * 3
    assert (await view(here, held)).state is RunState.AWAITING
    await here.approve(held)
    assert deliveries(here, held.id) == ["held"] * 4
    assert (await view(here, held)).state is RunState.EXECUTING
    await here.serve()
    assert deliveries(here, held.id) == [*["held"] * 4, "answer"]


async def test_what_fails_is_told_where_it_was_asked(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure at its moment stands with the action that asked for it, too."""
    run, held, _ = await held_back(here, monkeypatch)
    here.effect.outcomes = [ToolFailed("gone", "It is gone.")]
    await its_time(here, held)
    assert (await here.action(run)).summary == "At the scheduled time: not done, it failed."


async def test_what_is_listed(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """App Home and /agent status list what waits, and not as a request of its own."""
    _, held, _ = await held_back(here, monkeypatch)
    home = await here.queries.home(TEAM, DANA)
    assert [(line.run_id, line.at) for line in home.held] == [(held.id, held.not_before)]
    assert len(home.runs) == 1
    kinds = [row["kind"] for row in here.base.rows("SELECT kind FROM outbox ORDER BY id")]
    assert DeliveryKind.HELD.value in kinds
