"""The wire to Google Calendar: the calls that the tools make, typed. All on the person's primary calendar."""

from __future__ import annotations

import hashlib
from base64 import b32hexencode
from collections.abc import Mapping, Sequence
from datetime import datetime

from integrations.base import Clock
from integrations.calendar.wire import Event, EventPage, FreeBusy
from integrations.google.account import GoogleAccount
from integrations.google.calls import ApiCall
from integrations.google.scopes import FREE_BUSY

PRIMARY = "primary"
CALENDARS_PER_QUERY = 50


class Agenda:
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

    async def events(self, start: datetime, end: datetime, *, query: str | None = None, limit: int) -> EventPage:
        """Events that overlap the time, repeating ones expanded, in order of their start."""
        params: dict[str, object] = {
            "timeMin": start.isoformat(),
            "timeMax": end.isoformat(),
            "singleEvents": True,
            "orderBy": "startTime",
            "maxResults": limit,
        }
        return await self._account.read(_call("list", params | ({"q": query} if query else {})), EventPage)

    async def event(self, event_id: str) -> Event:
        """One event; `Missing` when there is none."""
        return await self._account.read(_call("get", {"eventId": event_id}), Event)

    async def insert(self, event_id: str, body: Mapping[str, object], *, notify: str, deadline: datetime) -> Event:
        """Create an event under our id, one request: `Duplicate` when it exists, `Ambiguous` when nobody can tell."""
        params = {"body": {"id": event_id, **body}, "sendUpdates": notify}
        return await self._account.once(_call("insert", params), Event, what="creating the event", deadline=deadline)

    async def patch(self, event_id: str, body: Mapping[str, object], *, etag: str, notify: str) -> Event:
        """Change an event if it is still the one that was looked at; `Stale` when it is not. Safe to repeat."""
        call = _call("patch", {"eventId": event_id, "body": body, "sendUpdates": notify}, headers={"If-Match": etag})
        return await self._account.repeat(call, Event, what="changing the event")

    async def busy(self, emails: Sequence[str], start: datetime, end: datetime) -> FreeBusy:
        """When these people are busy."""
        body = {
            "timeMin": start.isoformat(),
            "timeMax": end.isoformat(),
            "items": [{"id": email} for email in emails[:CALENDARS_PER_QUERY]],
        }
        call = ApiCall(api="calendar", resource="freebusy", method="query", params={"body": body}, noun="calendar")
        return await self._account.read(call, FreeBusy)


def event_id_for(key: str) -> str:
    """The id of the event that an action creates: the same in every attempt (Events.insert: base32hex, a–v and 0–9)."""
    return "cs" + b32hexencode(hashlib.sha256(key.encode()).digest()[:20]).decode("ascii").lower()


def _call(method: str, params: Mapping[str, object], *, headers: Mapping[str, str] | None = None) -> ApiCall:
    return ApiCall(
        api="calendar",
        resource="events",
        method=method,
        params={"calendarId": PRIMARY, **params},
        headers=headers or {},
        noun="event",
        hint="Take an event_id from calendar_search.",
    )
