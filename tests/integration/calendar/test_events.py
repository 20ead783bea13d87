"""The calendar tools against the Google emulator, through google-api-python-client and a real socket."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from integrations.base import Done, NotDone, Unknown
from integrations.errors import Ambiguous, BasisChanged, ModelRetry, NotConnected, ToolFailed
from integrations.google.scopes import EVENTS
from playground.people import DANA, MARA
from tests.integration.calendar.series import created, entries, oak
from tests.integration.google_world import ALL_SCOPES, World, data

OUTSIDER = "bruno@kellerholz.example"

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def told_of_oak(world: World) -> list[list[str]]:
    """Who got a mail about the event."""
    return [notice["to"] for notice in (await world.state())["notices"] if notice["summary"] == "Oak"]


# Creating


async def test_a_card_shows_what_will_be_created(world: World, free_day: str) -> None:
    """The card shows title, time in both zones, place, guests and mails; outsiders and unseen calendars are marked."""
    arguments = oak(free_day, zone="Asia/Kolkata", attendees=[OUTSIDER, DANA.email], location="Yard")
    card = await world.preview("calendar_event_create", arguments)
    shown = {line.label: line.value for line in card.fields}
    assert card.title == "Create this event and invite 2 people?"
    assert "there: " in shown["When"]
    assert shown["When"].endswith("14:00–15:00 Asia/Kolkata (1 h)")
    assert (shown["Where"], shown["Guests"]) == ("Yard", f"{OUTSIDER} (outside)\n{DANA.email}")
    assert shown["Notify"] == "Guests are told by mail"
    assert f"Outside fernhill.example: {OUTSIDER}" in card.warnings
    assert card.unchecked == [f"Their calendar cannot be seen: {OUTSIDER}."]


async def test_conflicts_are_seen_before_the_card(world: World, free_day: str) -> None:
    """Conflicts name the user's events and busy guests; without the scope the card says that it was not checked."""
    await world.execute("calendar_event_create", oak(free_day, title="Sawing", attendees=[DANA.email]))
    card = await world.preview("calendar_event_create", oak(free_day, attendees=[DANA.email]))
    assert any("You already have “Sawing”" in warning for warning in card.warnings)
    assert f"Busy at that time: {DANA.email}" in card.warnings
    world.grants.scopes = ALL_SCOPES - {"https://www.googleapis.com/auth/calendar.freebusy"}
    blind = await world.preview("calendar_event_create", oak(free_day, attendees=[DANA.email]))
    assert blind.unchecked == [f"It was not checked whether these guests are free: {DANA.email}."]


async def test_an_event_is_created_and_guests_are_told(world: World, free_day: str) -> None:
    """The event is on both calendars, and one invitation was sent."""
    result = await world.execute("calendar_event_create", oak(free_day, attendees=[DANA.email]))
    [mine] = await entries(world)
    assert data(result)["event_id"] == mine["id"]
    assert len(await entries(world, "dana", "Oak")) == 1
    assert await told_of_oak(world) == [[DANA.email]]


async def test_nobody_is_told_when_nobody_should_be(world: World, free_day: str) -> None:
    """notify none sends no invitation; with outsiders the card warns."""
    quiet = oak(free_day, attendees=[OUTSIDER], notify="none")
    card = await world.preview("calendar_event_create", quiet)
    assert any("may never see" in warning for warning in card.warnings)
    await world.execute("calendar_event_create", quiet)
    assert await told_of_oak(world) == []


async def test_whole_days_are_created(world: World, free_day: str) -> None:
    """An all-day event lasts until the day before its end."""
    end = (date.fromisoformat(free_day) + timedelta(days=2)).isoformat()
    result = await world.execute("calendar_event_create", {"title": "Fair", "start": free_day, "end": end})
    assert data(result)["when"].endswith("all day (2 days)")
    [row] = data(await world.execute("calendar_search", {"query": "Fair", "start": free_day}))["events"]
    assert (row["start"], row["end"]) == (free_day, end)


@pytest.mark.parametrize("fault", ["drop_after", "status_after", "drop_before"])
async def test_a_doubtful_insert_is_one_event(world: World, free_day: str, fault: str) -> None:
    """Whether a lost request arrived or not, the event exists once, guests get one mail, and the tool knows."""
    world.fault(fault, "/events", method="POST", status=503)
    result = await world.execute("calendar_event_create", oak(free_day, attendees=[DANA.email]))
    [mine] = await entries(world)
    assert data(result)["event_id"] == mine["id"]
    assert len(await told_of_oak(world)) == 1


async def test_an_insert_that_nobody_can_tell_of_is_ambiguous(world: World, free_day: str) -> None:
    """While Google is unreachable the outcome stays open, and reconcile finds it afterwards."""
    world.fault("drop_after", "/events", method="POST", times=1)
    await world.interrupt("status", "/calendar/", "calendar_event_create", oak(free_day), status=500, times=12)
    world.emulator.admin.faults.clear()
    settled = await world.reconcile("calendar_event_create", oak(free_day))
    assert isinstance(settled, Done)
    assert len(await entries(world)) == 1


async def test_creating_is_settled_by_the_events_id(world: World, free_day: str) -> None:
    """Without the event it is not done; a second attempt after a successful one finds the event and creates nothing."""
    assert await world.reconcile("calendar_event_create", oak(free_day)) == NotDone()
    first = await world.execute("calendar_event_create", oak(free_day))
    second = await world.execute("calendar_event_create", oak(free_day), attempt=2)
    again = await world.execute("calendar_event_create", oak(free_day))
    assert data(first) == data(second) == data(again)
    assert len(await entries(world)) == 1
    await world.execute("calendar_event_create", oak(free_day), key="k2")
    assert len(await entries(world)) == 2


async def test_impossible_arguments_are_refused_before_anything_happens(world: World) -> None:
    """Skipped and doubled times, unknown zones, inverted times, bad guests and rules are refused without a request."""
    wrong: list[dict[str, Any]] = [
        {"start": "2027-03-28T02:30", "end": "2027-03-28T03:30"},
        {"start": "2026-10-25T02:30", "end": "2026-10-25T03:30"},
        {"zone": "Mars/Olympus"},
        {"end": "2026-12-01T13:00"},
        {"attendees": ["dana"]},
        {"attendees": [f"a{n}@x.example" for n in range(300)]},
        {"title": "   "},
        {"recurrence": "every Tuesday"},
        {"recurrence": "RRULE:FREQ=WEEKLY;BYDAY=MO"},
    ]
    for change in wrong:
        with pytest.raises(ModelRetry):
            await world.preview("calendar_event_create", oak("2026-12-01") | change)
    assert world.requests("/calendar/") == 0


# Changing


async def test_a_move_shows_before_and_after_and_keeps_its_length(world: World, free_day: str) -> None:
    """With only a start the card shows both times, and the event keeps its length and guests."""
    event_id = await created(world, free_day, attendees=[DANA.email, OUTSIDER])
    arguments: dict[str, Any] = {"event_id": event_id, "start": f"{free_day}T16:00", "remove_attendees": [OUTSIDER]}
    card = await world.preview("calendar_event_update", arguments)
    when = next(line for line in card.fields if line.label == "When")
    assert "”, now " in card.about
    assert when.before is not None
    assert ("14:00–15:00" in when.before, "16:00–17:00" in when.value) == (True, True)
    assert {line.label: line.value for line in card.fields}["Guests removed"] == f"{OUTSIDER} (outside)"
    assert [OUTSIDER in warning for warning in card.warnings] == [True]  # as on the card that cancels it
    assert set(card.recipients or ()) == {DANA.email, OUTSIDER}
    await world.execute("calendar_event_update", arguments, card=card)
    [mine] = await entries(world)
    assert "T16:00" in mine["start"]["dateTime"]
    assert "T17:00" in mine["end"]["dateTime"]
    assert {guest["email"] for guest in mine["attendees"]} >= {DANA.email}
    assert OUTSIDER not in {guest["email"] for guest in mine["attendees"]}


async def dana_saws(world: World, day: str, start: str, end: str) -> None:
    """An event of Dana's, by Mara's clock."""
    busy = {"title": "Sawing", "start": f"{day}T{start}", "end": f"{day}T{end}", "zone": MARA.zone}
    await world.execute("calendar_event_create", busy, key="busy", who=DANA)


async def test_all_of_what_is_replaced_stands_on_the_card(world: World, free_day: str) -> None:
    """The card shows a long description that is removed to its last line, and the old reminders."""
    long = "\n".join(f"Point {number} of what we want to talk about" for number in range(60))
    event_id = await created(world, free_day, description=long)
    arguments: dict[str, Any] = {"event_id": event_id, "description": "Short", "reminders": [10]}
    card = await world.preview("calendar_event_update", arguments)
    before = {line.label: line.before for line in card.fields}
    assert before["Description"] == long
    assert before["Your reminders"] == "your calendar's usual ones"
    await world.execute("calendar_event_update", arguments, card=card)
    again = await world.preview("calendar_event_update", {"event_id": event_id, "reminders": []})
    assert {line.label: line.before for line in again.fields}["Your reminders"] == "10 minutes before"


async def test_a_new_guest_who_is_busy_then_is_named(world: World, free_day: str) -> None:
    """Events of a newly invited guest at that time are conflicts, as for a new event."""
    await dana_saws(world, free_day, "14:15", "14:45")
    event_id = await created(world, free_day)
    card = await world.preview("calendar_event_update", {"event_id": event_id, "add_attendees": [DANA.email]})
    assert f"Busy at that time: {DANA.email}" in card.warnings


async def test_the_owner_among_the_guests_is_no_conflict(world: World, free_day: str) -> None:
    """A person who adds themselves to their own event is not called busy with it."""
    event_id = await created(world, free_day)
    card = await world.preview("calendar_event_update", {"event_id": event_id, "add_attendees": [MARA.email]})
    assert list(card.warnings) == []


async def test_what_an_event_hides_of_its_guests_day_is_not_called_free(world: World, free_day: str) -> None:
    """Where free/busy cannot tell the event from others, the card says so, and only where it matters."""
    event_id = await created(world, free_day, attendees=[DANA.email])
    await dana_saws(world, free_day, "14:15", "14:45")
    said = f"Besides this event itself, more may lie in its time until now for {DANA.email}."
    near = await world.preview("calendar_event_update", {"event_id": event_id, "start": f"{free_day}T14:10"})
    assert (list(near.warnings), list(near.unchecked)) == ([], [said])
    away = await world.preview("calendar_event_update", {"event_id": event_id, "start": f"{free_day}T15:00"})
    assert (list(away.warnings), list(away.unchecked)) == ([], [])


async def test_what_a_guest_has_beside_the_events_own_time_is_in_the_way(world: World, free_day: str) -> None:
    """A meeting right after the event, which free/busy joins to it, counts only where the new time reaches it."""
    event_id = await created(world, free_day, attendees=[DANA.email])
    await dana_saws(world, free_day, "15:00", "16:00")
    into = await world.preview("calendar_event_update", {"event_id": event_id, "end": f"{free_day}T15:30"})
    assert f"Busy at that time: {DANA.email}" in into.warnings
    shorter = await world.preview("calendar_event_update", {"event_id": event_id, "end": f"{free_day}T14:30"})
    assert not any("Busy" in warning for warning in shorter.warnings)


async def test_an_event_that_a_guest_declined_hides_nothing(world: World, free_day: str) -> None:
    """A guest who declined is busy with something else at that time."""
    event_id = await created(world, free_day, attendees=[DANA.email])
    await world.execute("calendar_event_answer", {"event_id": event_id, "answer": "decline"}, key="no", who=DANA)
    await dana_saws(world, free_day, "14:15", "14:45")
    card = await world.preview("calendar_event_update", {"event_id": event_id, "start": f"{free_day}T14:10"})
    assert f"Busy at that time: {DANA.email}" in card.warnings


async def test_every_guest_stands_on_the_card(world: World, free_day: str) -> None:
    """The card names every guest who is added or removed, however many."""
    event_id = await created(world, free_day)
    added = [f"someone.{n:02}@a-quite-long-domain-name.example" for n in range(40)] + ["eve@evil.example"]
    card = await world.preview("calendar_event_update", {"event_id": event_id, "add_attendees": added})
    shown = next(field.value for field in card.fields if field.label == "Guests added")
    assert shown.splitlines() == [f"{email} (outside)" for email in added]
    assert card.warnings[0].startswith("Outside ")


async def test_an_event_that_changed_meanwhile_is_not_changed(world: World, free_day: str) -> None:
    """Another version raises BasisChanged, sends nothing, and a new card shows the new state."""
    event_id = await created(world, free_day)
    arguments: dict[str, Any] = {"event_id": event_id, "location": "Gate"}
    card = await world.preview("calendar_event_update", arguments)
    await world.execute("calendar_event_update", {"event_id": event_id, "title": "Oak!"}, key="other")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_update", arguments, card=card)
    fresh = await world.preview("calendar_event_update", arguments)
    assert fresh.basis != card.basis
    await world.execute("calendar_event_update", arguments, card=fresh)
    [mine] = await entries(world, "mara", "Oak!")
    assert mine["location"] == "Gate"


async def test_a_refused_precondition_changes_the_basis(world: World, free_day: str) -> None:
    """A 412 between look and change is a changed basis too."""
    event_id = await created(world, free_day)
    world.fault("error", "events.patch", status=412, error="conditionNotMet")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_update", {"event_id": event_id, "location": "Gate"})


async def test_refused_reminders_are_not_called_changed(world: World, free_day: str) -> None:
    """After a 412 on a change of reminders alone the outcome tells that they are as before."""
    event_id = await created(world, free_day)
    arguments: dict[str, Any] = {"event_id": event_id, "reminders": [5]}
    card = await world.preview("calendar_event_update", arguments)
    world.fault("error", "events.patch", status=412, error="conditionNotMet")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_update", arguments, card=card)
    await world.execute("calendar_event_update", {"event_id": event_id, "location": "Gate"}, key="somebody else")
    assert isinstance(await world.reconcile("calendar_event_update", arguments, card=card), Unknown)


@pytest.mark.parametrize("fault", ["drop_after", "status_after", "drop_before"])
async def test_a_doubtful_change_happens_once(world: World, free_day: str, fault: str) -> None:
    """When Google's response is lost, the tool asks again under the same version and recognises its own change."""
    event_id = await created(world, free_day, attendees=[DANA.email])
    world.fault(fault, event_id, method="PATCH", status=503)
    await world.execute("calendar_event_update", {"event_id": event_id, "title": "Oak 2", "add_attendees": [OUTSIDER]})
    [mine] = await entries(world, "mara", "Oak 2")
    assert OUTSIDER in {guest["email"] for guest in mine["attendees"]}
    updates = [notice for notice in (await world.state())["notices"] if notice["kind"] == "update"]
    assert len(updates) <= 1


async def test_a_change_is_settled_by_looking(world: World, free_day: str) -> None:
    """The same version is not done, the wanted state is done, and anything else is for a person to check."""
    event_id = await created(world, free_day)
    arguments: dict[str, Any] = {"event_id": event_id, "start": f"{free_day}T16:00"}
    assert await world.reconcile("calendar_event_update", arguments) == NotDone(final=True)
    card = await world.preview("calendar_event_update", arguments)
    assert await world.reconcile("calendar_event_update", arguments, card=card) == NotDone()
    await world.execute("calendar_event_update", {"event_id": event_id, "title": "Else"}, key="other")
    assert isinstance(await world.reconcile("calendar_event_update", arguments, card=card), Unknown)
    await world.execute("calendar_event_update", {"event_id": event_id, "start": f"{free_day}T16:00"}, key="same")
    assert isinstance(await world.reconcile("calendar_event_update", arguments, card=card), Done)


async def test_an_unapproved_change_notes_its_version_first(world: World, free_day: str) -> None:
    """Where no card was made, the version is noted before the request, so that a crash can be settled."""
    event_id = await created(world, free_day)
    world.fault("drop_after", event_id, method="PATCH", times=-1)
    arguments: dict[str, Any] = {"event_id": event_id, "title": "Oak 3"}
    with pytest.raises(Ambiguous):
        await world.execute("calendar_event_update", arguments)
    assert "etag" in world.notes["k1"]
    world.emulator.admin.faults.clear()
    assert isinstance(await world.reconcile("calendar_event_update", arguments), Done)


async def test_an_empty_change_is_asked_back(world: World, free_day: str) -> None:
    """A change of nothing is no change."""
    event_id = await created(world, free_day)
    with pytest.raises(ModelRetry):
        await world.preview("calendar_event_update", {"event_id": event_id})


async def test_one_occurrence_of_a_repeating_event_is_changed(world: World) -> None:
    """The card says that only this one changes, and only this one does."""
    rows = data(await world.execute("calendar_search", {"limit": 50}))["events"]
    mine = [row for row in rows if row["recurring"] and row["my_status"] in {"accepted", "organizer"}]
    for row in mine:
        try:
            card = await world.preview("calendar_event_update", {"event_id": row["event_id"], "location": "Elsewhere"})
        except ToolFailed:
            continue  # somebody else's
        assert {line.label: line.value for line in card.fields}["Applies to"] == "only this occurrence"
        await world.execute("calendar_event_update", {"event_id": row["event_id"], "location": "Elsewhere"}, card=card)
        after = data(await world.execute("calendar_search", {"query": row["title"], "limit": 50}))["events"]
        assert [r["event_id"] for r in after if r["where"] == "Elsewhere"] == [row["event_id"]]
        return
    pytest.fail("the seeded calendar has no repeating event of Mara's")


async def test_mail_scopes_do_not_open_the_calendar(world: World) -> None:
    """Without the calendar's scope every calendar tool says what is missing."""
    await world.admin("grants", {"person": "mara", "scopes": sorted(ALL_SCOPES - {EVENTS})})
    with pytest.raises(NotConnected) as caught:
        await world.execute("calendar_search", {})
    assert caught.value.code == "missing_scope"
