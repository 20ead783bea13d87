"""Two replicas at one run: one streams the answer, the other delivers it, and one message stands."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace

import pytest

from bot.domain.deliveries import DeliveryKind, Post
from bot.domain.events import RunMoved, TextStreamed
from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.lock import IsHeld
from bot.runtime.delivery.views import Place
from bot.slack import streams
from bot.slack.publisher import Publisher
from bot.slack.views.blocks import Outgoing, header
from tests.unit.bot.slack.cases import MARA, SALES, answer_view, card_view, place
from tests.unit.bot.slack.fakes import delivery
from tests.unit.bot.slack.world import Behind, Slack, publishing


class Two:
    """`streams` hears the bus; `delivers` is another process with the same rows."""

    def __init__(self, slack: Slack, behind: Behind, streams: Publisher, delivers: Publisher) -> None:
        self.slack = slack
        self.behind = behind
        self.streams = streams
        self.delivers = delivers

    async def asked(self, *, in_dm: bool) -> Place:
        channel = await self.slack.dm(MARA) if in_dm else SALES
        ts = await self.slack.say(MARA, channel, "please")
        return self.behind.queries.put(place(channel=channel, root_ts=ts, request_ts=ts, is_dm=in_dm))

    def tell(self, *texts: str) -> None:
        self.behind.bus.publish(RunMoved("run_1", RunState.PLANNING))
        for text in texts:
            self.behind.bus.publish(TextStreamed("run_1", text))

    async def deliver(self, asked: Place, text: str) -> None:
        """The run is completed here, and its answer is delivered there."""
        self.behind.queries.put(replace(asked, state=RunState.COMPLETED))
        self.behind.queries.answers["run_1"] = answer_view(text=text)
        await self.delivers.deliver(delivery(DeliveryKind.ANSWER, "run_1", attempts=1))

    def texts(self, asked: Place) -> list[str]:
        return [json.dumps(message.get("blocks") or message["text"]) for message in self.slack.is_held(asked.channel)]


@pytest.fixture
async def two(slack: Slack, behind: Behind, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Two]:
    for pace in ("APPEND_SECONDS", "UPDATE_SECONDS"):
        monkeypatch.setattr(streams, pace, 0.05)
    elsewhere = replace(behind, bus=Bus())
    async with publishing(slack, behind) as one, publishing(slack, elsewhere) as other:
        yield Two(slack, behind, one, other)


async def test_what_one_streams_the_other_finishes(two: Two) -> None:
    """The final answer takes the streamed message over, and what is heard afterwards changes nothing."""
    asked = await two.asked(in_dm=True)
    two.tell("Hel")
    await two.slack.until(lambda: two.slack.is_held(asked.channel))
    await two.deliver(asked, "Hello, Mara.")
    two.tell("lo, and more that came late")
    two.behind.bus.publish(RunMoved("run_1", RunState.COMPLETED))
    await asyncio.sleep(0.3)
    [shown] = two.texts(asked)
    assert "Hello, Mara." in shown
    assert "late" not in shown
    assert two.slack.state["streams"][0]["state"] == "stopped"


async def test_where_slack_takes_no_stream(two: Two) -> None:
    """A message that is changed instead is not changed back once the answer stands."""
    await two.slack.fault(match={"path": "chat.startStream"}, kind="status", status=500, times=-1)
    asked = await two.asked(in_dm=True)
    two.tell("Hel")
    await two.slack.until(lambda: two.slack.is_held(asked.channel))
    await two.deliver(asked, "Hello, Mara.")
    two.tell("lo")
    await asyncio.sleep(0.3)
    [shown] = two.texts(asked)
    assert "Hello, Mara." in shown


async def test_an_answer_that_stands_before_its_stream_begins(two: Two) -> None:
    """Nothing is begun for a run that rows say is over."""
    asked = await two.asked(in_dm=True)
    await two.deliver(asked, "Hello, Mara.")
    two.tell("Hel", "lo")
    await asyncio.sleep(0.3)
    [shown] = two.texts(asked)
    assert "Hello, Mara." in shown
    assert two.slack.calls("chat.startStream") == []


async def test_what_another_process_knows_better(two: Two) -> None:
    """Who only heard that a run was asked for shows that it rests when rows say so, and lets it go."""
    asked = await two.asked(in_dm=False)
    two.behind.bus.publish(RunMoved("run_1", RunState.QUEUED))
    await two.slack.until(lambda: two.slack.calls("assistant.threads.setStatus"))
    two.behind.queries.put(replace(asked, state=RunState.AWAITING))
    two.behind.bus.publish(TextStreamed("run_1", ""))

    def suspended() -> bool:
        return "suspended" in json.dumps([entry["request"] for entry in two.slack.entries()])

    await two.slack.until(suspended)


async def test_a_card_that_two_processes_post_stands_once(two: Two) -> None:
    """A process stood still while it posted, and another one took its work over and found nothing: the message that
    was written down first stays and shows what is to be shown now, and the other one goes.
    """
    asked = await two.asked(in_dm=True)
    two.behind.queries.cards["qst_1"] = card_view(place=asked)
    await two.slack.fault(match={"path": "chat.postMessage"}, kind="hold", seconds=0.4, times=1)
    late = asyncio.create_task(two.streams.deliver(delivery(DeliveryKind.CARD, "qst_1")))
    await asyncio.sleep(0.1)
    two.behind.posts.posts["run_1", "card:qst_1"] = first = Post(
        run_id="run_1", slot="card:qst_1", channel=asked.channel, ts=await _posted(two, asked)
    )
    await late
    [shown] = two.slack.is_held(asked.channel)
    assert shown["ts"] == first.ts
    assert "Send this mail?" in json.dumps(shown["blocks"])
    assert two.behind.posts.posts["run_1", "card:qst_1"] == first


class TooSlow:
    """An exclusion whose time is over whenever one is alone."""

    @contextlib.asynccontextmanager
    async def acquire(self, about: str) -> AsyncGenerator[IsHeld]:
        del about
        yield lambda: False


async def test_who_is_not_alone_any_more_begins_nothing(slack: Slack, behind: Behind) -> None:
    """Neither the root of a private run in the direct messages, nor the message that is changed instead of a stream."""
    await slack.fault(match={"path": "chat.startStream"}, kind="status", status=500, times=-1)
    ts = await slack.say(MARA, SALES, "please")
    asked = behind.queries.put(place(channel=SALES, root_ts=ts, request_ts=ts, is_dm=False))
    behind.queries.cards["qst_1"] = card_view(place=asked, card_private=True)
    async with publishing(slack, behind, lock=TooSlow()) as publisher:
        with pytest.raises(LostRace):
            await publisher.deliver(delivery(DeliveryKind.CARD, "qst_1"))
        behind.bus.publish(RunMoved("run_1", RunState.PLANNING))
        behind.bus.publish(TextStreamed("run_1", "Hel"))
        await slack.until(lambda: slack.calls("chat.startStream"))
        await asyncio.sleep(0.2)
    assert slack.calls("chat.postMessage") == []


async def _posted(two: Two, asked: Place) -> str:
    """What the other process posted meanwhile."""
    older = Outgoing(text="older", blocks=[header("older")])
    return await two.slack.web.post(asked.channel, older, thread_ts=asked.root_ts, mark="run_1/card:qst_1")
