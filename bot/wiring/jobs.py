"""Wires the scheduled work: schedules, the lookups before they fire, and the clicks on them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from bot.domain.limits import Limits, Rate
from bot.runtime.audit.pruner import Pruner
from bot.runtime.core.batch import due
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.operations.retention import Keep, RetentionService
from bot.runtime.questions import expiry
from bot.runtime.schedules.briefings import BriefingService
from bot.runtime.schedules.reminders import ReminderClicks
from bot.runtime.schedules.service import ScheduleService
from bot.runtime.schedules.sources import BriefingSources
from bot.scheduler import OUTSIDE_SECONDS, CronTimetable, Scheduler
from bot.settings import Settings
from bot.store.repositories.due import Due
from bot.wiring.store import Base
from integrations.calendar.agenda import DayAgenda
from integrations.gmail.incoming.waiting_mails import WaitingInbox
from integrations.google.client import GoogleClient

_LOOK_SECONDS = 1.0
_PRUNE_SECONDS = 60.0  # one replica does it, once an hour
_FORGETTING_SECONDS = 3600.0  # all that came together before anything was forgotten


@dataclass(frozen=True, slots=True, kw_only=True)
class Timekeeping:
    """The parts that know the time."""

    schedules: ScheduleService
    reminders: ReminderClicks
    briefings: BriefingService

    def keep(self, scheduler: Scheduler, base: Base) -> None:
        """Let happen what it is time for. Every replica ticks: rows say that a thing happened already."""
        transactions, schedules = self.schedules.transactions, self.schedules
        pruner = Pruner(store=base.store, keyring=base.keyring, clock=base.clock)
        forgetting = RetentionService(transactions=transactions, keep=_kept(base.settings), pruner=pruner)
        scheduler.look_for_work(_LOOK_SECONDS, partial(due, transactions))
        scheduler.when_found(Due.QUESTIONS, partial(expiry.tick, transactions))
        scheduler.when_found(Due.SCHEDULES, schedules.tick)
        scheduler.when_found(Due.REMINDERS, schedules.look_at_mail, within=OUTSIDE_SECONDS)
        scheduler.when_found(Due.BRIEFINGS, schedules.look_at_days, within=OUTSIDE_SECONDS)
        scheduler.every(_PRUNE_SECONDS, "retention", forgetting.tick, within=_FORGETTING_SECONDS)


def timekeeping(
    transactions: TransactionFactory, google: GoogleClient, *, limits: Limits, rate: Rate | None
) -> Timekeeping:
    """`limits` is what a scheduled request may use, `rate` how fast one person may click on a briefing's items."""
    sources = BriefingSources(clock=transactions.clock, agenda=DayAgenda(google), mails=WaitingInbox(google))
    timetable = CronTimetable()
    return Timekeeping(
        schedules=ScheduleService(transactions=transactions, timetable=timetable, limits=limits, sources=sources),
        reminders=ReminderClicks(transactions=transactions, timetable=timetable),
        briefings=BriefingService(transactions=transactions, sources=sources, limits=limits, rate=rate),
    )


def _kept(settings: Settings) -> Keep:
    """For how long what people said and did is kept; no days are for ever."""
    return Keep(
        steps=_days(settings.retention_steps_days),
        messages=_days(settings.retention_messages_days),
        runs=_days(settings.retention_runs_days),
        audit=_days(settings.retention_audit_days),
    )


def _days(count: int) -> timedelta | None:
    return timedelta(days=count) if count else None
