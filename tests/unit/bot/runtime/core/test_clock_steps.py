"""The wall clock steps by an hour, ahead and back: nothing is done twice, and nothing waits for the hour."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import SupportsIndex

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import Delivery, DeliveryKind
from bot.domain.limits import Limits
from bot.domain.runs import RunState
from bot.runtime.core.ports import DeliveryFailed
from bot.runtime.delivery.relay import Relay
from bot.runtime.runs.incoming import Incoming
from bot.runtime.runs.intake import Intake
from integrations.base import NotDone
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness
from tests.unit.bot.runtime.scripted import Said

HOUR = timedelta(hours=1)


class Busy:
    """A surface that is always told to come back in two hours."""

    async def deliver(self, delivery: Delivery) -> None:
        raise DeliveryFailed("ratelimited", retry_after=7_200)


async def test_a_doubt_is_settled_after_the_tools_time_at_most(here: Harness) -> None:
    """An attempt that a process left in the middle has its deadline an hour ahead, once the clock went back."""
    deadline = here.base.clock.now() + HOUR + timedelta(seconds=3)
    here.effect.settled = [NotDone()]
    action = await here.standing(here.effect, ActionState.EXECUTING, attempt=1, deadline_at=deadline)
    await here.serve()
    assert max(here.waited) <= here.effect.timeout_seconds
    assert (await here.action(action)).state is not ActionState.EXECUTING


async def test_a_lane_waits_for_minutes_never_for_the_hour(here: Harness) -> None:
    """What is to be tried again is due at once when its moment is further ahead than any pause could be."""
    relay = Relay(store=here.base.store, clock=here.base.clock, surface=Busy())
    async with here.base.store.write() as work:
        await work.outbox.add("a", DeliveryKind.CARD, "1", team=TEAM, at=here.base.clock.now())
        [head] = await work.outbox.heads(now=here.base.clock.now(), limit=9)
    await relay._attempt(head)  # pyright: ignore[reportPrivateUsage] - one attempt, without the loop around it
    async with here.base.store.read() as work:
        assert await work.outbox.heads(now=here.base.clock.now(), limit=9) == []
        assert len(await work.outbox.heads(now=here.base.clock.now() + timedelta(minutes=10), limit=9)) == 1
        assert len(await work.outbox.heads(now=here.base.clock.now() - HOUR, limit=9)) == 1


# Order ----------------------------------------------------------------------------------------------------------


def said(ts: str, text: str, *, below: str | None = None) -> Incoming:
    """What Dana writes in her direct messages."""
    return Incoming(
        event_id=f"Ev{ts}",
        team=TEAM,
        channel="D1",
        ts=ts,
        thread_ts=below,
        user=DANA,
        text=text,
        typed=text,
        is_dm=True,
        mentions_agent=False,
    )


@pytest.fixture
def intake(here: Harness) -> Intake:
    return Intake(transactions=here.transactions, limits=Limits(steps=12))


async def test_stop_stops_what_was_asked_last(here: Harness, intake: Intake) -> None:
    """At the top of direct messages “stop” goes by the order of the requests."""
    await intake.message(said("1000.000001", "the first"))
    here.base.clock.advance(-HOUR.total_seconds())
    await intake.message(said("1060.000001", "the second"))
    await intake.message(said("1070.000001", "stop"))
    assert [row["state"] for row in here.base.rows("SELECT state FROM runs ORDER BY order_key")] == [
        "queued",
        "cancelled",
    ]


async def test_a_follow_up_has_what_was_said_before(here: Harness, intake: Intake) -> None:
    """The model reads the thread's earlier messages, in their order."""
    async with here.base.store.write() as work:
        await work.users.seen(make.person())
    here.model.says = ["Nice.", "Mog."]
    first = await intake.message(said("1000.000001", "my cat is called Mog"))
    thread = (await here.run(first.run_id or "")).thread_id
    await here.runner.serve(thread, asyncio.Event())
    here.base.clock.advance(-HOUR.total_seconds())
    await intake.message(said("1060.000001", "what is my cat called?", below="1000.000001"))
    await here.runner.serve(thread, asyncio.Event())
    told = [json.loads(wire)["parts"][0]["text"] for wire in here.model.requests[-1].contents]
    assert told == ["my cat is called Mog", "Nice.", "what is my cat called?"]


async def test_the_same_call_again_and_again_is_noticed(here: Harness) -> None:
    """A doom loop ends as ever: the calls are compared in the order in which they were made."""

    class Script(list[Said]):
        def pop(self, index: SupportsIndex = -1, /) -> Said:
            if len(self) == 7:
                here.base.clock.advance(-HOUR.total_seconds())
            return super().pop(index)

    another, same = [("gmail_search", {"text": "y"})], [("gmail_search", {"text": "x"})]
    here.model.says = Script([another, *[same] * 7])
    run = await here.request()
    await here.serve()
    ended = await here.run(run.id)
    assert (ended.state, ended.steps_taken) == (RunState.FAILED, 6)


async def test_questions_have_the_order_in_which_they_were_asked(here: Harness) -> None:
    """So a reply answers the last one of its run, and the waiting list begins with it."""
    async with here.base.store.write() as work:
        for n in range(3):
            asked = here.base.clock.now() - n * HOUR
            await work.questions.add(make.question(id=f"{9 - n}", hash=f"{n}", created_at=asked))
        assert [one.hash for one in await work.questions.open_of_run("run_1")] == ["0", "1", "2"]
        assert [one.hash for one in await work.questions.open_of(TEAM, DANA, limit=2)] == ["2", "1"]
