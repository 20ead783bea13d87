"""Cancelling events, occurrences and series."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

import pytest

from integrations.base import Done, NotDone
from integrations.calendar.time_range import day_words
from integrations.errors import BasisChanged
from playground.people import DANA
from tests.integration.calendar.series import created, rows, times, weekly, weeks
from tests.integration.google_world import World, data, shown
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_event_is_cancelled_for_everybody(world: World, sunday: date) -> None:
    """The card names who gets a mail; afterwards the event is on no calendar."""
    arguments = {"event_id": await created(world, sunday, attendees=[DANA.email])}
    card = await world.preview("calendar_event_cancel", arguments)
    assert (card.title, shown(card)["Guests"], card.recipients) == ("Cancel this event?", DANA.email, [DANA.email])
    result = await world.execute("calendar_event_cancel", arguments, card=card)
    assert data(result)["cancelled"] is True
    assert await rows(world, sunday) == await rows(world, sunday, who=DANA) == []
    cancelled = [notice for notice in (await world.state())["notices"] if notice["kind"] == "cancellation"]
    assert [notice["to"] for notice in cancelled] == [[DANA.email]]


async def test_an_event_that_changes_after_the_last_look_is_not_cancelled(world: World, sunday: date) -> None:
    """Somebody moves it while the request is on its way: it stays, and a new card shows what it is now."""
    event_id = await created(world, sunday)
    arguments = {"event_id": event_id}
    card = await world.preview("calendar_event_cancel", arguments)
    world.fault("delay", event_id, method="DELETE", seconds=0.5)
    cancelling = asyncio.create_task(world.execute("calendar_event_cancel", arguments, card=card))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while world.emulator.admin.faults.all():
            await asyncio.sleep(0.01)
    await world.execute("calendar_event_update", {"event_id": event_id, "location": "Gate"}, key="somebody else")
    with pytest.raises(BasisChanged):
        await cancelling
    assert len(await rows(world, sunday)) == 1


async def test_nobody_is_told_of_a_silent_cancellation_and_the_card_warns(world: World, sunday: date) -> None:
    """With `notify` none nobody gets a mail, and the card warns about it."""
    quiet = {"event_id": await created(world, sunday, attendees=[DANA.email]), "notify": "none"}
    card = await world.preview("calendar_event_cancel", quiet)
    assert "Nobody is told that it is cancelled." in card.warnings
    await world.execute("calendar_event_cancel", quiet, card=card)
    assert not [notice for notice in (await world.state())["notices"] if notice["kind"] == "cancellation"]


async def test_one_occurrence_the_following_ones_or_the_series_are_cancelled(world: World, sunday: date) -> None:
    """By default only the named occurrence is cancelled."""
    occurrences = await weekly(world, sunday)
    await world.execute("calendar_event_cancel", {"event_id": occurrences[1]["event_id"]}, key="a")
    assert await times(world, sunday) == weeks(sunday, 0, 2, 3, 4, 5)
    await world.execute(
        "calendar_event_cancel", {"event_id": occurrences[4]["event_id"], "scope": "following"}, key="b"
    )
    assert await times(world, sunday) == weeks(sunday, 0, 2, 3)
    await world.execute("calendar_event_cancel", {"event_id": occurrences[2]["event_id"], "scope": "series"}, key="c")
    assert await times(world, sunday) == []


async def test_what_was_moved_away_and_is_cancelled_too_is_named(world: World, sunday: date) -> None:
    """The fifth was moved before the third: “the third and following” are by the rule, so it goes with them."""
    ids = [row["event_id"] for row in await weekly(world, sunday)]
    moved = {"event_id": ids[4], "start": f"{sunday + timedelta(days=8)}T16:00"}
    await world.execute("calendar_event_update", moved, key="moved")
    arguments = {"event_id": ids[2], "scope": "following"}
    [warning] = (await world.preview("calendar_event_cancel", arguments)).warnings
    assert warning.startswith("Cancelled too, though changed on their own: ")
    assert f"now {day_words(sunday + timedelta(days=8))}, 16:00" in warning
    await world.execute("calendar_event_cancel", arguments)
    assert await times(world, sunday) == weeks(sunday, 0, 1)


async def test_a_changed_event_is_not_cancelled(world: World, sunday: date) -> None:
    """Only the approved version is cancelled; another version makes another card."""
    arguments = {"event_id": await created(world, sunday)}
    card = await world.preview("calendar_event_cancel", arguments)
    await world.execute("calendar_event_update", {**arguments, "location": "Gate"}, key="other")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_cancel", arguments, card=card)
    assert len(await rows(world, sunday)) == 1


@pytest.mark.parametrize("fault", ["drop_after", "status_after", "drop_before"])
async def test_a_doubtful_cancellation_is_settled(world: World, sunday: date, fault: str) -> None:
    """Whether the response or the request is lost, the event is cancelled once, and the tool knows."""
    arguments = {"event_id": await created(world, sunday, attendees=[DANA.email])}
    card = await world.preview("calendar_event_cancel", arguments)
    world.fault(fault, arguments["event_id"], method="DELETE", status=503)
    await world.execute("calendar_event_cancel", arguments, card=card)
    assert await rows(world, sunday) == []
    assert isinstance(await world.reconcile("calendar_event_cancel", arguments, card=card), Done)
    assert len([n for n in (await world.state())["notices"] if n["kind"] == "cancellation"]) == 1


async def test_a_cancellation_that_never_left_is_not_done(world: World, sunday: date) -> None:
    """It is not done for good where nothing was noted, and so far where the event is still there."""
    arguments = {"event_id": await created(world, sunday)}
    assert await world.reconcile("calendar_event_cancel", arguments) == NotDone(final=True)
    card = await world.preview("calendar_event_cancel", arguments)
    assert await world.reconcile("calendar_event_cancel", arguments, card=card) == NotDone()
