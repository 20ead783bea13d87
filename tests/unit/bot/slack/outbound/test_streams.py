"""Streams: an answer as it is written, in one message whatever Slack says to that."""

from __future__ import annotations

import pytest

from bot.domain.events import RunMoved, TextStreamed, TextVoided
from bot.domain.runs import RunState
from bot.slack.outbound.streams import StreamTimings
from tests.unit.bot.slack.cases import MARA, SALES
from tests.unit.bot.slack.emulated import Slack
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import Stage, staged


async def test_an_answer_streams_and_ends(stage: Stage) -> None:
    """The first words start a stream at once, more are appended, and the answer takes its place."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hello [a"))
    await stage.slack.until(lambda: stage.slack.calls("chat.startStream"))
    stage.tell(TextStreamed("run_1", "](http://x.example) "), TextStreamed("run_1", "Mara"))
    await stage.slack.until(lambda: "Hello [a] (http://x.example) Mara" in str(stage.texts(asked.channel)))
    assert stage.slack.calls("chat.appendStream")
    await stage.rows.now(state=RunState.COMPLETED)
    await stage.answer("Hello Mara, done.")
    [shown] = stage.texts(asked.channel)
    assert "Hello Mara, done." in shown
    assert stage.slack.state["streams"][0]["state"] == "stopped"
    assert [call["status"] for call in stage.slack.calls("agents.sessions.setStatus")] == ["processing", "active"]


async def test_a_stream_in_a_channel_names_its_reader(stage: Stage) -> None:
    """Slack asks for the reader of a stream in a channel."""
    await stage.asked()
    stage.tell(TextStreamed("run_1", "Hello"))
    await stage.slack.until(lambda: stage.slack.ours(SALES))
    [started] = stage.slack.calls("chat.startStream")
    assert (started["recipient_user_id"], started["recipient_team_id"]) == (MARA, "T0FERNHILL")
    assert (started["unfurl_links"], started["unfurl_media"]) == (False, False)


async def test_what_was_streamed_is_replaced(stage: Stage) -> None:
    """When a step is redone, its new words replace the old ones in the same message."""
    asked = await stage.streaming("First try")
    stage.tell(TextVoided("run_1"), TextStreamed("run_1", "Second try"))
    await stage.slack.until(lambda: "Second try" in str(stage.texts(asked.channel)))
    [shown] = stage.texts(asked.channel)
    assert "First" not in shown


async def test_streams_that_slack_refuses(stage: Stage) -> None:
    """Where Slack takes no stream the answer grows in an ordinary message."""
    await stage.slack.fault(match={"path": "chat.startStream"}, kind="status", status=500, times=-1)
    asked = await stage.streaming("Hel")
    stage.tell(TextStreamed("run_1", "lo"))
    await stage.slack.until(lambda: "Hello" in str(stage.texts(asked.channel)))
    await stage.answer("Hello.")
    assert len(stage.texts(asked.channel)) == 1


async def test_a_stream_that_expired(stage: Stage) -> None:
    """When Slack ended the stream, the text goes on in the same message."""
    asked = await stage.streaming("Hel")
    async with stage.slack.session.post(f"{stage.slack.url}/__admin/clock", json={"advance": 400}) as moved:
        assert moved.ok
    stage.tell(TextStreamed("run_1", "lo"))
    await stage.slack.until(lambda: stage.slack.calls("chat.appendStream"))
    stage.tell(TextStreamed("run_1", ", Mara"))
    await stage.slack.until(lambda: "Hello, Mara" in str(stage.texts(asked.channel)))
    assert len(stage.texts(asked.channel)) == 1


@pytest.mark.parametrize("held", [0.0, 0.3])
async def test_a_stream_ends_before_slack_ends_it(stage: Stage, held: float) -> None:
    """After four minutes the stream is ended by us, and the same message goes on. Its age counts from before it was
    begun: Slack's answer may come late.
    """
    asked = await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "chat.startStream"}, kind="hold", seconds=held, times=1)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hel"))
    await stage.slack.until(lambda: stage.slack.calls("chat.startStream") if held else stage.slack.ours(asked.channel))
    stage.steady.seconds += StreamTimings().life + 1
    stage.tell(TextStreamed("run_1", "lo"))
    await stage.slack.until(lambda: "Hello" in str(stage.texts(asked.channel)))
    assert stage.slack.calls("chat.appendStream") == []
    assert stage.slack.state["streams"][0]["state"] == "stopped"
    assert len(stage.texts(asked.channel)) == 1


async def test_a_stream_that_a_person_stopped(stage: Stage) -> None:
    """After Slack's Stop nothing more is written until the answer, which takes the message over."""
    asked = await stage.streaming("Hel")
    await stage.slack.until(lambda: stage.slack.state["sessions"])
    await stage.slack.act("stop_session", user=MARA, channel=asked.channel, thread_ts=asked.root_ts)
    stage.tell(TextStreamed("run_1", "lo"))
    await stage.slack.until(lambda: stage.slack.calls("chat.appendStream"))
    await stage.rows.now(state=RunState.CANCELLED)
    await stage.answer("Stopped, as you asked.")
    [shown] = stage.texts(asked.channel)
    assert "Stopped, as you asked." in shown


async def test_the_end_of_the_process(slack: Slack, rows: Rows) -> None:
    """When the process ends its streams are ended too, so that nothing hangs in Slack as unfinished."""
    async with staged(slack, rows) as stage:
        await stage.streaming("Hel")
    assert slack.state["streams"][0]["state"] == "stopped"


async def test_a_request_that_was_deleted(stage: Stage) -> None:
    """When the request and its thread are gone the owner still learns what was done, in the DM."""
    asked = await stage.asked()
    await stage.slack.act("delete", user=MARA, channel=SALES, ts=asked.root_ts)
    await stage.answer("Stopped; the mail to Dana was sent before.")
    assert "was sent before" in str(stage.texts(await stage.slack.dm(MARA)))
