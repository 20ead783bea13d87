"""calendar_search: the events between two times."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from integrations.base import Call, Result, Tool, ToolArgs
from integrations.calendar.calendars import calendar_row, list_events
from integrations.calendar.client import CalendarClient
from integrations.calendar.events.own_words import event_object
from integrations.calendar.events.results import event_row
from integrations.calendar.time_range import parse_time, roughly_between, span_of
from integrations.errors import ModelRetry
from integrations.google.client import GoogleClient
from integrations.google.scopes import EVENTS_READ
from integrations.items import NOT_READ, each_read
from integrations.text import prose
from policies.characters import quoted
from policies.types import EffectClass, Label, Role

AHEAD = timedelta(days=14)
AHEAD_WITH_WORDS = timedelta(days=92)
MOST = 50
MOST_SKIPPED = 2_000


class SearchArgs(ToolArgs):
    """Arguments of `calendar_search`."""

    query: Annotated[str | None, Role.NONE, Field(max_length=500)] = None
    start: Annotated[str | None, Role.NONE] = None
    end: Annotated[str | None, Role.NONE, Field(description="The day is included.")] = None
    limit: Annotated[int, Role.NONE, Field(ge=1, le=MOST)] = 20
    page: Annotated[int, Role.NONE, Field(ge=0, le=MOST_SKIPPED)] = 0


class CalendarSearch(Tool[SearchArgs]):
    """Events of every calendar that the person shows, series expanded, in order, in one round trip."""

    name = "calendar_search"
    effect = EffectClass.READ
    provider = "google"
    scopes = frozenset({EVENTS_READ})
    args = SearchArgs

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        self.description = prose(__name__, "search.md")

    def caption(self, args: SearchArgs) -> str:
        """Names the words and the time that are searched."""
        what = f"Search the calendar for {quoted(args.query)}" if args.query else "Look at the calendar"
        when = roughly_between(args.start, args.end)
        return f"{what}, {when}" if when else what

    async def execute(self, args: SearchArgs, call: Call) -> Result:
        """Rows, where the next page begins, and which calendars were left out."""
        client = CalendarClient(await self._google.account(call.requester, self.scopes, approved=call.account))
        zone = await client.zone_of(call.requester)
        start, end = _window(args, zone, client.clock.now())
        found = await list_events(client, start, end, zone=zone, query=args.query, limit=args.page + args.limit)
        ordered = sorted(found.events, key=lambda seen: span_of(seen.event.start, seen.event.end, zone).bounds()[0])
        shown = ordered[args.page : args.page + args.limit]
        more = found.is_cut or len(ordered) > args.page + args.limit
        alone = len(ordered) == 1
        data: dict[str, object] = {
            "zone": zone,
            "events": each_read(
                shown,
                lambda seen: event_row(seen.event, zone, calendar=seen.calendar, email=client.email, alone=alone),
                unread=lambda seen: {"event_id": seen.event.id, "error": f"This event {NOT_READ}."},
            ),
        }
        if found.others and not args.page:
            data["calendars"] = [{"name": "the user's own", "may_write": True}, *map(calendar_row, found.others)]
        if more:
            data["next_page"] = args.page + args.limit
            data["more"] = "There are more events: ask again with `page`, or look at a shorter time."
        if found.unseen:
            data["not_looked_at"] = list(found.unseen)
        return Result(
            data=data,
            summary=f"{len(shown)} event{'' if len(shown) == 1 else 's'}" + (" or more" if more else ""),
            label=Label.EXTERNAL,
            objects=[event_object(seen.event, client.email) for seen in shown],
        )


def _window(args: SearchArgs, zone: str, now: datetime) -> tuple[datetime, datetime]:
    local = ZoneInfo(zone)
    first = parse_time(args.start, zone) if args.start else now.astimezone(local).date()
    start = _midnight(first, local)
    if args.end:
        last = parse_time(args.end, zone)
        end = last if isinstance(last, datetime) else _midnight(last + timedelta(days=1), local)
    else:
        end = start + (AHEAD_WITH_WORDS if args.query else AHEAD)
    if end <= start:
        raise ModelRetry("ends_before_start", "`end` is not after `start`.", private=False)
    return start, end


def _midnight(day: date | datetime, zone: ZoneInfo) -> datetime:
    return day if isinstance(day, datetime) else datetime.combine(day, time(), zone)
