"""Reminders that were said: their owner answers once, and what they put off comes again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.schedules import ReminderChoice, ReminderFiring, Schedule, ScheduleKind
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.schedules.reminders import PRESSED_BEFORE, TOO_OLD, UNKNOWN, ReminderClick, ReminderClicks
from bot.runtime.schedules.service import MOST, NewSchedule, ScheduleService
from bot.scheduler import CronTimetable
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

AT = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


@dataclass(slots=True, kw_only=True)
class Said:
    """A reminder that was said at eight, London time."""

    here: Harness
    schedules: ScheduleService
    reminders: ReminderClicks
    schedule: Schedule

    @property
    def value(self) -> str:
        return ReminderFiring(schedule_id=self.schedule.id, due=AT).subject

    async def press(self, choice: ReminderChoice, *, user: str = DANA, value: str | None = None) -> ReminderClick:
        return await self.reminders.click(
            ButtonClick(team=TEAM, user=user, value=value or self.value, channel="D1"), choice
        )

    async def planned(self) -> list[datetime | None]:
        return [schedule.next_fire for schedule in await self.schedules.of(TEAM, DANA)]


def wanted(**values: Any) -> NewSchedule:
    given: dict[str, Any] = {
        "team": TEAM,
        "user": DANA,
        "channel": "",
        "is_dm": True,
        "kind": ScheduleKind.REMINDER,
        "title": "call Helen",
        "text": "call Helen",
        "spec": {"at": "2026-11-23T08:00"},
        "zone": "Europe/London",
    }
    return NewSchedule(**given | values)


@pytest.fixture
async def said(here: Harness) -> Said:
    schedules = ScheduleService(transactions=here.transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS)
    reminders = ReminderClicks(transactions=here.transactions, timetable=CronTimetable())
    here.base.clock.at = AT - timedelta(hours=1)
    kept = await schedules.add(wanted())
    here.base.clock.at = AT
    await schedules.tick()
    return Said(here=here, schedules=schedules, reminders=reminders, schedule=kept)


async def test_done_is_done(said: Said) -> None:
    """Nothing comes again."""
    answer = await said.press(ReminderChoice.DONE)
    assert (answer.accepted, answer.text, answer.until) == (True, "call Helen", None)
    assert await said.planned() == []


@pytest.mark.parametrize("pressed", [AT + timedelta(minutes=20), datetime(2026, 10, 25, 0, 30, tzinfo=UTC)])
async def test_an_hour_later(said: Said, pressed: datetime) -> None:
    """Counted from the press, also in the first of two equal hours: then it comes in the second, and not never."""
    said.here.base.clock.at = pressed
    answer = await said.press(ReminderChoice.HOUR)
    assert answer.until == pressed + timedelta(hours=1)
    assert await said.planned() == [pressed + timedelta(hours=1)]


async def test_tomorrow_morning_is_nine_in_his_own_zone(said: Said) -> None:
    """Also over a change of the clock: nine is nine."""
    said.here.base.clock.at = datetime(2026, 10, 24, 22, 30, tzinfo=UTC)  # London is an hour ahead until the night
    await said.here.base.tamper("UPDATE schedules SET last_fired = '2026-11-23 08:00:00.000000'")
    answer = await said.press(ReminderChoice.MORNING)
    assert answer.until == datetime(2026, 10, 25, 9, 0, tzinfo=UTC)


async def test_what_waits_for_an_answer_goes_on_waiting(said: Said) -> None:
    """“If nobody has answered”, put off: it comes again only if nobody has answered by then."""
    said.here.base.clock.at = AT - timedelta(minutes=5)
    waiting = await said.schedules.add(wanted(unless_answered="t-helen"))
    said.here.base.clock.at = AT
    await said.schedules.look_at_mail()
    await said.press(ReminderChoice.HOUR, value=ReminderFiring(schedule_id=waiting.id, due=AT).subject)
    [again] = await said.schedules.of(TEAM, DANA)
    assert (again.unless_answered, again.next_fire) == ("t-helen", AT + timedelta(hours=1))


async def test_of_presses_at_once_one_counts(said: Said) -> None:
    """Whatever they say; the others are told, and are in the log."""
    answers = await asyncio.gather(*(said.press(choice) for choice in (*ReminderChoice, ReminderChoice.HOUR)))
    assert [answer.accepted for answer in answers].count(True) == 1
    assert {answer.told for answer in answers} == {"", PRESSED_BEFORE}
    assert len(await said.planned()) <= 1
    assert [said.here.codes().count(code) for code in ("alarm.answered", "click.late")] == [1, len(answers) - 1]


async def test_somebody_elses_press_is_refused(said: Said) -> None:
    """And in the log; the owner's counts afterwards."""
    answer = await said.press(ReminderChoice.HOUR, user=MARA)
    assert (answer.accepted, answer.told) == (False, f"Only <@{DANA}> can do this.")
    assert said.here.codes()[-1] == "click.wrong_person"
    assert (await said.press(ReminderChoice.HOUR)).accepted


async def test_who_is_no_member_any_more_is_refused(said: Said) -> None:
    """A guest has no reminders."""
    await said.here.seen(make.person(is_guest=True))
    assert not (await said.press(ReminderChoice.HOUR)).accepted


@pytest.mark.parametrize(
    "value", ["", "sch_nobody@2026-11-23T08:00:00+00:00", "x@y", "@", "{id}@2027-01-01T00:00:00+00:00"]
)
async def test_what_was_never_said_has_no_buttons(said: Said, value: str) -> None:
    """A value that we never made, or of a moment to come."""
    answer = await said.press(ReminderChoice.HOUR, value=value.format(id=said.schedule.id) or "?")
    assert (answer.accepted, answer.told) == (False, UNKNOWN)


async def test_an_old_reminder_takes_no_press(said: Said) -> None:
    """Presses are remembered for a week only."""
    said.here.base.clock.at = AT + timedelta(days=6, seconds=1)
    assert (await said.press(ReminderChoice.HOUR)).told == TOO_OLD


async def test_one_that_could_not_look_is_the_same_reminder(said: Said) -> None:
    """Its buttons count once together with those of the other form."""
    blind = ReminderFiring(schedule_id=said.schedule.id, due=AT, blind=True).subject
    assert (await said.press(ReminderChoice.DONE, value=blind)).accepted
    assert not (await said.press(ReminderChoice.DONE)).accepted


async def test_too_many_schedules_leave_the_press_open(said: Said) -> None:
    """They are told, nothing is kept, and the press counts once there is room."""
    for _ in range(MOST):
        await said.schedules.add(wanted(spec={"at": "2026-12-01T08:00"}))
    answer = await said.press(ReminderChoice.HOUR)
    assert not answer.accepted
    assert "remove one first" in answer.told
    assert said.here.codes()[-1] == "alarm.not_put_off"
    await said.schedules.remove(TEAM, DANA, (await said.schedules.of(TEAM, DANA))[0].id)
    assert (await said.press(ReminderChoice.HOUR)).accepted
