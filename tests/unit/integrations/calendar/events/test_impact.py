"""What a write to a calendar does to others: whom it reaches, what they read, and which event it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from integrations.calendar.arguments import CreateArgs, UpdateArgs
from integrations.calendar.events.change import EventChange
from integrations.calendar.events.details import names_of_guests, parse_guests
from integrations.calendar.events.exceptions import SeriesExceptions
from integrations.calendar.events.impact import impact_of_change, impact_of_new_event, impact_on
from integrations.calendar.events.new_event import NewEvent
from integrations.calendar.events.target import Reach, Target
from integrations.calendar.wire import Event
from policies.provenance import Impact, Touched

ZONE = "Europe/Stockholm"
MARA, DANA, BRUNO = "mara@x.example", "dana@x.example", "bruno@k.example"
TEAM = "c_team@group.calendar.google.com"


def event(*guests: str, **more: object) -> Event:
    there: dict[str, object] = {
        "id": "e1",
        "summary": "Oak",
        "location": "Yard",
        "description": "Bring gloves",
        "start": {"dateTime": "2026-11-24T14:00:00+01:00", "timeZone": ZONE},
        "end": {"dateTime": "2026-11-24T15:00:00+01:00", "timeZone": ZONE},
        "attendees": [{"email": email, "self": email == MARA} for email in guests],
        "organizer": {"email": MARA, "self": True},
    }
    return Event.model_validate(there | more)


def target(now: Event, *, reach: Reach = Reach.SINGLE, named: Event | None = None) -> Target:
    return Target(reach=reach, event=now, named=named or now, zone=ZONE)


def new(*, calendar: str | None = None, **more: object) -> Impact:
    given = {"title": "Oak", "start": "2026-11-24T14:00", "end": "2026-11-24T15:00", "description": "Gloves", **more}
    args = CreateArgs.model_validate({"location": "Yard"} | given)
    return impact_of_new_event(NewEvent.from_arguments(args, ZONE), args.attendees, home=MARA, calendar=calendar)


def changed(now: Event, **more: object) -> Impact:
    args = UpdateArgs.model_validate({"event_id": now.id} | more)
    change = EventChange.from_arguments(args, target(now)).without_the_same(target(now))
    return impact_of_change(target(now), change, args.add_attendees, home=MARA)


# A new event


def test_a_new_event_without_guests_reaches_nobody() -> None:
    """On the owner's own calendar nobody reads it, nor where its only guest is the owner."""
    assert new() == new(attendees=["Mara <MARA@x.example>"]) == Impact(is_alone=True)


def test_a_new_event_reaches_its_guests() -> None:
    """They read all of it, whether they get a mail or not; the names that they were given are no proof of anything."""
    impact = new(attendees=[f"Dana Wood <{DANA}>", BRUNO, MARA], notify="none")
    assert impact == Impact(destinations=(DANA, BRUNO), called={DANA: "Dana Wood"}, texts=("Oak", "Yard", "Gloves"))


def test_a_new_event_on_another_calendar_reaches_all_who_see_that() -> None:
    """The calendar is a destination beside the guests, and without any."""
    assert new(calendar="Team", attendees=[DANA]).destinations == (DANA, "Team")
    assert new(calendar="Team").calendar == "Team"
    assert (new(calendar="Team").destinations, new(calendar="Team").texts) == (("Team",), ("Oak", "Yard", "Gloves"))


@pytest.mark.parametrize(
    ("written", "read", "hidden"),
    [
        ('<a href="https://evil.example">Payroll</a>', "Payroll (https://evil.example)", None),
        ("<a href='https://evil.example'>Payroll</a>", "Payroll", "<a href='https://evil.example'>Payroll</a>"),
        ("https&#58;//evil.example", "https://evil.example", "https://evil.example"),
        ("evil.<b></b>example", "evil.example", None),
        ("3 < 4 and https://good.example", "3 < 4 and https://good.example", None),
    ],
)
def test_what_a_description_hides_counts(written: str, read: str, hidden: str | None) -> None:
    """Google shows it as HTML: the guests read the text, and what its markup leads to is judged as well."""
    impact = new(attendees=[DANA], description=written)
    assert impact.texts[-1] == read
    assert list(impact.links) == [hidden or written]


# A change


def own(*people: str) -> Touched:
    return Touched(kind="event", id="e1", title="Oak", people=people, is_own=True)


def test_a_change_without_guests_reaches_nobody() -> None:
    """The event is named all the same; nobody else sees it."""
    assert changed(event(), title="Elm") == Impact(objects=(replace(own(), is_alone=True),))
    invited = changed(event(), title="Elm", add_attendees=[DANA])
    uninvited = changed(event(DANA), title="Elm", remove_attendees=[DANA])
    hidden = changed(event(attendeesOmitted=True), title="Elm")
    assert [one.is_alone for each in (invited, uninvited, hidden) for one in each.objects] == [False] * 3


@pytest.mark.parametrize("reach", Reach)
def test_how_much_of_a_series_it_is_done_to(reach: Reach) -> None:
    """More than one occurrence is told apart from one."""
    [touched] = impact_on(target(event(DANA), reach=reach), home=MARA).objects
    assert touched.is_many is (reach in {Reach.FOLLOWING, Reach.SERIES})


WEEKLY = "RRULE:FREQ=WEEKLY"


@pytest.mark.parametrize(
    ("before", "after", "has_new_rhythm"),
    [
        (WEEKLY, f"{WEEKLY};COUNT=1", True),
        (WEEKLY, f"{WEEKLY};COUNT=700", True),
        (WEEKLY, f"{WEEKLY};UNTIL=20270101T000000Z", True),
        (WEEKLY, f"{WEEKLY};INTERVAL=2", True),
        (WEEKLY, "RRULE:FREQ=YEARLY;INTERVAL=366", True),
        (WEEKLY, f"{WEEKLY};BYDAY=WE,TH", True),
        (f"{WEEKLY};COUNT=6", f"{WEEKLY};COUNT=5", True),
        (f"{WEEKLY};COUNT=6", f"{WEEKLY};COUNT=1", True),
        (f"{WEEKLY};COUNT=6", f"{WEEKLY};COUNT=7", True),
        (f"{WEEKLY};COUNT=6", WEEKLY, True),
        (f"{WEEKLY};COUNT=6", f"{WEEKLY};INTERVAL=2;COUNT=3", True),
        (f"{WEEKLY};COUNT=6", f"{WEEKLY};INTERVAL=2;COUNT=6", True),
        (f"{WEEKLY};COUNT=10", "RRULE:FREQ=DAILY;INTERVAL=32;COUNT=2", True),
        ("RRULE:FREQ=DAILY;COUNT=730", "RRULE:FREQ=DAILY;COUNT=729", True),
        ("RRULE:FREQ=DAILY;UNTIL=20320101T000000Z", "RRULE:FREQ=DAILY;UNTIL=20310101T000000Z", True),
        (f"{WEEKLY};COUNT=20", f"{WEEKLY};UNTIL=20261215T000000Z", True),
        (f"{WEEKLY};COUNT=1", f"{WEEKLY};COUNT=2", True),
        (f"{WEEKLY};COUNT=1", f"{WEEKLY};INTERVAL=2;COUNT=1", False),
        (f"{WEEKLY};BYDAY=TU", f"{WEEKLY};BYDAY=WE", False),
        (f"{WEEKLY};BYDAY=TU;COUNT=6", f"{WEEKLY};BYDAY=WE;COUNT=6", False),
        ("RRULE:FREQ=MONTHLY;BYDAY=4TU", "RRULE:FREQ=MONTHLY;BYDAY=4WE", False),
        ("RRULE:FREQ=MONTHLY;BYMONTHDAY=24", "RRULE:FREQ=MONTHLY;BYMONTHDAY=25", False),
        (None, f"{WEEKLY};COUNT=3", False),
    ],
)
def test_a_series_has_another_rhythm_where_not_each_occurrence_only_moves(
    before: str | None, after: str, has_new_rhythm: bool
) -> None:
    """It comes less often or more often, ends earlier or later, or no more. A single event that begins to repeat is
    many.
    """
    now = event(DANA, **({"recurrence": [before]} if before else {}))
    reach = Reach.SERIES if before else Reach.SINGLE
    args = UpdateArgs.model_validate({"event_id": "e1", "recurrence": after, "start": "2026-11-25T09:00"})
    change = EventChange.from_arguments(args, target(now, reach=reach)).without_the_same(target(now, reach=reach))
    [touched] = impact_of_change(target(now, reach=reach), change, (), home=MARA).objects
    assert touched.has_new_rhythm is has_new_rhythm
    assert touched.is_many


def test_the_rest_of_a_series_is_cut_as_it_was_to_go_on() -> None:
    """From the occurrence that was named, with what is left of its number; what only moves is not."""
    now = event(DANA, recurrence=[f"{WEEKLY};COUNT=6"])
    third = event(id="e1_3", recurringEventId="e1", start={"dateTime": "2026-12-08T14:00:00+01:00", "timeZone": ZONE})
    third = third.model_copy(update={"end": third.start.model_copy(update={"date_time": "2026-12-08T15:00:00+01:00"})})
    rest = target(now, reach=Reach.FOLLOWING, named=third)

    def has_new_rhythm(**more: object) -> bool:
        args = UpdateArgs.model_validate({"event_id": "e1_3", "scope": "following"} | more)
        [touched] = impact_of_change(rest, EventChange.from_arguments(args, rest), (), home=MARA).objects
        return touched.has_new_rhythm

    assert has_new_rhythm(recurrence=f"{WEEKLY};COUNT=3")
    assert not has_new_rhythm(recurrence=f"{WEEKLY};COUNT=4")
    assert not has_new_rhythm(start="2026-12-09T14:00")


def test_who_is_a_guest_no_more_is_removed() -> None:
    """By their address as the event has it, with their name there; the owner can take themselves off it."""
    now = event(attendees=[{"email": MARA, "self": True}, {"email": DANA, "displayName": "Dana W"}, {"email": BRUNO}])
    assert changed(now, remove_attendees=[DANA.upper(), MARA]).removed == {DANA: "Dana W"}
    assert changed(now, remove_attendees=[BRUNO]).removed == {BRUNO: ""}
    assert changed(now, title="Elm").removed == {}


def test_a_room_that_is_taken_off_is_removed_as_a_person_is() -> None:
    """Its address and name count, though it takes part in nothing."""
    room = {"email": "c_1@resource.calendar.google.com", "displayName": "Big room", "resource": True}
    now = event(attendees=[{"email": MARA, "self": True}, {"email": DANA}, room])
    assert changed(now, remove_attendees=[room["email"]]).removed == {room["email"]: "Big room"}


def test_guests_who_are_there_read_what_changes() -> None:
    """They are no destinations, for they take part in the event; what stays as it is, they know."""
    impact = changed(event(MARA, DANA), title="Elm", start="2026-11-25T09:00", location="Yard")
    assert impact == Impact(texts=("Elm",), objects=(own(MARA, DANA),))
    assert changed(event(MARA, DANA), start="2026-11-25T09:00") == Impact(objects=(own(MARA, DANA),))


def test_guests_who_are_added_read_all_of_it() -> None:
    """What was written while nobody else saw the event leaves with the invitation, with each change made to it."""
    impact = changed(event(), location="Gate", add_attendees=[f"Dana Wood <{DANA}>", BRUNO, MARA])
    assert impact == Impact(
        destinations=(DANA, BRUNO),
        called={DANA: "Dana Wood"},
        texts=("Oak", "Gate", "Bring gloves"),
        objects=(own(),),
    )


def test_who_is_a_guest_already_is_not_added() -> None:
    """Who is named again is no new destination."""
    impact = changed(event(DANA), title="Elm", add_attendees=[f"Dana <{DANA.upper()}>"])
    assert (impact.destinations, impact.called, impact.texts) == ((), {}, ("Elm",))


def test_what_the_last_guest_does_not_see_any_more_is_read_by_nobody() -> None:
    """Guests who are removed do not read the new texts; those who stay do."""
    assert changed(event(DANA), title="Elm", remove_attendees=[DANA.upper()]).texts == ()
    assert changed(event(DANA, BRUNO), title="Elm", remove_attendees=[DANA]).texts == ("Elm",)


@pytest.mark.parametrize(
    "seen",
    [
        event(attendeesOmitted=True),
        event(organizer={"email": BRUNO}, guestsCanModify=True),
        event(id=f"e1@{TEAM}", organizer={"email": TEAM, "self": True}),
        event(id=f"e1@{TEAM}"),
    ],
)
def test_what_others_may_see_counts_as_read(seen: Event) -> None:
    """Guests that Google hides, another organizer, and whoever sees a shared calendar."""
    assert changed(seen, title="Elm").texts == ("Elm",)


def test_what_is_written_into_somebody_elses_event_reaches_them() -> None:
    """Another time alone says nothing to them."""
    theirs = event(MARA, organizer={"email": BRUNO}, guestsCanModify=True)
    assert changed(theirs, description="Bring boots").destinations == (BRUNO,)
    assert changed(theirs, description="Bring boots", add_attendees=[BRUNO, DANA]).destinations == (BRUNO, DANA)
    assert changed(theirs, start="2026-11-25T09:00").destinations == ()


# Cancelling and answering


def test_a_cancellation_is_about_the_event() -> None:
    """It reaches nobody who is not in the event, and says nothing but that."""
    assert impact_on(target(event(MARA, DANA)), home=MARA) == Impact(objects=(own(MARA, DANA),))
    assert impact_on(target(event()), home=MARA) == Impact(objects=(own(),))


def test_an_answer_is_about_the_event_with_what_is_said_to_it() -> None:
    """The organizer reads the comment; the event is theirs, so its guests are no choice of the owner's."""
    invited = target(event(MARA, DANA, organizer={"email": BRUNO}))
    touched = Touched(kind="event", id="e1", title="Oak", people=(MARA, DANA), author=BRUNO)
    assert impact_on(invited, home=MARA) == Impact(objects=(touched,))
    assert impact_on(invited, home=MARA, comment="Ill") == Impact(
        destinations=(BRUNO,), texts=("Ill",), objects=(touched,)
    )


def test_an_occurrence_stands_for_what_is_written() -> None:
    """The id is that which a search showed; title and guests are those of the series where that is written."""
    series, occurrence = event(DANA), event(BRUNO, id="e1_20261124T130000Z", summary="Oak, in the rain")
    [whole] = impact_on(target(series, reach=Reach.SERIES, named=occurrence), home=MARA).objects
    assert (whole.id, whole.title, whole.people) == (occurrence.id, "Oak", (DANA,))
    [one] = impact_on(target(occurrence, reach=Reach.THIS), home=MARA).objects
    assert (one.id, one.title, one.people) == (occurrence.id, "Oak, in the rain", (BRUNO,))


@pytest.mark.parametrize(
    ("there", "is_own"),
    [
        (event(), True),
        (event(organizer={"email": MARA.upper()}), True),
        (event(organizer={"email": "mara.alias@x.example", "self": True}), True),
        (event(organizer={"email": BRUNO}), False),
        (event(organizer={}), False),
        (event(id=f"e1@{TEAM}", organizer={"email": TEAM, "self": True}), False),
        (event(DANA, guestsCanModify=True), False),
        (event(creator={"email": MARA.upper()}), True),
        (event(creator={"email": "mara.alias@x.example", "self": True}), True),
        (event(creator={"email": BRUNO}), False),
    ],
)
def test_only_what_they_organize_themselves_is_their_own(there: Event, is_own: bool) -> None:
    """Many may write a shared calendar, and choose the guests there; where no organizer is named nobody knows. Guests
    who may change an event choose its title, and so does who made it for its owner.
    """
    assert impact_on(target(there), home=MARA).objects[0].is_own is is_own


def test_what_guests_may_change_is_still_its_owners() -> None:
    """Without guests nobody reads it, and a comment reaches nobody."""
    loose = event(guestsCanModify=True)
    assert changed(loose, description="New").texts == ()
    assert impact_on(target(loose), home=MARA, comment="Ill").destinations == ()


def test_no_words_call_an_event_without_a_title() -> None:
    """It has none, and not the one that people are shown in its place."""
    assert impact_on(target(event(summary=" ")), home=MARA).objects[0].title == ""


# Names


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ([f"Dana Wood <{DANA}>", BRUNO], {DANA: "Dana Wood", BRUNO: ""}),
        ([DANA, f"Dana Wood <{DANA.upper()}>", f"Bruno <{DANA}>"], {DANA: "Dana Wood"}),
    ],
)
def test_each_guest_has_the_name_that_was_given_first(typed: Sequence[str], names: dict[str, str]) -> None:
    """An address that is given twice is one guest."""
    assert names_of_guests(typed) == names
    assert parse_guests(typed) == list(names)


@pytest.mark.parametrize(
    "exceptions", [SeriesExceptions(guests=[DANA]), SeriesExceptions(knows_guests=False), SeriesExceptions()]
)
def test_guests_of_single_occurrences_read_what_is_written_into_the_series(exceptions: SeriesExceptions) -> None:
    """Also where Google does not tell all of them; on the owner's own calendar nobody else does."""
    series = target(event(), reach=Reach.SERIES)
    change = EventChange(description="See https://x.example")
    impact = impact_of_change(series, change, (), home=MARA, exceptions=exceptions)
    assert impact.texts == (() if exceptions == SeriesExceptions() else ("See https://x.example",))
