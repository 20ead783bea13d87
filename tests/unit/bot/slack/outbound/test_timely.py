"""What time brings, on the emulator: reminders and alarms in the DM, and a scheduled request with its own thread."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import RunMoved, TextStreamed
from bot.domain.questions import QuestionState
from bot.domain.runs import RunState
from bot.domain.schedules import ReminderFiring
from bot.runtime.audit.checkpoints import Checkpoints
from bot.runtime.audit.export import checkpoint_as_json, checkpoints
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.leader import LeaderLease
from bot.runtime.core.lease import TransactionFactory
from bot.runtime.delivery.relay import Relay
from bot.slack.connection.web import SlackWeb
from tests.dispatchers import Nobody
from tests.unit.bot.slack.cases import SALES, TEAM, reminder
from tests.unit.bot.slack.emulated import Slack
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import Stage, staged


async def test_a_reminder_is_one_line_in_the_dm_with_the_way_to_the_card(stage: Stage) -> None:
    """However often it is delivered; it names what waits, how long is left, and leads to the card."""
    await stage.asked()
    await _due(stage)
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.REMINDER, "qst_1", attempts=attempts)
        await stage.rows.base.tamper("DELETE FROM posts WHERE slot LIKE 'reminder%'")
    [shown] = await stage.direct()
    assert "12 hours left" in shown
    assert "dana@fernhill.example" in shown
    assert f"archives/{SALES}" in shown


async def _due(stage: Stage, state: QuestionState = QuestionState.OPEN) -> None:
    """A card that stands in #sales, and expires in twelve hours."""
    expires = stage.rows.base.clock.now() + timedelta(hours=12)
    await stage.card(private=False, expires_at=expires, state=state)


@pytest.mark.parametrize("written_down", [True, False])
async def test_a_reminder_of_what_was_decided_says_nothing(stage: Stage, written_down: bool) -> None:
    """One that comes late is for nobody; one that stands is taken away, also where nobody wrote down that it does."""
    await stage.asked()
    await _due(stage)
    await stage.deliver(DeliveryKind.REMINDER, "qst_1")
    if not written_down:
        await stage.rows.forget_posts()
    await stage.rows.question(state=QuestionState.WITHDRAWN)
    await stage.deliver(DeliveryKind.REMINDER, "qst_1", attempts=1 if written_down else 2)
    assert await stage.direct() == []
    await stage.rows.question("qst_2", state=QuestionState.WITHDRAWN)
    for subject, attempts in (("qst_2", 1), ("qst_2", 2), ("q_nobody", 1)):
        await stage.deliver(DeliveryKind.REMINDER, subject, attempts=attempts)
    assert await stage.direct() == []


async def _alarm(rows: Rows, *, late: timedelta = timedelta(0)) -> str:
    """A reminder that fired, after it was due so long ago; the subject of its delivery."""
    now = rows.base.clock.now()
    async with rows.base.store.write() as work:
        await work.schedules.add(reminder(now))
    return ReminderFiring(schedule_id="sch_1", due=now - late).subject


async def test_an_alarm_is_said_once(stage: Stage) -> None:
    """In its owner's own words, and since when it was due if it is late; one that is forgotten says nothing."""
    subject = await _alarm(stage.rows, late=timedelta(hours=1))
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.ALARM, subject, attempts=attempts)
    await stage.deliver(DeliveryKind.ALARM, subject.replace("sch_1", "sch_2"))
    [shown] = await stage.direct()
    assert "call <Helen> & co" in shown
    assert "comes late" in shown


async def test_a_checkpoint_of_the_log_is_posted_once(stage: Stage) -> None:
    """In the channel that was named for it, also where an earlier attempt may have posted it: one line, which is the
    one that `audit checkpoints` prints. One that is not there is nothing.
    """
    base = stage.rows.base
    async with base.store.write() as work:
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor="agent"))
    await Sealer(store=base.store, keyring=base.keyring).seal()
    await Checkpoints(store=base.store, keyring=base.keyring, clock=base.clock, entries=1, channel=SALES).keep_up(1)
    (row,) = base.rows("SELECT lane, subject FROM outbox WHERE kind = 'checkpoint'")
    assert (row["lane"], row["subject"]) == (SALES, f"{SALES}:{TEAM}:1")
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.CHECKPOINT, row["subject"], attempts=attempts)
    await stage.deliver(DeliveryKind.CHECKPOINT, f"{SALES}:{TEAM}:2")
    [message] = stage.slack.ours(SALES)
    said, line = message["blocks"][0]["elements"]
    assert said["elements"][0]["text"] == f"Audit log of {TEAM}: checkpoint at entry 1."
    (made,) = await checkpoints(base.store)
    assert (line["type"], line["elements"][0]["text"]) == ("rich_text_preformatted", checkpoint_as_json(made))


async def test_a_relay_that_stood_still_says_nothing(slack: Slack, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    """It hears Slack's answer in the same turn of the loop as the end of its duty, and first: nothing is posted, and
    the row is left to the process that relays by now.
    """
    base, loop = rows.base, asyncio.get_running_loop()
    direct, time = SlackWeb.direct, loop.time

    async def frozen(web: SlackWeb, user: str) -> str:
        channel = await direct(web, user)
        base.clock.advance(6)
        async with base.store.write() as work:
            assert await work.leases.take("relay", "another", now=base.clock.now(), seconds=60)
        monkeypatch.setattr(loop, "time", lambda: time() + 6)
        return channel

    monkeypatch.setattr(SlackWeb, "direct", frozen)
    subject = await _alarm(rows)
    async with base.store.write() as work:
        await work.outbox.add("sch_1", DeliveryKind.ALARM, subject, team=TEAM, at=base.clock.now())
    transactions = TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=Nobody())
    duty = LeaderLease(name="relay", transactions=transactions, holder="a", seconds=5)
    async with staged(slack, rows, is_held=duty.is_held) as stage:
        relay = Relay(store=base.store, clock=base.clock, surface=stage.publisher, fence=duty.fence)
        task = asyncio.create_task(duty.keep(relay.run))
        await slack.until(lambda: slack.calls("conversations.open"))
        await slack.until(lambda: not duty.held)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert base.rows("SELECT state, attempts, error FROM outbox") == [{"state": "pending", "attempts": 1, "error": ""}]
    assert slack.calls("chat.postMessage") == []


async def test_a_scheduled_request_opens_a_thread_and_is_answered_in_it(stage: Stage) -> None:
    """Its message stands at the top level, once; before it stands nothing is streamed; the answer is below it."""
    async with stage.rows.base.store.write() as work:
        await work.schedules.add(reminder(stage.rows.base.clock.now(), title="Morning mail"))
    await stage.rows.asked(SALES, "", source_key="sched:sch_1:x")
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Well, "))
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.OPENING, "run_1", attempts=attempts)
        await stage.rows.base.tamper("DELETE FROM posts WHERE slot = 'opening'")
    [opening] = [message for message in stage.slack.ours(SALES) if "thread_ts" not in message]
    assert "Morning mail" in json.dumps(opening["blocks"])
    rooted = await stage.rows.now(state=RunState.COMPLETED)
    assert rooted.root_ts == opening["ts"]
    await stage.answer("Nothing new.")
    [answer] = [message for message in stage.slack.ours(SALES) if message is not opening]
    assert "Nothing new." in json.dumps(answer["blocks"])
    assert answer["thread_ts"] == opening["ts"]
