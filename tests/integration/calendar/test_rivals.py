"""What else may be called as an event is, looked up before it is changed unasked, against the Google emulator."""

from __future__ import annotations

from datetime import date, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from integrations.calendar.events import rivals
from integrations.errors import ToolError
from integrations.google.scopes import CALENDARS
from playground.people import DANA, MARA
from policies.provenance import Touched
from tests.integration.calendar.series import created, weekly
from tests.integration.google_world import ALL_SCOPES, World

TEAM = "c_fernhillteam@group.calendar.google.com"
EVENTS = "/calendars/primary/events"

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def beside(world: World, event_id: str, **more: object) -> list[Touched]:
    """The events called Oak that are beside this one."""
    impact = await world.impact("calendar_event_cancel", {"event_id": event_id, **more})
    return [one for one in impact.beside if "Oak" in one.title]


@pytest.mark.parametrize(
    ("tool", "more"),
    [("calendar_event_cancel", {}), ("calendar_event_update", {"title": "Elm"})],
)
async def test_other_events_are_looked_up(world: World, sunday: date, tool: str, more: dict[str, str]) -> None:
    """With their titles and days, before an event is changed; in one request for it."""
    mine = await created(world, sunday)
    other = await created(world, sunday + timedelta(days=3), key="other", title="Oak fair")
    args = {"event_id": mine, **more}
    card = await world.preview(tool, args)
    before = world.requests(EVENTS)
    found = await world.tools[tool].with_rivals(world.tools[tool].args.model_validate(args), world.call("x"), card)
    impact = found.impact
    assert world.requests(EVENTS) == before + 1
    assert impact is not None
    assert [one for one in impact.beside if "Oak" in one.title] == [
        Touched(kind="event", id=other, title="Oak fair", is_own=True, day=sunday + timedelta(days=3))
    ]
    assert [one.day for one in impact.objects] == [sunday]
    assert impact.today == world.clock.now().astimezone(ZoneInfo(MARA.zone)).date()


async def test_an_invitation_is_one_of_several_as_well(world: World, sunday: date) -> None:
    """Whoever made the others: one that is titled as the owner's own event may be meant."""
    theirs = await created(world, sunday, attendees=[DANA.email])
    impact = await world.impact("calendar_event_answer", {"event_id": theirs, "answer": "decline"}, who=DANA)
    assert not [one for one in impact.beside if one.title == "Oak"]
    await created(world, sunday + timedelta(days=1), key="second", attendees=[DANA.email])
    impact = await world.impact("calendar_event_answer", {"event_id": theirs, "answer": "decline"}, who=DANA)
    assert [one.is_own for one in impact.beside if one.title == "Oak"] == [False]


@pytest.mark.parametrize("scope", ["this", "following", "series"])
async def test_occurrences_of_one_series_are_not_beside_each_other(world: World, sunday: date, scope: str) -> None:
    """Nor is the series beside one of them."""
    second = (await weekly(world, sunday))[1]["event_id"]
    assert await beside(world, second, scope=scope) == []
    assert await beside(world, second.partition("_")[0]) == []


async def test_which_occurrence_is_the_next_one(world: World, sunday: date) -> None:
    """The first that is to come of its series; of a time so late that not all before it were looked at, none."""
    rows = await weekly(world, sunday)
    found = [await _about(world, row["event_id"]) for row in rows[:3]]
    assert [one.is_next for one in found] == [True, False, False]
    assert [(one.day, one.begins) for one in found] == [(sunday + timedelta(weeks=at), time(14)) for at in range(3)]
    await world.execute("calendar_event_cancel", {"event_id": rows[0]["event_id"], "scope": "this"})
    assert (await _about(world, rows[1]["event_id"])).is_next
    far = await created(world, sunday + timedelta(days=200), key="far")
    past = await created(world, sunday - timedelta(days=50), key="past")
    assert not any([(await _about(world, each)).is_next for each in (far, past)])


async def test_what_takes_a_day_begins_at_no_time(world: World, sunday: date) -> None:
    """No hour is that of it."""
    day = await created(world, sunday, start=str(sunday), end=str(sunday + timedelta(days=1)))
    assert (await _about(world, day)).begins is None


async def _about(world: World, event_id: str) -> Touched:
    """The event itself, as a call to cancel it says what it is."""
    return (await world.impact("calendar_event_cancel", {"event_id": event_id})).objects[0]


async def test_times_that_are_far_or_have_passed_are_left_out(world: World, sunday: date) -> None:
    """Of an event that is to come: from now on, and two weeks behind it."""
    mine = await created(world, sunday)
    for number, days in enumerate((-40, 13, 16)):
        await created(world, sunday + timedelta(days=days), key=f"other {number}")
    assert [one.day for one in await beside(world, mine)] == [sunday + timedelta(days=13)]
    past = await created(world, sunday - timedelta(days=50), key="past")
    assert [one.day for one in await beside(world, past)] == [sunday - timedelta(days=40)]


async def test_an_event_on_two_calendars_is_one(world: World, sunday: date) -> None:
    """Other calendars that its owner writes are looked at, too; who is not shown one of them is asked."""
    world.grants.scopes = ALL_SCOPES | {CALENDARS}
    mine = await created(world, sunday)
    await created(world, sunday, key="team", calendar="Fernhill team")
    found = await beside(world, mine)
    assert [one.id.partition("@")[2] for one in found] == [TEAM]
    assert await beside(world, found[0].id) == [Touched(kind="event", id=mine, title="Oak", is_own=True, day=sunday)]


async def test_what_cannot_be_looked_at_is_not_passed_over(
    world: World, sunday: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More events than a page has, a calendar that is not shown, and a failure: each ends the look."""
    mine = await created(world, sunday)
    await created(world, sunday, key="other")
    card = await world.preview("calendar_event_cancel", {"event_id": mine})
    tool = world.tools["calendar_event_cancel"]
    args, call = tool.args.model_validate({"event_id": mine}), world.call("x", who=MARA)
    with monkeypatch.context() as patched:
        patched.setattr(rivals, "MOST_EVENTS", 1)
        with pytest.raises(ToolError, match="Not all of your events"):
            await tool.with_rivals(args, call, card)
    world.fault("error", EVENTS, method="GET", status=403, error="forbidden", times=-1)
    with pytest.raises(ToolError):
        await tool.with_rivals(args, call, card)
