"""What time brings, on the emulator: reminders and alarms in the DM, and a scheduled request with its own thread."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.deliveries import DeliveryKind
from bot.domain.events import RunMoved, TextStreamed
from bot.domain.runs import RunState
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.leader import LeaderLease
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.delivery.relay import Relay
from bot.runtime.delivery.views import OpeningView, ReminderView, ScheduledReminderView
from bot.slack.publisher import Publisher
from bot.slack.web import SlackWeb
from tests.dispatchers import Nobody
from tests.stores import opened
from tests.unit.bot.slack.cases import MARA, NOW, SALES, answer_view, place
from tests.unit.bot.slack.fakes import delivery
from tests.unit.bot.slack.world import Behind, Slack, publishing


@dataclass(kw_only=True)
class Stage:
    slack: Slack
    behind: Behind
    publisher: Publisher

    async def deliver(self, kind: DeliveryKind, subject: str, *, attempts: int = 1) -> None:
        await self.publisher.deliver(delivery(kind, subject, attempts=attempts))

    async def direct(self) -> list[str]:
        """What stands in Mara's DM."""
        return [json.dumps(message.get("blocks")) for message in self.slack.is_held(await self.slack.dm(MARA))]


@pytest.fixture
async def stage(slack: Slack) -> AsyncGenerator[Stage]:
    behind = Behind()
    async with publishing(slack, behind) as publisher:
        yield Stage(slack=slack, behind=behind, publisher=publisher)


async def test_a_reminder_is_one_line_in_the_dm_with_the_way_to_the_card(stage: Stage) -> None:
    """However often it is delivered; it names what waits, how long is left, and leads to the card."""
    await _due(stage)
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.REMINDER, "q_1", attempts=attempts)
        stage.behind.posts.posts.clear()
    [shown] = await stage.direct()
    assert "12 hours left" in shown
    assert "Benches" in shown
    assert f"archives/{SALES}" in shown


async def _due(stage: Stage) -> ReminderView:
    ts = await stage.slack.say(MARA, SALES, "please")
    view = ReminderView(
        place=place(channel=SALES, root_ts=ts, request_ts=ts),
        question_id="q_1",
        needs_none=False,
        title="Send “Benches” to helen@marsh.example",
        expires_at=NOW + timedelta(hours=12),
        left=timedelta(hours=12),
        zone="Europe/London",
        card=(SALES, ts),
    )
    stage.behind.timely.reminders["q_1"] = view
    return view


@pytest.mark.parametrize("written_down", [True, False])
async def test_a_reminder_of_what_was_decided_says_nothing(stage: Stage, written_down: bool) -> None:
    """One that comes late is for nobody; one that stands is taken away, also where nobody wrote down that it does."""
    view = await _due(stage)
    await stage.deliver(DeliveryKind.REMINDER, "q_1")
    if not written_down:
        stage.behind.posts.posts.clear()
    stage.behind.timely.reminders["q_1"] = replace(view, needs_none=True)
    await stage.deliver(DeliveryKind.REMINDER, "q_1", attempts=1 if written_down else 2)
    assert await stage.direct() == []
    stage.behind.timely.reminders["q_2"] = replace(view, question_id="q_2", needs_none=True)
    for subject, attempts in (("q_2", 1), ("q_2", 2), ("q_nobody", 1)):
        await stage.deliver(DeliveryKind.REMINDER, subject, attempts=attempts)
    assert await stage.direct() == []


async def test_an_alarm_is_said_once(stage: Stage) -> None:
    """In its owner's own words, and since when it was due if it is late; one that is forgotten says nothing."""
    view = ScheduledReminderView(
        team="T1", user=MARA, text="call <Helen> & co", zone="Europe/London", due=NOW, since="1.0"
    )
    stage.behind.timely.alarms["sch_1@x"] = view
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.ALARM, "sch_1@x", attempts=attempts)
    await stage.deliver(DeliveryKind.ALARM, "sch_2@x")
    [shown] = await stage.direct()
    assert "call <Helen> & co" in shown
    assert "comes late" in shown


async def test_a_relay_that_stood_still_says_nothing(
    slack: Slack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hears Slack's answer in the same turn of the loop as the end of its duty, and first: nothing is posted, and
    the row is left to whoever relays by now.
    """
    behind, loop = Behind(), asyncio.get_running_loop()
    direct, time = SlackWeb.direct, loop.time
    behind.timely.alarms["sch_1@x"] = ScheduledReminderView(
        team="T1", user=MARA, text="call Helen", zone="Europe/London", due=NOW, since="1.0"
    )

    async def frozen(web: SlackWeb, user: str) -> str:
        channel = await direct(web, user)
        base.clock.advance(6)
        async with base.store.write() as work:
            assert await work.leases.take("relay", "another", now=base.clock.now(), seconds=60)
        monkeypatch.setattr(loop, "time", lambda: time() + 6)
        return channel

    monkeypatch.setattr(SlackWeb, "direct", frozen)
    async with opened(tmp_path) as base:
        async with base.store.write() as work:
            await work.outbox.add("sch_1", DeliveryKind.ALARM, "sch_1@x", team="T1", at=base.clock.now())
        transactions = TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=Nobody())
        duty = LeaderLease(name="relay", transactions=transactions, holder="a", seconds=5)
        async with publishing(slack, behind, is_held=duty.is_held) as publisher:
            relay = Relay(store=base.store, clock=base.clock, surface=publisher, fence=duty.fence)
            task = asyncio.create_task(duty.keep(relay.run))
            await slack.until(lambda: slack.calls("conversations.open"))
            await slack.until(lambda: not duty.held)
            await asyncio.sleep(0.1)  # what was written to the connection arrives
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        assert base.rows("SELECT state, attempts, error FROM outbox") == [
            {"state": "pending", "attempts": 1, "error": ""}
        ]
    assert slack.calls("chat.postMessage") == []


async def test_a_scheduled_request_opens_a_thread_and_is_answered_in_it(stage: Stage) -> None:
    """Its message stands at the top level, once; before it stands nothing is streamed; the answer is below it."""
    asked = stage.behind.queries.put(place(channel=SALES, root_ts="", request_ts="", is_dm=False))
    stage.behind.bus.publish(RunMoved("run_1", RunState.PLANNING))
    stage.behind.bus.publish(TextStreamed("run_1", "Well, "))
    stage.behind.timely.openings["run_1"] = OpeningView(
        place=asked, title="Morning mail", text="Summarise my unread mail", since="1.0"
    )
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.OPENING, "run_1", attempts=attempts)
        stage.behind.posts.posts.clear()
    [opening] = stage.slack.is_held(SALES)
    assert "Morning mail" in json.dumps(opening["blocks"])
    assert "thread_ts" not in opening
    assert stage.behind.posts.roots == {"run_1": opening["ts"]}
    rooted = place(channel=SALES, root_ts=opening["ts"], request_ts=opening["ts"], state=RunState.COMPLETED)
    stage.behind.queries.put(rooted)
    stage.behind.queries.answers["run_1"] = answer_view(text="Nothing new.")
    await stage.deliver(DeliveryKind.ANSWER, "run_1")
    answer = stage.slack.is_held(SALES)[-1]
    assert "Nothing new." in json.dumps(answer["blocks"])
    assert answer["thread_ts"] == opening["ts"]
