"""Faults of the length that the product meets, waited for as it waits: nothing is hurried but the clock of one test.

They take longer than a database is waited for, than a lease lasts and than Slack tries again at once.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from bot.runtime.audit.verify import verified
from bot.runtime.core.transaction import LEASE_SECONDS
from bot.store.engine.connection import BUSY_MS
from bot.wiring.timings import Timings
from playground.people import DANA, MARA
from playground.slack.settings import Settings as SlackSettings
from tests.acceptance.slack_side import GENERAL, MAIL_HELEN, at_rest, final, replies, reply_in
from tests.acceptance.test_database_faults import delivered_again, locked
from tests.acceptance.test_disorder import Stepped, step
from tests.acceptance.world import APPROVE, AT_ONCE, World, world

LOCK_SECONDS = BUSY_MS / 1000 + 4
"""Longer than anybody waits for the file's lock, and than a lease lasts."""

LATE = timedelta(minutes=5)
LATE_SECONDS = 40.0
"""For so long the event is really on its way; the rest of its five minutes the bot's clock is set ahead."""

pytestmark = pytest.mark.chaos
PATIENT_SECONDS = 100.0


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slack's next attempt but one comes after a minute."""
    monkeypatch.setattr("tests.acceptance.world.PATIENCE_SECONDS", PATIENT_SECONDS)
    monkeypatch.setattr("bot.wiring.store.SystemClock", Stepped)


async def test_at_full_length(tmp_path: Path) -> None:
    """All of them at the same time, each in a world of its own."""
    async with AsyncExitStack() as stack:
        worlds: list[World] = []
        for name in ("locked", "late"):
            folder = tmp_path / name
            folder.mkdir()
            worlds.append(await stack.enter_async_context(world(folder, slack_settings=SlackSettings())))
            await worlds[-1].start_bot(timings=Timings(longest_hold=AT_ONCE))
        first, second = worlds
        await asyncio.gather(_a_database_that_is_locked_for_long(first), _an_event_five_minutes_late(second))
        for here in worlds:
            assert not (await verified(here.base.store, here.base.keyring)).problems


async def _a_database_that_is_locked_for_long(here: World) -> None:
    """Locked for longer than anybody waits, while a mail is on its way and somebody asks something: what cannot be
    saved is not acknowledged, the lease outlives it, the mail is told and was sent once, and the question is answered
    once.
    """
    assert LOCK_SECONDS > LEASE_SECONDS
    card = await here.card_for(DANA, MAIL_HELEN)
    await at_rest(here, DANA, runs=1)
    await here.google.fault("hold", path="*users/me/drafts/send?*", seconds=5)
    await here.click(DANA, card, APPROVE)
    await here.until(lambda: here.sent(DANA), "the mail")
    async with locked(here.settings.sqlite_path):
        root = (await here.say(MARA, "hello"))["ts"]
        await delivered_again(here, 1)
        await asyncio.sleep(LOCK_SECONDS)
        assert await here.bot_messages(here.dm_of(MARA)) == []
    await final(here, card, "✓ Done.")
    await reply_in(here, here.dm_of(MARA), root, "Hello Mara")
    await at_rest(here, DANA, runs=1)
    await at_rest(here, MARA, runs=1)
    assert len(await here.sent(DANA)) == 1
    assert len(await replies(here, here.dm_of(MARA), root)) == 1


async def _an_event_five_minutes_late(here: World) -> None:
    """Overtaken by another it is answered next, as late, by a bot that has forgotten by then whom it knew."""
    root = (await here.mention(DANA, GENERAL, "hello"))["ts"]
    await reply_in(here, GENERAL, root, "Hello Dana")
    await here.slack.fault("delay_event", path="message", contains="the first", seconds=LATE_SECONDS)
    await here.say(DANA, "hello, the first", channel=GENERAL, thread_ts=root)
    await here.say(DANA, "hello, the second", channel=GENERAL, thread_ts=root)
    await reply_in(here, GENERAL, root, count=2)
    step(here, LATE - timedelta(seconds=LATE_SECONDS))
    await asyncio.sleep(LATE_SECONDS)
    found = await at_rest(here, DANA, runs=3)
    assert sorted(run.late for run in found) == [False, False, True]
    await reply_in(here, GENERAL, root, count=3)
