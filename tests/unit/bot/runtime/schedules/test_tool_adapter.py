"""Schedules as tools keep them: once for each call, in the person's zone, refused in words, and said in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.limits import DEFAULT_LIMITS
from bot.runtime.schedules.service import ScheduleService
from bot.runtime.schedules.sources import BriefingSources
from bot.runtime.schedules.tool_adapter import ScheduleToolService
from bot.runtime.texts.about_schedules import in_words
from bot.scheduler import CronTimetable
from integrations.base import Requester
from integrations.errors import ModelRetry
from integrations.ports import Day, WaitingMailList
from policies.types import Label
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

AT = {"at": "2026-11-23T16:00"}
MORNING = {"day_of_week": "mon,tue,wed,thu,fri", "hour": 8, "minute": 0}
WHO = Requester(team=TEAM, user=DANA, zone="Europe/Stockholm")
NOW = datetime(2026, 11, 22, 8, tzinfo=UTC)


class Mailbox:
    """Knows the thread t1, and no other."""

    async def today(self, requester: Requester) -> Day:
        return Day()

    async def waiting(self, requester: Requester) -> WaitingMailList:
        return WaitingMailList()

    async def others_wrote(self, requester: Requester, thread_id: str, *, since: datetime) -> bool:
        if thread_id != "t1":
            raise ModelRetry("not_found", "There is no such thread.")
        return False


@pytest.fixture
def plans(here: Harness) -> ScheduleToolService:
    here.base.clock.at = NOW
    sources = BriefingSources(clock=here.base.clock, agenda=Mailbox(), mails=Mailbox())
    schedules = ScheduleService(
        transactions=here.transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS, sources=sources
    )
    return ScheduleToolService(schedules=schedules)


async def test_the_same_call_keeps_one(here: Harness, plans: ScheduleToolService) -> None:
    """In the person's zone, with the first free number; also when its time is over by the second attempt."""
    first = await plans.remind(WHO, "call Dana", AT, key="k1", label=Label.OWNER)
    assert first.next_at == datetime(2026, 11, 23, 15, tzinfo=UTC)
    assert (first.number, first.when, first.label) == (1, "once, Monday 23 November at 16:00", Label.OWNER)
    here.base.clock.at = NOW + timedelta(days=9)
    assert await plans.remind(WHO, "call Dana", AT, key="k1", label=Label.OWNER) == first
    assert here.codes() == ["schedule.added"]


async def test_numbers_stay_while_they_live(here: Harness, plans: ScheduleToolService) -> None:
    """Removing the first renames no other; only their owner sees them."""
    for n in range(3):
        await plans.remind(WHO, f"thing {n}", AT, key=f"k{n}", label=Label.OWNER)
    [first, *_] = await plans.of(WHO)
    assert not await plans.remove(Requester(team=TEAM, user=MARA), first.id)
    assert await plans.remove(WHO, first.id)
    assert [one.number for one in await plans.of(WHO)] == [2, 3]
    added = await plans.remind(WHO, "one more", AT, key="k9", label=Label.OWNER)
    assert added.number == 4
    assert await plans.of(Requester(team=TEAM, user=MARA)) == []


async def test_what_cannot_be_kept_is_refused_in_words(here: Harness, plans: ScheduleToolService) -> None:
    """A time that is over, a zone that is none, a thread that is not there."""
    with pytest.raises(ModelRetry, match="This time is over"):
        await plans.remind(WHO, "x", {"at": "2026-11-20T16:00"}, key="k", label=Label.OWNER)
    lost = Requester(team=TEAM, user=DANA, zone="Gone/City")
    with pytest.raises(ModelRetry, match="no time zone"):
        await plans.remind(lost, "x", AT, key="k", label=Label.OWNER)
    with pytest.raises(ModelRetry, match="no such thread"):
        await plans.remind(WHO, "x", AT, key="k", label=Label.OWNER, unless_answered="t9")
    assert await plans.of(WHO) == []
    assert await plans.remind(WHO, "x", AT, key="k", label=Label.OWNER, unless_answered="t1")


async def test_a_briefing_at_the_same_times_is_kept_once(here: Harness, plans: ScheduleToolService) -> None:
    """The same call finds it; another call is told, so that its Undo takes nothing else away."""
    kept = await plans.brief(WHO, MORNING, key="k1")
    assert (kept.what, kept.when) == ("briefing", "every weekday at 08:00")
    assert await plans.brief(WHO, MORNING, key="k1") == kept
    with pytest.raises(ModelRetry, match="planned already"):
        await plans.brief(WHO, MORNING, key="k2")
    assert (await plans.brief(WHO, {**MORNING, "hour": 9}, key="k3")).number == 2


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (AT, "once, Monday 23 November at 16:00"),
        (MORNING, "every weekday at 08:00"),
        ({"day_of_week": "mon-fri", "hour": 8}, "every weekday at 08:00"),
        ({"day_of_week": "mon,tue,wed,thu,fri,sat,sun", "hour": 8, "minute": 5}, "every day at 08:05"),
        ({"hour": 0, "minute": 0}, "every day at 00:00"),
        ({"day_of_week": "mon,thu,sat", "hour": 9}, "every Monday, Thursday and Saturday at 09:00"),
        ({"day_of_week": "tue", "hour": 9}, "every Tuesday at 09:00"),
        ({"day_of_week": "sat,sun", "hour": 9}, "every Saturday and Sunday at 09:00"),
        ({"day": 1, "hour": 9}, "every month on the 1st at 09:00"),
        ({"day": 12, "hour": 9}, "every month on the 12th at 09:00"),
        ({"day": 23, "hour": 9}, "every month on the 23rd at 09:00"),
        ({"hour": "8-10"}, "on a custom schedule"),
        ({"month": 6, "day": 1, "hour": 9}, "on a custom schedule"),
    ],
)
def test_when_in_words(spec: Mapping[str, object], words: str) -> None:
    """As people say it; what is written in another way is only said to repeat."""
    assert in_words(spec) == words
