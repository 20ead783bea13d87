"""What must reach people, when Slack or the disk is away: it arrives once, or its owner is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.slack.views import card
from bot.wiring.app import PartDied
from playground.people import DANA, MARA
from tests.acceptance.slack_side import (
    MAIL_HELEN,
    SALES,
    at_rest,
    call,
    calls,
    dead_letters,
    final,
    replies,
    reply_in,
    send_mail,
)
from tests.acceptance.test_database_faults import broken_writes
from tests.acceptance.world import APPROVE, PATIENT, Json, World, text_of
from tests.patience import PATIENCE_SECONDS

SOON = replace(PATIENT, relay_tick=0.02, relay_pause=0.02)


async def refuse(here: World, *, contains: str, times: int = 1) -> None:
    """Slack refuses these posts for good."""
    await here.slack.fault(
        "ok_false", path="chat.postMessage", contains=contains, times=times, error="restricted_action"
    )


@pytest.fixture
async def here(idle_world: World) -> World:
    """What waits is looked at often, and what failed is tried again soon."""
    await idle_world.start_bot(timings=SOON)
    return idle_world


async def test_a_card_that_cannot_be_shown_is_told(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a defect keeps a card from being rendered, again and again, its owner learns of it, and the lane goes on."""

    def broken(view: object) -> None:
        raise KeyError("a defect")

    with monkeypatch.context() as defect:
        defect.setattr(card, "card", broken)
        root = (await here.say(DANA, MAIL_HELEN))["ts"]
        told = await here.answer_in(here.dm_of(DANA), "I could not post a card")
    (run,) = await at_rest(here, DANA, runs=1)
    assert run.id in text_of(told)
    assert await dead_letters(here) == ["card"]
    await here.say(DANA, "hello", thread_ts=root)
    await reply_in(here, here.dm_of(DANA), root, "Hello Dana")


async def test_security_input_55_an_answer_to_nothing_that_cannot_be_posted_is_told(here: World) -> None:
    """A message that started no run, in a place that takes nothing, is answered by a word in the DM."""
    await refuse(here, contains=SALES)
    await here.mention(DANA, SALES, "")
    await here.answer_in(here.dm_of(DANA), "I could not answer a message of yours")
    assert await dead_letters(here) == ["refusal"]


async def test_a_loss_that_slack_limits_arrives_later(here: World) -> None:
    """The word about a loss is a delivery itself: a 429 does not swallow it, and one run's losses are told once."""
    await here.slack.fault("ok_false", path="chat.startStream", error="channel_type_not_supported", times=-1)
    await refuse(here, contains=SALES, times=-1)
    await here.slack.fault("rate_limit", path="chat.postMessage", contains=here.dm_of(MARA), seconds=3, times=1)
    await here.mention(MARA, SALES, "hello")
    told = await here.answer_in(here.dm_of(MARA), "I could not post my answer")
    assert await dead_letters(here) == ["answer"]
    assert [text_of(m) for m in await here.bot_messages(here.dm_of(MARA))] == [text_of(told)]


@pytest.mark.parametrize("table", ["outbox", "posts"])
async def test_a_disk_that_fills_up_makes_nobody_hear_things_twice(here: World, table: str) -> None:
    """While attempts cannot be written down nothing is posted, and what could not be written down is not repeated."""
    async with broken_writes(here, table, "UPDATE" if table == "outbox" else "INSERT"):
        await here.say(DANA, MAIL_HELEN)
        if table == "posts":
            await here.until(lambda: calls(here, "chat.postMessage"), "the first post")
        await asyncio.sleep(0.3)
        assert len(await calls(here, "chat.postMessage")) == (0 if table == "outbox" else 1)
    (shown,) = await here.card_in(here.dm_of(DANA))
    await here.click(DANA, shown, APPROVE)
    await final(here, shown, "✓ Done.")
    assert len(await here.cards(here.dm_of(DANA))) == 0
    posted = [one for one in await calls(here, "chat.postMessage") if "question_approve" in str(one["request"])]
    assert len(posted) == 1


async def test_a_run_that_is_private_from_its_start_says_so_at_once(here: World) -> None:
    """A follow-up on something private has its line in the channel's thread while it works, and one line in all."""
    root = (await here.mention(DANA, SALES, call("gmail_search", query="in:inbox", limit=3)))["ts"]
    await reply_in(here, SALES, root, "I answered you privately")
    await here.gemini.fault("hold", path="streamGenerateContent", seconds=30)
    await here.say(DANA, "what did Helen write?", channel=SALES, thread_ts=root)
    await reply_in(here, SALES, root, "I answer you privately")
    await here.gemini.mend()
    await reply_in(here, SALES, root, "I answered you privately", count=2)
    await at_rest(here, DANA, runs=2)
    assert len(await replies(here, SALES, root)) == 2


async def test_a_thread_has_one_line_about_private_cards(here: World) -> None:
    """Two cards in the DM are one line in the channel, which changes as the run goes on."""
    two = send_mail("one@example.com", "one") + send_mail("two@example.com", "two")
    root = (await here.mention(DANA, SALES, two))["ts"]
    cards = await here.card_in(here.dm_of(DANA), count=2)
    await reply_in(here, SALES, root, "privately")
    assert len(await replies(here, SALES, root)) == 1
    for one in cards:
        await here.click(DANA, one, APPROVE)
        await final(here, one, "✓ Done.")
    await at_rest(here, DANA, runs=1)
    await here.until(lambda: _pending(here), "every delivery", when=lambda pending: not pending)
    assert len(await replies(here, SALES, root)) == 1


async def _pending(here: World) -> list[Json]:
    async with here.base.store.read() as work:
        return [{"lane": row.lane} for row in await work.outbox.heads(now=here.base.clock.now(), limit=10)]


async def test_an_effect_that_is_under_way_when_the_process_stops(idle_world: World) -> None:
    """A routine restart waits for the mail that is being sent: it is recorded as done, and nobody is asked anything."""
    here = idle_world
    await here.start_bot(timings=replace(SOON, leaving=5.0))
    shown = await here.card_for(DANA, MAIL_HELEN)
    await here.google.fault("hold", path="*users/me/drafts/send?*", seconds=0.6)
    await here.click(DANA, shown, APPROVE)
    await here.until(lambda: here.sent(DANA), "the mail")
    await here.stop_bot()
    await here.start_bot(timings=SOON)
    await final(here, shown, "✓ Done.")
    codes = await here.audit_codes()
    assert codes.count("action.claimed") == codes.count("action.completed") == 1
    assert len(await here.sent(DANA)) == 1


async def test_an_idle_bot_stops_at_once(idle_world: World) -> None:
    """With a card that waits, and nothing under way, nothing is waited for."""
    here = idle_world
    await here.start_bot(timings=replace(SOON, leaving=60.0))
    await here.say(DANA, MAIL_HELEN)
    await here.card_in(here.dm_of(DANA))
    await at_rest(here, DANA, runs=1)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await here.stop_bot()


PARTS = ["http", "http-following", "relay", "scheduler", "sealer", "slack-home", "slack-publisher", "slack-socket"]


async def test_the_death_of_any_part_ends_the_process(here: World) -> None:
    """Every part that works in the background is watched, and the error names the one that ended."""
    bot = here.bot
    assert bot
    assert sorted(task.get_name() for task in bot.tasks) == PARTS
    (home,) = [task for task in bot.tasks if task.get_name() == "slack-home"]
    home.cancel()
    with pytest.raises(PartDied, match="slack-home"):
        await asyncio.wait_for(bot.until_a_part_dies(), PATIENCE_SECONDS)
