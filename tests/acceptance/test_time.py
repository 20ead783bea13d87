"""Time, through everything: a card that nobody answers, its reminder, and what was scheduled."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.schedules import ScheduleKind
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.schedules.service import NewSchedule, ScheduleService
from bot.scheduler import CronTimetable
from playground.people import DANA, TEAM_ID, Person
from tests.acceptance.slack_side import MAIL_HELEN, SALES
from tests.acceptance.world import APPROVE, Json, World, button_ids, text_of
from tests.dispatchers import Nobody

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECONDS = Decimal(1) / 3_600
SOON = timedelta(seconds=2)


async def schedule(here: World, person: Person, text: str, **values: Any) -> None:
    """In two seconds, once."""
    base = here.base
    transactions = TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=Nobody())
    given: dict[str, Any] = {"channel": here.dm_of(person), "is_dm": True, "kind": ScheduleKind.REQUEST}
    at = (base.clock.now() + SOON).replace(tzinfo=None).isoformat()
    wanted = NewSchedule(
        team=TEAM_ID, user=person.user_id, title="Later", text=text, spec={"at": at}, zone="UTC", **given | values
    )
    await ScheduleService(transactions=transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS).add(wanted)


async def one(here: World, channel: str, words: str) -> Json:
    """The only message of ours with these words."""
    found = await here.answer_in(channel, words)
    assert len([m for m in await here.bot_messages(channel) if words in text_of(m)]) == 1
    return found


async def test_a_card_that_nobody_answers(fresh_idle: World) -> None:
    """Its owner is reminded once in his DM, with the way to the card; then it says that it expired, the run says why,
    and the reminder goes.
    """
    here = fresh_idle
    await here.start_bot(agent_question_hours=6 * SECONDS)
    await here.mention(DANA, SALES, MAIL_HELEN)
    direct = here.dm_of(DANA)
    [card] = await here.card_in(direct)
    reminder = await one(here, direct, "Still waiting for your decision")
    assert f"archives/{direct}/p{card['ts'].replace('.', '')}" in text_of(reminder)
    assert "thread_ts" not in reminder
    assert APPROVE not in button_ids(
        await here.message(
            direct,
            lambda m: m["ts"] == card["ts"] and "Expired: nobody answered in time" in text_of(m),
            "the card's end",
        )
    )
    await here.answer_in(SALES, "Nobody answered in time, so I stopped here")
    assert await here.sent(DANA) == []
    codes = await here.audit_codes()
    assert (codes.count("question.expired"), codes.count("run.paused")) == (1, 1)
    await here.until(
        lambda: here.bot_messages(direct),
        "the reminder's end",
        when=lambda said: not any("Still waiting" in text_of(m) for m in said),
    )


async def test_a_scheduled_request(here: World) -> None:
    """A message of its own begins it, its answer stands below, and a reply there goes on with it."""
    await schedule(here, DANA, "What did Helen write to me?")
    opening = await one(here, here.dm_of(DANA), "Scheduled request: Later")

    async def answered() -> Json | None:
        below = [m for m in await here.bot_messages(here.dm_of(DANA)) if m.get("thread_ts") == opening["ts"]]
        return below[-1] if below and "run.completed" in await here.audit_codes() else None

    await here.until(answered, "the answer below")
    await here.say(DANA, "And what else?", thread_ts=opening["ts"])
    await here.until(here.audit_codes, "the answer to the reply", when=lambda codes: codes.count("run.completed") == 2)
    runs = await here.read(lambda work: work.runs.recent_of(TEAM_ID, DANA.user_id, limit=9))
    assert len({run.thread_id for run in runs}) == 1


@pytest.mark.parametrize("late", [False, True], ids=["in time", "after a stop"])
async def test_a_reminder_that_was_asked_for(here: World, late: bool) -> None:
    """In its owner's DM, in his own words, once; after a stop as well."""
    await schedule(here, DANA, "call <Helen>", kind=ScheduleKind.REMINDER)
    if late:
        await here.stop_bot()
        await here.start_bot()
    await one(here, here.dm_of(DANA), "You asked me to remind you")
    assert (await here.audit_codes()).count("schedule.fired") == 1
