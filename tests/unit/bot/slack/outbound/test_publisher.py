"""The publisher: what is delivered stands in Slack once, in its final form, or it is told why not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.domain.actions import ActionState, Undo
from bot.domain.connections import OAuthAttempt
from bot.domain.deliveries import DeliveryKind, Place, Post
from bot.domain.events import HomeChanged, RunMoved, TextStreamed, TextVoided
from bot.domain.questions import Choice, QuestionState
from bot.domain.runs import RunState
from bot.domain.schedules import ReminderFiring
from bot.domain.states import LostRace
from bot.runtime.core.ports import DeliveryFailed
from bot.slack.outbound.publisher import SOON_SECONDS
from bot.slack.views.blocks import Outgoing, header
from tests.unit.bot.slack.cases import MARA, NOW, SALES, TEAM, reminder
from tests.unit.bot.slack.emulated import Slack
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import Stage, TooSlow, staged


async def test_a_card_clears_the_way(stage: Stage) -> None:
    """While a card waits the session is suspended, words that did not count are gone, and the answer comes below it."""
    asked = await stage.streaming("I will write")
    stage.tell(TextVoided("run_1"), RunMoved("run_1", RunState.AWAITING))
    await stage.slack.until(lambda: not stage.slack.ours(asked.channel))
    await stage.card()
    await stage.slack.until(lambda: stage.slack.state["sessions"][0]["status"] == "suspended")
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Sent"))
    await stage.slack.until(lambda: len(stage.slack.ours(asked.channel)) == 2)
    await stage.answer("Sent it.")
    first, second = stage.texts(asked.channel)
    assert "Send this mail?" in first
    assert "Sent it." in second


async def test_words_before_a_card_stay(stage: Stage) -> None:
    """Words that count stay above the card, and the answer does not overwrite them."""
    asked = await stage.streaming("Here is the plan.")
    stage.tell(RunMoved("run_1", RunState.AWAITING))
    await stage.slack.until(lambda: stage.slack.state["streams"][0]["state"] == "stopped")
    await stage.card()
    await stage.answer("Sent it.")
    first, second, third = stage.texts(asked.channel)
    assert "Here is the plan." in first
    assert "Send this mail?" in second
    assert "Sent it." in third


async def test_a_card_gets_its_final_form_in_place(stage: Stage) -> None:
    """The decided card has no buttons, says who decided, and is the same message."""
    asked = await stage.asked(in_dm=True)
    await stage.card()
    decided: dict[str, Any] = {
        "state": QuestionState.DECIDED,
        "decision": Choice.APPROVE,
        "decided_by": MARA,
        "decided_at": NOW,
    }
    await stage.card(action=ActionState.COMPLETED, detail="sent to Dana", **decided)
    [shown] = stage.texts(asked.channel)
    assert "button" not in shown
    assert "Approved" in shown
    assert "sent to Dana" in shown


async def test_a_card_that_stands_changes_app_home(stage: Stage) -> None:
    """The tab links to the card, however long its delivery took."""
    await stage.asked(in_dm=True)
    async with stage.bus.subscribe() as events:
        await stage.card()
        assert events.get_nowait() == HomeChanged("T0FERNHILL", MARA)


async def lost(stage: Stage, kind: DeliveryKind) -> tuple[str, str]:
    """The subject of something of this kind, and the id that its owner is to quote."""
    await stage.rows.question()
    now = stage.rows.base.clock.now()
    match kind:
        case DeliveryKind.CARD | DeliveryKind.REMINDER:
            return "qst_1", "run_1"
        case DeliveryKind.NOTICE:
            return "act_qst_1", "run_1"
        case DeliveryKind.RESUMED:
            await stage.rows.base.tamper("UPDATE messages SET run_id = 'run_1' WHERE id = 'msg_run_1'")
            return "msg_run_1", "run_1"
        case DeliveryKind.BRIEFING:
            return "msg_run_1", "msg_run_1"
        case DeliveryKind.REFUSAL:
            return "empty:msg_run_1", "msg_run_1"
        case DeliveryKind.ALARM:
            async with stage.rows.base.store.write() as work:
                await work.schedules.add(reminder(now))
            return ReminderFiring(schedule_id="sch_1", due=now).subject, "sch_1"
        case DeliveryKind.CONNECTED:
            async with stage.rows.base.store.write() as work:
                asked: dict[str, Any] = {"team": TEAM, "user": MARA, "provider": "google", "token_hash": "x"}
                asked |= {"choices": (), "missing": frozenset(), "created_at": now, "expires_at": now}
                await work.oauth_attempts.add(OAuthAttempt(id="con_1", **asked))
            return f"con_1@{MARA}", "con_1"
        case _:
            return "run_1", "run_1"


@pytest.mark.parametrize("kind", [kind for kind in DeliveryKind if kind.has_owner])
async def test_a_loss_is_told_once(stage: Stage, kind: DeliveryKind) -> None:
    """What could not be delivered is told in the DM, with the id to quote, and not again by another attempt."""
    await stage.asked()
    subject, reference = await lost(stage, kind)
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.LOSS, f"{kind.value}:{subject}", attempts=attempts)
        await stage.rows.forget_posts()
    [shown] = stage.texts(await stage.slack.dm(MARA))
    assert "I could not" in shown
    assert reference in shown


async def test_a_long_answer(stage: Stage) -> None:
    """Forty thousand characters arrive in several messages of one thread."""
    asked = await stage.asked(in_dm=True)
    await stage.answer("word " * 8_000)
    assert len(stage.slack.ours(asked.channel)) == 4
    await stage.answer("word " * 8_000)
    assert len(stage.slack.ours(asked.channel)) == 4


@pytest.mark.parametrize(
    ("fault", "seconds"),
    [
        ({"kind": "rate_limit", "seconds": 30}, 30),
        ({"kind": "status", "status": 500}, SOON_SECONDS),
        *(
            ({"kind": "ok_false", "error": error}, SOON_SECONDS)
            for error in ("token_revoked", "account_inactive", "fatal_error")
        ),
    ],
)
async def test_slack_takes_nothing_now(stage: Stage, fault: dict[str, Any], seconds: float) -> None:
    """The relay is told when to try again: after a 429 as Slack asked for, after a trouble of Slack's or a revoked
    token, which is no fault of the delivery, soon.
    """
    await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "chat.postMessage"}, **fault)
    with pytest.raises(DeliveryFailed) as failed:
        await stage.card()
    assert failed.value.retry_after == seconds


async def test_slack_will_never_take_it(stage: Stage) -> None:
    """Where we may not post, the delivery is hopeless."""
    asked = await stage.asked()
    stage.slack.emulator.workspace.world.channels[SALES].members.remove("U0CSIGN")
    with pytest.raises(DeliveryFailed) as failed:
        await stage.answer()
    assert failed.value.retry_after is None
    assert asked.channel == SALES


async def test_notices_and_refusals(stage: Stage) -> None:
    """A memory's line has its Undo; why a message started nothing is said in its thread, once."""
    asked = await stage.asked(in_dm=True)
    await stage.rows.action(undo=Undo("memory", "mem_1"), state=ActionState.COMPLETED)
    await stage.deliver(DeliveryKind.NOTICE, "act_1")
    assert "undo" in stage.texts(asked.channel)[0]
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.REFUSAL, "empty:msg_run_1", attempts=attempts)
    assert len(stage.slack.ours(asked.channel)) == 2


async def test_every_send_is_without_previews(stage: Stage) -> None:
    """No call that sends text lets Slack fetch what it links to."""
    await stage.asked()
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "https://evil.example "))
    await stage.slack.until(lambda: stage.slack.ours(SALES))
    await stage.card()
    await stage.answer("https://evil.example")
    sends = ("chat.postMessage", "chat.update", "chat.startStream", "chat.postEphemeral")
    bodies = [body for method in sends for body in stage.slack.calls(method)]
    assert len(bodies) >= 3
    assert all(body["unfurl_links"] is False and body["unfurl_media"] is False for body in bodies)


# Two publishers ----------------------------------------------------------------------------------------------------


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
