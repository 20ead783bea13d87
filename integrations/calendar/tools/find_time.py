"""calendar_find_time: when several people, or one, are free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from integrations.base import Call, ObjectId, Requester, Result, Tool, ToolArgs
from integrations.calendar.calendars import other_calendars
from integrations.calendar.client import CALENDARS_PER_QUERY, CalendarClient
from integrations.calendar.events.details import parse_guests
from integrations.calendar.slots import Availability, Slot, WorkingHours, best_slots
from integrations.calendar.time_range import HINT, Interval, TimedRange, checked_zone, is_zone, parse_time
from integrations.calendar.wire import CalendarEntry, FreeBusy
from integrations.errors import ModelRetry, ToolError
from integrations.google.client import GoogleClient
from integrations.google.scopes import BUSY
from integrations.ports import Zones
from integrations.text import clean, prose
from policies.types import EffectClass, Label, Role

AHEAD = timedelta(days=7)
LONGEST = timedelta(days=62)
SHOWN_OF_EACH = 12
SHOWN_PEOPLE = 5

Clockwise = Annotated[str, Role.NONE, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class FindTimeArgs(ToolArgs):
    """Arguments of `calendar_find_time`."""

    people: Annotated[list[ObjectId], Role.OBJECT, Field(default_factory=list)]
    minutes: Annotated[int, Role.NONE, Field(ge=5, le=600)] = 30
    start: Annotated[str | None, Role.NONE, Field(description="Day or time; else now.")] = None
    end: Annotated[str | None, Role.NONE, Field(description="Day (included) or time; else a week on.")] = None
    zone: Annotated[str | None, Role.NONE] = None
    earliest: Annotated[Clockwise, Field(description="Where each person is.")] = "09:00"
    latest: Clockwise = "17:00"
    weekends: Annotated[bool, Role.NONE] = False
    limit: Annotated[int, Role.NONE, Field(ge=1, le=10)] = 5


class CalendarFindTime(Tool[FindTimeArgs]):
    """One free/busy query. A person whose calendar cannot be seen is unknown, never free."""

    name = "calendar_find_time"
    effect = EffectClass.READ
    provider = "google"
    scopes = frozenset({BUSY})
    args = FindTimeArgs

    def __init__(self, google: GoogleClient, zones: Zones | None = None) -> None:
        self._google = google
        self._zones = zones
        self.description = prose(__name__, "find_time.md")

    def caption(self, args: FindTimeArgs) -> str:
        """Says for how many people it is."""
        count = len(args.people)
        return f"Look for a free time{f' with {count} other' if count else ''}{'s' if count > 1 else ''}"

    async def execute(self, args: FindTimeArgs, call: Call) -> Result:
        """The best times with who is free, busy, out of hours or unknown."""
        earliest, latest = _hours(args)
        emails = _addresses(args)
        client = CalendarClient(await self._google.account(call.requester, self.scopes, approved=call.account))
        zone = checked_zone(args.zone, await client.zone_of(call.requester))
        start, end, own_hours = _window(args, zone, client.clock.now())
        others = [email for email in emails if email.lower() != client.email.lower()]
        shared, unseen = await other_calendars(client, written=True)
        asked, left = _calendars_to_ask(shared, CALENDARS_PER_QUERY - 1 - len(others))
        answer = await client.busy([client.email, *others, *asked], start, end)
        zones = await self._zones_of(call.requester, others)

        def diary(email: str) -> Availability:
            place = zone if email == client.email else zones.get(email.lower(), zone)
            hours = WorkingHours(zone=place, earliest=earliest, latest=latest, weekends=args.weekends)
            return Availability(email=email, hours=hours, busy=_busy(answer, email))

        people = [diary(email) for email in others]
        me = _with_more(diary(client.email), answer, asked)
        length = timedelta(minutes=args.minutes)
        slots = best_slots(me, people, start, end, length=length, most=args.limit, own_hours=own_hours)
        hidden = [entry.name for entry in shared if entry.id in asked and not answer.shows(entry.id)]
        return _result(slots, me, people, zones, zone, unseen=[*unseen, *left, *(clean(name, 80) for name in hidden)])

    async def _zones_of(self, requester: Requester, emails: Sequence[str]) -> Mapping[str, str]:
        """Where the others are, as far as that is known."""
        if self._zones is None or not emails:
            return {}
        try:
            found = await self._zones.zones(requester, emails)
        except ToolError:
            return {}
        return {email.lower(): zone for email, zone in found.items() if is_zone(zone)}


def _addresses(args: FindTimeArgs) -> list[str]:
    emails = parse_guests(args.people)
    if len(emails) >= CALENDARS_PER_QUERY:
        message = f"At most {CALENDARS_PER_QUERY - 1} people can be looked at together."
        raise ModelRetry("too_many_people", message, private=False)
    return emails


def _hours(args: FindTimeArgs) -> tuple[time, time]:
    earliest, latest = time.fromisoformat(args.earliest), time.fromisoformat(args.latest)
    if latest <= earliest:
        raise ModelRetry("ends_before_start", "`latest` is not after `earliest`.", private=False)
    return earliest, latest


def _window(args: FindTimeArgs, zone: str, now: datetime) -> tuple[datetime, datetime, bool]:
    """Start and end, never in the past, and whether the owner's working hours bind: not where times are named."""
    place = ZoneInfo(zone)
    first = parse_time(args.start, zone) if args.start else now
    last = parse_time(args.end, zone) if args.end else None
    start = max(first if isinstance(first, datetime) else datetime.combine(first, time(), place), now)
    if last is None:
        end = start + AHEAD
    else:
        end = last if isinstance(last, datetime) else datetime.combine(last + timedelta(days=1), time(), place)
    start, end = start.astimezone(UTC), end.astimezone(UTC)
    if end - start < timedelta(minutes=args.minutes):
        message = "Between `start` and `end` there is no room for so long a time, or it is over."
        raise ModelRetry("window_too_short", message, hint=HINT, private=False)
    if end - start > LONGEST:
        raise ModelRetry("window_too_long", f"At most {LONGEST.days} days can be looked at together.", private=False)
    named = args.start is not None and isinstance(first, datetime) and isinstance(last, datetime)
    return start, end, not (named and end - start <= timedelta(days=1))


def _busy(answer: FreeBusy, email: str) -> Sequence[Interval] | None:
    return answer.busy_times(email) if answer.shows(email) else None


def _with_more(me: Availability, answer: FreeBusy, calendars: Sequence[str]) -> Availability:
    """The owner's availability with the events of their other calendars, as far as they can be seen."""
    if me.busy is None:
        return me
    more = [stretch for each in calendars for stretch in _busy(answer, each) or ()]
    return replace(me, busy=sorted([*me.busy, *more]))


def _calendars_to_ask(shared: Sequence[CalendarEntry], room: int) -> tuple[Sequence[str], Sequence[str]]:
    """The calendars that still fit into the one query, and in words how many do not."""
    ids = [entry.id for entry in shared]
    return ids[:room], [f"{len(ids) - room} of your other calendars"] if len(ids) > room else []


def _result(
    slots: Sequence[Slot],
    me: Availability,
    people: Sequence[Availability],
    zones: Mapping[str, str],
    zone: str,
    *,
    unseen: Sequence[str],
) -> Result:
    hidden = [diary.email for diary in (me, *people) if diary.busy is None]
    guessed = [diary.email for diary in people if diary.email.lower() not in zones]
    shown = [_shown(diary, zone) for diary in (me, *people)] if len(people) <= SHOWN_PEOPLE else []
    more = {"cannot_see": hidden, "not_looked_at": list(unseen), "zone_unknown": guessed, "people": shown}
    data: dict[str, object] = {"zone": zone, "slots": [_row(slot, people, zone) for slot in slots]}
    data |= {name: value for name, value in more.items() if value}
    return Result(data=data, summary=_summary(slots, hidden), label=Label.DIRECTORY)


def _row(slot: Slot, people: Sequence[Availability], zone: str) -> dict[str, object]:
    place = ZoneInfo(zone)
    away = {diary.email: _clock(slot, diary.hours.zone) for diary in people if diary.email in slot.away}
    row: dict[str, object] = {
        "start": slot.start.astimezone(place).isoformat(timespec="minutes"),
        "end": slot.end.astimezone(place).isoformat(timespec="minutes"),
        "when": TimedRange(slot.start, slot.end, zone).words(zone),
        "free": list(slot.free),
    }
    more = {"busy": list(slot.busy), "unknown": list(slot.unknown), "outside_working_hours": away}
    return row | {name: value for name, value in more.items() if value}


def _clock(slot: Slot, zone: str) -> str:
    start, end = (at.astimezone(ZoneInfo(zone)) for at in (slot.start, slot.end))
    return f"{start:%H:%M}–{end:%H:%M} {zone}"


def _shown(diary: Availability, zone: str) -> Mapping[str, object]:
    if diary.busy is None:
        return {"email": diary.email, "busy": "cannot see"}
    shown = [TimedRange(start, end, zone).words(zone) for start, end in diary.busy[:SHOWN_OF_EACH]]
    more = {"more": len(diary.busy) - SHOWN_OF_EACH} if len(diary.busy) > SHOWN_OF_EACH else {}
    return {"email": diary.email, "zone": diary.hours.zone, "busy": shown} | more


def _summary(slots: Sequence[Slot], hidden: Sequence[str]) -> str:
    unseen = f", cannot see {', '.join(hidden)}" if hidden else ""
    if not slots:
        return f"No time within working hours{unseen}"
    if all(slot.busy for slot in slots):
        return f"No time at which all are free; {len(slots)} that suit most{unseen}"
    return f"{len(slots)} free {'time' if len(slots) == 1 else 'times'}{unseen}"
