"""What its owner says to a reminder: done, or again later. One click counts; the others are told.

A click is remembered where Slack's events are, for as long as they are: so older reminders take none.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.domain import ids
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.schedules import BadSchedule, ReminderChoice, ReminderFiring, Schedule, ScheduleKind
from bot.runtime.core.clicks import ButtonClick, ClickRejected
from bot.runtime.core.ports import Timetable
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.schedules.service import NewSchedule, keep

HOUR = timedelta(hours=1)
MORNING = time(9)
MOST_DAYS = 6
"""Events are remembered for seven days (docs/time.md, "Retention")."""

UNKNOWN = "This reminder is not known here any more, so nothing was done."
NOT_YOURS = "Only <@{owner}> can do this."
TOO_OLD = "This reminder is too old for its buttons. Tell me when to remind you again."
PRESSED_BEFORE = "You answered this reminder before; this press changed nothing."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderClick:
    """Whether the click counted; `told` is for the clicker, `text` the reminder, `until` when it returns."""

    accepted: bool
    told: str = ""
    text: str = ""
    until: datetime | None = None
    zone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderClicks:
    """Takes the clicks on reminders."""

    transactions: TransactionFactory
    timetable: Timetable

    async def click(self, click: ButtonClick, choice: ReminderChoice) -> ReminderClick:
        """The value names the firing. Raises `NotSaved`."""
        try:
            async with self.transactions.write_promptly() as tx:
                try:
                    return await self._answer(tx, click, choice)
                except ClickRejected as rejected:  # raised before anything is written
                    return ReminderClick(accepted=False, told=rejected.record(tx, click).text)
        except BadSchedule as error:  # nothing of it was kept
            async with self.transactions.write_promptly() as tx:
                rejected = ClickRejected(AuditCode.ALARM_NOT_PUT_OFF, str(error))
                return ReminderClick(accepted=False, told=rejected.record(tx, click).text)

    async def _answer(self, tx: Transaction, click: ButtonClick, choice: ReminderChoice) -> ReminderClick:
        schedule, subject = await _pressed(tx, click)
        place = {"team": click.team, "channel": click.channel, "ts": ""}
        if not await tx.work.inbox.admit(f"alarm:{subject}", at=tx.now, **place):
            raise ClickRejected(AuditCode.CLICK_LATE, PRESSED_BEFORE)
        until = self._until(choice, schedule, tx.now)
        again = await keep(tx, _again(schedule, until), until) if until else None
        about = {"schedule": schedule.id, "alarm": subject, "choice": choice.value}
        details = about | ({"again": again.id} if again else {})
        tx.record(AuditEvent(team=click.team, code=AuditCode.ALARM_ANSWERED, actor=click.user, details=details))
        return ReminderClick(accepted=True, text=schedule.text, until=until, zone=schedule.zone)

    def _until(self, choice: ReminderChoice, schedule: Schedule, now: datetime) -> datetime | None:
        match choice:
            case ReminderChoice.DONE:
                return None
            case ReminderChoice.HOUR:
                return now + HOUR
            case _:  # tomorrow morning
                tomorrow = now.astimezone(ZoneInfo(schedule.zone)).date() + timedelta(days=1)
                spec = {"at": datetime.combine(tomorrow, MORNING).isoformat(timespec="minutes")}
                return self.timetable.next(spec, schedule.zone, after=now)


async def _pressed(tx: Transaction, click: ButtonClick) -> tuple[Schedule, str]:
    """The schedule and its firing; raises `ClickRejected` unless its owner clicked on one that happened."""
    alarm = ReminderFiring.of(click.value)
    schedule = await tx.work.schedules.find(alarm.schedule_id) if alarm else None
    if alarm is None or schedule is None or schedule.last_fired is None or alarm.due > schedule.last_fired:
        raise ClickRejected(AuditCode.CLICK_UNKNOWN, UNKNOWN)
    if (click.team, click.user) != (schedule.team, schedule.user):
        raise ClickRejected(AuditCode.CLICK_WRONG_PERSON, NOT_YOURS.format(owner=schedule.user))
    person = await tx.work.users.find(click.team, click.user)
    if person is not None and not person.is_member:
        raise ClickRejected(AuditCode.CLICK_NOT_A_MEMBER, "Only full members of this workspace can use me.")
    if tx.now - alarm.due > timedelta(days=MOST_DAYS):
        raise ClickRejected(AuditCode.CLICK_TOO_OLD, TOO_OLD)
    return schedule, f"{alarm.schedule_id}@{alarm.due.isoformat()}"


def _again(schedule: Schedule, until: datetime) -> NewSchedule:
    """The same words, once more; what came only because nobody answered comes again on the same condition."""
    local = until.astimezone(ZoneInfo(schedule.zone)).replace(tzinfo=None)
    return NewSchedule(
        team=schedule.team,
        user=schedule.user,
        channel=schedule.channel,
        is_dm=schedule.is_dm,
        kind=ScheduleKind.REMINDER,
        title=schedule.title,
        text=schedule.text,
        typed=schedule.typed,
        spec={"at": local.isoformat(timespec="minutes")},
        zone=schedule.zone,
        id=ids.new_id("sch"),
        unless_answered=schedule.unless_answered,
        label=schedule.label,
    )
