"""A rule about who has to agree, as an administrator fills it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone, tzinfo

from policies.deciders import TURN_MINUTES, Approver, Deciders

MOST_APPROVERS = 10
LONGEST_TURN_MINUTES = 1_440
"""A card waits for a day."""

MOST_DAYS = 90
"""That somebody stands in for somebody else: then it is chosen again."""

USUAL_DAYS = 14
"""How long somebody stands in, unless an administrator chooses another day."""

TOOL, RECIPIENT, APPROVERS, NEEDED, TURN = "tool", "recipient", "approvers", "needed", "turn_minutes"
"""The fields of a new rule, as its faults name them; each approver's stand-in has two of its own."""


def stand_in_field(approver: str) -> str:
    """The field of the person who stands in for this approver."""
    return f"stand_in_{approver}"


def last_day_field(approver: str) -> str:
    """The field of the last day on which they stand in for this approver."""
    return f"last_day_{approver}"


def end_of(day: date, zone: tzinfo) -> datetime:
    """The first moment after this day in this zone, with the zone's distance from UTC on that day."""
    after = datetime.combine(day + timedelta(days=1), time(), zone)
    return after.replace(tzinfo=timezone(after.utcoffset() or timedelta()))


def last_day(until: datetime) -> date:
    """The day that ends at this moment, where it was chosen."""
    return (until - timedelta(microseconds=1)).date()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRule:
    """What an administrator filled in. `tool` may be `*`, which is everything that goes to somebody; `recipient` is an
    address, `@domain`, or empty for anybody. `stand_ins` are by approver, and so are the `last_days` on which they do.
    People are ids of Slack's.
    """

    tool: str
    recipient: str = ""
    approvers: Sequence[str] = ()
    needed: int = 1
    turn_minutes: int = TURN_MINUTES
    stand_ins: Mapping[str, str] = field(default_factory=dict[str, str])
    last_days: Mapping[str, date] = field(default_factory=dict[str, date])

    def deciders(self, zone: tzinfo) -> Deciders:
        """Who has to agree. A day ends where the administrator is who chose it: they alone see the window's days as
        their own, and the people it names can be anywhere.
        """
        seats = [self._seat(user, zone) for user in self.approvers]
        return Deciders(approvers=tuple(seats), needed=self.needed, turn_minutes=self.turn_minutes)

    def _seat(self, user: str, zone: tzinfo) -> Approver:
        stand_in, day = self.stand_ins.get(user, ""), self.last_days.get(user)
        return Approver(user=user, stand_in=stand_in, until=end_of(day, zone) if stand_in and day else None)
