"""Two replicas at one run: one streams the answer, the other delivers it, and one message stands."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator

import pytest

from bot.domain.deliveries import Post
from bot.domain.events import RunMoved, TextStreamed
from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.runtime.core.lock import IsHeld
from bot.runtime.delivery.views import Place
from bot.slack.views.blocks import Outgoing, header
from tests.unit.bot.slack.emulated import Slack
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import Stage, staged


class Two:
    """`streams` hears the bus; `delivers` is another process with the same rows."""

    def __init__(self, streams: Stage, delivers: Stage) -> None:
        self.slack = streams.slack
        self.rows = streams.rows
        self.streams = streams
        self.delivers = delivers

    def tell(self, *texts: str) -> None:
        self.streams.tell(RunMoved("run_1", RunState.PLANNING), *(TextStreamed("run_1", text) for text in texts))

    async def deliver(self, text: str) -> None:
        """The run is completed here, and its answer is delivered there."""
        await self.rows.now(state=RunState.COMPLETED)
        await self.delivers.answer(text)

    async def shown(self, asked: Place) -> str:
        """The one message that stands once nobody writes any more."""
        await self.streams.at_rest()
        [shown] = self.streams.texts(asked.channel)
        return shown


@pytest.fixture
async def two(slack: Slack, rows: Rows) -> AsyncIterator[Two]:
    async with staged(slack, rows) as one, staged(slack, rows) as other:
        yield Two(one, other)


@pytest.mark.parametrize("streamed", [True, False])
async def test_what_one_streams_the_other_finishes(two: Two, streamed: bool) -> None:
    """The final answer takes over what was streamed, or the message that is changed where Slack takes no stream; what
    is heard afterwards changes nothing.
    """
    if not streamed:
        await two.slack.fault(match={"path": "chat.startStream"}, kind="status", status=500, times=-1)
    asked = await two.streams.streaming("Hel")
    await two.deliver("Hello, Mara.")
    two.tell("lo, and more that came late")
    two.streams.tell(RunMoved("run_1", RunState.COMPLETED))
    shown = await two.shown(asked)
    assert "Hello, Mara." in shown
    assert "late" not in shown
    assert [stream["state"] for stream in two.slack.state["streams"]] == ["stopped"] * streamed


async def test_an_answer_that_stands_before_its_stream_begins(two: Two) -> None:
    """Nothing is begun for a run that rows say is over."""
    asked = await two.streams.asked(in_dm=True)
    await two.deliver("Hello, Mara.")
    two.tell("Hel", "lo")
    shown = await two.shown(asked)
    assert "Hello, Mara." in shown
    assert two.slack.calls("chat.startStream") == []


async def test_what_another_process_knows_better(two: Two) -> None:
    """Who only heard that a run was asked for shows that it rests when rows say so, and lets it go."""
    await two.streams.asked(in_dm=False)
    two.streams.tell(RunMoved("run_1", RunState.QUEUED))
    await two.slack.until(lambda: two.slack.calls("assistant.threads.setStatus"))
    await two.rows.now(state=RunState.AWAITING)
    two.streams.tell(TextStreamed("run_1", ""))

    def suspended() -> bool:
        return "suspended" in json.dumps([entry["request"] for entry in two.slack.entries()])

    await two.slack.until(suspended)


async def test_a_card_that_two_processes_post_stands_once(two: Two) -> None:
    """A process stood still while it posted, and another one took its work over and found nothing: the message that
    was written down first stays and shows what is to be shown now, and the other one goes.
    """
    asked = await two.streams.asked(in_dm=True)
    await two.slack.fault(match={"path": "chat.postMessage"}, kind="hold", seconds=0.4, times=1)
    late = asyncio.create_task(two.streams.card())
    await two.slack.until(lambda: two.slack.calls("chat.postMessage"))
    older = Outgoing(text="older", blocks=[header("older")])
    ts = await two.slack.web.post(asked.channel, older, thread_ts=asked.root_ts, mark="run_1/card:qst_1")
    first = await two.rows.posts.save(Post(run_id="run_1", slot="card:qst_1", channel=asked.channel, ts=ts))
    await late
    [shown] = two.slack.ours(asked.channel)
    assert shown["ts"] == first.ts
    assert "Send this mail?" in json.dumps(shown["blocks"])
    assert await two.rows.posts.find("run_1", "card:qst_1") == first


class TooSlow:
    """An exclusion whose time is over whenever one is alone."""

    @contextlib.asynccontextmanager
    async def acquire(self, about: str) -> AsyncGenerator[IsHeld]:
        del about
        yield lambda: False


async def test_a_process_that_is_not_alone_any_more_begins_nothing(slack: Slack, rows: Rows) -> None:
    """Neither the root of a private run in the direct messages, nor the message that is changed instead of a stream."""
    await slack.fault(match={"path": "chat.startStream"}, kind="status", status=500, times=-1)
    async with staged(slack, rows, lock=TooSlow()) as stage:
        await stage.asked()
        with pytest.raises(LostRace):
            await stage.card()
        stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hel"))
        await slack.until(lambda: slack.calls("chat.startStream"))
        await rows.now(state=RunState.COMPLETED)
        stage.tell(RunMoved("run_1", RunState.COMPLETED))
        await stage.at_rest()
    assert slack.calls("chat.postMessage") == []
