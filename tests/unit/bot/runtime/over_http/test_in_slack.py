"""What is said in Slack to a request over HTTP: below its card, at the top of the DM, and what is deleted there."""

from __future__ import annotations

from typing import Any

from bot.domain.deliveries import Post, card_slot
from bot.domain.limits import Limits
from bot.domain.runs import RunState
from bot.domain.threads import Surface
from bot.runtime.over_http.admission import Taken
from bot.runtime.runs.incoming import Admission
from bot.runtime.runs.intake import Intake
from policies.types import TrustLevel
from tests.builders import MARA, TEAM
from tests.unit.bot.runtime.over_http.desk import SEND, Desk

DM, ROOT_TS, CARD_TS = "D9", "1795944600.000100", "1795944600.000200"
BELOW: dict[str, Any] = {"channel": DM, "thread_ts": ROOT_TS}


async def shown(at: Desk) -> Taken:
    """A request whose card stands in its owner's DM, below the line that says what it is about."""
    taken = await at.asked(SEND, level=TrustLevel.SUPERVISED)
    (question,) = await at.questions(taken.run_id)
    async with at.here.base.store.write() as work:
        await work.posts.save(Post(run_id=taken.run_id, slot="root", channel=DM, ts=ROOT_TS))
        await work.posts.save(Post(run_id=taken.run_id, slot=card_slot(question.id), channel=DM, ts=CARD_TS))
    return taken


async def test_a_reply_under_its_card_steers_it(at: Desk) -> None:
    """The words are its owner's, wherever they say them; the answer is for whoever asked over HTTP."""
    taken = await shown(at)
    at.here.model.says = ["Friday then."]
    said = await at.here.says("Friday", ts="1795944601.000100", **BELOW)
    assert (said.admission, said.run_id) == (Admission.STEERS, taken.run_id)
    await at.serve(taken)
    assert (await at.outcome(taken)).text == "Friday then."
    async with at.here.base.store.read() as work:
        assert not (await work.runs.place(taken.run_id)).is_in_slack


async def test_a_yes_under_its_card_is_pointed_at_the_buttons(at: Desk) -> None:
    """There the bot says so, as it was said there."""
    await shown(at)
    assert (await at.here.says("yes", ts="1795944601.000100", **BELOW)).admission is Admission.POINTED
    assert "refusal" in at.sent_to_slack()


async def test_a_reply_after_its_end_is_answered_in_slack(at: Desk) -> None:
    """It is a request of its own in the same conversation, and stands where it was said."""
    taken = await shown(at)
    await at.here.approve(await at.run(taken))
    await at.serve(taken)
    said = await at.here.says("And on Friday?", ts="1795944601.000100", **BELOW)
    assert said.admission is Admission.STARTED
    assert said.run_id
    async with at.here.base.store.read() as work:
        place = await work.runs.place(said.run_id)
    assert (place.surface, place.channel, place.root_ts, place.request_ts) == (
        Surface.SLACK,
        DM,
        ROOT_TS,
        "1795944601.000100",
    )
    assert (place.is_dm, place.elsewhere, place.thread_id) == (True, False, taken.thread_id)
    await at.serve(taken)
    assert (await at.here.run(said.run_id)).state is RunState.COMPLETED
    after = await at.says("And then?", thread=taken.thread_id)
    async with at.here.base.store.read() as work:
        assert not (await work.runs.place(after.run_id)).is_in_slack
    assert (await at.run(after)).order_key > "1795944601.000100"


async def test_a_prompt_is_not_said_to_what_answers_in_slack(at: Desk) -> None:
    """What is asked over HTTP is answered there: beside a reply in Slack that is under way it is a request of its own.
    “stop” ends that one all the same.
    """
    taken = await shown(at)
    await at.here.approve(await at.run(taken))
    await at.serve(taken)
    said = await at.here.says("And on Friday?", ts="1795944601.000100", **BELOW)
    after = await at.says("And on Sunday?", thread=taken.thread_id)
    assert after.run_id not in {taken.run_id, said.run_id}
    async with at.here.base.store.read() as work:
        assert not (await work.runs.place(after.run_id)).is_in_slack
    again = await at.says("Or on Monday?", thread=taken.thread_id)
    assert again.run_id == after.run_id
    assert [(await at.says("stop", thread=taken.thread_id)).run_id for _ in range(2)] == [after.run_id, said.run_id]


async def test_somebody_else_says_something_there(at: Desk) -> None:
    """A reply of somebody else's, were there one, steers nothing of Dana's."""
    taken = await shown(at)
    said = await at.here.says("Friday", user=MARA, ts="1795944601.000100", **BELOW)
    assert said.run_id
    assert said.run_id != taken.run_id
    assert await at.known(said.run_id) is None
    assert await at.state(taken) is RunState.AWAITING


async def test_stop_at_the_top_of_the_dm(at: Desk) -> None:
    """It stops what shows something there."""
    taken = await shown(at)
    said = await at.here.says("stop", ts="1795944601.000100", channel=DM, thread_ts=None)
    assert (said.admission, said.run_id) == (Admission.STOPPED, taken.run_id)
    assert (await at.outcome(taken)).state is RunState.CANCELLED


async def test_stop_under_its_card(at: Desk) -> None:
    taken = await shown(at)
    said = await at.here.says("stop", ts="1795944601.000100", **BELOW)
    assert (said.admission, said.run_id) == (Admission.STOPPED, taken.run_id)


async def test_stop_in_a_dm_that_shows_nothing_of_it(at: Desk) -> None:
    """What was asked over HTTP and shows nothing in Slack is stopped where it was asked."""
    taken = await at.asked(SEND, level=TrustLevel.SUPERVISED)
    said = await at.here.says("stop", ts="1795944601.000100", channel=DM, thread_ts=None)
    assert (said.admission, said.run_id) == (Admission.STOPPED, None)
    assert await at.state(taken) is RunState.AWAITING


async def test_a_card_that_is_deleted_is_posted_again(at: Desk) -> None:
    """As every card is; its line, were it deleted, is no request."""
    taken = await shown(at)
    await at.here.base.tamper("DELETE FROM outbox")
    intake = Intake(transactions=at.here.transactions, limits=Limits(steps=8))
    await intake.deleted(TEAM, DM, CARD_TS, may_ask=False)
    assert at.sent_to_slack() == {"card"}
    await intake.deleted(TEAM, DM, ROOT_TS, may_ask=False)
    assert await at.state(taken) is RunState.AWAITING
