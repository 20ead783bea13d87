"""Times that suit several people."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from integrations.calendar.calendars import to_look_at
from integrations.calendar.slots import Availability, WorkingHours, best_slots
from integrations.calendar.wire import CalendarEntry, FreeBusy

HOUR = timedelta(hours=1)
MONDAY = datetime(2026, 11, 23, 8, tzinfo=UTC)  # 09:00 in Stockholm
FRIDAY_NIGHT = datetime(2026, 11, 27, 22, tzinfo=UTC)


def hours(zone: str, **more: bool) -> WorkingHours:
    return WorkingHours(zone=zone, earliest=time(9), latest=time(17), **more)


def diary(email: str, zone: str = "Europe/Stockholm", *busy: tuple[int, int]) -> Availability:
    stretches = [(MONDAY + begin * HOUR, MONDAY + end * HOUR) for begin, end in busy]
    return Availability(email=email, hours=hours(zone), busy=stretches)


def test_the_first_times_are_those_at_which_all_are_free() -> None:
    """Mara is busy until ten, Dana from ten to noon: noon is the first."""
    slots = best_slots(
        diary("mara", "Europe/Stockholm", (0, 1)),
        [diary("dana", "Europe/Stockholm", (1, 3))],
        MONDAY,
        FRIDAY_NIGHT,
        length=HOUR,
        most=1,
        own_hours=True,
    )
    assert [slot.start for slot in slots] == [MONDAY + 3 * HOUR]
    assert (list(slots[0].free), list(slots[0].busy)) == (["mara", "dana"], [])


def test_everybody_works_in_his_own_zone() -> None:
    """Nine in New York is three in Stockholm: those two hours come first, although it is later in the day."""
    slots = best_slots(
        diary("mara"),
        [diary("luis", "America/New_York")],
        MONDAY,
        MONDAY + timedelta(hours=9),
        length=HOUR,
        most=2,
        own_hours=True,
    )
    assert [slot.start.hour for slot in slots] == [14, 15]
    assert all(not slot.away for slot in slots)


def test_out_of_hours_is_told_where_nothing_else_is_left() -> None:
    """Where working hours do not overlap, a time is offered and names the people who are out of hours."""
    slots = best_slots(
        diary("mara"),
        [diary("priya", "Asia/Kolkata"), diary("luis", "America/New_York")],
        MONDAY,
        FRIDAY_NIGHT,
        length=HOUR,
        most=3,
        own_hours=True,
    )
    assert slots
    assert all(slot.away for slot in slots)


def test_nobody_is_asked_to_come_at_night_because_they_are_free_then() -> None:
    """Luis's whole day is taken: he is not asked to come at four in the morning, where his calendar is empty."""
    luis = diary("luis", "America/New_York", (6, 14))
    slots = best_slots(diary("mara"), [luis], MONDAY, MONDAY + 9 * HOUR, length=HOUR, most=1, own_hours=True)
    [slot] = slots
    assert slot.start.astimezone(ZoneInfo("America/New_York")).hour >= 7


def test_a_little_outside_for_two_is_better_than_far_outside_for_one() -> None:
    """At nine Priya is at work and Luis asleep; at one she would stay a little longer and he would rise early."""
    others = [diary("priya", "Asia/Kolkata"), diary("luis", "America/New_York")]
    [slot] = best_slots(diary("mara"), others, MONDAY, MONDAY + 9 * HOUR, length=HOUR, most=1, own_hours=True)
    assert slot.away == {"priya": 1.5 * HOUR, "luis": 2 * HOUR}


def test_an_engagement_counts_at_night() -> None:
    """All day it is evening or night in Sydney: of those hours the ones that are taken there are not proposed."""
    priya = diary("priya", "Australia/Sydney", (0, 3))
    slots = best_slots(diary("mara"), [priya], MONDAY, MONDAY + 8 * HOUR, length=HOUR, most=2, own_hours=True)
    assert [(slot.start.hour, list(slot.busy)) for slot in slots] == [(11, []), (12, [])]


def test_an_engagement_of_somebody_asleep_counts_among_several() -> None:
    """In Sydney and in New York somebody is far out of hours, whatever the hour: the free one of the two comes."""
    others = [diary("priya", "Australia/Sydney", (0, 2)), diary("luis", "America/New_York")]
    [slot] = best_slots(diary("mara"), others, MONDAY, MONDAY + 3 * HOUR, length=HOUR, most=1, own_hours=True)
    assert (slot.start, list(slot.busy)) == (MONDAY + 2 * HOUR, [])


def test_how_far_a_time_is_outside() -> None:
    """Before the day begins, after it ends, and on a weekend a day more."""
    tokyo = hours("Asia/Tokyo")
    assert tokyo.outside(MONDAY, MONDAY + HOUR) == HOUR  # 17:00 to 18:00
    assert tokyo.outside(MONDAY + 8 * HOUR, MONDAY + 9 * HOUR) == 8 * HOUR  # 01:00 on Tuesday
    assert tokyo.outside(FRIDAY_NIGHT, FRIDAY_NIGHT + HOUR) == 26 * HOUR  # 07:00 on Saturday


def test_who_cannot_be_seen_is_unknown_and_not_free() -> None:
    """A calendar without visibility is neither free nor busy."""
    hidden = Availability(email="bruno", hours=hours("Europe/Berlin"), busy=None)
    [slot] = best_slots(diary("mara"), [hidden], MONDAY, FRIDAY_NIGHT, length=HOUR, most=1, own_hours=True)
    assert (list(slot.free), list(slot.unknown)) == (["mara"], ["bruno"])


def test_where_nobody_is_free_the_fewest_miss_it_and_the_owner_is_there() -> None:
    """The owner's own engagements weigh most; then as few others as possible are busy."""
    slots = best_slots(
        diary("mara", "Europe/Stockholm", (0, 2)),
        [diary("dana", "Europe/Stockholm", (0, 100)), diary("jonas", "Europe/Stockholm", (2, 3))],
        MONDAY,
        MONDAY + 4 * HOUR,
        length=HOUR,
        most=1,
        own_hours=True,
    )
    assert [slot.start for slot in slots] == [MONDAY + 3 * HOUR]
    assert list(slots[0].busy) == ["dana"]


def test_proposals_do_not_overlap_and_are_on_several_days() -> None:
    """Five one-hour times: two a day before other days have theirs, and none at the weekend."""
    slots = best_slots(diary("mara"), [], MONDAY, MONDAY + timedelta(days=9), length=HOUR, most=5, own_hours=True)
    assert [slot.start.day for slot in slots] == [23, 23, 24, 24, 25]
    assert all(one.end <= other.start for one, other in pairwise(slots))


def test_a_named_time_is_looked_at_as_it_is() -> None:
    """A named time is answered, also outside working hours."""
    start = MONDAY + timedelta(hours=12, minutes=10)
    [slot] = best_slots(diary("mara"), [], start, start + HOUR, length=HOUR, most=5, own_hours=False)
    assert slot.start == start
    assert best_slots(diary("mara"), [], start, start + HOUR, length=HOUR, most=5, own_hours=True) == []


def test_the_night_of_a_clock_change_has_the_hours_that_it_has() -> None:
    """Where clocks change, each moment of a short or long night is proposed once."""
    zone = ZoneInfo("Europe/Stockholm")
    me = Availability(email="mara", hours=hours("Europe/Stockholm", weekends=True), busy=[])
    for day, moments in ((datetime(2027, 3, 28, tzinfo=zone), 5), (datetime(2027, 10, 31, tzinfo=zone), 7)):
        slots = best_slots(me, [], day, day.replace(hour=6), length=HOUR, most=10, own_hours=False)
        assert len(slots) == moments
        assert all(slot.end.timestamp() - slot.start.timestamp() == HOUR.total_seconds() for slot in slots)
        assert all(one.end.timestamp() <= other.start.timestamp() for one, other in pairwise(slots))


# What Google answers -----------------------------------------------------------------------------------------------


def test_free_busy_is_read_whatever_the_case_of_an_address_is() -> None:
    """The case of an address does not count; an address that was not answered is not seen."""
    busy = {"busy": [{"start": "2026-11-24T13:00:00Z", "end": "2026-11-24T14:00:00Z"}]}
    answer = FreeBusy.model_validate({"calendars": {"dana@x.example": busy, "Luis@X.example": {"errors": [{}]}}})
    assert answer.shows("Dana@X.example")
    assert [start.isoformat() for start, _ in answer.busy_times("Dana@X.example")] == ["2026-11-24T13:00:00+00:00"]
    assert not answer.shows("luis@x.example")
    assert (answer.shows("eve@x.example"), answer.busy_times("eve@x.example")) == (False, ())


# Which of a person's calendars are searched ------------------------------------------------------------------------


def entry(name: str, role: str = "reader", **more: object) -> CalendarEntry:
    return CalendarEntry.model_validate({"id": name, "summary": name, "selected": True, "accessRole": role} | more)


OWN = entry("mara@x.example", "owner", primary=True)
LISTED = [OWN, entry("Team", "writer"), entry("Holidays"), entry("Old", "owner", selected=False)]


def test_what_a_search_leaves_out_is_named() -> None:
    """Hidden calendars, and those that share only busy times, are named."""
    others, unseen = to_look_at([*LISTED, entry("Boss", "freeBusyReader")], written=False)
    assert [each.name for each in others] == ["Team", "Holidays"]
    assert unseen == [
        "calendars hidden in Google Calendar: Old",
        "calendars of which only busy times are shared: Boss",
    ]


def test_more_calendars_than_are_looked_at_are_named() -> None:
    """Twenty calendars are searched with the person's own; the first others are named, the rest counted."""
    many = [OWN, *(entry(f"c{number}", "writer") for number in range(40))]
    for written in (True, False):
        others, unseen = to_look_at(many, written=written)
        assert len(others) == 19
        assert unseen == [f"calendars beyond the first 20: {', '.join(f'c{n}' for n in range(19, 29))}, 11 more"]


def test_only_what_a_person_may_write_is_his_time() -> None:
    """Conflicts and briefing look at writable calendars alone, and do not mention the others."""
    others, unseen = to_look_at([*LISTED, entry("Boss", "freeBusyReader")], written=True)
    assert ([each.name for each in others], list(unseen)) == (["Team"], [])
