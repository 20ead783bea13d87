"""Google Calendar's JSON as values (Calendar API reference: Events, Freebusy)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import ConfigDict, Field

from integrations.google.calls import Listed, ListPage, Resource


class WholeResource(Resource):
    """A resource that is sent back as it came, with the fields that we do not know."""

    model_config = ConfigDict(extra="allow")


class EventTime(Resource):
    """A start or an end: a date for an all-day event, else a moment."""

    date: str | None = None
    date_time: str | None = None
    time_zone: str | None = None


class Attendee(WholeResource):
    """A guest; kept whole, because a PATCH replaces the list."""

    email: str = ""
    display_name: str = ""
    response_status: str = "needsAction"
    is_self: bool = Field(default=False, alias="self")
    resource: bool = False


class Organizer(Resource):
    """The organizer of an event, or who created it for them."""

    email: str = ""
    is_self: bool = Field(default=False, alias="self")


class EventReminder(Resource):
    """One reminder, `minutes` before the event."""

    method: str = ""
    minutes: int = 0


class EventReminders(Resource):
    """The reminders of the calendar's owner: the calendar's usual ones, or these instead."""

    use_default: bool = True
    overrides: Sequence[EventReminder] = ()

    def are(self, minutes: Sequence[int]) -> bool:
        """Whether they are exactly these, as pop-ups."""
        return not self.use_default and {("popup", number) for number in minutes} == {
            (reminder.method, reminder.minutes) for reminder in self.overrides
        }


class EntryPoint(WholeResource):
    """One way into a conference, with its codes and pins."""

    entry_point_type: str = ""
    uri: str = ""


class ConferenceStatus(Resource):
    """The state of a conference request: pending, success or failure."""

    status_code: str = ""


class ConferenceRequest(Resource):
    """A conference that was requested."""

    request_id: str = ""
    status: ConferenceStatus = ConferenceStatus()


class SolutionKey(Resource):
    """The kind of conference: hangoutsMeet, addOn for a third party's, or one of the old Hangouts."""

    type: str = ""


class Solution(WholeResource):
    """The provider of a conference, with name and icon."""

    key: SolutionKey = SolutionKey()


class Conference(WholeResource):
    """The conference of an event."""

    create_request: ConferenceRequest | None = None
    conference_solution: Solution | None = None
    entry_points: Sequence[EntryPoint] = ()


class ExtendedProperties(WholeResource):
    """What programs keep with an event; the `private` ones stand in its owner's copy alone."""

    private: Mapping[str, str] = {}


class Event(WholeResource):
    """An event, or one instance of a repeating one; kept whole, because a split copies a series."""

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
    creator: Organizer = Organizer()
    guests_can_modify: bool = False
    recurring_event_id: str | None = None
    original_start_time: EventTime | None = None
    recurrence: Sequence[str] = ()
    conference_data: Conference | None = None
    reminders: EventReminders = EventReminders()
    hangout_link: str = ""
    i_cal_uid: str = Field(default="", alias="iCalUID")
    transparency: str = "opaque"
    event_type: str = "default"
    extended_properties: ExtendedProperties = ExtendedProperties()
    created: str = ""
    updated: str = ""
    unreadable: bool = False

    def me(self) -> Attendee | None:
        """The calendar's owner among the guests."""
        return next((guest for guest in self.attendees if guest.is_self), None)

    def my_status(self) -> str:
        """What the owner answered; "organizer" where the event is theirs and they are not a guest."""
        me = self.me()
        return me.response_status if me else "organizer"

    def is_organized_by(self, email: str) -> bool:
        """Whether the event is this person's own; it is where Google names no organizer."""
        return self.organizer.is_self or self.organizer.email.lower() in {"", email.lower()}

    def answer_of(self, email: str) -> str:
        """What another guest than the calendar's owner answered."""
        found = next((guest for guest in self.attendees if guest.email.lower() == email.lower()), None)
        return found.response_status if found else "not_invited"

    def is_pending(self) -> bool:
        """Whether its conference was requested and is not made yet."""
        request = self.conference_data.create_request if self.conference_data else None
        return request is not None and request.status.status_code == "pending"

    def has_foreign_conference(self) -> bool:
        """Whether a third party provides its conference: only they can make links to it."""
        solution = self.conference_data.conference_solution if self.conference_data else None
        return solution is not None and solution.key.type == "addOn"

    def meet_link(self) -> str:
        """Where its conference is joined; "" without one."""
        points = self.conference_data.entry_points if self.conference_data else ()
        video = next((point.uri for point in points if point.entry_point_type == "video"), "")
        return self.hangout_link or video

    def guests(self) -> list[Attendee]:
        """The people invited, without rooms."""
        return [guest for guest in self.attendees if guest.email and not guest.resource]

    def takes_time(self) -> bool:
        """Whether it conflicts with another event at its time."""
        return (
            self.status != "cancelled"
            and self.transparency != "transparent"
            and self.event_type not in {"workingLocation", "birthday"}
            and self.my_status() != "declined"
        )


class EventPage(ListPage):
    """events.list. It also says the calendar's own time zone."""

    items: Listed[Event] = ()
    time_zone: str | None = None


class BusyTime(Resource):
    """A time in which a person is busy."""

    start: datetime
    end: datetime


class BusyCalendar(Resource):
    """One calendar in the answer of freebusy.query. With errors it was not visible, which does not mean free."""

    busy: Sequence[BusyTime] = ()
    errors: Sequence[Mapping[str, object]] = ()


class FreeBusy(Resource):
    """freebusy.query. Google does not promise to keep the case of an address, so case does not count."""

    calendars: Mapping[str, BusyCalendar] = Field(default_factory=dict)

    def shows(self, email: str) -> bool:
        """Whether this calendar could be seen at all; one that could not is not free."""
        found = self._of(email)
        return found is not None and not found.errors

    def busy_times(self, email: str) -> Sequence[tuple[datetime, datetime]]:
        """When a person is busy, as far as it could be seen."""
        found = self._of(email)
        return [(busy.start, busy.end) for busy in found.busy] if found else ()

    def _of(self, email: str) -> BusyCalendar | None:
        return next((found for name, found in self.calendars.items() if name.lower() == email.lower()), None)


class CalendarEntry(Resource):
    """A calendar on a person's list."""

    id: str
    summary: str = ""
    summary_override: str = ""
    primary: bool = False
    selected: bool = False
    deleted: bool = False
    access_role: str = ""
    time_zone: str | None = None

    @property
    def is_written(self) -> bool:
        """Whether the person may write there: its events are their own, or those of a group that they belong to."""
        return self.primary or self.access_role in {"owner", "writer"}

    @property
    def name(self) -> str:
        """The name that the person gave it, else its own."""
        return self.summary_override or self.summary or self.id


class CalendarList(ListPage):
    """calendarList.list."""

    items: Listed[CalendarEntry] = ()
