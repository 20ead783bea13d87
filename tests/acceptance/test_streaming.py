"""Answers while they are written: streamed natively, otherwise by changing one message; the end replaces it all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from playground.people import BOT_USER_ID, DANA, TEAM_ID
from tests.acceptance.slack_side import (
    SALES,
    act,
    at_rest,
    call,
    calls,
    change,
    command,
    payloads_to,
    replies,
    reply_in,
    send_mail,
)
from tests.acceptance.world import APPROVE, Json, World, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

LONG = "[[model: long=3000]]"
HOSTILE = (
    "<!channel> <@U0MARA> <!subteam^S1> [your bank](https://evil.example/?q=1) ![x](https://evil.example/p.png) "
    "<https://evil.example|bank.example> https://bank.example@evil.example/ @here &lt;!here&gt;"
)


async def hang(here: World, *, after: int = 2, seconds: float = 1.0) -> None:
    """Let the model stop in the middle of its next stream for a while."""
    await here.gemini.fault("hang_midstream", path="streamGenerateContent", after=after, seconds=seconds)


async def partly(here: World, channel: str, root: str) -> Json:
    """The message that shows the beginning of an answer."""

    async def begun() -> Json | None:
        said = await replies(here, channel, root)
        return said[0] if said and len(text_of(said[0])) > 20 else None

    return await here.until(begun, "the beginning of the answer")


async def whole(here: World, channel: str, root: str) -> list[Json]:
    """The messages that the one run's answer takes, once they say all of it."""
    (run,) = await at_rest(here, DANA, runs=1)

    async def complete() -> list[Json]:
        said = await replies(here, channel, root)
        finished = all(m.get("streaming_state") != "in_progress" for m in said)
        return said if finished and "".join(map(shown, said)) == run.summary else []

    return await here.until(complete, "the whole answer, and nothing else")


def shown(message: Json) -> str:
    """The Markdown of a message."""
    return "".join(block["text"] for block in message["blocks"] if block["type"] == "markdown")


async def test_an_answer_streams_and_ends_as_the_same_message(here: World) -> None:
    """The first words are there while the model still writes; the whole answer takes over the same message."""
    await hang(here)
    root = (await here.mention(DANA, SALES, LONG))["ts"]
    first = await partly(here, SALES, root)
    assert first["streaming_state"] == "in_progress"
    assert 0 < len(shown(first)) < 3_000
    assert [m["ts"] for m in await whole(here, SALES, root)] == [first["ts"]]
    (started,) = await calls(here, "chat.startStream")
    assert started["request"]["recipient_user_id"] == DANA.user_id
    assert started["request"]["recipient_team_id"] == TEAM_ID
    assert len(await calls(here, "chat.stopStream")) == 1
    assert await calls(here, "chat.postMessage") == []


async def test_where_slack_takes_no_stream_one_message_grows(here: World) -> None:
    """When startStream is refused the answer grows in an ordinary message, and there is only one."""
    await here.slack.fault("ok_false", path="chat.startStream", error="channel_type_not_supported", times=-1)
    await hang(here)
    root = (await here.say(DANA, LONG))["ts"]
    first = await partly(here, here.dm_of(DANA), root)
    assert "streaming_state" not in first
    assert [m["ts"] for m in await whole(here, here.dm_of(DANA), root)] == [first["ts"]]


async def test_an_answer_outlives_its_stream(here: World) -> None:
    """When Slack ends the stream early, the same message is changed instead and gets the whole answer."""
    await change(here, stream_seconds=0.3)
    await hang(here, seconds=0.8)
    root = (await here.say(DANA, LONG))["ts"]
    first = await partly(here, here.dm_of(DANA), root)
    assert [m["ts"] for m in await whole(here, here.dm_of(DANA), root)] == [first["ts"]]
    refused = [
        e["response"] for e in await calls(here, "chat.appendStream", "chat.stopStream") if not e["response"]["ok"]
    ]
    assert refused


async def test_words_before_a_tool_call_do_not_stay(here: World) -> None:
    """What the model said before it called a tool is gone when the card comes, and is no part of the answer."""
    await hang(here, after=1, seconds=0.5)
    root = (await here.say(DANA, f"[[model: talk]] {send_mail('a@example.com')}"))["ts"]
    dm = here.dm_of(DANA)
    assert "One moment" in text_of(await partly(here, dm, root))
    (card,) = await here.card_in(dm)
    await here.until(
        lambda: replies(here, dm, root),
        "the end of the words that did not count",
        when=lambda said: not any("One moment" in text_of(m) for m in said),
    )
    await here.click(DANA, card, APPROVE)
    answer = await reply_in(here, dm, root, "gmail_send: ")
    assert "One moment" not in text_of(answer)
    assert [m["ts"] for m in await replies(here, dm, root)] == [card["ts"], answer["ts"]]
    assert answer["ts"] > card["ts"]


async def test_what_a_cut_stream_said_is_replaced(here: World) -> None:
    """When the model's stream breaks off, the step is redone, and its words replace the half ones where they stand."""
    await here.gemini.fault("cut", path="streamGenerateContent", after=3)
    root = (await here.say(DANA, LONG))["ts"]
    assert len(await whole(here, here.dm_of(DANA), root)) == 1


async def test_after_a_restart_the_answer_replaces_what_was_streamed(here: World) -> None:
    """A bot that ends in the middle of an answer finishes it when it starts again, in the same message."""
    await hang(here, seconds=5.0)
    root = (await here.say(DANA, LONG))["ts"]
    first = await partly(here, here.dm_of(DANA), root)
    await here.stop_bot()
    await here.start_bot()
    assert [m["ts"] for m in await whole(here, here.dm_of(DANA), root)] == [first["ts"]]


async def test_a_stream_whose_beginning_was_lost_is_the_only_one(here: World) -> None:
    """When Slack's answer to chat.startStream gets lost, its message is found and carries the answer."""
    await here.slack.fault("drop_after", path="chat.startStream")
    await hang(here)
    root = (await here.mention(DANA, SALES, LONG))["ts"]
    assert len(await whole(here, SALES, root)) == 1
    assert len(await calls(here, "chat.startStream")) == 1


async def test_a_stream_that_nobody_wrote_down_is_the_only_one(here: World) -> None:
    """A bot that ends while a stream begins finds it when it starts again; no half answer stays in progress."""
    await here.slack.fault("hold", path="chat.startStream", seconds=30)
    await hang(here, seconds=30)
    root = (await here.say(DANA, LONG))["ts"]
    first = await partly(here, here.dm_of(DANA), root)
    await here.stop_bot()
    await here.mend()
    await here.start_bot()
    assert [m["ts"] for m in await whole(here, here.dm_of(DANA), root)] == [first["ts"]]


async def test_a_long_answer_arrives_whole(here: World) -> None:
    """Thirty thousand characters come in several messages, in order, with nothing missing."""
    root = (await here.mention(DANA, SALES, "[[model: long=30000]]"))["ts"]
    said = await whole(here, SALES, root)
    assert len(said) == 3
    assert sum(len(shown(message)) for message in said) > 29_000


async def test_text_from_outside_is_inert_everywhere(here: World) -> None:
    """Mentions, broadcasts, masked links and images do nothing in answer, card, status, App Home or `/agent`."""
    dm = here.dm_of(DANA)
    await act(here, "open_home", user=DANA.user_id, tab="home")
    await here.say(DANA, f"[[model: text={HOSTILE}]]")
    await at_rest(here, DANA, runs=1)
    await here.say(DANA, call("gmail_send", to=["a@example.com"], subject=HOSTILE, body=HOSTILE))
    (card,) = await here.card_in(dm)
    await here.say(DANA, call("save_memory", text=HOSTILE))
    await at_rest(here, DANA, runs=3)
    await command(here, DANA, "status")
    await here.click(DANA, card, APPROVE)
    await here.until(lambda: here.sent(DANA), "the mail")
    await at_rest(here, DANA, runs=3)
    assert "evil.example" in await payloads_to(here, dm)
    checked = 0
    for entry in await calls(here):
        for text, is_markdown in _parsed(entry["request"]):
            checked += 1
            assert not [bad for bad in ("<!c", "<!h", "<!s", "<@", "<#", "<http") if bad in text], (entry["path"], text)
            assert not (is_markdown and "](" in text), (entry["path"], text)
        for host in _hosts(entry["request"]):
            assert host != "evil.example"
        if entry["path"].startswith(("/api/chat.postMessage", "/api/chat.startStream")):
            assert entry["request"]["unfurl_links"] is entry["request"]["unfurl_media"] is False
    assert checked > 10
    whispers = (await here.slack.state())["ephemerals"]
    assert [one for one in whispers if "<!channel>" in one["message"]["text"]] == []
    assert BOT_USER_ID


def _parsed(payload: object, key: str = "") -> Iterator[tuple[str, bool]]:
    """Every text in which Slack looks for mentions and links, and whether it is Markdown."""
    match payload:
        case {"type": "mrkdwn", "text": str(text)}:
            yield text, False
        case {"type": "markdown", "text": str(text)}:
            yield text, True
        case dict():
            for name, value in cast("dict[str, Any]", payload).items():
                if isinstance(value, str) and not key and name in {"text", "markdown_text", "status"}:
                    yield value, name == "markdown_text"
                yield from _parsed(value, key or name)
        case list():
            for value in cast("list[Any]", payload):
                yield from _parsed(value, key)
        case _:
            return


def _hosts(payload: object) -> Iterator[str]:
    """The hosts that something in the payload leads to."""
    match payload:
        case {"type": "link", "url": str(url)}:
            yield urlsplit(url).hostname or ""
        case dict():
            for value in cast("dict[str, Any]", payload).values():
                yield from _hosts(value)
        case list():
            for value in cast("list[Any]", payload):
                yield from _hosts(value)
        case _:
            return
