"""Google Calendar's JSON as values (Calendar API reference: Events, Freebusy)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from integrations.google.calls import Resource


class EventTime(Resource):
    """A start or an end: a date for an all-day event, else a moment."""

    date: str | None = None
    date_time: str | None = None
    time_zone: str | None = None


class Attendee(Resource):
    """A guest. What else Google keeps about him is kept too, because a PATCH replaces the whole list."""

    model_config = ConfigDict(
        frozen=True, extra="allow", alias_generator=to_camel, populate_by_name=True, hide_input_in_errors=True
    )

    email: str = ""
    response_status: str = "needsAction"
    is_self: bool = Field(default=False, alias="self")
    resource: bool = False


class Organizer(Resource):
    """Whose event it is."""

    email: str = ""
    is_self: bool = Field(default=False, alias="self")


class Event(Resource):
    """An event, or one instance of a repeating one."""

    id: str
    etag: str = ""
    status: str = "confirmed"
    summary: str = ""
    description: str = ""
    location: str = ""
    html_link: str = ""
    start: EventTime = EventTime()
    end: EventTime = EventTime()
    attendees: Sequence[Attendee] = ()
    attendees_omitted: bool = False
    organizer: Organizer = Organizer()
    guests_can_modify: bool = False
    recurring_event_id: str | None = None
    recurrence: Sequence[str] = ()
    transparency: str = "opaque"
    event_type: str = "default"

    def me(self) -> Attendee | None:
        """The calendar's owner among the guests."""
        return next((guest for guest in self.attendees if guest.is_self), None)

    def my_status(self) -> str:
        """What the owner answered; "organizer" where it is his own and he is no guest."""
        me = self.me()
        return me.response_status if me else "organizer"

    def guests(self) -> list[Attendee]:
        """The people invited, without rooms."""
        return [guest for guest in self.attendees if guest.email and not guest.resource]

    def takes_time(self) -> bool:
        """Whether it is in the way of another event."""
        return (
            self.status != "cancelled"
            and self.transparency != "transparent"
            and self.event_type not in {"workingLocation", "birthday"}
            and self.my_status() != "declined"
        )


class EventPage(Resource):
    """events.list. It also says the calendar's own time zone."""

    items: Sequence[Event] = ()
    next_page_token: str | None = None
    time_zone: str | None = None


class Busy(Resource):
    """A stretch of time in which somebody is busy."""

    start: str
    end: str


class BusyCalendar(Resource):
    """One person's answer of freebusy.query; with errors it was not visible, which does not mean free."""

    busy: Sequence[Busy] = ()
    errors: Sequence[Mapping[str, object]] = ()


class FreeBusy(Resource):
    """freebusy.query."""

    calendars: Mapping[str, BusyCalendar] = Field(default_factory=dict)
