"""What happens because it is time, joined up: schedules, the looks outside before they fire, and what people press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.limits import Limits
from bot.domain.rates import Rate
from bot.runtime.alarms import Alarms
from bot.runtime.briefings import BriefingDesk
from bot.runtime.leases import Journal
from bot.runtime.lookouts import Lookout
from bot.runtime.planning import PlanBook
from bot.runtime.schedules import Schedules
from bot.scheduler import Timetable
from integrations.base import Toolset
from integrations.briefing.toolset import BriefingToolset
from integrations.calendar.today import DayAgenda
from integrations.gmail.waiting import WaitingInbox
from integrations.google.client import GoogleClient
from integrations.schedules.toolset import SchedulesToolset


@dataclass(frozen=True, slots=True, kw_only=True)
class Timekeeping:
    """The parts that know the time."""

    schedules: Schedules
    alarms: Alarms
    desk: BriefingDesk

    def toolsets(self) -> Sequence[Toolset]:
        """What the model may ask of them."""
        plans = PlanBook(schedules=self.schedules)
        clock = self.schedules.journal.clock
        return (SchedulesToolset(plans, clock), BriefingToolset(self.desk))


def timekeeping(journal: Journal, google: GoogleClient, *, limits: Limits, rate: Rate | None) -> Timekeeping:
    """`limits` is what a scheduled request may use, `rate` how fast one person may press on a briefing's items."""
    lookout = Lookout(clock=journal.clock, agenda=DayAgenda(google), mails=WaitingInbox(google))
    timetable = Timetable()
    return Timekeeping(
        schedules=Schedules(journal=journal, timetable=timetable, limits=limits, lookout=lookout),
        alarms=Alarms(journal=journal, timetable=timetable),
        desk=BriefingDesk(journal=journal, lookout=lookout, limits=limits, rate=rate),
    )
