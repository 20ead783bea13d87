"""What was built from a person's mail, calendar or memory reaches that person's DM only.

Every seeded mail and event carries a reference number; memories get one here. None may be in anything sent to a
channel.
"""

from __future__ import annotations

import json

import pytest

from playground.people import DANA, MARA, PRIYA
from tests.acceptance.slack_side import (
    FINANCE,
    GENERAL,
    REFERENCE,
    SALES,
    at_rest,
    call,
    delivered,
    payloads_to,
    payloads_to_channels,
    replies,
    reply_in,
)
from tests.acceptance.world import APPROVE, REJECT, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

READS = call("gmail_search", query="in:inbox", limit=10) + " " + call("calendar_search", limit=20)
TALKING = "[[model: talk; whole]] "
WHOLE = "[[model: whole]] "


async def nothing_leaked(here: World, *secrets: str) -> None:
    """No reference number and none of these words in any payload for a channel; the DM did get some."""
    sent = await payloads_to_channels(here)
    assert sent
    assert [one for one in sent for secret in (REFERENCE, *secrets) if secret.lower() in one.lower()] == []


async def test_what_is_read_goes_to_the_dm(here: World) -> None:
    """Mail and calendar asked for in a channel: the DM gets the text, the channel's thread one line without content."""
    root = (await here.mention(DANA, SALES, TALKING + READS))["ts"]
    answer = await here.answer_in(here.dm_of(DANA), "gmail_search: ")
    await at_rest(here, DANA, runs=1)
    await reply_in(here, SALES, root, "I answered you privately")
    (stub,) = await replies(here, SALES, root)
    assert REFERENCE in await payloads_to(here, here.dm_of(DANA))
    assert answer["thread_ts"]
    (opening,) = [m for m in await here.bot_messages(here.dm_of(DANA)) if m["ts"] == answer["thread_ts"]]
    assert "About your request in" in text_of(opening)
    assert f"archives/{SALES}" in text_of(opening)
    assert "gmail" not in text_of(stub)
    await nothing_leaked(here, "wheelbarrow", "gmail_search: ")


async def test_cards_streams_errors_and_long_answers_stay_private(here: World) -> None:
    """A card, its final forms, a streamed long answer and a failure of a run that read mail are all in the DM."""
    await here.slack.fault("ok_false", path="chat.startStream", error="internal_error", times=2)
    for order in (
        "answer Helen's mail about the benches that Thursday works",
        "move the delivery planning to Thursday 10:00",
        "what did Helen write?",
    ):
        await here.mention(DANA, SALES, order)
    for card in await here.card_in(here.dm_of(DANA), count=2):
        await here.click(DANA, card, APPROVE if "event" not in text_of(card) else REJECT)
    await here.until(lambda: here.sent(DANA), "the mail")
    await at_rest(here, DANA, runs=3)
    long = (await here.mention(DANA, SALES, WHOLE + READS + READS))["ts"]
    await reply_in(here, SALES, long, "I answered you privately")
    await here.gemini.fault("status", path="streamGenerateContent", status=400, times=1, skip=1)
    failing = (await here.mention(DANA, SALES, READS))["ts"]
    await reply_in(here, SALES, failing, "I told you why privately")
    *_, answered, failed = await at_rest(here, DANA, runs=5)
    assert len(answered.summary) > 12_000
    assert failed.state == "failed"
    await delivered(here)
    assert REFERENCE in await payloads_to(here, here.dm_of(DANA))
    assert all(not button_ids(m) for m in await here.bot_messages(SALES))
    await nothing_leaked(here, "wheelbarrow")


async def test_memories_stay_private(here: World) -> None:
    """A memory found in a channel is told in the DM; the instruction for a channel's run knows no memory."""
    secret = "FRN-S-0001 the safe is behind the oak"
    await here.say(DANA, call("save_memory", text=secret))
    await here.answer_in(here.dm_of(DANA), "kept for later conversations")
    await at_rest(here, DANA, runs=1)
    for words in ("what do you remember about the safe?", call("search_memory", query="safe"), "hello safe oak"):
        root = (await here.mention(DANA, SALES, words))["ts"]
        await reply_in(here, SALES, root, "")
    await at_rest(here, DANA, runs=4)
    instructions = [entry["request"]["systemInstruction"] for entry in await here.gemini.log()]
    assert [secret in json.dumps(one) for one in instructions[-1:]] == [False]
    assert secret in await payloads_to(here, here.dm_of(DANA))
    await nothing_leaked(here, "behind the oak")
    await here.say(DANA, "where is the safe?")
    await at_rest(here, DANA, runs=5)
    last = (await here.gemini.log())[-1]["request"]["systemInstruction"]
    assert secret in json.dumps(last)


async def test_a_memory_saved_in_a_channel_is_not_shown_there(here: World) -> None:
    """What somebody asks to remember in a channel is confirmed with its Undo in the DM."""
    root = (await here.mention(DANA, SALES, "remember that the blue folder is FRN-S-0002"))["ts"]
    saved = await here.answer_in(here.dm_of(DANA), "kept for later conversations")
    assert "undo" in button_ids(saved)
    await reply_in(here, SALES, root, "privately")
    assert len(await replies(here, SALES, root)) == 1
    assert "blue folder" not in text_of((await replies(here, SALES, root))[0])


async def test_a_private_channel_is_not_told_in_a_public_one(here: World) -> None:
    """What was said in a private channel is shown in the DM when asked for in public, and openly in that channel."""
    await here.say(PRIYA, "FRN-S-0003 margin is 31 %", channel=FINANCE)
    read = WHOLE + call("slack_read", channel=FINANCE)
    root = (await here.mention(PRIYA, SALES, read))["ts"]
    await reply_in(here, SALES, root, "privately")
    await here.answer_in(here.dm_of(PRIYA), "FRN-S-0003")
    await at_rest(here, PRIYA, runs=1)
    await nothing_leaked(here, "31 %")
    root = (await here.mention(DANA, SALES, read))["ts"]
    await reply_in(here, SALES, root, "")
    await nothing_leaked(here, "31 %")
    root = (await here.mention(PRIYA, FINANCE, read))["ts"]
    await reply_in(here, FINANCE, root, "FRN-S-0003")


async def test_public_things_stay_public(here: World) -> None:
    """A run that reads only what everybody in the channel may see answers there, and the DM stays empty."""
    root = (await here.mention(DANA, SALES, call("slack_read", channel=GENERAL)))["ts"]
    await reply_in(here, SALES, root, "slack_read: ")
    (run,) = await at_rest(here, DANA, runs=1)
    assert not run.private
    assert await here.bot_messages(here.dm_of(DANA)) == []
    await here.say(DANA, "thanks", channel=SALES, thread_ts=root)
    await reply_in(here, SALES, root, "You are welcome")


async def test_what_the_owner_saw_in_the_dm_stays_out_of_later_runs_in_the_channel(here: World) -> None:
    """A follow-up to a private answer is private too; a colleague's in the same thread is not, and knows nothing: not
    even what its owner wrote below the answer in the DM.
    """
    root = (await here.mention(DANA, SALES, READS))["ts"]
    answer = await here.answer_in(here.dm_of(DANA), "gmail_search: ")
    await at_rest(here, DANA, runs=1)
    await here.say(DANA, "thanks", channel=SALES, thread_ts=root)
    await here.answer_in(here.dm_of(DANA), "You are welcome")
    await here.say(DANA, "[[model: text=Noted.]] the wheelbarrow stays here", thread_ts=answer["thread_ts"])
    await here.answer_in(here.dm_of(DANA), "Noted.")
    await at_rest(here, DANA, runs=3)
    await here.mention(MARA, SALES, "hello", thread_ts=root)
    await reply_in(here, SALES, root, "Hello Mara")
    asked = json.dumps((await here.gemini.log())[-1]["request"])
    assert [secret for secret in (REFERENCE, "wheelbarrow") if secret in asked] == []
    assert len([run for run in await at_rest(here, DANA, runs=3) if run.private]) == 3
    assert (await at_rest(here, MARA, runs=1))[0].private is False
    await nothing_leaked(here, "gmail_search: ", "wheelbarrow")
