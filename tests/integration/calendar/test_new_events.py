"""Creating events with recurrence, zones and reminders, against the Google emulator."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from integrations.base import Call
from integrations.calendar.time_range import day_words
from tests.integration.calendar.series import created, entries, oak, times, weeks
from tests.integration.google_world import World, data, shown

pytestmark = pytest.mark.asyncio(loop_scope="module")


def call_from(world: World, zone: str) -> Call:
    """A call of Mara's while Slack knows her in this zone."""
    call = world.call("k1")
    return replace(call, requester=replace(call.requester, zone=zone))


async def test_a_repeating_event_is_shown_in_words_and_created(world: World, sunday: date) -> None:
    """Card and result say the rule in words, and the event takes place that often."""
    arguments = oak(sunday, recurrence="RRULE:FREQ=WEEKLY;COUNT=6")
    card = await world.preview("calendar_event_create", arguments)
    assert card.title == "Create this repeating event?"
    assert shown(card)["Repeats"] == "every week on Sunday, 6 times"
    result = await world.execute("calendar_event_create", arguments, card=card)
    assert data(result)["repeats"] == "every week on Sunday, 6 times"
    assert await times(world, sunday) == weeks(sunday, 0, 1, 2, 3, 4, 5)


async def test_the_card_says_when_slack_and_calendar_disagree_about_the_zone(world: World, sunday: date) -> None:
    """A local time is read in the Slack zone; where the calendar has another zone, the card shows both and says so."""
    tool, elsewhere = world.tools["calendar_event_create"], call_from(world, "America/New_York")
    card = await tool.preview(tool.args.model_validate(oak(sunday)), elsewhere)
    assert "20:00–21:00 Europe/Stockholm" in shown(card)["In your calendar's zone"]
    assert any("your zone in Slack" in warning for warning in card.warnings)


async def test_without_a_zone_in_slack_the_calendars_counts(world: World, sunday: date) -> None:
    """Where Slack names no zone, local times are in the calendar's, on the card and in the event."""
    tool, nowhere = world.tools["calendar_event_create"], call_from(world, "UTC")
    card = await tool.preview(tool.args.model_validate(oak(sunday)), nowhere)
    assert "14:00–15:00 Europe/Stockholm" in shown(card)["When"]
    result = await tool.execute(tool.args.model_validate(oak(sunday)), nowhere)
    assert "14:00–15:00 Europe/Stockholm" in data(result)["when"]


async def test_without_a_zone_in_slack_every_tool_reads_and_shows_the_calendars(world: World, sunday: date) -> None:
    """In all tools eleven o'clock is eleven in the calendar's zone, never in UTC."""
    event_id = await created(world, sunday)
    nowhere = call_from(world, "UTC")
    arguments: dict[str, dict[str, object]] = {
        "calendar_event_update": {"event_id": event_id, "start": f"{sunday}T11:00"},
        "calendar_search": {"start": f"{sunday}T11:00", "end": f"{sunday}T12:00"},
        "calendar_find_time": {"start": f"{sunday}T11:00", "end": f"{sunday}T12:00", "minutes": 60},
    }
    update = world.tools["calendar_event_update"]
    card = await update.preview(update.args.model_validate(arguments["calendar_event_update"]), nowhere)
    assert "11:00–12:00 Europe/Stockholm" in shown(card)["When"]
    for name, given in arguments.items():
        tool = world.tools[name]
        result = data(await tool.execute(tool.args.model_validate(given), nowhere))
        when = result.get("when") or (result.get("events") or result["slots"])[0]["when"]
        assert "11:00–12:00 Europe/Stockholm (1 h)" in when


async def test_the_zone_that_the_card_was_read_in_counts_when_it_is_done(world: World, sunday: date) -> None:
    """When the person travels between card and approval, the event still gets the time on the card."""
    arguments = {"event_id": await created(world, sunday), "start": f"{sunday}T16:00"}
    card = await world.preview("calendar_event_update", arguments)
    tool, elsewhere = world.tools["calendar_event_update"], call_from(world, "America/New_York")
    call = replace(elsewhere, basis=card.basis, account=card.account)
    await tool.execute(tool.args.model_validate(arguments), call)
    assert await times(world, sunday) == weeks(sunday, 0, at="16:00")


async def test_a_moved_event_keeps_the_zone_that_it_is_meant_in(world: World, sunday: date) -> None:
    """An event at a local time in New York repeats by the clocks there."""
    new_york = {"start": f"{sunday}T09:00", "end": f"{sunday}T10:00", "zone": "America/New_York"}
    event_id = await created(world, sunday, **new_york)
    arguments = {"event_id": event_id, "start": f"{sunday}T16:00"}
    card = await world.preview("calendar_event_update", arguments)
    assert shown(card)["When"].endswith("there: " + f"{day_words(sunday)}, 10:00–11:00 America/New_York (1 h)")
    await world.execute("calendar_event_update", arguments, card=card)
    [mine] = await entries(world)
    assert mine["start"]["timeZone"] == "America/New_York"
    assert await times(world, sunday) == weeks(sunday, 0, at="16:00")
    named = {"event_id": event_id, "start": f"{sunday}T16:00", "zone": "Asia/Kolkata"}
    await world.execute("calendar_event_update", named, key="named")
    [mine] = await entries(world)
    assert mine["start"]["timeZone"] == "Asia/Kolkata"


async def test_reminders_are_the_persons_own(world: World, sunday: date) -> None:
    """Reminders are in words on the card and overrides in the event."""
    arguments = oak(sunday, reminders=[10, 1440])
    card = await world.preview("calendar_event_create", arguments)
    assert shown(card)["Your reminders"] == "10 minutes and 1 day before"
    await world.execute("calendar_event_create", arguments)
    [mine] = await entries(world)
    assert [entry["minutes"] for entry in mine["reminders"]["overrides"]] == [10, 1440]
