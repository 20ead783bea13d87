"""Streams: an answer as it is written, in one message whatever Slack says to that."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import Place, Post
from bot.domain.events import RunMoved, TextStreamed, TextVoided, ThreadServed
from bot.domain.questions import QuestionState
from bot.domain.runs import RunState
from bot.redaction import REDACTED
from bot.slack.outbound.streams import StreamTimings
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.slack.cases import MARA, SALES
from tests.unit.bot.slack.emulated import Slack
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import HURRIED, SECRET, TOKEN, Stage, TooSlow, staged

THREAD = "thr_run_1"


async def test_an_answer_streams_and_ends(stage: Stage) -> None:
    """The first words start a stream at once, more are appended, and the answer takes its place."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hello [a"))
    await stage.slack.until(lambda: stage.slack.calls("chat.startStream"))
    stage.tell(TextStreamed("run_1", "](http://x.example) "), TextStreamed("run_1", "Mara"))
    await stage.slack.until(lambda: "Hello [a] (`http://x.example`) Mara" in str(stage.texts(asked.channel)))
    assert stage.slack.calls("chat.appendStream")
    await stage.rows.now(state=RunState.COMPLETED)
    await stage.answer("Hello Mara, done.")
    [shown] = stage.texts(asked.channel)
    assert "Hello Mara, done." in shown
    assert stage.slack.state["streams"][0]["state"] == "stopped"
    assert [call["status"] for call in stage.slack.calls("agents.sessions.setStatus")] == ["processing", "active"]


async def test_the_first_words_wait_for_no_pause(slack: Slack, rows: Rows) -> None:
    """The status was just shown, and the next round would be due in a minute: the words begin one."""
    async with staged(slack, rows, timings=replace(HURRIED, pause=60.0)) as stage:
        await stage.asked(in_dm=True)
        stage.tell(RunMoved("run_1", RunState.PLANNING))
        await slack.until(lambda: slack.calls("assistant.threads.setStatus"))
        stage.tell(TextStreamed("run_1", "Hello"))
        await slack.until(lambda: slack.calls("chat.startStream"))


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


async def test_a_secret_that_arrives_in_pieces(stage: Stage) -> None:
    """Not even its beginning is streamed, for a stream takes nothing back; the text goes on behind it."""
    asked = await stage.streaming("Yes. It is ")
    stage.tell(TextStreamed("run_1", f"the key {TOKEN[:9]}"))
    await stage.slack.until(lambda: "the key" in str(stage.texts(asked.channel)))
    stage.tell(TextStreamed("run_1", f"{TOKEN[9:]} as you see. And so on"))
    await stage.slack.until(lambda: "as you see" in str(stage.texts(asked.channel)))
    sent = str(stage.slack.entries())
    assert TOKEN[:5] not in sent
    assert REDACTED in sent


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


async def test_a_stream_whose_end_slack_refused_is_stopped_again(stage: Stage) -> None:
    """Slack refuses once to end the stream, and then to change what streams: it is stopped again, then changed."""
    asked = await stage.streaming("Hel")
    await stage.slack.fault(match={"path": "chat.stopStream"}, kind="ok_false", error="internal_error", times=1)
    await stage.rows.now(state=RunState.COMPLETED)
    await stage.answer("Hello, Mara.")
    assert "Hello, Mara." in str(stage.texts(asked.channel))
    assert len(stage.slack.calls("chat.stopStream")) == 2
    assert stage.slack.state["streams"][0]["state"] == "stopped"


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


# Streams that a dead process left open -----------------------------------------------------------------------------


async def test_an_unclear_post_is_looked_up(stage: Stage) -> None:
    """When the answer of chat.postMessage is lost, the message is found and not posted again."""
    asked = await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "chat.postMessage"}, kind="drop_after", times=1)
    await stage.card()
    assert len(stage.slack.ours(asked.channel)) == 1
    post = await stage.rows.posts.find("run_1", "card:qst_1")
    assert post is not None
    assert post.ts == stage.slack.ours(asked.channel)[0]["ts"]


async def test_a_card_that_nobody_wrote_down_is_brought_up_to_date(stage: Stage) -> None:
    """After a crash between posting and writing it down the message is found, and shows what was decided since."""
    asked = await stage.asked(in_dm=True)
    await stage.card()
    await stage.rows.forget_posts()
    await stage.card(attempts=2, state=QuestionState.WITHDRAWN, action=ActionState.CANCELLED)
    [shown] = stage.texts(asked.channel)
    assert "Withdrawn" in shown
    assert "button" not in shown


async def test_words_that_were_kept_are_not_taken_for_the_answer(stage: Stage) -> None:
    """Looking for a forgotten answer does not find what was said before a card, though it once stood in its slot."""
    await stage.slack.fault(match={"path": "chat.startStream"}, kind="ok_false", error="channel_type_not_supported")
    asked = await stage.streaming("Here is the plan.")
    stage.tell(RunMoved("run_1", RunState.AWAITING))
    await stage.slack.until(lambda: stage.rows.base.rows("SELECT slot FROM posts WHERE slot LIKE 'said%'"))
    await stage.answer("Sent it.", attempts=2)
    first, second = stage.texts(asked.channel)
    assert "Here is the plan." in first
    assert "Sent it." in second


@pytest.mark.parametrize("lost", ["the row", "Slack's answer"])
async def test_an_answer_after_a_pause_is_found_though_the_pause_bears_its_mark(stage: Stage, lost: str) -> None:
    """What was said at a pause stays in the thread with the mark of the answer; the answer to come is looked for."""
    asked = await stage.asked(in_dm=True)
    await stage.answer("I stopped here.")
    pause = await stage.rows.posts.find("run_1", "answer")
    assert pause is not None
    await stage.rows.forget_posts()
    await stage.rows.posts.save(pause.said)
    if lost == "Slack's answer":
        await stage.slack.fault(match={"path": "chat.postMessage"}, kind="drop_after", times=1)
    await stage.answer("Sent it.")
    await stage.rows.base.tamper("DELETE FROM posts WHERE slot = 'answer'")
    await stage.answer("Sent it.", attempts=2)
    first, second = stage.texts(asked.channel)
    assert "I stopped here." in first
    assert "Sent it." in second


async def test_an_answer_after_a_crash(stage: Stage) -> None:
    """What an earlier process streamed is replaced by the answer, though its stream was never ended."""
    asked = await stage.asked(in_dm=True)
    ts = await stage.slack.web.start_stream(asked.channel, asked.root_ts, "Half of", user=MARA, team="T0FERNHILL")
    await stage.rows.posts.save(Post(run_id="run_1", slot="answer", channel=asked.channel, ts=ts, streaming=True))
    await stage.answer("All of it.")
    [shown] = stage.texts(asked.channel)
    assert "All of it." in shown
    post = await stage.rows.posts.find("run_1", "answer")
    assert post is not None
    assert post.streaming is False


async def orphan(stage: Stage, asked: Place, text: str = "Half of") -> None:
    """A stream that an earlier process began and did not live to write down."""
    await stage.slack.web.start_stream(asked.channel, asked.root_ts, text, user=MARA, team="T0FERNHILL")


async def test_a_stream_whose_beginning_was_lost_is_taken_over(stage: Stage) -> None:
    """Whether chat.startStream worked is not known: the stream is looked for, and the answer stands once."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.QUEUED))
    await stage.slack.fault(match={"path": "chat.startStream"}, kind="drop_after", times=1)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Half of"))
    await stage.slack.until(lambda: stage.slack.calls("chat.update"))
    stage.tell(TextStreamed("run_1", " it is here"))
    await stage.slack.until(lambda: "Half of it is here" in str(stage.texts(asked.channel)))
    await stage.answer("All of it.")
    [shown] = stage.texts(asked.channel)
    assert "All of it." in shown
    assert [stream["state"] for stream in stage.slack.state["streams"]] == ["stopped"]


async def test_a_stream_that_died_with_its_process_is_taken_over(stage: Stage) -> None:
    """A run that goes on in another process finds the stream that nobody wrote down, before it shows anything."""
    asked = await stage.asked(in_dm=True)
    await orphan(stage, asked)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "From the start"))
    await stage.slack.until(lambda: "From the start" in str(stage.texts(asked.channel)))
    assert len(stage.texts(asked.channel)) == 1
    assert [stream["state"] for stream in stage.slack.state["streams"]] == ["stopped"]


async def test_an_answer_finds_every_stream_that_nobody_wrote_down(stage: Stage) -> None:
    """The answer takes the newest over and the others away, and leaves alone what belongs to other runs or people."""
    asked = await stage.asked()
    await orphan(stage, asked, "Other run")
    ts = stage.slack.ours(SALES)[0]["ts"]
    await stage.rows.asked(SALES, asked.root_ts, run_id="run_2")
    await stage.rows.posts.save(Post(run_id="run_2", slot="answer", channel=SALES, ts=ts))
    await stage.slack.act("message", user=MARA, channel=SALES, text="thanks", thread_ts=asked.root_ts)
    await orphan(stage, asked)
    await orphan(stage, asked, "Half of it")
    await stage.rows.now(state=RunState.COMPLETED)
    await stage.answer("All of it.")
    other, shown = stage.texts(SALES)
    assert "Other run" in other
    assert "All of it." in shown
    assert any(message["text"] == "thanks" for message in stage.slack.messages(SALES))


async def test_an_orphan_of_a_private_run_does_not_stay_in_the_channel(stage: Stage) -> None:
    """What an earlier process began in the channel goes when the run is private by now."""
    asked = await stage.asked()
    await orphan(stage, asked, SECRET)
    await stage.rows.now(private=True)
    await stage.answer(SECRET)
    assert SECRET not in str(stage.texts(SALES))
    assert SECRET in str(stage.texts(await stage.slack.dm(MARA)))


def begun(stage: Stage) -> None:
    """The run was asked for and begun in this process."""
    stage.tell(
        RunMoved("run_1", RunState.QUEUED), ThreadServed(THREAD, 1), RunMoved("run_1", RunState.PLANNING, None, 1)
    )


async def test_a_run_that_only_this_process_served_is_not_looked_for(stage: Stage) -> None:
    """Also after its thread was left and served again here, as while a card waits."""
    asked = await stage.asked(in_dm=True)
    await stage.rows.served(times=1)
    begun(stage)
    stage.tell(TextStreamed("run_1", "Hi"))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel))
    await stage.rows.served(times=1)
    stage.tell(ThreadServed(THREAD, 2))
    await stage.answer("Hi.")
    assert stage.slack.calls("conversations.replies") == []


async def test_a_run_that_another_process_served_meanwhile_is_looked_for(stage: Stage) -> None:
    """It was begun here and is answered from here; in between another process began a stream and died."""
    asked = await stage.asked(in_dm=True)
    begun(stage)
    await orphan(stage, asked)
    await stage.rows.served(times=3)
    stage.tell(ThreadServed(THREAD, 3))
    await stage.answer("All of it.")
    [shown] = stage.texts(asked.channel)
    assert "All of it." in shown


async def test_a_run_that_was_only_asked_for_here_is_looked_for(stage: Stage) -> None:
    """Another process served it from its beginning, and died while it began its stream."""
    asked = await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.QUEUED))
    await stage.rows.served(times=1)
    await orphan(stage, asked)
    await stage.answer("All of it.")
    [shown] = stage.texts(asked.channel)
    assert "All of it." in shown


async def test_a_run_that_nobody_began_is_not_looked_for(stage: Stage) -> None:
    await stage.asked(in_dm=True, started_at=None)
    await stage.answer("Stopped.")
    assert stage.slack.calls("conversations.replies") == []


async def test_a_stream_that_could_not_be_taken_away_is_found_again(slack: Slack, rows: Rows) -> None:
    """This process stood still while it began the stream, and Slack is busy when it wants to take it back. It looks
    for it later: the stream is the answer's message then, or goes where that stands.
    """
    async with staged(slack, rows, lock=TooSlow()) as stage:
        asked = await stage.asked(in_dm=True)
        await slack.fault(match={"path": "chat.stopStream"}, kind="rate_limit", seconds=1, times=3)
        stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hel"))
        await slack.until(lambda: len(slack.calls("conversations.replies")) == 2)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await rows.posts.find("run_1", "answer") is None:
                await asyncio.sleep(0.01)
        assert len(stage.texts(asked.channel)) == 1
