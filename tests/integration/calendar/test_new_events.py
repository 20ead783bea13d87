"""Creating events with recurrence, zones and reminders, against the Google emulator."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from integrations.calendar.time_range import day_words
from tests.integration.calendar.series import times, weekly, weeks
from tests.integration.google_world import World, data, shown

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_repeating_event_is_shown_in_words_and_created(world: World, sunday: date) -> None:
    """Card and result say the rule in words, and the event takes place that often."""
    arguments = {
        "title": "Oak",
        "start": f"{sunday}T14:00",
        "end": f"{sunday}T15:00",
        "recurrence": "RRULE:FREQ=WEEKLY;COUNT=6",
    }
    card = await world.preview("calendar_event_create", arguments)
    assert card.title == "Create this repeating event?"
    assert shown(card)["Repeats"] == "every week on Sunday, 6 times"
    result = await world.execute("calendar_event_create", arguments, card=card)
    assert data(result)["repeats"] == "every week on Sunday, 6 times"
    assert await times(world, sunday) == weeks(sunday, 0, 1, 2, 3, 4, 5)


async def test_the_card_says_when_slack_and_calendar_disagree_about_the_zone(world: World, sunday: date) -> None:
    """A local time is read in the Slack zone; where the calendar has another zone, the card shows both and says so."""
    arguments = {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00"}
    tool = world.tools["calendar_event_create"]
    call = world.call("k1")
    elsewhere = replace(call, requester=replace(call.requester, zone="America/New_York"))
    card = await tool.preview(tool.args.model_validate(arguments), elsewhere)
    assert "20:00–21:00 Europe/Stockholm" in shown(card)["In your calendar's zone"]
    assert any("your zone in Slack" in warning for warning in card.warnings)


async def test_without_a_zone_in_slack_the_calendars_counts(world: World, sunday: date) -> None:
    """Where Slack names no zone, local times are in the calendar's, on the card and in the event."""
    arguments = {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00"}
    tool, call = world.tools["calendar_event_create"], world.call("k1")
    nowhere = replace(call, requester=replace(call.requester, zone="UTC"))
    card = await tool.preview(tool.args.model_validate(arguments), nowhere)
    assert "14:00–15:00 Europe/Stockholm" in shown(card)["When"]
    result = await tool.execute(tool.args.model_validate(arguments), nowhere)
    assert "14:00–15:00 Europe/Stockholm" in data(result)["when"]


async def test_without_a_zone_in_slack_every_tool_reads_and_shows_the_calendars(world: World, sunday: date) -> None:
    """In all tools eleven o'clock is eleven in the calendar's zone, never in UTC."""
    made = await world.execute(
        "calendar_event_create", {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00"}
    )
    event_id = data(made)["event_id"]
    call = world.call("k1")
    nowhere = replace(call, requester=replace(call.requester, zone="UTC"))
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
    [first] = await weekly(world, sunday, recurrence=None)
    arguments = {"event_id": first["event_id"], "start": f"{sunday}T16:00"}
    card = await world.preview("calendar_event_update", arguments)
    tool, call = world.tools["calendar_event_update"], world.call("k1")
    elsewhere = replace(call.requester, zone="America/New_York")
    await tool.execute(
        tool.args.model_validate(arguments), replace(call, requester=elsewhere, basis=card.basis, account=card.account)
    )
    assert await times(world, sunday) == weeks(sunday, 0, at="16:00")


async def test_a_moved_event_keeps_the_zone_that_it_is_meant_in(world: World, sunday: date) -> None:
    """An event at a local time in New York repeats by the clocks there."""
    new_york = {"title": "Oak", "start": f"{sunday}T09:00", "end": f"{sunday}T10:00", "zone": "America/New_York"}
    event_id = data(await world.execute("calendar_event_create", new_york, key="made"))["event_id"]
    arguments = {"event_id": event_id, "start": f"{sunday}T16:00"}
    card = await world.preview("calendar_event_update", arguments)
    assert shown(card)["When"].endswith("there: " + f"{day_words(sunday)}, 10:00–11:00 America/New_York (1 h)")
    await world.execute("calendar_event_update", arguments, card=card)
    events = (await world.state())["people"]["mara"]["events"]
    [mine] = [event for event in events if event["summary"] == "Oak"]
    assert mine["start"]["timeZone"] == "America/New_York"
    assert await times(world, sunday) == weeks(sunday, 0, at="16:00")
    named = {"event_id": event_id, "start": f"{sunday}T16:00", "zone": "Asia/Kolkata"}
    await world.execute("calendar_event_update", named, key="named")
    [mine] = [e for e in (await world.state())["people"]["mara"]["events"] if e["summary"] == "Oak"]
    assert mine["start"]["timeZone"] == "Asia/Kolkata"


async def test_reminders_are_the_persons_own(world: World, sunday: date) -> None:
    """Reminders are in words on the card and overrides in the event."""
    arguments = {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00", "reminders": [10, 1440]}
    card = await world.preview("calendar_event_create", arguments)
    assert shown(card)["Your reminders"] == "10 minutes and 1 day before"
    await world.execute("calendar_event_create", arguments)
    events = (await world.state())["people"]["mara"]["events"]
    [mine] = [event for event in events if event["summary"] == "Oak"]
    assert [entry["minutes"] for entry in mine["reminders"]["overrides"]] == [10, 1440]
