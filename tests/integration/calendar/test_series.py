"""Changing repeating events: one occurrence, this and the following, the whole series."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from integrations.base import Done, NotDone, Preview
from integrations.calendar.time_range import day_words
from integrations.errors import Ambiguous, BasisChanged, ModelRetry
from playground.people import DANA, LUIS, MARA
from policies.event_ids import event_id_for
from tests.integration.calendar.series import rows, times, weekly, weeks
from tests.integration.google_world import World, data, shown

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def a_cut(world: World, sunday: date) -> tuple[dict[str, object], Preview]:
    """What gives the third of a series and all that follow another title, and its card."""
    third = (await weekly(world, sunday))[2]
    arguments: dict[str, object] = {"event_id": third["event_id"], "scope": "following", "title": "Oak 2"}
    return arguments, await world.preview("calendar_event_update", arguments)


async def test_the_whole_series_moves_with_the_occurrence_that_was_named(world: World, sunday: date) -> None:
    """When the third occurrence moves to Monday 16:00, all of them do, with the same length."""
    third = (await weekly(world, sunday))[2]
    arguments = {"event_id": third["event_id"], "scope": "series", "start": f"{sunday + timedelta(days=15)}T16:00"}
    card = await world.preview("calendar_event_update", arguments)
    assert card.title == "Change these events?"
    assert shown(card)["Applies to"] == "the whole series, with past occurrences"
    assert shown(card)["Repeats"] == "every week on Monday, 6 times"
    await world.execute("calendar_event_update", arguments, card=card)
    assert await times(world, sunday) == weeks(sunday + timedelta(days=1), 0, 1, 2, 3, 4, 5, at="16:00")


async def test_a_series_gets_another_rhythm_and_end(world: World, sunday: date) -> None:
    """A new rule is shown before and after."""
    first = (await weekly(world, sunday))[0]
    arguments = {"event_id": first["event_id"], "scope": "series", "recurrence": "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3"}
    card = await world.preview("calendar_event_update", arguments)
    repeats = next(field for field in card.fields if field.label == "Repeats")
    assert (repeats.before, repeats.value) == (
        "every week on Sunday, 6 times",
        "every 2 weeks on Sunday, 3 times",
    )
    await world.execute("calendar_event_update", arguments, card=card)
    assert await times(world, sunday) == weeks(sunday, 0, 2, 4)


async def test_this_and_the_following_ones_become_a_series_of_their_own(world: World, sunday: date) -> None:
    """The old series ends before the named occurrence, a new one has the rest; guests and meetings all stay."""
    third = (await weekly(world, sunday, attendees=[DANA.email]))[2]
    arguments = {"event_id": third["event_id"], "scope": "following", "start": f"{sunday + timedelta(weeks=2)}T16:00"}
    card = await world.preview("calendar_event_update", arguments)
    assert shown(card)["Applies to"] == "this and all following occurrences"
    assert shown(card)["Repeats"] == "every week on Sunday, 4 times"
    await world.execute("calendar_event_update", arguments, card=card)
    assert await times(world, sunday) == weeks(sunday, 0, 1) + weeks(sunday, 2, 3, 4, 5, at="16:00")
    last = (await rows(world, sunday))[-1]
    assert [guest["email"] for guest in last["guests"] if guest["email"] != MARA.email] == [DANA.email]
    assert await world.reconcile("calendar_event_update", arguments, card=card) != NotDone()


async def test_a_cut_at_an_occurrence_that_was_moved_shows_where_it_falls_back_to(world: World, sunday: date) -> None:
    """The new series starts at the time of the rule; the card shows it with the current time as before."""
    fifth = (await weekly(world, sunday))[4]["event_id"]
    moved = {"event_id": fifth, "start": f"{sunday + timedelta(days=29)}T16:00"}
    await world.execute("calendar_event_update", moved, key="moved")
    arguments = {"event_id": fifth, "scope": "following", "title": "Oak 2"}
    card = await world.preview("calendar_event_update", arguments)
    [when] = [field for field in card.fields if field.label == "When"]
    day = day_words(sunday + timedelta(days=28))
    assert (day in when.value, "16:00" in str(when.before)) == (True, True)
    result = await world.execute("calendar_event_update", arguments, card=card)
    assert data(result)["when"].startswith(f"{day}, 14:00")


async def test_what_is_left_over_from_a_move_is_not_called_off(world: World, sunday: date) -> None:
    """After the whole series moved to another hour, a split keeps every meeting and says of none that it was
    cancelled; one that really was stays so.
    """
    ids = [row["event_id"] for row in await weekly(world, sunday)]
    later = {"event_id": ids[0], "scope": "series", "start": f"{sunday}T15:00"}
    await world.execute("calendar_event_update", later, key="series")
    ids = [row["event_id"] for row in await rows(world, sunday)]
    await world.execute("calendar_event_cancel", {"event_id": ids[4]}, key="called off")
    cut = {"event_id": ids[2], "scope": "following", "start": f"{sunday + timedelta(weeks=2)}T16:00"}
    card = await world.preview("calendar_event_update", cut)
    assert shown(card)["Stay cancelled"] == day_words(sunday + timedelta(weeks=4))
    await world.execute("calendar_event_update", cut, card=card)
    assert await times(world, sunday) == weeks(sunday, 0, 1, at="15:00") + weeks(sunday, 2, 3, 5, at="16:00")


async def test_a_series_follows_an_occurrence_that_was_moved_before(world: World, sunday: date) -> None:
    """The current time of a moved occurrence can become the time of all following ones."""
    third = (await weekly(world, sunday))[2]["event_id"]
    monday = {"event_id": third, "start": f"{sunday + timedelta(days=15)}T16:00"}
    await world.execute("calendar_event_update", monday, key="moved")
    always = monday | {"scope": "following"}
    card = await world.preview("calendar_event_update", always)
    assert shown(card)["Repeats"] == "every week on Monday, 4 times"
    await world.execute("calendar_event_update", always, card=card)
    assert await times(world, sunday) == weeks(sunday, 0, 1) + weeks(sunday + timedelta(days=1), 2, 3, 4, 5, at="16:00")


async def test_occurrences_that_went_their_own_ways_are_told_of_before_a_series_is_cut(
    world: World, sunday: date
) -> None:
    """Cancelled occurrences stay cancelled; those that were moved, renamed or answered on their own are on the card."""
    made = await weekly(world, sunday, attendees=[DANA.email, LUIS.email])
    ids = [row["event_id"] for row in made]
    theirs = [row["event_id"] for row in await rows(world, sunday, who=DANA)]
    await world.execute("calendar_event_cancel", {"event_id": ids[1]}, key="before the cut")
    await world.execute("calendar_event_cancel", {"event_id": ids[3]}, key="cancelled")
    moved = {"event_id": ids[4], "start": f"{sunday + timedelta(days=29)}T16:00", "title": "Oak, later"}
    await world.execute("calendar_event_update", moved, key="moved")
    away = {"event_id": ids[5], "remove_attendees": [LUIS.email], "location": "Gate"}
    await world.execute("calendar_event_update", away, key="away")
    decline = {"event_id": theirs[5], "answer": "decline"}
    await world.execute("calendar_event_answer", decline, key="declined", who=DANA)
    arguments = {"event_id": ids[2], "scope": "following", "title": "Oak 2"}
    card = await world.preview("calendar_event_update", arguments)
    assert shown(card)["Stay cancelled"] == day_words(sunday + timedelta(weeks=3))
    [warning] = [text for text in card.warnings if text.startswith("Changed on their own until now")]
    monday, last = day_words(sunday + timedelta(days=29)), day_words(sunday + timedelta(weeks=5))
    assert f"(now {monday}, 16:00–17:00 Europe/Stockholm (1 h), now “Oak, later”)" in warning
    assert f"{last} (another place, without {LUIS.email}, {DANA.email}: declined)" in warning
    result = await world.execute("calendar_event_update", arguments, card=card)
    assert await times(world, sunday) == weeks(sunday, 0, 2, 4, 5)
    assert "As the series again: " in data(result)["note"]
    assert "Oak, later" in data(result)["note"]


async def test_a_whole_series_that_moves_names_what_may_fall_back(world: World, sunday: date) -> None:
    """The card names coming exceptions by day, and says nothing where there are none."""
    ids = [row["event_id"] for row in await weekly(world, sunday)]
    later = {"event_id": ids[2], "scope": "series", "start": f"{sunday + timedelta(weeks=2)}T16:00"}
    card = await world.preview("calendar_event_update", later)
    assert not [text for text in card.warnings if "fall back" in text]
    await world.execute("calendar_event_cancel", {"event_id": ids[1]}, key="cancelled")
    renamed = {"event_id": ids[4], "title": "Oak, alone"}
    await world.execute("calendar_event_update", renamed, key="renamed")
    card = await world.preview("calendar_event_update", later)
    [warning] = [text for text in card.warnings if "fall back" in text]
    named = [day_words(sunday + timedelta(weeks=number)) for number in (1, 4)]
    assert warning.endswith(f": {named[0]} (cancelled); {named[1]} (now “Oak, alone”)")
    await world.execute("calendar_event_update", later, key="moved", card=card)


async def test_a_cancelled_occurrence_stays_away_when_the_rest_moves(world: World, sunday: date) -> None:
    """When the third and following move to Mondays, the cancelled fifth one stays cancelled."""
    ids = [row["event_id"] for row in await weekly(world, sunday)]
    await world.execute("calendar_event_cancel", {"event_id": ids[4]}, key="cancelled")
    monday = sunday + timedelta(days=15)
    arguments = {"event_id": ids[2], "scope": "following", "start": f"{monday}T16:00"}
    await world.execute("calendar_event_update", arguments)
    assert await times(world, sunday) == weeks(sunday, 0, 1) + weeks(sunday + timedelta(days=1), 2, 3, 5, at="16:00")


async def test_a_series_that_leaves_times_out_is_cut_again(world: World, sunday: date) -> None:
    """A series that a split made can be changed and split again like any other; its cancelled times stay."""
    ids = [row["event_id"] for row in await weekly(world, sunday, recurrence="RRULE:FREQ=WEEKLY;COUNT=8")]
    for number in (3, 6):
        await world.execute("calendar_event_cancel", {"event_id": ids[number]}, key=f"cancelled {number}")
    first = {"event_id": ids[2], "scope": "following", "start": f"{sunday + timedelta(weeks=2)}T15:00"}
    await world.execute("calendar_event_update", first, key="first cut")
    fifth = next(row for row in await rows(world, sunday) if row["start"].startswith(str(sunday + timedelta(weeks=4))))
    again = {"event_id": fifth["event_id"], "scope": "following", "start": f"{sunday + timedelta(weeks=4)}T16:00"}
    card = await world.preview("calendar_event_update", again)
    assert shown(card)["Stay cancelled"] == day_words(sunday + timedelta(weeks=6))
    await world.execute("calendar_event_update", again, key="second cut", card=card)
    assert isinstance(await world.reconcile("calendar_event_update", again, key="second cut", card=card), Done)
    assert await times(world, sunday) == [
        *weeks(sunday, 0, 1),
        *weeks(sunday, 2, at="15:00"),
        *weeks(sunday, 4, 5, 7, at="16:00"),
    ]
    last = (await rows(world, sunday))[-1]
    gone = {"event_id": last["event_id"], "scope": "following"}
    card = await world.preview("calendar_event_cancel", gone)
    await world.execute("calendar_event_cancel", gone, key="the end", card=card)
    assert isinstance(await world.reconcile("calendar_event_cancel", gone, key="the end", card=card), Done)
    assert (await times(world, sunday))[3:] == weeks(sunday, 4, 5, at="16:00")


async def test_a_cancelled_day_stays_away_from_a_series_of_days(world: World, sunday: date) -> None:
    """All-day occurrences are left out by date."""
    day = {"start": str(sunday), "end": str(sunday)}
    ids = [row["event_id"] for row in await weekly(world, sunday, **day)]
    await world.execute("calendar_event_cancel", {"event_id": ids[4]}, key="cancelled")
    arguments = {"event_id": ids[2], "scope": "following", "title": "Oak 2"}
    await world.execute("calendar_event_update", arguments)
    days = [row["start"] for row in await rows(world, sunday)]
    assert days == [str(sunday + timedelta(weeks=number)) for number in (0, 1, 2, 3, 5)]


async def test_an_occurrence_changed_after_the_card_makes_another_card(world: World, sunday: date) -> None:
    """A new exception after the approval makes a new card."""
    ids = [row["event_id"] for row in await weekly(world, sunday)]
    arguments = {"event_id": ids[2], "scope": "following", "title": "Oak 2"}
    card = await world.preview("calendar_event_update", arguments)
    await world.execute("calendar_event_cancel", {"event_id": ids[4]}, key="cancelled")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_update", arguments, card=card)


async def test_a_series_that_is_cut_gets_a_meet_link_of_its_own(world: World, sunday: date) -> None:
    """A split requests a new Meet link, and the card names both links."""
    made = await weekly(world, sunday, meet=True)
    old = made[0]["meet"]
    arguments = {"event_id": made[2]["event_id"], "scope": "following", "location": "Hall"}
    card = await world.preview("calendar_event_update", arguments)
    meet = next(field for field in card.fields if field.label == "Meet")
    assert (meet.before, meet.value.startswith("another link is made")) == (old, True)
    new = data(await world.execute("calendar_event_update", arguments, card=card))["meet"]
    assert new.startswith("https://meet.google.com/")
    assert new != old
    assert [row["meet"] for row in await rows(world, sunday)] == [old, old, new, new, new, new]
    settled = await world.reconcile("calendar_event_update", arguments, card=card)
    assert isinstance(settled, Done)
    assert data(settled.result)["meet"] == new


async def test_a_series_that_is_cut_keeps_its_files(world: World, sunday: date) -> None:
    """Files stay attached to the events on both sides of a split."""
    made = await weekly(world, sunday)
    files = [{"fileUrl": "https://drive.google.com/open?id=1", "title": "Plan"}]
    world.emulator.world.agenda.of(MARA)[event_id_for("made")].shared["attachments"] = files
    arguments = {"event_id": made[2]["event_id"], "scope": "following", "location": "Hall"}
    await world.execute("calendar_event_update", arguments)
    events = (await world.state())["people"]["mara"]["events"]
    assert [event.get("attachments") for event in events if event.get("location") == "Hall"] == [files] * 4


async def test_following_the_first_one_is_the_series(world: World, sunday: date) -> None:
    """A change from the first occurrence on changes the whole series without a split."""
    first = (await weekly(world, sunday))[0]
    arguments = {"event_id": first["event_id"], "scope": "following", "title": "Oak 2"}
    assert shown(await world.preview("calendar_event_update", arguments))["Applies to"].startswith("the whole series")


async def test_a_crash_between_the_two_writes_leaves_nothing_half_done(world: World, sunday: date) -> None:
    """After a crash between the writes the change is not done, and the next attempt only ends the old series."""
    arguments, card = await a_cut(world, sunday)
    world.fault("drop_before", "/events/", method="PATCH", times=-1)
    with pytest.raises(Ambiguous):
        await world.execute("calendar_event_update", arguments, card=card)
    world.emulator.admin.faults.clear()
    assert len(await rows(world, sunday)) == 10
    assert await world.reconcile("calendar_event_update", arguments, card=card) == NotDone()
    await world.execute("calendar_event_update", arguments, card=card, attempt=2)
    titles = [row["title"] for row in await rows(world, sunday)]
    assert titles == ["Oak", "Oak", "Oak 2", "Oak 2", "Oak 2", "Oak 2"]
    assert isinstance(await world.reconcile("calendar_event_update", arguments, card=card), Done)


async def test_a_cut_that_is_refused_takes_back_what_it_began(world: World, sunday: date) -> None:
    """Where the old series cannot be ended the new one is deleted, so nothing has changed."""
    arguments, card = await a_cut(world, sunday)
    world.fault("error", "events.patch", status=412, error="conditionNotMet")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_update", arguments, card=card)
    assert [row["title"] for row in await rows(world, sunday)] == ["Oak"] * 6


async def test_a_series_that_changed_meanwhile_is_not_cut(world: World, sunday: date) -> None:
    """Another version than the card showed raises BasisChanged, and there is no second series."""
    arguments, card = await a_cut(world, sunday)
    await world.execute(
        "calendar_event_update", {"event_id": event_id_for("made"), "location": "Gate"}, key="somebody else"
    )
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_update", arguments, card=card)
    assert {row["title"] for row in await rows(world, sunday)} == {"Oak"}


async def test_scopes_that_do_not_fit_are_asked_back(world: World, sunday: date) -> None:
    """A series' own id names no occurrence, and one occurrence alone does not repeat."""
    third = (await weekly(world, sunday))[2]
    for arguments in (
        {"event_id": event_id_for("made"), "scope": "following", "title": "x"},
        {"event_id": event_id_for("made"), "scope": "this", "title": "x"},
        {"event_id": third["event_id"], "recurrence": "RRULE:FREQ=DAILY"},
    ):
        with pytest.raises(ModelRetry):
            await world.preview("calendar_event_update", arguments)
