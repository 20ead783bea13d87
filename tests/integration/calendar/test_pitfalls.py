"""Known pitfalls of calendar tools, by number, against the Google emulator."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Any, cast

import pytest

from integrations.errors import BasisChanged, ModelRetry, ToolFailed
from playground.people import DANA, LUIS, MARA
from policies.event_ids import event_id_for
from tests.integration.calendar.series import created, oak
from tests.integration.google_world import World, data, shown

OUTSIDER = "bruno@kellerholz.example"
WRITES = {"POST", "PATCH", "PUT", "DELETE"}

pytestmark = pytest.mark.asyncio(loop_scope="module")


def sent(world: World, path: str) -> list[dict[str, Any]]:
    """The bodies of what was written to a path, in order."""
    entries = world.emulator.admin.log.after(0)
    found = [entry for entry in entries if path in entry["path"] and entry["method"] in WRITES]
    return [cast("dict[str, Any]", entry["request"]) for entry in found]


def written(world: World) -> list[str]:
    """The addresses of what was written to events, with their parameters."""
    entries = world.emulator.admin.log.after(world.seen)
    return [entry["path"] for entry in entries if "/events" in entry["path"] and entry["method"] in WRITES]


async def mine(world: World, handle: str = "mara") -> list[dict[str, Any]]:
    events = (await world.state())["people"][handle]["events"]
    return [event for event in events if event["summary"].startswith("Oak")]


async def test_google_pitfall_27_all_day_ends_are_exclusive_and_kinds_replace_each_other(
    world: World, sunday: date
) -> None:
    """An all-day event ends on the next day for Google; a timed event becomes all-day and back without leftovers."""
    event_id = await created(world, sunday)
    day = {"event_id": event_id, "start": str(sunday), "end": str(sunday)}
    await world.execute("calendar_event_update", day, key="day")
    [event] = await mine(world)
    assert (event["start"], event["end"]) == ({"date": str(sunday)}, {"date": str(sunday + timedelta(days=1))})
    timed = {"event_id": event_id, "start": f"{sunday}T10:00", "end": f"{sunday}T11:00"}
    result = await world.execute("calendar_event_update", timed, key="timed")
    [event] = await mine(world)
    assert ("date" in event["start"], event["start"]["dateTime"][11:16]) == (False, "10:00")
    assert "10:00–11:00" in data(result)["when"]


async def test_google_pitfall_28_a_repeating_event_names_its_zone(world: World, sunday: date) -> None:
    """Start and end carry an IANA zone even with exact offsets, because Google refuses a recurrence without one."""
    exact = {
        "start": f"{sunday}T14:00+01:00",
        "end": f"{sunday}T15:00+01:00",
        "recurrence": "RRULE:FREQ=WEEKLY;COUNT=3",
    }
    await world.execute("calendar_event_create", oak(sunday) | exact)
    assert [event["start"]["timeZone"] for event in await mine(world)] == [MARA.zone] * 3


async def test_google_pitfall_29_local_times_follow_the_zone_chain_and_changing_clocks_are_asked(
    world: World, sunday: date
) -> None:
    """Times are in the named zone, else the person's, never silently in UTC; skipped and doubled times give choices."""
    result = await world.execute("calendar_event_create", oak(sunday, zone="Asia/Kolkata"))
    assert "14:00–15:00 Asia/Kolkata (1 h)" in data(result)["when"]
    assert data(result)["when"].startswith("Sun ")
    for start, choices in (
        ("2027-03-28T02:30", ("2027-03-28T01:30+01:00", "2027-03-28T03:30+02:00")),
        ("2026-10-25T02:30", ("2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00")),
    ):
        with pytest.raises(ModelRetry) as caught:
            await world.preview("calendar_event_create", oak(sunday, start=start, end="2027-12-01T10:00"))
        assert all(choice in caught.value.hint for choice in choices)


async def test_google_pitfall_29_a_series_that_meets_skipped_hours_says_when(world: World, sunday: date) -> None:
    """When clocks skip a later time of a series, the card of a new or moved series names the day."""
    night = {"start": "2027-03-21T02:30", "end": "2027-03-21T03:30", "recurrence": "RRULE:FREQ=WEEKLY;COUNT=60"}
    card = await world.preview("calendar_event_create", oak(sunday, **night))
    said = "Clocks go forward over this time on Sun 28 Mar 2027 and 1 more: it is later by the clock then."
    assert said in card.warnings
    noon = await created(world, sunday, **night | {"start": "2027-03-21T12:30", "end": "2027-03-21T13:30"})
    moved = await world.preview("calendar_event_update", {"event_id": noon, "start": "2027-03-21T02:30"})
    assert said in moved.warnings


async def test_google_pitfall_30_an_occurrences_id_means_that_occurrence(world: World, sunday: date) -> None:
    """Ids come from searches; without a scope only the named occurrence changes."""
    await created(world, sunday, recurrence="RRULE:FREQ=WEEKLY;COUNT=3")
    rows = data(await world.execute("calendar_search", {"query": "Oak", "start": str(sunday)}))
    second = rows["events"][1]
    assert second["event_id"].startswith(f"{event_id_for('made')}_")
    await world.execute("calendar_event_update", {"event_id": second["event_id"], "title": "Oak 2"}, key="b")
    assert [event["summary"] for event in await mine(world)] == ["Oak", "Oak 2", "Oak"]
    assert written(world)[-1].partition("?")[0].endswith(second["event_id"])


async def test_google_pitfall_31_guests_are_merged_and_an_answer_sends_only_itself(world: World, sunday: date) -> None:
    """Adding a guest keeps everybody's answer; answering sends the user's own entry, marked as incomplete."""
    event_id = await created(world, sunday, attendees=[DANA.email, OUTSIDER])
    await world.execute("calendar_event_answer", {"event_id": event_id, "answer": "accept"}, who=DANA, key="rsvp")
    answer = sent(world, event_id)[-1]
    assert answer == {
        "attendees": [{"email": DANA.email, "responseStatus": "accepted"}],
        "attendeesOmitted": True,
    }
    await world.execute("calendar_event_update", {"event_id": event_id, "add_attendees": [LUIS.email]}, key="add")
    [event] = await mine(world)
    statuses = {guest["email"]: guest["responseStatus"] for guest in event["attendees"]}
    assert statuses == {DANA.email: "accepted", OUTSIDER: "needsAction", LUIS.email: "needsAction"}


@pytest.mark.parametrize("notify", ["all", "none"])
async def test_google_pitfall_32_who_is_told_is_always_said(world: World, sunday: date, notify: str) -> None:
    """Every write carries sendUpdates in its URL, and every card says it."""
    card = await world.preview("calendar_event_create", oak(sunday, attendees=[DANA.email], notify=notify))
    assert shown(card)["Notify"] == ("Guests are told by mail" if notify == "all" else "Nobody is told")
    event_id = await created(world, sunday, attendees=[DANA.email], notify=notify)
    changes: list[tuple[str, dict[str, object]]] = [
        ("calendar_event_update", {"event_id": event_id, "title": "Oak 2", "notify": notify}),
        ("calendar_event_cancel", {"event_id": event_id, "notify": notify}),
    ]
    for name, arguments in changes:
        assert "Notify" in shown(await world.preview(name, arguments))
        await world.execute(name, arguments, key=name)
    assert len(written(world)) == 3
    assert all(f"sendUpdates={notify}" in path for path in written(world))


async def test_google_pitfall_33_a_meet_link_is_asked_for_once_and_waited_for(world: World, sunday: date) -> None:
    """All attempts of an action have one request id, another action has another; the version is always sent."""
    first = await world.execute("calendar_event_create", oak(sunday, meet=True), key="one")
    second = await world.execute("calendar_event_create", oak(sunday, meet=True), key="two")
    assert data(first)["meet"].startswith("https://meet.google.com/")
    assert data(first)["meet"] != data(second)["meet"]
    again = await world.execute("calendar_event_create", oak(sunday, meet=True), key="one", attempt=2)
    assert data(again)["meet"] == data(first)["meet"]
    plain = await created(world, sunday)
    await world.execute("calendar_event_update", {"event_id": plain, "meet": True}, key="add")
    with pytest.raises(ModelRetry):
        await world.execute("calendar_event_update", {"event_id": plain, "meet": True}, key="add again")
    assert all("conferenceDataVersion=1" in path for path in written(world))


@pytest.mark.parametrize(("outcome", "words"), [("pending", "still being made"), ("failure", "made no Meet link")])
async def test_google_pitfall_33_a_meet_link_that_does_not_come_is_said(
    world: World, sunday: date, outcome: str, words: str
) -> None:
    """The event exists all the same, and no link is promised that does not exist."""
    await world.admin("calendar", {"meet": outcome})
    result = await world.execute("calendar_event_create", oak(sunday, meet=True))
    await world.admin("calendar", {"meet": "success"})
    assert words in data(result)["meet"]
    assert len(await mine(world)) == 1


async def test_google_pitfall_34_the_events_id_follows_from_the_action(world: World, sunday: date) -> None:
    """Two actions with the same words make two events, one action makes one; a deleted id is found, not made again."""
    event_id = await created(world, sunday)
    await world.execute("calendar_event_create", oak(sunday), key="another action")
    assert len(await mine(world)) == 2
    assert await created(world, sunday) == event_id
    await world.execute("calendar_event_cancel", {"event_id": event_id}, key="gone")
    again = await world.execute("calendar_event_create", oak(sunday), key="made")
    assert data(again)["note"] == "The event has been removed since."
    assert len(await mine(world)) == 1


async def test_google_pitfall_35_gone_is_cancelled_and_another_version_makes_another_card(
    world: World, sunday: date
) -> None:
    """410 on a cancellation is a success; 412 sends nothing and the next card shows what is there now."""
    event_id = await created(world, sunday)
    card = await world.preview("calendar_event_cancel", {"event_id": event_id})
    await world.execute("calendar_event_cancel", {"event_id": event_id}, key="somebody else")
    result = await world.execute("calendar_event_cancel", {"event_id": event_id}, card=card)
    assert data(result)["note"] == "It was cancelled already."
    other = await created(world, sunday, key="other")
    world.fault("error", "events.delete", status=410, error="deleted")
    assert data(await world.execute("calendar_event_cancel", {"event_id": other}))["cancelled"] is True
    change = {"event_id": other, "location": "Gate"}
    old = await world.preview("calendar_event_update", change)
    await world.execute("calendar_event_update", {"event_id": other, "title": "Oak 2"}, key="faster")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_update", change, card=old)
    fresh = await world.preview("calendar_event_update", change)
    assert (shown(old)["What"], shown(fresh)["What"]) == ("Oak", "Oak 2")


async def test_google_pitfall_35_who_changes_an_event_in_between_is_not_overruled(world: World, sunday: date) -> None:
    """The request itself carries the version, so Google refuses it with 412 after another change."""
    event_id = await created(world, sunday)
    world.fault("delay", f"/events/{event_id}", method="PATCH", seconds=0.3)
    slow = world.execute("calendar_event_update", {"event_id": event_id, "location": "Gate"}, key="slow")
    fast = world.execute("calendar_event_update", {"event_id": event_id, "location": "Barn"}, key="fast")
    overtaken = asyncio.create_task(slow)
    while world.emulator.admin.faults.all():
        await asyncio.sleep(0.01)
    await fast
    with pytest.raises(BasisChanged):
        await overtaken
    assert [event["location"] for event in await mine(world)] == ["Barn"]


async def test_google_pitfall_36_somebody_elses_event_is_answered_instead(world: World, sunday: date) -> None:
    """A guest learns who may change the event and what they can do, before a card and also when Google refuses."""
    event_id = await created(world, sunday, attendees=[DANA.email])
    for name, arguments in (
        ("calendar_event_update", {"event_id": event_id, "title": "Mine"}),
        ("calendar_event_cancel", {"event_id": event_id}),
    ):
        with pytest.raises(ToolFailed) as caught:
            await world.preview(name, arguments, who=DANA)
        assert (caught.value.code, MARA.email in caught.value.message) == ("not_organizer", True)
        assert "calendar_event_answer" in caught.value.hint
    world.fault("error", "events.patch", status=403, error="forbiddenForNonOrganizer")
    with pytest.raises(ToolFailed) as caught:
        await world.execute("calendar_event_update", {"event_id": event_id, "title": "x"})
    assert caught.value.code == "not_organizer"


async def test_google_pitfall_37_a_calendar_that_cannot_be_seen_is_not_free(world: World, sunday: date) -> None:
    """Hidden calendars and those beyond fifty are named, and busy times are in the user's zone."""
    await world.execute("calendar_event_create", oak(sunday), who=DANA, key="dana")
    people = [DANA.email, OUTSIDER, *(f"a{number}@x.example" for number in range(60))]
    card = await world.preview(
        "calendar_event_create", oak(sunday, start=f"{sunday}T15:00", end=f"{sunday}T16:00") | {"attendees": people}
    )
    assert f"Busy at that time: {DANA.email}" in card.warnings
    hidden, rest = card.unchecked
    assert ("cannot be seen" in hidden, OUTSIDER in hidden, "a59@" in rest) == (
        True,
        True,
        True,
    )
    asked = {"people": [DANA.email, OUTSIDER], "start": f"{sunday}T15:00", "end": f"{sunday}T16:00", "minutes": 60}
    found = data(await world.execute("calendar_find_time", asked))
    [slot] = found["slots"]
    assert (slot["busy"], slot["unknown"], found["cannot_see"]) == ([DANA.email], [OUTSIDER], [OUTSIDER])
    busy = next(person["busy"] for person in found["people"] if person["email"] == DANA.email)
    assert "15:00–16:00 Europe/Stockholm" in busy[0]


async def test_google_pitfall_38_what_takes_no_time_is_no_conflict(world: World, sunday: date) -> None:
    """Declined and cancelled events are no conflicts (free and working-place ones: see the unit test)."""
    declined = oak(sunday, attendees=[MARA.email], start=f"{sunday}T13:00", end=f"{sunday}T14:00")
    invited = data(await world.execute("calendar_event_create", declined, who=DANA, key="dana"))["event_id"]
    assert any("You already" in w for w in (await world.preview("calendar_event_create", oak(sunday))).warnings)
    await world.execute("calendar_event_answer", {"event_id": invited, "answer": "decline"}, key="no")
    gone = await created(world, sunday)
    await world.execute("calendar_event_cancel", {"event_id": gone}, key="gone")
    assert list((await world.preview("calendar_event_create", oak(sunday))).warnings) == []


async def test_google_pitfall_39_conflicts_are_looked_for_beyond_the_first_time(world: World, sunday: date) -> None:
    """Conflicts of the owner and a guest on the third Sunday are both found, with their number."""
    third = sunday + timedelta(weeks=2)
    await world.execute("calendar_event_create", oak(third, title="Sawing", attendees=[DANA.email]), key="sawing")
    weekly = oak(sunday, recurrence="RRULE:FREQ=WEEKLY;COUNT=6", attendees=[DANA.email])
    card = await world.preview("calendar_event_create", weekly)
    assert "You already have something at 1 of 6 times" in card.warnings
    assert any("“Sawing”" in warning for warning in card.warnings)
    assert any(warning.startswith(f"{DANA.email} is busy at 1 of 6 times") for warning in card.warnings)
    endless = await world.preview("calendar_event_create", oak(sunday, recurrence="RRULE:FREQ=WEEKLY"))
    assert any(text.startswith("Conflicts were checked until ") for text in endless.unchecked)


# Bad input


async def test_limits_of_google_are_said_and_nothing_is_half_done(world: World, sunday: date) -> None:
    """Quota errors say when to try again; the event is not there."""
    world.fault("error", "events.insert", status=403, error="rateLimitExceeded", times=-1)
    with pytest.raises(ToolFailed) as caught:
        await world.execute("calendar_event_create", oak(sunday))
    assert (caught.value.code, "Try again" in caught.value.message) == ("rate_limited", True)
    world.emulator.admin.faults.clear()
    assert await mine(world) == []


@pytest.mark.parametrize("name", ["calendar_event_update", "calendar_event_cancel", "calendar_event_answer"])
async def test_unknown_ids_are_asked_back(world: World, name: str) -> None:
    """Nothing is written, and the error says where ids come from; also for an unknown calendar."""
    more: dict[str, dict[str, object]] = {
        "calendar_event_update": {"title": "x"},
        "calendar_event_answer": {"answer": "accept"},
    }
    for event_id in ("nosuchevent00", "nosuchevent00@nowhere@group.calendar.google.com"):
        with pytest.raises(ModelRetry) as caught:
            await world.preview(name, {"event_id": event_id} | more.get(name, {}))
        assert (caught.value.code, "calendar_search" in caught.value.hint) == ("event_not_found", True)
    assert written(world) == []
