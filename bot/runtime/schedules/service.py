"""Schedules: what is to happen at a time happens once, whichever replica comes first (docs/time.md).

Firing is one transaction: `next_fire` is moved by compare-and-set, and beside it the run is queued or the words are put
into the outbox. After a stop, what came due meanwhile fires once, late, and says so. A look outside is made before the
transaction; a replica that comes second looked in vain.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.domain import ids
from bot.domain.actions import Action, Undo
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.briefings import Briefing
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import HomeChanged
from bot.domain.limits import Limits
from bot.domain.schedules import BadSchedule, LookUp, ReminderFiring, Schedule, ScheduleKind, ScheduleState
from bot.domain.threads import Audience, Message, Speaker
from bot.runtime.core.batch import isolated, shuffled
from bot.runtime.core.clicks import ButtonClick, ClickRejected, handle
from bot.runtime.core.ports import Timetable
from bot.runtime.core.transaction import AGENT, Transaction, TransactionFactory
from bot.runtime.lifecycle.actions import take_undo_away, tell_undone
from bot.runtime.lifecycle.opening import open_request
from bot.runtime.people.requesters import requester
from bot.runtime.schedules import briefings
from bot.runtime.schedules.sources import BriefingSources
from bot.runtime.texts import about_times, to_people
from policies.types import Label

log = structlog.get_logger()

BATCH = 100
"""Schedules that one tick fires; the next tick takes the rest."""

LATE = timedelta(minutes=2)
"""What fires so much later than it should says so."""

MOST = 50
"""Schedules of one person."""

AT_ONCE = 8
"""How many look outside at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSchedule:
    """A schedule as a person wants it. `typed` are those words that they typed themselves; see `Schedule`.

    `id` is given where wanting it twice is wanting it once. `unless_answered` is a mail thread; `label` says how far
    the words can be trusted.
    """

    team: str
    user: str
    channel: str
    is_dm: bool
    kind: ScheduleKind
    title: str
    text: str
    typed: str = ""
    spec: Mapping[str, object]
    zone: str
    id: str | None = None
    unless_answered: str | None = None
    label: Label = Label.OWNER


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What was looked at before firing: a day, or whether others wrote meanwhile (None: it cannot be told)."""

    briefing: Briefing | None = None
    others_wrote: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleService:
    """Keeps schedules and fires them. `limits` is what a scheduled request may use, `sources` looks outside."""

    transactions: TransactionFactory
    timetable: Timetable
    limits: Limits
    sources: BriefingSources | None = None
    _turns: Mapping[LookUp, asyncio.Semaphore] = field(
        default_factory=lambda: {look: asyncio.Semaphore(AT_ONCE) for look in LookUp}
    )

    # What people do with them ---------------------------------------------------------------------------------

    async def add(self, wanted: NewSchedule) -> Schedule:
        """Keep a new one. Raises `BadSchedule` with words for its owner, or `NotSaved`."""
        now = self.transactions.clock.now()
        async with self.transactions.write() as tx:
            await tx.work.schedules.lock(wanted.team, wanted.user)
            if wanted.id and (known := await tx.work.schedules.find(wanted.id)):
                return known
            first = self.timetable.next(wanted.spec, wanted.zone, after=now)
            if first is None:
                raise BadSchedule("This time is over, or never comes.")
            return await keep(tx, wanted, first)

    async def of(self, team: str, user: str) -> Sequence[Schedule]:
        """The person's schedules that have not ended, oldest first."""
        async with self.transactions.read_promptly() as work:
            return await work.schedules.of(team, user)

    async def pause(self, team: str, user: str, schedule_id: str) -> bool:
        """Keep it, and do not fire it; False when the person has no such one that is active."""
        return await self._move(team, user, schedule_id, {ScheduleState.ACTIVE}, ScheduleState.PAUSED)

    async def resume(self, team: str, user: str, schedule_id: str) -> bool:
        """Fire it again from now on; what came due meanwhile does not. False when nothing of it is to come."""
        return await self._move(team, user, schedule_id, {ScheduleState.PAUSED}, ScheduleState.ACTIVE)

    async def remove(self, team: str, user: str, schedule_id: str) -> bool:
        """End it; False when the person has no such one."""
        living = {ScheduleState.ACTIVE, ScheduleState.PAUSED}
        return await self._move(team, user, schedule_id, living, ScheduleState.ENDED)

    async def _move(self, team: str, user: str, schedule_id: str, from_: Set[ScheduleState], to: ScheduleState) -> bool:
        """What cannot be is refused, and that is logged."""
        click = ButtonClick(team=team, user=user, value=schedule_id)
        action = partial(self._moved, from_=from_, to=to)
        return (await handle(self.transactions, click, action, choice=to.value)).accepted

    async def _moved(
        self, tx: Transaction, click: ButtonClick, *, from_: Set[ScheduleState], to: ScheduleState
    ) -> None:
        ends = to is ScheduleState.ENDED
        line = await _line_of(tx, click.team, click.user, click.value) if ends else None
        known = await tx.work.schedules.find(click.value)
        if known is None or (known.team, known.user) != (click.team, click.user):
            raise ClickRejected(AuditCode.CLICK_WRONG_PERSON if known else AuditCode.CLICK_UNKNOWN, "")
        upcoming = self._next(known, tx.now) if to is ScheduleState.ACTIVE else None
        if known.state not in from_ or (to is ScheduleState.ACTIVE and upcoming is None):
            raise ClickRejected(AuditCode.CLICK_LATE, "")
        await tx.work.schedules.move(known, to, next_fire=upcoming)
        if line is not None:
            await tell_undone(tx, line, f"{line.caption}: {to_people.SCHEDULE_REMOVED}")
        _note(tx, known, AuditCode.of("schedule", to), click.user)
        tx.publish(HomeChanged(click.team, click.user))

    # Time -----------------------------------------------------------------------------------------------------

    async def tick(self) -> None:
        """Fire what is due and looks at nothing before, and have the threads served whose runs were held back until
        now, or have a deadline that is over. Raises `NotRead`.
        """
        now = self.transactions.clock.now()
        async with self.transactions.store.read() as work:
            due = await work.schedules.due(now=now, limit=BATCH)
            held = await work.runs.held_threads(now=now)
            over = await work.runs.timed_threads(now=now)
        for thread_id in (*held, *over):
            self.transactions.dispatcher.wake(thread_id)
        for schedule in shuffled(due):
            async with isolated(self.transactions, "schedules", schedule.id) as tx:
                await self._fire(tx, schedule, Seen())

    async def look_at_mail(self) -> None:
        """Fire the reminders that come only where nobody answered; what is not seen in time fires all the same."""
        await self._look(LookUp.MAIL)

    async def look_at_days(self) -> None:
        """Fire the briefings."""
        await self._look(LookUp.DAY)

    async def _look(self, look: LookUp) -> None:
        """Look outside for what is due and needs it, then fire it: apart from the others, which do not wait for it."""
        async with self.transactions.store.read() as work:
            due = await work.schedules.due(now=self.transactions.clock.now(), limit=BATCH, look=look)
        waiting = shuffled(due)
        for schedule, broken in zip(
            waiting, await asyncio.gather(*map(self._look_and_fire, waiting), return_exceptions=True), strict=True
        ):
            if broken is not None:
                log.error("schedule.look_failed", schedule=schedule.id, exc_info=broken)

    async def _look_and_fire(self, schedule: Schedule) -> None:
        seen = await (self._seen_in_time(schedule) if schedule.look is LookUp.MAIL else self._in_turn(schedule))
        async with isolated(self.transactions, "schedules", schedule.id) as tx:
            await self._fire(tx, schedule, seen)

    async def _in_turn(self, schedule: Schedule) -> Seen:
        async with self._turns[schedule.look]:
            return await self._seen(schedule)

    async def _seen_in_time(self, schedule: Schedule) -> Seen:
        """A reminder waits no longer for its turn and its look together than one look may take."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.sources.seconds if self.sources else None):
                return await self._in_turn(schedule)
        return Seen()

    async def _seen(self, schedule: Schedule) -> Seen:
        """With the owner's accounts, and nothing for somebody who is not here any more."""
        async with self.transactions.store.read() as work:
            person = await work.users.find(schedule.team, schedule.user)
        if self.sources is None or person is None or not person.is_member:
            return Seen()
        owner = replace(requester(person), zone=schedule.zone)
        try:
            if schedule.kind is ScheduleKind.BRIEFING:
                return Seen(briefing=await self.sources.briefing(owner))
            thread, since = schedule.unless_answered or "", schedule.created_at
            return Seen(others_wrote=await self.sources.others_wrote(owner, thread, since=since))
        except Exception:  # the outer edge of one look: a defect there must not suppress the message
            log.exception("schedule.look_broke", schedule=schedule.id)
            return Seen(briefing=self.sources.blind(schedule.zone))

    async def _fire(self, tx: Transaction, schedule: Schedule, seen: Seen) -> None:
        due = schedule.next_fire
        assert due is not None, "what is due has a moment"
        upcoming = self._next(schedule, max(due, tx.now))
        line = None if upcoming else await _line_of(tx, schedule.team, schedule.user, schedule.id)
        await tx.work.schedules.fired(schedule, at=tx.now, next_fire=upcoming)
        tx.publish(HomeChanged(schedule.team, schedule.user))
        if line is not None:
            await take_undo_away(tx, line)
        if await self._is_gone(tx, schedule):
            await tx.work.schedules.end(schedule.id)
            _note(tx, schedule, AuditCode.SCHEDULE_OWNER_GONE, AGENT)
            return
        late = tx.now - due > LATE
        if seen.others_wrote:
            _note(tx, schedule, AuditCode.SCHEDULE_ANSWERED, AGENT, due=due.isoformat())
            return
        _note(tx, schedule, AuditCode.SCHEDULE_FIRED, AGENT, due=due.isoformat(), late=late)
        if schedule.kind is ScheduleKind.REMINDER:
            await _alarm(tx, schedule, due, blind=schedule.look is LookUp.MAIL and seen.others_wrote is None)
        elif schedule.kind is ScheduleKind.BRIEFING:
            await _brief(tx, schedule, due, seen)
        else:
            await self._request(tx, schedule, due, late=late)

    def _next(self, schedule: Schedule, after: datetime) -> datetime | None:
        """The next time; none for a zone or a spec that is not understood any more, which must not stop the tick."""
        try:
            return self.timetable.next(schedule.spec, schedule.zone, after=after)
        except BadSchedule as error:
            log.error("schedule.not_understood", schedule=schedule.id, why=str(error))
            return None

    async def _is_gone(self, tx: Transaction, schedule: Schedule) -> bool:
        person = await tx.work.users.find(schedule.team, schedule.user)
        return person is not None and not person.is_member

    async def _request(self, tx: Transaction, schedule: Schedule, due: datetime, *, late: bool) -> None:
        """A thread whose first message is yet to be posted, the request in it, and its run; once for each moment, also
        when somebody resumes the schedule after the clock went back.
        """
        source = schedule.run_source(due)
        if await tx.work.runs.by_source(source) is not None:
            return
        request = _request(schedule, tx.now, f"\n\n{about_times.late(due, schedule.zone)}" if late else "")
        begun_by = {"schedule": schedule.id}
        await open_request(tx, request, source=source, is_dm=schedule.is_dm, limits=self.limits, details=begun_by)


async def _line_of(tx: Transaction, team: str, user: str, schedule_id: str) -> Action | None:
    """The action whose line has an Undo for the schedule; as it stays until the transaction ends."""
    action = await tx.work.actions.that_left(team, user, Undo("schedule", schedule_id))
    if action is not None:
        await tx.work.threads.lock(action.thread_id)
    return action


async def keep(tx: Transaction, wanted: NewSchedule, first: datetime) -> Schedule:
    """Write a new one down, to fire first then. Raises `BadSchedule` when its owner has too many."""
    await tx.work.schedules.lock(wanted.team, wanted.user)
    mine = await tx.work.schedules.of(wanted.team, wanted.user)
    if len(mine) >= MOST:
        raise BadSchedule(f"You have {MOST} schedules already; remove one first.")
    number = max((schedule.number for schedule in mine), default=0) + 1
    new = _schedule(wanted, first, tx.now, number)
    await tx.work.schedules.add(new)
    _note(tx, new, AuditCode.SCHEDULE_ADDED, new.user, first=first.isoformat())
    tx.publish(HomeChanged(new.team, new.user))
    return new


async def _alarm(tx: Transaction, schedule: Schedule, due: datetime, *, blind: bool) -> None:
    """The words, into the outbox; `blind` when it could not be looked up whether they are still needed."""
    subject = ReminderFiring(schedule_id=schedule.id, due=due, blind=blind).subject
    await tx.deliver(subject, DeliveryKind.ALARM, subject, team=schedule.team)


async def _brief(tx: Transaction, schedule: Schedule, due: datetime, seen: Seen) -> None:
    """Written down with what it found; the same firing never makes two."""
    if seen.briefing is not None:
        message_id = ids.named("msg", schedule.run_source(due))
        await briefings.add(tx, message_id, schedule.team, schedule.user, seen.briefing)


def _request(schedule: Schedule, now: datetime, remark: str) -> Message:
    thread_id = ids.new_id("thr")
    return Message(
        id=ids.new_id("msg"),
        thread_id=thread_id,
        team=schedule.team,
        speaker=Speaker.PERSON,
        author=schedule.user,
        text=f"{schedule.text}{remark}",
        typed=schedule.typed,
        channel=schedule.channel,
        root_ts=thread_id,
        audience=Audience.OWNER if schedule.is_dm else Audience.CHANNEL,
        owner=schedule.user if schedule.is_dm else None,
        label=Label.MEMBER,
        created_at=now,
    )


def _schedule(wanted: NewSchedule, first: datetime, now: datetime, number: int) -> Schedule:
    if not wanted.text.strip():
        raise BadSchedule("There is nothing to say or to do at that time.")
    look = LookUp.MAIL if wanted.unless_answered else LookUp.NOTHING
    if wanted.kind is ScheduleKind.BRIEFING:
        look = LookUp.DAY
    return Schedule(
        id=wanted.id or ids.new_id("sch"),
        team=wanted.team,
        user=wanted.user,
        channel=wanted.channel,
        kind=wanted.kind,
        title=wanted.title.strip(),
        spec=dict(wanted.spec),
        zone=wanted.zone,
        payload={
            "text": wanted.text.strip(),
            "typed": wanted.typed,
            "is_dm": wanted.is_dm,
            "number": number,
            "label": wanted.label.value,
            **({"unless_answered": wanted.unless_answered} if wanted.unless_answered else {}),
        },
        look=look,
        next_fire=first,
        created_at=now,
    )


def _note(tx: Transaction, schedule: Schedule, code: AuditCode, actor: str, **details: object) -> None:
    about = {"schedule": schedule.id, "kind": schedule.kind.value, **details}
    tx.record(AuditEvent(team=schedule.team, code=code, actor=actor, details=about))
