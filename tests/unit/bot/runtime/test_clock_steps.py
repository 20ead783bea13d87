"""The wall clock steps by an hour, ahead and back: nothing is done twice, and nothing waits for the hour."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import Delivery, DeliveryKind
from bot.runtime.outbox import Relay
from bot.runtime.ports import DeliveryFailed
from integrations.base import NotDone
from tests.builders import TEAM
from tests.unit.bot.runtime.house import House, house

HOUR = timedelta(hours=1)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncGenerator[House]:
    async with house(tmp_path) as made:
        yield made


class Busy:
    """A surface that is always told to come back in two hours."""

    async def deliver(self, delivery: Delivery) -> None:
        raise DeliveryFailed("ratelimited", retry_after=7_200)


async def test_a_doubt_is_settled_after_the_tools_time_at_most(home: House) -> None:
    """An attempt that a process left in the middle has its deadline an hour ahead, once the clock went back."""
    deadline = home.base.clock.now() + HOUR + timedelta(seconds=3)
    home.effect.settled = [NotDone()]
    action = await home.standing(home.effect, ActionState.EXECUTING, attempt=1, deadline_at=deadline)
    await home.serve()
    assert max(home.waited) <= home.effect.timeout_seconds
    assert (await home.action(action)).state is not ActionState.EXECUTING


async def test_a_lane_waits_for_minutes_never_for_the_hour(home: House) -> None:
    """What is to be tried again is due at once when its moment is further ahead than any pause could be."""
    relay = Relay(store=home.base.store, clock=home.base.clock, surface=Busy())
    async with home.base.store.write() as work:
        await work.outbox.add("a", DeliveryKind.CARD, "1", team=TEAM, at=home.base.clock.now())
        [head] = await work.outbox.heads(now=home.base.clock.now(), limit=9)
    await relay._attempt(head)  # pyright: ignore[reportPrivateUsage] - one attempt, without the loop around it
    async with home.base.store.read() as work:
        assert await work.outbox.heads(now=home.base.clock.now(), limit=9) == []
        assert len(await work.outbox.heads(now=home.base.clock.now() + timedelta(minutes=10), limit=9)) == 1
        assert len(await work.outbox.heads(now=home.base.clock.now() - HOUR, limit=9)) == 1
