"""The briefing, through everything: on request and by schedule, honest about what it could not see, gone on with."""

from __future__ import annotations

import pytest

from playground.people import DANA, JONAS
from tests.acceptance.due import codes, due_now, planned, said
from tests.acceptance.slack_side import SALES, value_of
from tests.acceptance.world import APPROVE, Json, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HEAD = "Your briefing, "
ANSWER, OPEN, PREPARE = "briefing_answer", "briefing_open", "briefing_prepare"


async def press(here: World, message: Json, action: str) -> None:
    """The first button of this kind, by its owner."""
    body = {"user": DANA.user_id, "channel": message["channel"], "message_ts": message["ts"], "action_id": action}
    block = f"briefing:{value_of(message, action)}"
    answer = await here.slack.post("/__act/click", {**body, "block_id": block})
    assert answer.get("ok"), answer


async def below(here: World, message: Json, words: str) -> Json:
    """Our answer in the thread below it."""
    return await here.message(
        message["channel"],
        lambda m: m.get("thread_ts") == message["ts"] and words in text_of(m),
        f"“{words}” below the briefing",
    )


async def asked(here: World, words: str = "brief me") -> Json:
    await here.say(DANA, words)
    return await here.answer_in(here.dm_of(DANA), HEAD)


async def test_a_briefing_on_request(here: World) -> None:
    """In the direct messages, made by code: mails that wait with buttons; nothing of it where it was asked for."""
    await here.mention(DANA, SALES, "what does my day look like?")
    found = await here.answer_in(here.dm_of(DANA), HEAD)
    assert {ANSWER, OPEN} <= button_ids(found)
    assert "Mails that wait for you" in text_of(found)
    await here.answer_in(here.dm_of(DANA), "in a message of its own")
    assert HEAD not in str([text_of(m) for m in await here.bot_messages(SALES)])
    assert await codes(here, "briefing.made") == 1


async def test_an_item_is_gone_on_with(here: World) -> None:
    """“Answer” begins a run below the briefing that knows the mail, and its card is asked there; twice is once."""
    found = await asked(here)
    await press(here, found, ANSWER)
    await press(here, found, ANSWER)
    (card,) = await here.card_in(found["channel"])
    assert card["thread_ts"] == found["ts"]
    await here.click(DANA, card, APPROVE)
    await below(here, found, "✓ Done. Sent")
    assert len(await here.sent(DANA)) == 1
    runs = await here.read(lambda work: work.runs.recent_of("T0FERNHILL", DANA.user_id, limit=9))
    [begun] = [run for run in runs if run.source_key.startswith("briefing:")]
    assert [item.type for item in begun.attached] == ["email"]
    assert begun.private


async def test_a_reply_begins_with_the_briefing(here: World) -> None:
    """The run has the briefing and its items as attached context."""
    found = await asked(here)

    async def written_down() -> bool:
        async with here.base.store.read() as work:
            return await work.threads.at("T0FERNHILL", found["channel"], found["ts"]) is not None

    await here.until(written_down, "where the briefing stands")
    await here.say(DANA, "summarise the attached context", thread_ts=found["ts"])
    await below(here, found, "This is what is attached")
    [newest, *_] = await here.read(lambda work: work.runs.recent_of("T0FERNHILL", DANA.user_id, limit=9))
    kinds = [item.type for item in newest.attached]
    assert kinds[0] == "briefing"
    assert "email" in kinds


async def test_a_briefing_every_weekday(here: World) -> None:
    """Kept in his zone, with Undo, listed; it comes once when its time comes, and the next one is planned."""
    await here.say(DANA, "brief me every weekday at 8")
    await here.answer_in(here.dm_of(DANA), "set for every weekday at 08:00, first on")
    [kept] = await planned(here, DANA)
    assert dict(kept.spec) == {"day_of_week": "mon,tue,wed,thu,fri", "hour": 8, "minute": 0}
    await due_now(here, DANA)
    await here.answer_in(here.dm_of(DANA), HEAD)
    assert len(await said(here, DANA, HEAD)) == 1
    [again] = await planned(here, DANA)
    assert again.next_fire is not None
    assert again.next_fire > here.base.clock.now()
    assert "Daily briefing – every weekday at 08:00" in await here.command(DANA, "schedule")


async def test_a_scheduled_briefing_without_an_account(here: World) -> None:
    """It says that nothing is connected and how to connect, and claims no empty day."""
    await here.say(JONAS, "brief me every day at 8")
    await here.answer_in(here.dm_of(JONAS), "every day at 08:00")
    await here.disconnect(JONAS)
    await due_now(here, JONAS)
    found = await here.answer_in(here.dm_of(JONAS), HEAD)
    assert "I could not look at your calendar, nor at your mail" in text_of(found)
    assert "/agent connect google" in text_of(found)
    assert "Nothing is on your calendar" not in text_of(found)
    assert not button_ids(found)


async def test_a_calendar_that_fails_leaves_the_mail(here: World) -> None:
    """One half is shown, and why the other is not."""
    await here.google.fault("status", path="/calendar/v3/*", times=-1, status=403)
    found = await asked(here)
    assert "I could not look at your calendar" in text_of(found)
    assert "Mails that wait for you" in text_of(found)
    assert "Meetings today" not in text_of(found)
