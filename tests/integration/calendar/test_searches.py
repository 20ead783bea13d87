"""Searching events, on one calendar or all, and times that suit several people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from integrations.base import Requester
from integrations.calendar import client
from integrations.calendar.agenda import DayAgenda
from integrations.calendar.client import CalendarClient, Look
from integrations.calendar.events.results import event_row
from integrations.calendar.tools import search
from integrations.calendar.wire import Event, EventPage
from integrations.errors import ModelRetry
from integrations.google.client import GoogleClient
from integrations.google.scopes import CALENDARS
from playground.people import DANA, MARA, TEAM_ID
from policies.types import Label
from tests.builders import HandClock
from tests.integration.google_world import ALL_SCOPES, World, data

OUTSIDER = "bruno@kellerholz.example"

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_search_shows_single_events_in_the_persons_zone(world: World) -> None:
    """A search gives single events in order, with weekday, zone, guests and answers, labelled external."""
    result = await world.execute("calendar_search", {"limit": 50})
    rows = data(result)["events"]
    assert data(result)["zone"] == MARA.zone
    assert [row["start"] for row in rows if "T" in row["start"]] == sorted(
        r["start"] for r in rows if "T" in r["start"]
    )
    assert any(row["recurring"] for row in rows)
    assert all(MARA.zone in row["when"] or "all day" in row["when"] for row in rows)
    assert result.label is Label.EXTERNAL
    assert {shown.kind for shown in result.objects} == {"event"}


async def test_a_search_is_limited_and_says_that_there_is_more(world: World) -> None:
    """A query narrows the search, and a limited answer says so."""
    few = data(await world.execute("calendar_search", {"limit": 2}))
    assert (len(few["events"]), "more" in few) == (2, True)
    title = few["events"][0]["title"]
    named = data(await world.execute("calendar_search", {"query": title}))["events"]
    assert title in {row["title"] for row in named}


async def test_the_last_day_of_a_search_is_included(world: World, free_day: str) -> None:
    """A search from a day to the same day finds what is on it."""
    await world.execute(
        "calendar_event_create", {"title": "Oak", "start": f"{free_day}T14:00", "end": f"{free_day}T15:00"}
    )
    rows = data(await world.execute("calendar_search", {"start": free_day, "end": free_day}))["events"]
    assert [row["title"] for row in rows] == ["Oak"]
    with pytest.raises(ModelRetry):
        await world.execute("calendar_search", {"start": free_day, "end": "2020-01-01"})


WEST_TO_EAST = ["Pacific/Midway", "America/New_York", "Europe/Stockholm", "Asia/Kolkata", "Pacific/Kiritimati"]


@pytest.mark.parametrize("zone", WEST_TO_EAST)
@pytest.mark.parametrize(("begins", "ends"), [("T00:00", "T23:59"), ("T00:30", "T01:30"), ("T21:00", "T23:00")])
async def test_a_whole_day_is_that_day_wherever_somebody_is(
    world: World, sunday: date, zone: str, begins: str, ends: str
) -> None:
    """A search of a day, or of an hour of it, finds the whole days that this day belongs to, and none beside it,
    whatever the zones of the person and of the calendar are.
    """
    await world.granted(ALL_SCOPES | {CALENDARS})
    for number, (first, last) in enumerate([(-1, 0), (0, 1), (1, 2), (-2, 0), (-2, 1), (1, 4)]):
        days = {"start": f"{sunday + timedelta(first)}", "end": f"{sunday + timedelta(last)}"}
        await world.execute("calendar_event_create", {"title": f"Oak {first} to {last}", **days}, key=f"oak-{number}")
    asked = {"query": "Oak", "start": f"{sunday}{begins}", "end": f"{sunday}{ends}", "limit": 3}
    found = data(await world.execute("calendar_search", asked, who=replace(MARA, zone=zone)))
    assert {row["title"] for row in found["events"]} == {"Oak 0 to 1", "Oak -2 to 1"}
    assert "more" not in found
    requester = Requester(team=TEAM_ID, user=MARA.user_id, name=MARA.name, email=MARA.email, zone=zone)
    noon = HandClock(datetime.combine(sunday, time(12), ZoneInfo(zone)))
    async with GoogleClient(grants=world.grants, clock=noon, api_root_url=world.url) as google:
        briefed = (await DayAgenda(google).today(requester)).meetings
    assert {meeting.title for meeting in briefed} >= {"Oak 0 to 1", "Oak -2 to 1"}
    assert {meeting.title for meeting in briefed}.isdisjoint({"Oak -1 to 0", "Oak 1 to 2", "Oak -2 to 0", "Oak 1 to 4"})


async def test_one_invitation_does_not_hide_the_day(
    world: World, free_day: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reference of five thousand digits in a description is a character. Whatever else an event does costs a line."""
    times = {"start": f"{free_day}T14:00", "end": f"{free_day}T15:00"}
    await world.execute("calendar_event_create", {"title": "Oak", **times, "description": f"a&#{'1' * 5_000};b"})
    await world.execute("calendar_event_create", {"title": "Elm", **times}, key="elm")
    day = {"start": free_day, "end": free_day}
    rows = data(await world.execute("calendar_search", day))["events"]
    assert {row["title"]: row.get("description") for row in rows} == {
        "Oak": '<untrusted source="event">a\ufffdb</untrusted>',
        "Elm": None,
    }

    def odd(event: Event, zone: str, **more: Any) -> dict[str, object]:
        if event.summary == "Oak":
            raise IndexError
        return event_row(event, zone, **more)

    monkeypatch.setattr(search, "event_row", odd)
    rows = data(await world.execute("calendar_search", day))["events"]
    assert sorted(str(row.get("error", row.get("title"))) for row in rows) == ["Elm", "This event could not be read."]


async def test_a_search_looks_at_every_calendar_that_is_shown(world: World) -> None:
    """Where the calendar list was granted, each event is found once with its calendar's name; else the user's own."""
    own = data(await world.execute("calendar_search", {"limit": 50}))["events"]
    assert not any("calendar" in row for row in own)
    await world.granted(ALL_SCOPES | {CALENDARS})
    every = data(await world.execute("calendar_search", {"limit": 50}))["events"]
    shared = [row for row in every if "calendar" in row]
    assert shared
    assert {row["event_id"] for row in own} <= {row["event_id"] for row in every}
    assert all("@" in row["event_id"] for row in shared)
    assert "organizer" not in {row["my_status"] for row in shared}
    assert [row["start"][:10] for row in every] == sorted(row["start"][:10] for row in every)


async def test_a_search_says_which_calendars_it_did_not_look_at(world: World) -> None:
    """Without the list all other calendars are named as left out; with it those that are not shared in full."""
    looked = data(await world.execute("calendar_search", {"limit": 50}))
    assert looked["not_looked_at"] == ["your other calendars: the list of them was not granted"]
    await world.granted(ALL_SCOPES | {CALENDARS})
    looked = data(await world.execute("calendar_search", {"limit": 50}))
    assert looked["not_looked_at"] == ["calendars of which only busy times are shared: Deliveries"]


async def test_the_list_of_calendars_is_read_to_its_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is read page by page to its end."""
    await world.granted(ALL_SCOPES | {CALENDARS})
    whole = data(await world.execute("calendar_search", {"limit": 50}))
    monkeypatch.setattr(client, "CALENDARS_PER_PAGE", 1)
    assert data(await world.execute("calendar_search", {"limit": 50})) == whole


async def test_pages_of_a_search_follow_each_other(world: World) -> None:
    """The next page begins where the last one ended, until none is left."""
    whole = [row["event_id"] for row in data(await world.execute("calendar_search", {"limit": 50}))["events"]]
    found: list[str] = []
    page: int | None = 0
    while page is not None:
        answer = data(await world.execute("calendar_search", {"limit": 3, "page": page}))
        found += [row["event_id"] for row in answer["events"]]
        page = answer.get("next_page")
    assert found == whole


# Finding a time


async def test_a_time_is_found_for_several_people(world: World) -> None:
    """Everybody is free, people whose calendars cannot be seen are named, and working hours are kept."""
    arguments = {"people": [DANA.email, OUTSIDER], "minutes": 60, "limit": 3}
    result = await world.execute("calendar_find_time", arguments)
    slots = data(result)["slots"]
    assert len(slots) == 3
    assert all(slot["free"] == [MARA.email, DANA.email] and slot["unknown"] == [OUTSIDER] for slot in slots)
    assert data(result)["cannot_see"] == [OUTSIDER]
    assert all("09:00" <= slot["start"][11:16] <= "16:00" for slot in slots)
    created = {"title": "x", "start": slots[0]["start"], "end": slots[0]["end"], "attendees": [DANA.email]}
    assert not [
        w for w in (await world.preview("calendar_event_create", created)).warnings if "usy" in w or "You al" in w
    ]


async def test_bad_windows_and_too_many_people_are_asked_back(world: World) -> None:
    """Wrong windows, hours and addresses are refused without asking Google."""
    wrong: list[dict[str, object]] = [
        {"start": "2020-01-01", "end": "2020-01-02"},
        {"start": "2026-12-01T10:00", "end": "2026-12-01T10:10"},
        {"start": "2026-12-01", "end": "2027-12-01"},
        {"earliest": "17:00", "latest": "09:00"},
        {"people": [f"a{n}@x.example" for n in range(50)]},
        {"people": ["dana"]},
        {"zone": "Mars/Olympus"},
    ]
    for arguments in wrong:
        with pytest.raises(ModelRetry):
            await world.execute("calendar_find_time", arguments)
    assert world.requests("/freeBusy") == 0


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ({"date": "0001-01-01"}, {"date": "2030-01-01"}),
        ({"dateTime": "0001-01-01T00:00:00Z"}, {"dateTime": "2030-01-01T00:00:00Z"}),
        ({"dateTime": "2026-11-01T00:00:00Z"}, {"dateTime": "9999-12-31T23:59:59Z"}),
        ({"date": "2026-11-01"}, {"date": "9999-12-31"}),
    ],
    ids=["a day in the year 1", "a moment in the year 1", "a moment in the year 9999", "a day in the year 9999"],
)
@pytest.mark.parametrize("zone", ["Europe/Stockholm", "America/New_York", "Pacific/Auckland"])
async def test_an_event_at_the_edge_of_time_costs_a_line(
    world: World, free_day: str, monkeypatch: pytest.MonkeyPatch, zone: str, start: dict[str, str], end: dict[str, str]
) -> None:
    """It has no form in some zone. The search, the card of a new event and the day's agenda go on without it."""
    far = Event.model_validate({"id": "far", "summary": "Far", "start": start, "end": end})
    asked = CalendarClient.events_of

    async def events_of(calendar: CalendarClient, looks: Sequence[Look], **more: Any) -> list[EventPage]:
        pages = cast("Sequence[EventPage]", await asked(calendar, looks, **more))
        return [page.model_copy(update={"items": [*page.items, far]}) for page in pages]

    monkeypatch.setattr(CalendarClient, "events_of", events_of)
    who = replace(MARA, zone=zone)
    found = data(await world.execute("calendar_search", {"start": free_day, "end": free_day}, who=who))
    assert found["events"] == []
    assert "1 event that could not be read" in found["not_looked_at"]
    times = {"start": f"{free_day}T14:00", "end": f"{free_day}T15:00"}
    shown = await world.preview("calendar_event_create", {"title": "Oak", **times}, who=who)
    assert "1 event that could not be read" in str(shown)
    requester = Requester(team=TEAM_ID, user=MARA.user_id, name=MARA.name, email=MARA.email, zone=zone)
    assert "1 event that could not be read" in (await DayAgenda(world.google).today(requester)).unseen
