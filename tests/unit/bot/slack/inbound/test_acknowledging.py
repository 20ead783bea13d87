"""Slack gets its answer when what it sent is committed, and not a moment before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.unit.bot.slack.cases import MARA
from tests.unit.bot.slack.connected import World

_LONG_SECONDS = 0.3
"""Many times as long as an acknowledgement takes, and a fraction of what a handler waits for the store."""


async def _clicks(world: World, dm: str, ts: str) -> object:
    return await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id="question_approve")


async def _says(world: World, dm: str, ts: str) -> object:
    return await world.slack.say(MARA, dm, "please")


async def _commands(world: World, dm: str, ts: str) -> object:
    return await world.command("stop")


@pytest.mark.parametrize("sends", [_clicks, _says, _commands])
async def test_nothing_is_acknowledged_before_its_commit(
    world: World, sends: Callable[[World, str, str], Coroutine[Any, Any, object]]
) -> None:
    """While another transaction holds the store, a click, a message and a command wait for theirs with the answer."""
    dm, ts = await world.card()
    await world.slack.until(lambda: world.slack.acknowledged() == 1)  # the card comes back as an event
    async with world.base.store.write():
        sending = asyncio.create_task(sends(world, dm, ts))
        await asyncio.sleep(_LONG_SECONDS)
        assert world.slack.acknowledged() == 1
    await sending
    await world.slack.until(lambda: world.slack.acknowledged() > 1)
