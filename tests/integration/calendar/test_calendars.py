"""People have more calendars than one: what lies on them is in the way, and events can be put there."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from integrations.base import Done, NotDone, Requester
from integrations.calendar.agenda import DayAgenda
from integrations.errors import ModelRetry
from integrations.google.client import GoogleClient
from integrations.google.scopes import CALENDARS
from playground.people import DANA, LUIS, TEAM_ID
from tests.integration.google_world import ALL_SCOPES, World, data

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEAM = "c_fernhillteam@group.calendar.google.com"
CREATE = "calendar_event_create"
WHO = Requester(team=TEAM_ID, user=DANA.user_id, name=DANA.name, email=DANA.email, zone=DANA.zone)


@pytest.fixture(autouse=True)
def seen(world: World) -> None:
    """Which calendars there are was granted."""
    world.grants.scopes = ALL_SCOPES | {CALENDARS}


@pytest_asyncio.fixture(loop_scope="module")
async def google(world: World) -> AsyncGenerator[GoogleClient]:
    async with GoogleClient(grants=world.grants, clock=world.clock, api_root_url=world.url) as client:
        yield client


def event(day: str, **more: object) -> dict[str, Any]:
    return {"title": "Cake", "start": f"{day}T14:00", "end": f"{day}T15:00"} | more


async def made(world: World, arguments: dict[str, Any], *, key: str = "k1") -> dict[str, Any]:
    """As after its card."""
    card = await world.preview(CREATE, arguments, who=DANA)
    return data(await world.execute(CREATE, arguments, key=key, who=DANA, card=card))


@pytest.mark.parametrize("calendar", ["Fernhill team", "fernhill  TEAM", TEAM])
async def test_an_event_on_a_shared_calendar(world: World, free_day: str, calendar: str) -> None:
    """Named by its name or id, shown on the card with who sees it, bound by the card's hash, and made there only."""
    arguments = event(free_day, calendar=calendar)
    card = await world.preview(CREATE, arguments, who=DANA)
    assert {line.label: line.value for line in card.fields}["Calendar"] == "Fernhill team (not your own one)"
    assert "Everybody who sees the calendar “Fernhill team” sees this event." in card.warnings
    assert (card.basis["calendar"], card.places) == (TEAM, (TEAM, "Fernhill team"))
    event_id = (await made(world, arguments))["event_id"]
    assert event_id.endswith(f"@{TEAM}")
    moved = {"event_id": event_id, "start": f"{free_day}T16:00"}
    for tool, given in (("calendar_event_update", moved), ("calendar_event_cancel", {"event_id": event_id})):
        assert (await world.preview(tool, given, who=DANA)).places == (TEAM, "Fernhill team")
    found = data(await world.execute("calendar_search", {"start": free_day, "end": free_day}, who=DANA))["events"]
    assert [(row["title"], row["calendar"]) for row in found] == [("Cake", "Fernhill team")]


@pytest.mark.parametrize("calendar", ["", "primary", DANA.email, DANA.email.upper()])
async def test_his_own_calendar(world: World, free_day: str, calendar: str) -> None:
    """The person's own calendar is not named on the card, whatever it is called."""
    card = await world.preview(CREATE, event(free_day, calendar=calendar), who=DANA)
    assert "Calendar" not in {line.label for line in card.fields}
    assert "@" not in (await made(world, event(free_day, calendar=calendar)))["event_id"]


@pytest.mark.parametrize("calendar", ["Holidays in United Kingdom", "Nobody knows"])
async def test_a_calendar_that_cannot_be_written(world: World, free_day: str, calendar: str) -> None:
    """A calendar that they only read, or that does not exist, is refused with those that they can write."""
    with pytest.raises(ModelRetry) as refused:
        await world.preview(CREATE, event(free_day, calendar=calendar), who=DANA)
    assert refused.value.code == "no_such_calendar"
    assert "“Fernhill team”, “Deliveries”" in refused.value.message


async def test_without_the_list_only_his_own(world: World, free_day: str) -> None:
    """Where the list was not granted that is said, and nothing is looked up."""
    world.grants.scopes = ALL_SCOPES
    with pytest.raises(ModelRetry) as refused:
        await world.preview(CREATE, event(free_day, calendar="Fernhill team"), who=DANA)
    assert refused.value.code == "calendars_not_seen"


async def test_in_doubt_it_is_looked_for_where_it_was_to_be(world: World, free_day: str) -> None:
    """An answer that was lost is found again on that calendar, and the event is there once."""
    arguments = event(free_day, calendar=TEAM)
    card = await world.preview(CREATE, arguments, who=DANA)
    assert await world.reconcile(CREATE, arguments, who=DANA, card=card) == NotDone()
    world.fault("drop_after", "/events", method="POST", times=1)
    await world.execute(CREATE, arguments, who=DANA, card=card)
    assert isinstance(await world.reconcile(CREATE, arguments, who=DANA, card=card), Done)
    await world.execute(CREATE, arguments, attempt=2, who=DANA, card=card)
    found = data(await world.execute("calendar_search", {"start": free_day, "end": free_day}, who=DANA))["events"]
    assert [row["title"] for row in found] == ["Cake"]


async def test_it_is_made_where_the_card_said(world: World, free_day: str) -> None:
    """Whatever another calendar is called by now: the one that was shown gets the event, and is asked about it."""
    card = await world.preview(CREATE, event(free_day, calendar="Fernhill team"), who=DANA)
    renamed = event(free_day, calendar="Deliveries")  # as if the two had changed their names since
    made = data(await world.execute(CREATE, renamed, who=DANA, card=card))
    assert made["event_id"].endswith(f"@{TEAM}")
    assert isinstance(await world.reconcile(CREATE, renamed, who=DANA, card=card), Done)


async def test_a_search_names_the_calendars_that_it_looked_at(world: World, free_day: str) -> None:
    """With whether they may be written, once: who asks which calendars there are is answered by it."""
    asked = {"start": free_day, "end": free_day}
    found = data(await world.execute("calendar_search", asked, who=DANA))
    assert found["calendars"][0] == {"name": "the user's own", "may_write": True}
    assert {"name": "Fernhill team", "may_write": True} in found["calendars"]
    assert {"name": "Holidays in United Kingdom", "may_write": False} in found["calendars"]
    assert "calendars" not in data(await world.execute("calendar_search", asked | {"page": 20}, who=DANA))


async def test_conflicts_on_all_that_are_his_to_write(world: World, free_day: str) -> None:
    """An event of the team conflicts with their own, by its calendar's name; a moved event does not with itself."""
    mine = await made(world, event(free_day, calendar="Fernhill team"))
    card = await world.preview(CREATE, event(free_day, title="Oak"), who=DANA)
    assert any("You already have “Cake” (on Fernhill team): " in warning for warning in card.warnings)
    moved = {"event_id": mine["event_id"], "start": f"{free_day}T14:30"}
    card = await world.preview("calendar_event_update", moved, who=DANA)
    assert not any("You already have" in warning for warning in card.warnings)


async def test_a_time_is_not_free_when_one_of_them_is_taken(world: World, free_day: str) -> None:
    """Finding a time asks about them too: what lies on the team's calendar is in its writer's way, nobody else's."""
    await made(world, event(free_day, calendar=TEAM))
    asked = {"start": f"{free_day}T14:00", "end": f"{free_day}T15:00", "minutes": 60, "zone": DANA.zone}
    [slot] = data(await world.execute("calendar_find_time", asked, who=DANA))["slots"]
    assert (slot["free"], slot["busy"]) == ([], [DANA.email])
    [slot] = data(await world.execute("calendar_find_time", asked | {"people": [DANA.email]}, who=LUIS))["slots"]
    assert slot["free"] == [LUIS.email, DANA.email]


async def test_the_briefing_knows_them(world: World, google: GoogleClient) -> None:
    """Today's events of the team's calendar stand in order among their own, named; holidays are no meetings."""
    today = world.clock.now().date().isoformat()
    await made(world, event(today, calendar="Fernhill team"))
    await made(world, event(today, title="Oak"), key="k2")
    meetings = {meeting.title: meeting for meeting in (await DayAgenda(google).today(WHO)).meetings}
    assert "Oak" in meetings["Cake (Fernhill team)"].conflicts
    assert "Cake (Fernhill team)" in meetings["Oak"].conflicts
    assert not any("Holidays" in title for title in meetings)


@pytest.mark.parametrize(
    ("path", "said"), [("calendarList", "Google did not list them"), ("c_fernhillteam", "Fernhill team")]
)
async def test_the_briefing_says_which_could_not_be_looked_at(
    world: World, google: GoogleClient, path: str, said: str
) -> None:
    """The list of calendars, or one of them, is refused: what is on the others is told, and that there may be more."""
    world.fault("error", path, status=403, error="forbidden", times=-1)
    assert said in (await DayAgenda(google).today(WHO)).unseen
