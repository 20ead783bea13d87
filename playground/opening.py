"""The scene that the page opens on: Dana asked for two things, and two cards wait for her."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from datetime import datetime

from playground.clock import Clock
from playground.people import DANA
from playground.stage.emulator import Emulator
from playground.stage.slack import SlackStage
from playground.world.dates import Days

CARDS = 2
DAYS_OF_WEEK = 7
PATIENCE_SECONDS = 15.0
LOOK_SECONDS = 0.15

ENDS = ("Continue", "Try again")
"""The buttons of a request that stopped at a limit, or failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """How many cards wait; and, if the request stopped before all were there, the button that it offers."""

    waiting: int = 0
    offered: str = ""


def request(now: datetime) -> str:
    """What Dana asks. The Thursday that Helen means is named by its date where “Thursday” would be an earlier one."""
    days = Days(now)
    thursday = days.coming("thu")
    named = "Thursday" if (thursday - days.today).days <= DAYS_OF_WEEK else f"Thursday {thursday.day} {thursday:%B}"
    return (
        "Please answer Helen's mail about the benches that Thursday works, "
        f"and move the delivery planning to {named} at 10."
    )


async def open_scene(slack_url: str, *, seconds: float = PATIENCE_SECONDS) -> Opened:
    """Asks as Dana in her DM, and waits at most `seconds` for both cards or for the request to stop."""
    async with Emulator(slack_url) as emulator:
        slack = SlackStage(emulator)
        channel = await slack.dm(DANA)
        asked = await slack.say(DANA, channel, request(Clock().now()))
        opened = Opened()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while opened.waiting < CARDS and not opened.offered:
                    await asyncio.sleep(LOOK_SECONDS)
                    opened = await _look(slack, channel, asked)
        return opened


async def _look(slack: SlackStage, channel: str, asked: str) -> Opened:
    said = await slack.by_agent(channel, since=asked)
    offered = [name for message in said for name in ENDS if message.button(name)]
    return Opened(waiting=len(await slack.waiting_cards(channel, since=asked)), offered=offered[0] if offered else "")
