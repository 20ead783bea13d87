"""The scene that the page opens on: Dana asked for two things, and two cards wait for her."""

from __future__ import annotations

import asyncio

from playground.people import DANA
from playground.stage.emulator import Emulator
from playground.stage.slack import SlackStage

REQUEST = (
    "Please answer Helen's mail about the benches that Thursday works, "
    "and move the delivery planning to Thursday at 10."
)
CARDS = 2
PATIENCE_SECONDS = 15.0
LOOK_SECONDS = 0.15


async def open_scene(slack_url: str, *, seconds: float = PATIENCE_SECONDS) -> int:
    """Asks as Dana in her DM and waits for the cards: how many wait, fewer than two only after `seconds`."""
    async with Emulator(slack_url) as emulator:
        slack = SlackStage(emulator)
        channel = await slack.dm(DANA)
        asked = await slack.say(DANA, channel, REQUEST)
        waiting = 0
        try:
            async with asyncio.timeout(seconds):
                while waiting < CARDS:
                    await asyncio.sleep(LOOK_SECONDS)
                    waiting = len(await slack.waiting_cards(channel, since=asked))
        except TimeoutError:
            pass
        return waiting
