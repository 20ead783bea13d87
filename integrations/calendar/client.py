"""The calls to Google Calendar, typed.

An event is named by its id alone on the person's primary calendar, else by `id@calendar`: an event's id has no `@`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from integrations.base import Call, Requester
from integrations.calendar.time_range import Interval, is_zone
from integrations.calendar.wire import CalendarEntry, CalendarList, Event, EventPage, FreeBusy
from integrations.errors import Ambiguous, Duplicate, Missing, ToolError
from integrations.google.account import GoogleAccount
from integrations.google.calls import ApiCall, Resource
from integrations.google.scopes import CALENDAR_LISTS, EVENTS_READ, FREE_BUSY, lacking
from integrations.ports import Clock
from policies.event_ids import event_id_for

PRIMARY = "primary"
CALENDARS_PER_QUERY = 50
CALENDARS_PER_PAGE = 250
PAGE = 250
MOST_INSTANCES = 2500
MOST_EVENTS = 2500
"""The most that Google puts on a page (Events.list, `maxResults`)."""

MEET_LOOKS = 5
FIRST_MEET_PAUSE_SECONDS = 0.5
UNSET_ZONE = "UTC"  # where Slack does not tell a person's zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A calendar, the time to look at there, and how many events of it are wanted."""

    calendar: str
    window: Interval
    limit: int


class CalendarClient:
    """One person's calendar during one tool call."""

    def __init__(self, account: GoogleAccount) -> None:
        self._account = account

    @property
    def clock(self) -> Clock:
        """The injected time."""
        return self._account.clock

    @property
    def account_id(self) -> str:
        """The stable id of the Google account."""
        return self._account.grant.account

    @property
    def email(self) -> str:
        """The account's own address."""
        return self._account.grant.email

    @property
    def sees_others(self) -> bool:
        """Whether the grant lets us ask when other people are busy."""
        return not FREE_BUSY.isdisjoint(self._account.grant.scopes)

    @property
    def sees_calendars(self) -> bool:
        """Whether the grant lets us list the person's calendars."""
        return not CALENDAR_LISTS.isdisjoint(self._account.grant.scopes)

    @property
    def sees_events(self) -> bool:
        """Whether the grant lets us read events, and with them the calendar's zone."""
        return not lacking(self._account.grant.scopes, frozenset({EVENTS_READ}))

    async def calendars(self) -> Sequence[CalendarEntry]:
        """All calendars on the person's list, their own first; none where the grant does not let us ask."""
        if not self.sees_calendars:
            return ()
        return await self._listed()

    async def written(self) -> Sequence[CalendarEntry]:
        """The calendars that the person may write, shown or hidden, their own first."""
        return [entry for entry in await self._listed() if entry.is_written]

    async def _listed(self) -> Sequence[CalendarEntry]:
        params = {"maxResults": CALENDARS_PER_PAGE}
        call = ApiCall(api="calendar", resource="calendarList", method="list", params=params, noun="calendar")
        lists = self._account.pages(call, CalendarList)
        found = [entry async for page in lists for entry in page.items if entry.primary or not entry.deleted]
        return sorted(found, key=lambda entry: not entry.primary)

    async def events_of(
        self, looks: Sequence[Look], *, query: str | None = None, fields: str = ""
    ) -> Sequence[EventPage | ToolError]:
        """Events that overlap the time of each look, repeating ones expanded, in order of their start, all in one round
        trip; of each event only these fields. Each look has its own page or error; raises `ToolError` for a single one.
        """
        calls = [_listing(look, query, fields) for look in looks]
        if len(calls) == 1:
            return [_placed_page(await self._account.read(calls[0], EventPage), looks[0].calendar)]
        pages = await self._account.read_each(calls, EventPage)
        return [
            page if isinstance(page, ToolError) else _placed_page(page, look.calendar)
            for page, look in zip(pages, looks, strict=True)
        ]

    async def instances(self, series_id: str) -> EventPage:
        """The occurrences of a series as they are now, cancelled ones too: as many as Google gives at once."""
        calendar, plain = self._place(series_id)
        params = {"eventId": plain, "showDeleted": True, "maxResults": MOST_INSTANCES}
        return _placed_page(await self._account.read(_call("instances", calendar, params), EventPage), calendar)

    async def zone_of(self, requester: Requester) -> str:
        """The zone in which the person's times are read and shown: the one in Slack, else that of their calendar."""
        if requester.zone != UNSET_ZONE or not self.sees_events:
            return requester.zone
        params = {"maxResults": 1, "fields": "timeZone"}  # this needs no scope of its own
        try:
            found = (await self._account.read(_call("list", PRIMARY, params), EventPage)).time_zone
        except ToolError:
            return requester.zone
        return found if found and is_zone(found) else requester.zone

    async def event(self, event_id: str) -> Event:
        """One event; `Missing` when there is none."""
        calendar, plain = self._place(event_id)
        return _placed(await self._account.read(_call("get", calendar, {"eventId": plain}), Event), calendar)

    def _place(self, event_id: str) -> tuple[str, str]:
        """The calendar and the event's id on it; the person's own calendar goes by one name, whichever the id has."""
        calendar, plain = split_event_id(event_id)
        return (PRIMARY if calendar.casefold() in {PRIMARY, self.email.casefold()} else calendar), plain

    async def find_event(self, event_id: str) -> Event | None:
        """One event; None when there is none."""
        try:
            return await self.event(event_id)
        except Missing:
            return None

    async def insert_once(
        self, event_id: str, body: Mapping[str, object], call: Call, *, notify: str, calendar: str = PRIMARY
    ) -> Event:
        """Create an event under our id, where it never exists twice, even after a crash.

        When the outcome is not known, it is looked for, then inserted again, which the id makes harmless. Raises
        `Ambiguous` when the outcome stays unknown.
        """
        if call.attempt > 1 and (earlier := await self.find_event(event_id)):
            return earlier
        try:
            return await self._inserted(event_id, body, call, notify, calendar)
        except Ambiguous as doubt:
            try:
                found = await self.find_event(event_id)
                return found or await self._inserted(event_id, body, call, notify, calendar)
            except ToolError:
                raise doubt from None  # the first attempt may have arrived all the same

    async def _inserted(
        self, event_id: str, body: Mapping[str, object], call: Call, notify: str, calendar: str
    ) -> Event:
        _, plain = split_event_id(event_id)
        # Without `supportsAttachments` Google leaves out the files of an event that is copied.
        params = {"body": {"id": plain, **body}, "supportsAttachments": True, **_modifying(notify)}
        insert, what = _call("insert", calendar, params), "creating the event"
        try:
            return _placed(await self._account.once(insert, Event, what=what, deadline=call.until), calendar)
        except Duplicate:
            if found := await self.find_event(event_id):
                return found
            raise Ambiguous(what) from None

    async def patch(self, event_id: str, body: Mapping[str, object], *, etag: str, notify: str) -> Event:
        """Change an event if it is still the one that was looked at; `Stale` when it is not. Safe to repeat."""
        calendar, plain = self._place(event_id)
        params = {"eventId": plain, "body": body, **_modifying(notify)}
        call = _call("patch", calendar, params, headers={"If-Match": etag})
        return _placed(await self._account.repeat(call, Event, what="changing the event"), calendar)

    async def delete(self, event_id: str, *, etag: str, notify: str) -> None:
        """Cancel an event if it is still the one that was looked at. Safe to repeat: `Missing` when it is gone."""
        calendar, plain = self._place(event_id)
        params = {"eventId": plain, "sendUpdates": notify}
        call = _call("delete", calendar, params, headers={"If-Match": etag})
        await self._account.repeat(call, Resource, what="cancelling the event")

    async def with_meet(self, event: Event) -> Event:
        """The event once its Meet link is made, or as it is when that takes too long (Calendar API, "Create events").

        Never raises, because the event exists.
        """
        pause = FIRST_MEET_PAUSE_SECONDS
        for _ in range(MEET_LOOKS):
            if not event.is_pending():
                break
            await self._account.pause(pause)
            pause *= 1.5
            try:
                event = await self.event(event.id)
            except ToolError:
                break
        return event

    async def busy(self, emails: Sequence[str], start: datetime, end: datetime) -> FreeBusy:
        """When these people are busy."""
        body = {
            "timeMin": start.isoformat(),
            "timeMax": end.isoformat(),
            "items": [{"id": email} for email in emails[:CALENDARS_PER_QUERY]],
        }
        call = ApiCall(api="calendar", resource="freebusy", method="query", params={"body": body}, noun="calendar")
        return await self._account.read(call, FreeBusy)


def made_event_id(key: str, calendar: str) -> str:
    """The id that names the event that an action creates on this calendar."""
    return full_event_id(event_id_for(key), calendar)


def split_event_id(event_id: str) -> tuple[str, str]:
    """The calendar and the event's id on it."""
    plain, _, calendar = event_id.partition("@")
    return calendar or PRIMARY, plain


def full_event_id(plain: str, calendar: str) -> str:
    """The id that names an event on this calendar."""
    return plain if calendar == PRIMARY else f"{plain}@{calendar}"


def _placed(event: Event, calendar: str) -> Event:
    """The event with ids that also name its calendar."""
    if calendar == PRIMARY:
        return event
    series = f"{event.recurring_event_id}@{calendar}" if event.recurring_event_id else None
    return event.model_copy(update={"id": f"{event.id}@{calendar}", "recurring_event_id": series})


def _placed_page(page: EventPage, calendar: str) -> EventPage:
    return page.model_copy(update={"items": [_placed(event, calendar) for event in page.items]})


def _modifying(notify: str) -> Mapping[str, object]:
    """The parameters of every write. Without the version Google drops conferences."""
    return {"sendUpdates": notify, "conferenceDataVersion": 1}


def _listing(look: Look, query: str | None, fields: str) -> ApiCall:
    start, end = look.window
    params: dict[str, object] = {
        "timeMin": start.isoformat(),
        "timeMax": end.isoformat(),
        "singleEvents": True,
        "orderBy": "startTime",
        "maxResults": look.limit,
    }
    asked = {"q": query, "fields": fields}
    return _call("list", look.calendar, params | {name: value for name, value in asked.items() if value})


def _call(
    method: str, calendar: str, params: Mapping[str, object], *, headers: Mapping[str, str] | None = None
) -> ApiCall:
    return ApiCall(
        api="calendar",
        resource="events",
        method=method,
        params={"calendarId": calendar, **params},
        headers=headers or {},
        noun="event",
        hint="Take an event_id from calendar_search.",
    )
