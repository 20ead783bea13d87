"""Streamed messages, written with slack_sdk's own stream."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.models.messages.chunk import BlocksChunk, MarkdownTextChunk, PlanUpdateChunk, TaskUpdateChunk

from playground import people
from tests.contract.playground.slack.clients import Slack

DM = "D0MARA"
GENERAL = "C0GENERAL"


@pytest.fixture
async def root(slack: Slack) -> str:
    return (await slack.act("message", user="U0MARA", channel=DM, text="hello"))["ts"]


async def stored(slack: Slack, channel: str, ts: str) -> dict[str, Any]:
    messages = (await slack.read("state"))["messages"][channel]
    return next(message for message in messages if message["ts"] == ts)


async def test_lifecycle(slack: Slack, root: str) -> None:
    """Text grows in one message until the stream is stopped; blocks go below it; the session follows."""
    stream = await slack.web.chat_stream(channel=DM, thread_ts=root, buffer_size=1)
    await stream.append(markdown_text="Hello ")
    await stream.append(markdown_text="**world**")
    growing = await stored(slack, DM, stream.ts)
    assert (growing["text"], growing["streaming_state"]) == ("Hello **world**", "in_progress")
    await stream.stop(blocks=[{"type": "divider"}], session_status="suspended")
    done = await stored(slack, DM, stream.ts)
    assert done["streaming_state"] == "completed"
    assert [block["type"] for block in done["blocks"]] == ["markdown", "divider"]
    assert (await slack.read("state"))["sessions"][0]["status"] == "suspended"
    late = slack.web.chat_appendStream(channel=DM, ts=stream.ts, markdown_text="more")
    assert await slack.error(late) == "message_not_in_streaming_state"


async def test_tasks(slack: Slack, root: str) -> None:
    """A task's title and status are replaced and its details go on; one that still ran when the stream ended failed."""
    stream = await slack.web.chat_stream(channel=DM, thread_ts=root)
    await stream.append(chunks=[TaskUpdateChunk(id="1", title="Search", status="in_progress", details="a")])
    await stream.append(chunks=[TaskUpdateChunk(id="1", title="Searched", status="complete", details="b")])
    await stream.append(chunks=[TaskUpdateChunk(id="2", title="Write", status="in_progress")])
    await stream.append(chunks=[MarkdownTextChunk(text="Done."), BlocksChunk(blocks=[{"type": "divider"}])])
    await stream.stop()
    blocks = (await stored(slack, DM, stream.ts))["blocks"]
    assert [(block["type"], block.get("status")) for block in blocks] == [
        ("task_card", "complete"),
        ("task_card", "error"),
        ("markdown", None),
        ("divider", None),
    ]
    assert blocks[0]["title"] == "Searched"
    assert blocks[0]["details"]["elements"][0]["elements"][0]["text"] == "ab"


async def test_plan(slack: Slack, root: str) -> None:
    """In plan mode the tasks stand together in one plan with its title."""
    stream = await slack.web.chat_stream(channel=DM, thread_ts=root, task_display_mode="plan")
    await stream.append(chunks=[PlanUpdateChunk(title="Three steps")])
    await stream.append(chunks=[TaskUpdateChunk(id="1", title="One", status="pending")])
    plan = (await stored(slack, DM, stream.ts))["blocks"][0]
    assert (plan["type"], plan["title"], plan["tasks"][0]["title"]) == ("plan", "Three steps", "One")


async def test_expiry(slack: Slack, root: str) -> None:
    """A stream dies five minutes after its start whatever is appended; the message can be updated then."""
    started = await slack.web.chat_startStream(channel=DM, thread_ts=root, markdown_text="a")
    where = {"channel": DM, "ts": started["ts"]}
    assert await slack.error(slack.web.chat_update(**where, text="x")) == "streaming_state_conflict"
    await slack.admin("clock", advance=200)
    await slack.web.chat_appendStream(**where, markdown_text="b")
    await slack.admin("clock", advance=101)
    append = slack.web.chat_appendStream(**where, markdown_text="c")
    assert await slack.error(append) == "message_not_in_streaming_state"
    assert await slack.error(slack.web.chat_stopStream(**where)) == "message_not_in_streaming_state"
    await slack.web.chat_update(**where, text="final")


async def test_recipients(slack: Slack) -> None:
    """In a channel a stream needs the recipient's user and team."""
    root = await slack.act("message", user="U0MARA", channel=GENERAL, text="hello")
    args: dict[str, Any] = {"channel": GENERAL, "thread_ts": root["ts"]}
    assert await slack.error(slack.web.chat_startStream(**args)) == "missing_recipient_team_id"
    args["recipient_team_id"] = people.TEAM_ID
    assert await slack.error(slack.web.chat_startStream(**args)) == "missing_recipient_user_id"
    assert (await slack.web.chat_startStream(**args, recipient_user_id="U0MARA"))["ok"]


async def test_limits(slack: Slack, root: str) -> None:
    """A chunk holds 12,000 characters, a status is one of four words, and nothing is not a chunk."""
    started = await slack.web.chat_startStream(channel=DM, thread_ts=root)
    where = {"channel": DM, "ts": started["ts"]}
    append = slack.web.chat_appendStream
    assert await slack.error(append(**where, markdown_text="x" * 12_001)) == "msg_too_long"
    wrong = [{"type": "task_update", "id": "1", "title": "x", "status": "thinking"}]
    assert await slack.error(append(**where, chunks=wrong)) == "invalid_chunks"
    assert await slack.error(append(**where)) == "no_text"
    posted = await slack.web.chat_postMessage(channel=DM, text="x")
    unstarted = append(channel=DM, ts=posted["ts"], markdown_text="x")
    assert await slack.error(unstarted) == "message_not_in_streaming_state"
    theirs = append(channel=DM, ts=root, markdown_text="x")
    assert await slack.error(theirs) == "message_not_owned_by_app"
