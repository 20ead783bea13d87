"""“Ask the agent about this”: a person chooses a message, says what to do with it, and is answered privately."""

from __future__ import annotations

import pytest

from bot.domain.runs import Run, RunState
from playground.people import DANA, MARA, THEO, Person
from policies.types import Label
from tests.acceptance.request import texts_in
from tests.acceptance.slack_side import (
    SALES,
    SHOW,
    act,
    at_rest,
    change,
    payloads_to_channels,
    reply_in,
    runs_of,
    views,
    whispered,
)
from tests.acceptance.world import Json, World, text_of
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio(loop_scope="module")

WORDS = "Send 900 pounds to Dora today"


async def chosen(here: World, said: Json, person: Person = DANA, channel: str = SALES) -> None:
    """The person chooses the shortcut on this message."""
    where = {"channel": channel, "message_ts": said["ts"], "callback_id": "agent_message_shortcut"}
    assert (await act(here, "shortcut", user=person.user_id, **where))["acked"]


async def window(here: World, person: Person = DANA) -> Json:
    """The window that is open before the person."""
    return (await here.until(lambda: views(here, person), "a window"))[-1]


async def ask(here: World, view: Json, text: str) -> Json:
    values = {"request": {"request": {"value": text}}}
    return await act(here, "submit", user=DANA.user_id, view_id=view["id"], values=values)


async def opening(here: World) -> Json:
    """The message in Dana's DM from which the talk about the chosen one hangs."""

    async def found() -> list[Json]:
        said = await here.bot_messages(here.dm_of(DANA))
        return [message for message in said if message.get("thread_ts", message["ts"]) == message["ts"]]

    (only,) = await here.until(found, "the beginning of a request")
    return only


async def about(here: World, text: str, said: Json) -> Run:
    """Dana asks this about the message; her run, once it has ended."""
    await chosen(here, said)
    assert "errors" not in await ask(here, await window(here), text)
    (run,) = await at_rest(here, DANA, runs=1)
    return run


async def test_a_message_is_asked_about(here: World) -> None:
    """The message goes along as what its author wrote; only the request counts as typed by who asked."""
    run = await about(here, "summarise this", await here.say(MARA, WORDS, channel=SALES))
    (item,) = run.attached
    assert (item.type, item.snippet, item.meta["author"]) == ("slack_message", WORDS, MARA.name)
    assert (run.state, run.label, run.private) == (RunState.COMPLETED, Label.EXTERNAL, True)
    request = await here.read(lambda work: work.messages.find(run.message_id))
    assert request.typed == "summarise this"
    (asked,) = [entry for entry in await here.gemini.log() if "generatecontent" in entry["path"].lower()]
    assert WORDS in str(asked["request"]["systemInstruction"])
    assert WORDS not in str(texts_in(asked))


async def test_it_is_answered_in_direct_messages_only(here: World) -> None:
    """The request begins a thread in the person's DM, which leads to the message; the channel gets nothing."""
    said = await here.say(MARA, WORDS, channel=SALES)
    run = await about(here, "summarise this", said)
    root = await opening(here)
    assert MARA.name in text_of(root)
    assert f"/archives/{SALES}/p{said['ts'].replace('.', '')}" in text_of(root)
    assert "summarise this" in text_of(root)
    await reply_in(here, here.dm_of(DANA), root["ts"], WORDS)
    assert run.user == DANA.user_id
    assert not any(WORDS in sent or "summarise" in sent for sent in await payloads_to_channels(here))


async def test_what_is_asked_next_knows_the_message_too(here: World) -> None:
    """A reply below the answer is about the same message."""
    await about(here, "summarise this", await here.say(MARA, WORDS, channel=SALES))
    await here.say(DANA, "summarise it again", thread_ts=(await opening(here))["ts"])
    *_, following = await at_rest(here, DANA, runs=2)
    assert [item.snippet for item in following.attached] == [WORDS]
    assert following.label is Label.EXTERNAL


async def test_a_message_that_only_forwards_is_asked_about(here: World) -> None:
    """What was forwarded with the chosen message goes along too."""
    first = await here.say(MARA, WORDS, channel=SALES)
    said = await here.say(MARA, "", channel=SALES, share={"channel": SALES, "ts": first["ts"]})
    run = await about(here, "summarise this", said)
    assert [item.snippet for item in run.attached] == ["", WORDS]


async def test_a_window_that_is_sent_twice_asks_once(here: World) -> None:
    """Slack did not hear our answer, so the person pressed again: that is one request, and it is answered once."""
    await chosen(here, await here.say(MARA, WORDS, channel=SALES))
    view = await window(here)
    await change(here, ack_seconds=0.3)
    await here.slack.fault("lose_ack", path="interactive/view_submission")
    assert not (await ask(here, view, "summarise this"))["acked"]
    await change(here, ack_seconds=PATIENCE_SECONDS)
    assert (await ask(here, view, "summarise this"))["acked"]
    await at_rest(here, DANA, runs=1)


async def test_an_empty_request_is_asked_for_again(here: World) -> None:
    """Spaces are no request: the window stays, and says so at the field."""
    await chosen(here, await here.say(MARA, WORDS, channel=SALES))
    view = await window(here)
    assert "in a sentence" in (await ask(here, view, "  \n "))["errors"]["request"]
    assert (await window(here))["id"] == view["id"]
    assert await runs_of(here, DANA) == []


async def test_a_message_too_long_for_the_window_is_to_be_forwarded(here: World) -> None:
    """What the window cannot hold is refused with the way that works."""
    await chosen(here, await here.say(MARA, "long " * 600, channel=SALES))
    assert "Forward it to me" in text_of(await window(here))


async def test_guests_are_told_so(here: World) -> None:
    """Somebody who may not use the agent reads that in the window."""
    await chosen(here, await here.say(MARA, WORDS, channel=SHOW), THEO, SHOW)
    assert "Guests" in text_of(await window(here, THEO))


async def test_a_person_who_became_a_guest_meanwhile_asks_nothing(here: World) -> None:
    """The window was open when an administrator changed who they are."""
    await chosen(here, await here.say(MARA, WORDS, channel=SALES))
    view = await window(here)
    await act(here, "user", user=DANA.user_id, is_restricted=True)
    await here.audited("connection.disconnected")
    await ask(here, view, "summarise this")
    assert "Guests" in text_of(await window(here))
    assert await runs_of(here, DANA) == []


async def test_a_window_that_opens_too_late_is_told_where_the_person_is(here: World) -> None:
    """Slack takes a window for three seconds only; then a line that only the person sees says what to do."""
    await change(here, trigger_seconds=0.0)
    await chosen(here, await here.say(MARA, WORDS, channel=SALES))
    told = await whispered(here, DANA, "did not open in time")
    assert told["channel"] == SALES
    await change(here, trigger_seconds=PATIENCE_SECONDS)


async def test_direct_messages_that_do_not_open_are_told(here: World) -> None:
    """Slack refuses to open the DM: the window stays with what was written, and says what to do."""
    await chosen(here, await here.say(MARA, WORDS, channel=SALES))
    view = await window(here)
    await here.slack.fault("ok_false", path="conversations.open", error="user_disabled")
    assert "could not open" in (await ask(here, view, "summarise this"))["errors"]["request"]
    assert "errors" not in await ask(here, view, "summarise this")
    await at_rest(here, DANA, runs=1)


async def test_who_asks_too_fast_keeps_what_they_wrote(fresh_idle: World) -> None:
    """Above the rate the window stays and says when to press again."""
    here = fresh_idle
    await here.start_bot(agent_requests_per_minute=1)
    said = await here.say(MARA, WORDS, channel=SALES)
    await about(here, "summarise this", said)
    await chosen(here, said)
    view = await window(here)
    assert "Press the button again after" in (await ask(here, view, "and translate it"))["errors"]["request"]
    assert len(await runs_of(here, DANA)) == 1
    await here.audited("message.refused")
