"""Times that suit several people, computed from what is known of each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from integrations.calendar.time_range import Interval, overlap

STEP = timedelta(minutes=30)
FINE_STEP = timedelta(minutes=15)
A_DAY = 2  # proposals of one day before other days have theirs
SATURDAY = 5


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
    """A time, and who is free, busy, out of hours (`away`) or unknown."""

    start: datetime
    end: datetime
    free: Sequence[str]
    busy: Sequence[str]
    away: Sequence[str]
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
    """The best times, in order of their start: as few people busy as possible, then as few out of their hours.

    `own_hours` says whether the owner's own working hours bind. A time at which the owner is busy is proposed only
    where there is no other.
    """
    slots = [_slot(me, others, at, at + length) for at in _starts(start, end, length, me.hours.zone)]
    within = [slot for slot in slots if not own_hours or me.hours.hold(slot.start, slot.end)]
    if not within:
        return []
    fewest = min(_busy_key(slot, me) for slot in within)
    best = [slot for slot in within if _busy_key(slot, me) == fewest]
    best.sort(key=lambda slot: (len(slot.away), slot.start))
    return sorted(_spread(best, most, me.hours.zone), key=lambda slot: slot.start)


def _busy_key(slot: Slot, me: Availability) -> tuple[bool, int]:
    return me.email in slot.busy, len(slot.busy)


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
        away=[diary.email for diary in others if not diary.hours.hold(start, end)],
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
