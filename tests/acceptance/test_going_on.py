"""Going on: what people do while their request is under way, and after it stopped, as they see it in Slack."""

from __future__ import annotations

import pytest

from bot.domain.runs import RunState
from playground.people import DANA, MARA
from tests.acceptance.slack_side import (
    MAIL_HELEN,
    SALES,
    act,
    at_rest,
    call,
    delivered,
    final,
    make_old,
    message_at,
    open_questions,
    press,
    replies,
    reply_in,
    runs_of,
    send_mail,
    whispered,
)
from tests.acceptance.world import APPROVE, HURRIED, Json, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

CONTINUE, TRY_AGAIN, ASK_AGAIN = "run_continue", "run_try_again", "question_ask_again"


async def with_button(here: World, channel: str, action: str) -> Json:
    """The newest message of the bot with this button."""
    return await here.message(channel, lambda m: action in button_ids(m), f"the button {action} in {channel}")


async def without_buttons(here: World, message: Json, words: str) -> Json:
    """This message, once its buttons are gone and it says this."""
    return await final(here, message, words)


async def test_a_reply_under_a_card_supersedes_it(here: World) -> None:
    """Who replies in words instead of pressing gets a new card for what he said, and only that is sent."""
    root = (await here.say(DANA, send_mail("first@example.com")))["ts"]
    dm = here.dm_of(DANA)
    (card,) = await here.card_in(dm)
    await here.say(DANA, send_mail("second@example.com"), thread_ts=root)
    await whispered(here, DANA, "I go on with your earlier request, and take this into account.")
    await final(here, card, "You replied in words instead.")
    (newer,) = await here.card_in(dm)
    assert newer["ts"] != card["ts"]
    await here.click(DANA, newer, APPROVE)
    await final(here, newer, "✓ Done.")
    (run,) = await at_rest(here, DANA, runs=1)
    (mail,) = await here.sent(DANA)
    assert (run.state, "second@example.com" in str(mail["to"])) == (RunState.COMPLETED, True)


async def test_a_yes_points_at_the_buttons(here: World) -> None:
    """“Yes, send it” sends nothing: the bot points at the buttons, and the card can still be approved; “no” rejects."""
    root = (await here.say(DANA, MAIL_HELEN))["ts"]
    dm = here.dm_of(DANA)
    (card,) = await here.card_in(dm)
    await here.say(DANA, "yes, send it", thread_ts=root)
    await reply_in(here, dm, root, "I only count the buttons")
    assert await here.sent(DANA) == []
    assert APPROVE in button_ids(await message_at(here, card))
    await here.say(DANA, "no thanks", thread_ts=root)
    await final(here, card, "Rejected")
    (run,) = await at_rest(here, DANA, runs=1)
    assert run.state is RunState.COMPLETED
    assert await here.sent(DANA) == []


async def test_somebody_elses_yes_is_no_word_about_the_card(here: World) -> None:
    """In a channel's thread another person's “no” rejects nothing: it is a request of its own."""
    root = (await here.mention(DANA, SALES, MAIL_HELEN))["ts"]
    (card,) = await here.card_in(here.dm_of(DANA))
    await here.mention(MARA, SALES, "no", thread_ts=root)
    await at_rest(here, MARA, runs=1)
    assert APPROVE in button_ids(await message_at(here, card))


async def test_continue_after_the_step_limit(here: World) -> None:
    """The summary of a run at its limit has a Continue button; pressed, the run goes on in a new message."""
    await here.stop_bot()
    await here.start_bot(agent_max_loop_steps=2)
    dm = here.dm_of(DANA)
    root = (await here.say(DANA, "[[model: never_stop]]"))["ts"]
    paused = await with_button(here, dm, CONTINUE)
    assert "limit of steps" in text_of(paused)
    assert not (await press(here, MARA, paused, CONTINUE))["ok"]
    pressed = await press(here, DANA, paused, CONTINUE)
    assert pressed["acked"]
    await without_buttons(here, paused, "Continued below.")
    await here.until(
        lambda: with_button(here, dm, CONTINUE), "a second pause", when=lambda newest: newest["ts"] != paused["ts"]
    )
    (run,) = await runs_of(here, DANA)
    assert (run.state, run.steps_taken) == (RunState.PAUSED, 4)
    assert len(await replies(here, dm, root)) == 2
    status = await here.command(DANA, "status")
    assert "Continue" in status


async def test_try_again_after_the_model_failed(fresh_idle: World) -> None:
    """When the model cannot be reached the answer says so with Try again; pressed twice, one new run answers."""
    here = fresh_idle
    await here.start_bot(timings=HURRIED)
    dm = here.dm_of(DANA)
    await here.gemini.fault("overloaded", path="streamGenerateContent", times=-1)
    root = (await here.say(DANA, "hello"))["ts"]
    failed = await with_button(here, dm, TRY_AGAIN)
    await here.mend()
    for _ in range(2):
        await press(here, DANA, failed, TRY_AGAIN)
    await without_buttons(here, failed, "Tried again below.")
    await reply_in(here, dm, root, "Hello Dana")
    first, second = await at_rest(here, DANA, runs=2)
    assert (first.state, second.state, second.retry_of) == (RunState.FAILED, RunState.COMPLETED, first.id)


async def test_ask_again_after_nobody_answered(here: World) -> None:
    """An expired card offers Ask again; pressed, a new card comes, and approved there the mail goes out once."""
    await here.say(DANA, MAIL_HELEN)
    dm = here.dm_of(DANA)
    (card,) = await here.card_in(dm)
    (question,) = await open_questions(here, DANA)
    await make_old(here, question)
    expired = await with_button(here, dm, ASK_AGAIN)
    assert expired["ts"] == card["ts"]
    assert "Expired" in text_of(expired)
    paused = await with_button(here, dm, CONTINUE)
    await press(here, DANA, expired, ASK_AGAIN)
    await without_buttons(here, expired, "asked again")
    await without_buttons(here, paused, "Continued below.")
    (newer,) = await here.card_in(dm)
    assert newer["ts"] != card["ts"]
    await here.click(DANA, newer, APPROVE)
    await final(here, newer, "✓ Done.")
    (run,) = await at_rest(here, DANA, runs=1)
    assert run.state is RunState.COMPLETED
    assert len(await here.sent(DANA)) == 1


async def test_an_edited_request(here: World) -> None:
    """Changing the request's text while it is worked on changes nothing, and that is said once."""
    dm = here.dm_of(DANA)
    said = await here.say(DANA, MAIL_HELEN)
    (card,) = await here.card_in(dm)
    for text in ("email Priya instead", "email Jonas instead"):
        await act(here, "edit", user=DANA.user_id, channel=dm, ts=said["ts"], text=text)
    await reply_in(here, dm, said["ts"], "go on with what it said at first")
    await delivered(here)
    told = [m for m in await replies(here, dm, said["ts"]) if "go on with what it said at first" in text_of(m)]
    assert len(told) == 1
    assert APPROVE in button_ids(await message_at(here, card))
    (run,) = await runs_of(here, DANA)
    assert run.state is RunState.AWAITING


async def test_a_deleted_request_is_not_continued(here: World) -> None:
    """When the request of a paused run is deleted, the run is cancelled, and its Continue button goes."""
    dm = here.dm_of(DANA)
    said = await here.say(DANA, MAIL_HELEN)
    await here.card_in(dm)
    (question,) = await open_questions(here, DANA)
    await make_old(here, question)
    paused = await with_button(here, dm, CONTINUE)
    await act(here, "delete", user=DANA.user_id, channel=dm, ts=said["ts"])
    await without_buttons(here, paused, "Stopped")
    (run,) = await runs_of(here, DANA)
    assert (run.state, run.request_deleted) == (RunState.CANCELLED, True)


async def test_a_late_event(here: World) -> None:
    """A message that Slack delivers after a later one was begun runs next, as a request of its own."""
    root = (await here.mention(DANA, SALES, "hello"))["ts"]
    await reply_in(here, SALES, root, "Hello")
    await here.slack.fault("delay_event", contains="thanks", times=2, seconds=60)  # it comes as two events
    await here.mention(MARA, SALES, "thanks", thread_ts=root)
    await here.mention(DANA, SALES, call("gmail_search", query="in:inbox", limit=1), thread_ts=root)
    await at_rest(here, DANA, runs=2)
    await here.slack.mend()
    (late,) = await at_rest(here, MARA, runs=1)
    assert late.late
    assert "[LATE]" in late.instruction
