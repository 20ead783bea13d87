"""The calendar in everyday words, through Slack, the scripted model and the emulated Google."""

from __future__ import annotations

import json

import pytest

from bot.domain.runs import RunState
from playground.people import DANA, MARA
from tests.acceptance.request import Request, ask
from tests.acceptance.world import APPROVE, World, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def approve(request: Request, words: str) -> None:
    """Approve the request's card, which says this; it is done."""
    card = await request.card(APPROVE)
    assert words in text_of(card)
    await request.here.click(MARA, card, APPROVE)
    await request.ended(RunState.COMPLETED)


async def test_a_weekly_meeting_is_made_moved_and_cancelled_in_words(shared: World) -> None:
    """Each request makes one card that says how much of the series is meant, and its approval changes the calendar."""
    making = await ask(shared, MARA, "Schedule a meeting every Sunday at 18:00, 4 times about the sauna")
    await approve(making, "every week on Sunday, 4 times")

    moving = await ask(shared, MARA, "Move the whole sauna series to 19:00")
    await approve(moving, "the whole series")
    assert "T19:00" in (await shared.event(MARA, "Sauna"))["start"]["dateTime"]

    cancelling = await ask(shared, MARA, "Cancel the whole series of sauna")
    await approve(cancelling, "Cancel these events?")
    events = (await shared.google.state())["people"]["mara"]["events"]
    assert not [event for event in events if event["summary"] == "Sauna"]


async def test_a_time_for_several_is_found_in_the_zones_of_their_profiles(shared: World) -> None:
    """Working hours of colleagues count in the zones of their Slack profiles, and no card is needed."""
    request = await ask(shared, MARA, "Find a time with luis@fernhill.example next week for 30 minutes")
    await request.answer("These times suit you and `luis@fernhill.example`")
    (action,) = await request.actions()
    assert action.tool == "calendar_find_time"
    assert "America/New_York" in str(action.response)


async def test_a_change_that_somebody_made_meanwhile_needs_nothing(shared: World) -> None:
    """The card says so, and that nothing is wrong: everything is as it was wanted."""
    event = await shared.event(DANA, "Delivery planning: Marsh Gardens")
    change = {"event_id": event["id"], "location": "The yard"}
    request = await ask(shared, DANA, f"[[call: calendar_event_update {json.dumps(change)}]]")
    card = await request.card(APPROVE)
    await shared.change_event(DANA, event, {"location": "The yard"})
    await shared.click(DANA, card, APPROVE)
    await request.ended(RunState.COMPLETED)
    said = "Nothing had to be done. The event is already as you want it."
    await shared.message(request.channel, lambda m: m["ts"] == card["ts"] and said in text_of(m), said)
