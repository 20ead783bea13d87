"""Times that suit several people, computed from what is known of each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from integrations.calendar.time_range import Interval, overlap

STEP = timedelta(minutes=30)
FINE_STEP = timedelta(minutes=15)
A_DAY = 2  # proposals of one day before other days have theirs
SATURDAY = 5
FAR = timedelta(hours=2)
"""Who would have to come this long before or after their working hours counts as somebody who cannot come."""

_NONE = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingHours:
    """When a person works, by the clock where they are."""

    zone: str
    earliest: time
    latest: time
    weekends: bool = False

    def hold(self, start: datetime, end: datetime) -> bool:
        """Whether all of it lies within one working day."""
        place = ZoneInfo(self.zone)
        begins, ends = start.astimezone(place), end.astimezone(place)
        if begins.date() != ends.date() or (not self.weekends and begins.weekday() >= SATURDAY):
            return False
        return self.earliest <= begins.time() and ends.time() <= self.latest

    def outside(self, start: datetime, end: datetime) -> timedelta:
        """How far it lies before or after the working hours of its day; on a weekend a day more."""
        place = ZoneInfo(self.zone)
        begins, ends = start.astimezone(place).replace(tzinfo=None), end.astimezone(place).replace(tzinfo=None)
        opens, closes = (datetime.combine(begins.date(), at) for at in (self.earliest, self.latest))
        off = timedelta(days=1) if not self.weekends and begins.weekday() >= SATURDAY else timedelta(0)
        return off + max(opens - begins, ends - closes, timedelta(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """What is known of one person; `busy` is None where their calendar cannot be seen."""

    email: str
    hours: WorkingHours
    busy: Sequence[Interval] | None

    def is_busy(self, start: datetime, end: datetime) -> bool:
        """Whether something of theirs overlaps it, as far as it can be seen."""
        return any(overlap(busy, (start, end)) for busy in self.busy or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A time, and who is free, busy, out of hours (`away`, with how far) or unknown."""

    start: datetime
    end: datetime
    free: Sequence[str]
    busy: Sequence[str]
    away: Mapping[str, timedelta]
    unknown: Sequence[str]


def best_slots(
    me: Availability,
    others: Sequence[Availability],
    start: datetime,
    end: datetime,
    *,
    length: timedelta,
    most: int,
    own_hours: bool,
) -> list[Slot]:
    """The best times, in order of their start: as few people busy or far out of their hours as possible; who is both
    counts twice, so that an engagement counts for people whose night it is.

    Of those the ones that are least out of hours for the person who has it worst, then for all together.

    `own_hours` says whether the owner's own working hours bind. A time at which the owner is busy is proposed only
    where there is no other.
    """
    slots = [_slot(me, others, at, at + length) for at in _starts(start, end, length, me.hours.zone)]
    within = [slot for slot in slots if not own_hours or me.hours.hold(slot.start, slot.end)]
    if not within:
        return []
    fewest = min(_missing(slot, me) for slot in within)
    best = [slot for slot in within if _missing(slot, me) == fewest]
    best.sort(key=lambda slot: (max(slot.away.values(), default=_NONE), sum(slot.away.values(), _NONE), slot.start))
    return sorted(_spread(best, most, me.hours.zone), key=lambda slot: slot.start)


def _missing(slot: Slot, me: Availability) -> tuple[bool, int]:
    far = sum(outside > FAR for outside in slot.away.values())
    return me.email in slot.busy, far + len(slot.busy)


def _starts(start: datetime, end: datetime, length: timedelta, zone: str) -> Iterator[datetime]:
    """Every half hour by the clock, or every quarter for short meetings; a named start counts too."""
    step = FINE_STEP if length < STEP else STEP
    local = start.astimezone(ZoneInfo(zone))
    past = timedelta(minutes=local.minute % (step.seconds // 60), seconds=local.second, microseconds=local.microsecond)
    begin, last = (
        start.astimezone(UTC),
        end.astimezone(UTC) - length,
    )  # where clocks change, local hours are skipped or doubled
    at = begin if not past else begin - past + step
    if past and begin <= last and not (local.second or local.microsecond):
        yield begin
    while at <= last:
        yield at
        at += step


def _slot(me: Availability, others: Sequence[Availability], start: datetime, end: datetime) -> Slot:
    seen = [diary for diary in (me, *others) if diary.busy is not None]
    return Slot(
        start=start,
        end=end,
        free=[diary.email for diary in seen if not diary.is_busy(start, end)],
        busy=[diary.email for diary in seen if diary.is_busy(start, end)],
        away={diary.email: diary.hours.outside(start, end) for diary in others if not diary.hours.hold(start, end)},
        unknown=[diary.email for diary in (me, *others) if diary.busy is None],
    )


def _spread(slots: Sequence[Slot], most: int, zone: str) -> list[Slot]:
    """The first ones that do not overlap, over several days where there are several."""
    place = ZoneInfo(zone)
    chosen: list[Slot] = []
    for a_day in (A_DAY, most):
        for slot in slots:
            same_day = [other for other in chosen if _day(other, place) == _day(slot, place)]
            clear = all(other.end <= slot.start or slot.end <= other.start for other in chosen)
            if len(chosen) < most and clear and len(same_day) < a_day:
                chosen.append(slot)
    return chosen


def _day(slot: Slot, place: ZoneInfo) -> object:
    return slot.start.astimezone(place).date()
