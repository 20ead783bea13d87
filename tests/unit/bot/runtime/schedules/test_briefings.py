"""Briefings: made once with what was found, honest about the rest, and gone on with by their owner only."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest

from bot.domain.briefings import MAILS_SHOWN, MEETINGS_SHOWN, Briefing, ItemKind, ItemVerb, briefing_in
from bot.domain.limits import DEFAULT_LIMITS, Rate
from bot.domain.schedules import ScheduleKind, ScheduleState
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.delivery.posts import PostService
from bot.runtime.schedules import briefings
from bot.runtime.schedules.briefings import ASKED, NOT_KNOWN, NOT_YOURS, PRESSED_BEFORE, BriefingService
from bot.runtime.schedules.service import AT_ONCE, BATCH, NewSchedule, ScheduleService
from bot.runtime.schedules.sources import BriefingSources
from bot.scheduler import CronTimetable
from bot.store.errors import NotRead
from integrations.base import Requester
from integrations.errors import Lack, NotConnected, ToolFailed
from integrations.ports import Day, Meeting, WaitingMail, WaitingMailList
from policies.types import Label
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

_Found = TypeVar("_Found")

MONDAY = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
WHO = Requester(team=TEAM, user=DANA, name="Dana", zone="Europe/London")
NO_ACCOUNT = NotConnected(Lack.ACCOUNT, "No account is connected.")


def meeting(n: int, *conflicts: str) -> Meeting:
    return Meeting(id=f"e{n}", title=f"Meeting {n}", when="09:00–10:00", people=("a@x.example",), conflicts=conflicts)


def mail(n: int) -> WaitingMail:
    return WaitingMail(
        thread_id=f"t{n}", subject=f"Mail {n}", sender="Helen", address="h@x.example", snippet="…", sent_at=MONDAY
    )


@dataclass(slots=True)
class Outside:
    """Mail and calendar as a test says: what is found, or the error that comes instead."""

    meetings: Sequence[Meeting] | Exception = ()
    mails: Sequence[WaitingMail] | Exception = ()
    unseen: str = ""
    day_unseen: str = ""
    wrote: bool | Exception = False
    asked: list[tuple[str, datetime]] = field(default_factory=list[tuple[str, datetime]])
    delay: float = 0.0
    mail_delay: float = 0.0

    async def today(self, requester: Requester) -> Day:
        await asyncio.sleep(self.delay)
        return Day(meetings=_or_raise(self.meetings), unseen=self.day_unseen)

    async def waiting(self, requester: Requester) -> WaitingMailList:
        return WaitingMailList(mails=_or_raise(self.mails), unseen=self.unseen)

    async def others_wrote(self, requester: Requester, thread_id: str, *, since: datetime) -> bool:
        self.asked.append((thread_id, since))
        await asyncio.sleep(self.mail_delay)
        if isinstance(self.wrote, Exception):
            raise self.wrote
        return self.wrote


def _or_raise(found: Sequence[_Found] | Exception) -> Sequence[_Found]:
    if isinstance(found, Exception):
        raise found
    return found


@dataclass(slots=True, kw_only=True)
class BriefingHarness:
    """A runtime with briefings."""

    here: Harness
    outside: Outside
    briefings: BriefingService
    schedules: ScheduleService

    async def tick(self) -> None:
        await self.schedules.tick()
        await look(self.schedules)

    def deliveries(self, kind: str = "briefing") -> list[str]:
        return [row["subject"] for row in self.here.base.rows("SELECT subject FROM outbox WHERE kind = ?", kind)]

    async def posted(self) -> str:
        """The one briefing stands in Slack."""
        [message_id] = self.deliveries()
        await PostService(store=self.here.base.store).briefing(message_id, "D1", "1795.5")
        return message_id

    async def press(self, verb: ItemVerb, value: str, *, user: str = DANA, ts: str = "1795.5") -> ClickOutcome:
        return await self.briefings.click(
            ButtonClick(team=TEAM, user=user, value=value, channel="D1", message_ts=ts), verb
        )


async def look(schedules: ScheduleService) -> None:
    await schedules.look_at_mail()
    await schedules.look_at_days()


@pytest.fixture
async def parts(here: Harness) -> BriefingHarness:
    here.base.clock.at = MONDAY - timedelta(hours=1)
    outside = Outside(meetings=[meeting(1, "Meeting 2"), meeting(2)], mails=[mail(1)])
    sources = BriefingSources(clock=here.base.clock, agenda=outside, mails=outside, seconds=0.2)
    schedules = ScheduleService(
        transactions=here.transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS, sources=sources
    )
    briefings = BriefingService(transactions=here.transactions, sources=sources, limits=DEFAULT_LIMITS)
    await here.seen(make.person())
    return BriefingHarness(here=here, outside=outside, briefings=briefings, schedules=schedules)


def wanted(kind: ScheduleKind, **values: Any) -> NewSchedule:
    given: dict[str, Any] = {"spec": {"hour": 8, "minute": 0}, "zone": "Europe/London", "title": "", "text": "x"}
    return NewSchedule(team=TEAM, user=DANA, channel="", is_dm=True, kind=kind, **given | values)


# Looking ----------------------------------------------------------------------------------------------------------


async def test_a_day_with_more_than_is_shown(parts: BriefingHarness) -> None:
    """The first of each are listed, the others counted."""
    parts.outside.meetings = [meeting(n) for n in range(MEETINGS_SHOWN + 3)]
    parts.outside.mails = [mail(n) for n in range(MAILS_SHOWN + 1)]
    found = await parts.briefings.sources.briefing(WHO)
    assert (len(found.items), found.more_meetings, found.more_mails) == (MEETINGS_SHOWN + MAILS_SHOWN, 3, 1)
    assert found.counts() == ["9 meetings today", "6 mails wait for an answer"]
    assert len(found.attached("msg_1")) == 12


async def test_an_empty_day_is_said(parts: BriefingHarness) -> None:
    """Nothing is not the same as not seen."""
    parts.outside.meetings = parts.outside.mails = ()
    assert (await parts.briefings.sources.briefing(WHO)).counts() == [
        "no meetings today",
        "no mails wait for an answer",
    ]


@pytest.mark.parametrize(
    ("meetings", "mails", "told"),
    [
        (NO_ACCOUNT, NO_ACCOUNT, ["I could not look at your calendar, nor at your mail: it is not connected."]),
        (NO_ACCOUNT, [mail(1)], ["1 mail waits", "I could not look at your calendar: it is not connected."]),
        ([meeting(1)], ToolFailed("quota", "Google says: too many."), ["1 meeting", "at your mail: Google says"]),
    ],
)
async def test_what_cannot_be_seen_is_said(parts: BriefingHarness, meetings: Any, mails: Any, told: list[str]) -> None:
    """And the other half is shown."""
    parts.outside.meetings, parts.outside.mails = meetings, mails
    counts = (await parts.briefings.sources.briefing(WHO)).counts()
    assert len(counts) == len(told)
    assert all(words in said for words, said in zip(told, counts, strict=True))


async def test_what_was_seen_in_part_is_said(parts: BriefingHarness) -> None:
    """What was found is shown, and that there is more."""
    parts.outside.unseen = "3 threads could not be read: Google is busy."
    parts.outside.day_unseen = "Deliveries"
    found = await parts.briefings.sources.briefing(WHO)
    assert found.mails
    assert found.meetings
    assert found.remarks == [
        "I could not look at all of your calendar: Deliveries",
        "I could not look at all of your mail: 3 threads could not be read: Google is busy.",
    ]


async def test_a_look_that_takes_too_long_is_given_up(parts: BriefingHarness) -> None:
    """Everything else is told all the same."""
    parts.outside.delay = 5.0
    found = await parts.briefings.sources.briefing(WHO)
    assert found.meetings is None
    assert "took too long" in found.remarks[0]
    assert found.mails


def test_a_briefing_is_kept_as_it_is() -> None:
    """From the stored form it comes back the same; other messages hold none."""
    found = Briefing(day="Monday", meetings=None, mails=[], more_mails=2, remarks=["x"])
    assert briefing_in(found.as_elements()) == replace(found, remarks=["x"])
    assert briefing_in([]) is None
    assert briefing_in([{"type": "rich_text_section"}]) is None


# Sending ----------------------------------------------------------------------------------------------------------


async def test_the_same_call_sends_one(parts: BriefingHarness) -> None:
    """A second attempt finds it; the log names what it held, by ids."""
    held = await parts.briefings.send(WHO, key="k")
    await parts.briefings.send(WHO, key="k")
    assert held == ["2 meetings today", "1 mail waits for an answer"]
    assert len(parts.deliveries()) == 1
    assert parts.here.codes() == ["briefing.made"]
    view = await parts.here.schedule_views.briefing(parts.deliveries()[0])
    assert view is not None
    assert (view.user, [item.id for item in view.briefing.items]) == (DANA, ["e1", "e2", "t1"])
    assert await parts.here.schedule_views.briefing("msg_gone") is None


async def test_with_nothing_connected_a_request_for_one_fails(parts: BriefingHarness) -> None:
    """So that connecting is offered; nothing is sent."""
    parts.outside.meetings = parts.outside.mails = NO_ACCOUNT
    with pytest.raises(NotConnected):
        await parts.briefings.send(WHO, key="k")
    assert parts.deliveries() == []


async def test_a_scheduled_one_is_made_once_by_many_replicas(parts: BriefingHarness) -> None:
    """All look, one writes; the next is tomorrow."""
    kept = await parts.schedules.add(wanted(ScheduleKind.BRIEFING))
    parts.here.base.clock.at = MONDAY
    await asyncio.gather(*(parts.tick() for _ in range(3)))
    assert len(parts.deliveries()) == 1
    assert parts.here.codes().count("schedule.fired") == 1
    [again] = await parts.schedules.of(TEAM, DANA)
    assert (again.id, again.next_fire) == (kept.id, MONDAY + timedelta(days=1))


async def test_who_left_gets_no_briefing(parts: BriefingHarness) -> None:
    """Nothing of theirs is looked at any more."""
    await parts.schedules.add(wanted(ScheduleKind.BRIEFING))
    await parts.here.seen(make.person(is_deleted=True))
    parts.here.base.clock.at = MONDAY
    await parts.tick()
    assert parts.deliveries() == []
    assert parts.here.codes()[-1] == "schedule.owner_gone"


async def test_one_that_cannot_be_posted_is_told_to_its_owner(parts: BriefingHarness) -> None:
    """It belongs to no run; its message says whose it is."""
    await parts.briefings.send(WHO, key="k")
    view = await parts.here.queries.loss(f"briefing:{parts.deliveries()[0]}")
    assert (view.user, view.kind.value) == (DANA, "briefing")


# Unless somebody answers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrote", "subjects", "code"),
    [
        (False, ["2026-11-23T08:00:00+00:00"], "schedule.fired"),
        (True, [], "schedule.answered"),
        (NO_ACCOUNT, ["2026-11-23T08:00:00+00:00@blind"], "schedule.fired"),
    ],
    ids=["nobody answered", "somebody answered", "cannot look"],
)
async def test_a_reminder_unless_answered(
    parts: BriefingHarness, wrote: bool | Exception, subjects: list[str], code: str
) -> None:
    """Said when nobody wrote since it was set, or nobody can tell; else it ends with an entry in the log."""
    spec = {"at": "2026-11-23T08:00"}
    kept = await parts.schedules.add(wanted(ScheduleKind.REMINDER, spec=spec, unless_answered="t9"))
    parts.outside.wrote = wrote
    parts.here.base.clock.at = MONDAY
    await asyncio.gather(*(parts.tick() for _ in range(2)))
    await parts.tick()
    assert parts.deliveries("alarm") == [f"{kept.id}@{subject}" for subject in subjects]
    assert set(parts.outside.asked) == {("t9", kept.created_at)}
    assert parts.here.codes()[-1] == code
    async with parts.here.base.store.read() as work:
        ended = await work.schedules.find(kept.id)
    assert ended is not None
    assert ended.state is ScheduleState.ENDED
    if subjects:
        view = await parts.here.schedule_views.alarm(f"{kept.id}@{subjects[0]}")
        assert view is not None
        assert view.blind is isinstance(wrote, Exception)


async def test_a_look_that_breaks_keeps_nobody_from_being_told(parts: BriefingHarness) -> None:
    """A defect of ours is logged; the reminder is said, blind, and the briefing says that something went wrong."""
    parts.outside.wrote = parts.outside.mails = RuntimeError("defect")
    spec = {"at": "2026-11-23T08:00"}
    kept = await parts.schedules.add(wanted(ScheduleKind.REMINDER, spec=spec, unless_answered="t9"))
    await parts.schedules.add(wanted(ScheduleKind.BRIEFING))
    parts.here.base.clock.at = MONDAY
    await parts.tick()
    assert parts.deliveries("alarm") == [f"{kept.id}@2026-11-23T08:00:00+00:00@blind"]
    view = await parts.here.schedule_views.briefing(parts.deliveries()[0])
    assert view is not None
    assert "Something went wrong on my side" in view.briefing.remarks[0]


@dataclass(slots=True)
class Failing:
    """A store that can be read so many times, and then no more."""

    real: Any
    left: int

    def read(self, *, patience: float | None = None) -> Any:
        self.left -= 1
        if self.left < 0:
            raise NotRead
        return self.real.read(patience=patience)


async def test_what_cannot_be_read_now_is_looked_at_by_the_next_round(parts: BriefingHarness) -> None:
    """Nothing fires, nothing is lost, and the round goes on."""
    await parts.schedules.add(wanted(ScheduleKind.BRIEFING))
    parts.here.base.clock.at = MONDAY
    broken: Any = Failing(real=parts.here.base.store, left=1)
    await replace(parts.schedules, transactions=replace(parts.here.transactions, store=broken)).look_at_days()
    assert parts.deliveries() == []
    await parts.tick()
    assert len(parts.deliveries()) == 1


async def test_without_anybody_who_looks_nothing_is_claimed(parts: BriefingHarness) -> None:
    """No briefing is made of nothing; what depends on an answer is said, blind."""
    spec = {"at": "2026-11-23T08:00"}
    await parts.schedules.add(wanted(ScheduleKind.REMINDER, spec=spec, unless_answered="t9"))
    await parts.schedules.add(wanted(ScheduleKind.BRIEFING))
    parts.here.base.clock.at = MONDAY
    await look(replace(parts.schedules, sources=None))
    assert parts.deliveries() == []
    assert parts.deliveries("alarm")[0].endswith("@blind")


async def _many_briefings(parts: BriefingHarness, count: int) -> None:
    """So many of as many people, due now; looking takes longer than anybody waits."""
    for n in range(count):
        await parts.schedules.add(replace(wanted(ScheduleKind.BRIEFING), user=f"U{n}"))
    parts.outside.delay = 60.0


async def test_a_reminder_does_not_wait_for_briefings(parts: BriefingHarness) -> None:
    """However many briefings are due and however long their looks take, a reminder fires within its own tick."""
    await _many_briefings(parts, BATCH + 1)
    spec = {"at": "2026-11-23T08:00:01"}
    await parts.schedules.add(wanted(ScheduleKind.REMINDER, spec=spec))
    await parts.schedules.add(wanted(ScheduleKind.REMINDER, spec=spec, unless_answered="t9"))
    parts.here.base.clock.at = MONDAY + timedelta(seconds=2)
    briefing = asyncio.create_task(parts.schedules.look_at_days())
    await asyncio.sleep(0)
    await parts.schedules.tick()
    await parts.schedules.look_at_mail()
    assert len(parts.deliveries("alarm")) == 2
    briefing.cancel()
    await asyncio.gather(briefing, return_exceptions=True)


async def test_many_slow_looks_at_mail(parts: BriefingHarness) -> None:
    """A reminder waits for its turn and its look together as long as one look may take; then it fires, blind."""
    parts.outside.mail_delay = 3_600.0
    spec = {"at": "2026-11-23T08:00"}
    for n in range(3 * AT_ONCE):
        await parts.schedules.add(wanted(ScheduleKind.REMINDER, spec=spec, unless_answered=f"t{n}"))
    parts.here.base.clock.at = MONDAY
    await parts.schedules.look_at_mail()
    assert all(alarm.endswith("@blind") for alarm in parts.deliveries("alarm"))
    assert len(parts.deliveries("alarm")) == 3 * AT_ONCE


async def test_another_message_is_no_briefing(parts: BriefingHarness) -> None:
    """Nothing is posted for it."""
    async with parts.here.base.store.write() as work:
        await work.messages.add(make.message("hello", id="msg_plain"))
    assert await parts.here.schedule_views.briefing("msg_plain") is None


# Going on ---------------------------------------------------------------------------------------------------------


async def test_a_press_begins_a_run_below_the_briefing(parts: BriefingHarness) -> None:
    """Its owner's request in our words, none of them typed by them, with the item before it; once for each item."""
    await parts.briefings.send(WHO, key="k")
    await parts.posted()
    assert (await parts.press(ItemVerb.ANSWER, "2")).accepted
    again = await parts.press(ItemVerb.ANSWER, "2")
    assert (again.accepted, again.text) == (False, PRESSED_BEFORE)
    assert parts.here.codes()[-1] == "click.late"
    assert (await parts.press(ItemVerb.PREPARE, "0")).accepted
    async with parts.here.base.store.read() as work:
        runs = await work.runs.recent_of(TEAM, DANA, limit=9)
        request = await work.messages.find(runs[-1].message_id)
        thread = await work.threads.find(runs[-1].thread_id)
    assert len(runs) == 2
    assert (request.text, request.typed, request.root_ts) == (ASKED[ItemVerb.ANSWER], "", "1795.5")
    assert (thread.channel, thread.root_ts, thread.label) == ("D1", "1795.5", Label.EXTERNAL)
    [item] = runs[-1].attached
    assert (item.type, item.id) == (ItemKind.MAIL.value, "t1")


@pytest.mark.parametrize(
    ("more", "told", "code"),
    [
        ({"value": "2", "user": MARA}, NOT_YOURS, "click.wrong_person"),
        ({"value": "9"}, NOT_KNOWN, "click.unknown"),
        ({"value": "x"}, NOT_KNOWN, "click.unknown"),
        ({"value": "-1"}, NOT_KNOWN, "click.unknown"),
        ({"value": "0", "ts": "1.0"}, NOT_KNOWN, "click.unknown"),
    ],
    ids=["somebody else", "no such item", "no number", "below the first", "a copy elsewhere"],
)
async def test_a_press_that_does_not_count(parts: BriefingHarness, more: dict[str, Any], told: str, code: str) -> None:
    """Somebody else's, one on an item that it has not, and one on a copy begin nothing and are in the log."""
    await parts.briefings.send(WHO, key="k")
    await parts.posted()
    outcome = await parts.press(ItemVerb.OPEN, **more)
    assert (outcome.accepted, outcome.text) == (False, told)
    assert parts.here.codes()[-1] == code
    assert parts.here.base.rows("SELECT id FROM runs") == []


async def test_a_guest_cannot_press(parts: BriefingHarness) -> None:
    """Who became one keeps the message, and no more."""
    await parts.briefings.send(WHO, key="k")
    await parts.posted()
    await parts.here.seen(make.person(is_guest=True))
    assert not (await parts.press(ItemVerb.OPEN, "2")).accepted


async def test_presses_count_as_requests(parts: BriefingHarness) -> None:
    """One more than the rate allows is told when the next is in time, and is in the log."""
    parts.briefings = replace(parts.briefings, rate=Rate(per_minute=1, burst=1))
    await parts.briefings.send(WHO, key="k")
    await parts.posted()
    assert (await parts.press(ItemVerb.OPEN, "2")).accepted
    outcome = await parts.press(ItemVerb.ANSWER, "2")
    assert not outcome.accepted
    assert "again after 07:01:01 (Europe/London)" in outcome.text
    assert parts.here.codes()[-1] == "click.too_fast"


async def test_what_hangs_from_a_briefing_begins_with_it(parts: BriefingHarness) -> None:
    """For its owner; for somebody else, and in other threads, with nothing."""
    await parts.briefings.send(WHO, key="k")
    message_id = await parts.posted()
    async with parts.here.base.store.read() as work:
        thread_id = (await work.messages.find(message_id)).thread_id
        mine = await briefings.attached(work, thread_id, DANA)
        assert [item.type for item in mine] == ["briefing", "calendar_event", "calendar_event", "email"]
        assert await briefings.attached(work, thread_id, MARA) == ()
        assert await briefings.attached(work, "thr_1", DANA) == ()
