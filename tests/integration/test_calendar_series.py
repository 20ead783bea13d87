"""Repeating events, cancelling and answering, against the Google emulator through google-api-python-client."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from integrations.base import Done, NotDone
from integrations.calendar.client import event_id_for
from integrations.calendar.spans import day_words
from integrations.errors import Ambiguous, BasisChanged, ModelRetry, ToolFailed
from playground.people import DANA, LUIS, MARA, Person
from tests.integration.google_world import World, data, shown

OUTSIDER = "bruno@kellerholz.example"

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def weekly(world: World, sunday: date, **more: object) -> list[dict[str, Any]]:
    """A series of Mara's on six Sundays; its occurrences."""
    arguments: dict[str, object] = {
        "title": "Oak",
        "start": f"{sunday}T14:00",
        "end": f"{sunday}T15:00",
        "recurrence": "weekly, 6 times",
        **more,
    }
    await world.execute("calendar_event_create", arguments, key="made")
    return await rows(world, sunday)


async def rows(world: World, sunday: date, *, who: Person = MARA) -> list[dict[str, Any]]:
    arguments = {"query": "Oak", "start": str(sunday), "end": str(sunday + timedelta(days=70)), "limit": 50}
    return data(await world.execute("calendar_search", arguments, who=who))["events"]


async def times(world: World, sunday: date) -> list[str]:
    return [row["start"][5:16] for row in await rows(world, sunday)]


def weeks(sunday: date, *numbers: int, at: str = "14:00") -> list[str]:
    return [f"{sunday + timedelta(weeks=number)}T{at}"[5:] for number in numbers]


# Creating


async def test_a_repeating_event_is_shown_in_words_and_created(world: World, sunday: date) -> None:
    """Words become one rule; card and result say it back, and the event takes place that often."""
    arguments = {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00", "recurrence": "weekly, 6 times"}
    card = await world.preview("calendar_event_create", arguments)
    assert card.title == "Create this repeating event?"
    assert shown(card)["Repeats"] == "every week on Sunday, 6 times"
    result = await world.execute("calendar_event_create", arguments, card=card)
    assert data(result)["repeats"] == "every week on Sunday, 6 times"
    assert await times(world, sunday) == weeks(sunday, 0, 1, 2, 3, 4, 5)


async def test_the_card_says_when_slack_and_calendar_disagree_about_the_zone(world: World, sunday: date) -> None:
    """A local time is read in the Slack zone; where the calendar has another one, both are shown and it is said."""
    arguments = {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00"}
    tool = world.tools["calendar_event_create"]
    call = world.call("k1")
    elsewhere = replace(call, requester=replace(call.requester, zone="America/New_York"))
    card = await tool.preview(tool.args.model_validate(arguments), elsewhere)
    assert "20:00–21:00 Europe/Stockholm" in shown(card)["In your calendar's zone"]
    assert any("your zone in Slack" in warning for warning in card.warnings)


async def test_without_a_zone_in_slack_the_calendars_counts(world: World, sunday: date) -> None:
    """Where Slack names no zone, local times are those of the calendar, on the card and when it is done."""
    arguments = {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00"}
    tool, call = world.tools["calendar_event_create"], world.call("k1")
    nowhere = replace(call, requester=replace(call.requester, zone="UTC"))
    card = await tool.preview(tool.args.model_validate(arguments), nowhere)
    assert "14:00–15:00 Europe/Stockholm" in shown(card)["When"]
    result = await tool.execute(tool.args.model_validate(arguments), nowhere)
    assert "14:00–15:00 Europe/Stockholm" in data(result)["when"]


async def test_without_a_zone_in_slack_every_tool_reads_and_shows_the_calendars(world: World, sunday: date) -> None:
    """Creating, changing, looking, finding a time: eleven o'clock is eleven by the calendar, never by UTC."""
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
    """The person travels between card and approval: the event goes where the card said, for that was approved."""
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
    """Four in the afternoon here, meant in New York: once it repeats it follows the clocks there."""
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
    """Minutes before, in words on the card, as overrides in the event."""
    arguments = {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00", "reminders": [10, 1440]}
    card = await world.preview("calendar_event_create", arguments)
    assert shown(card)["Your reminders"] == "10 minutes and 1 day before"
    await world.execute("calendar_event_create", arguments)
    events = (await world.state())["people"]["mara"]["events"]
    [mine] = [event for event in events if event["summary"] == "Oak"]
    assert [entry["minutes"] for entry in mine["reminders"]["overrides"]] == [10, 1440]


# Changing a series


async def test_the_whole_series_moves_with_the_occurrence_that_was_named(world: World, sunday: date) -> None:
    """The third one to Monday 16:00: all of them go to Monday 16:00, as long as before."""
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
    arguments = {"event_id": first["event_id"], "scope": "series", "recurrence": "every 2 weeks, 3 times"}
    card = await world.preview("calendar_event_update", arguments)
    repeats = next(field for field in card.fields if field.label == "Repeats")
    assert (repeats.before, repeats.value) == (
        "every week on Sunday, 6 times",
        "every 2 weeks on Sunday, 3 times",
    )
    await world.execute("calendar_event_update", arguments, card=card)
    assert await times(world, sunday) == weeks(sunday, 0, 2, 4)


async def test_this_and_the_following_ones_become_a_series_of_their_own(world: World, sunday: date) -> None:
    """The old series ends before the named one, a new one has the rest; guests stay invited, no meeting is lost."""
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
    """The new series begins at the rule's time: the card shows it, with the time of now before it."""
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
    """The whole series was moved to another hour: a cut afterwards keeps every meeting, and says of none that it was
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
    """ "From now on always like this one": the time that this one has by now is another one for the rest."""
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
    """What was cancelled stays cancelled; what was moved, renamed, answered or invited alone is named on the card."""
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
    """Those to come that were changed or cancelled on their own, by day; nothing is said where there are none."""
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
    """The fifth was called off; the third and following go to Mondays, and there is no fifth one either."""
    ids = [row["event_id"] for row in await weekly(world, sunday)]
    await world.execute("calendar_event_cancel", {"event_id": ids[4]}, key="cancelled")
    monday = sunday + timedelta(days=15)
    arguments = {"event_id": ids[2], "scope": "following", "start": f"{monday}T16:00"}
    await world.execute("calendar_event_update", arguments)
    assert await times(world, sunday) == weeks(sunday, 0, 1) + weeks(sunday + timedelta(days=1), 2, 3, 5, at="16:00")


async def test_a_series_that_leaves_times_out_is_cut_again(world: World, sunday: date) -> None:
    """The half that a cut made is changed and ended from some occurrence on like any other; its gaps stay."""
    ids = [row["event_id"] for row in await weekly(world, sunday, recurrence="weekly, 8 times")]
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
    """Whole days are left out as days."""
    day = {"start": str(sunday), "end": str(sunday)}
    ids = [row["event_id"] for row in await weekly(world, sunday, **day)]
    await world.execute("calendar_event_cancel", {"event_id": ids[4]}, key="cancelled")
    arguments = {"event_id": ids[2], "scope": "following", "title": "Oak 2"}
    await world.execute("calendar_event_update", arguments)
    days = [row["start"] for row in await rows(world, sunday)]
    assert days == [str(sunday + timedelta(weeks=number)) for number in (0, 1, 2, 3, 5)]


async def test_an_occurrence_changed_after_the_card_makes_another_card(world: World, sunday: date) -> None:
    """What would be lost is part of what was approved."""
    ids = [row["event_id"] for row in await weekly(world, sunday)]
    arguments = {"event_id": ids[2], "scope": "following", "title": "Oak 2"}
    card = await world.preview("calendar_event_update", arguments)
    await world.execute("calendar_event_cancel", {"event_id": ids[4]}, key="cancelled")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_update", arguments, card=card)


async def test_a_series_that_is_cut_gets_a_meet_link_of_its_own(world: World, sunday: date) -> None:
    """Two events share no link: a new one is asked for, waited for and said, and the card names both."""
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
    """What is attached to the events before the cut is attached to those after it."""
    made = await weekly(world, sunday)
    files = [{"fileUrl": "https://drive.google.com/open?id=1", "title": "Plan"}]
    world.emulator.world.agenda.of(MARA)[event_id_for("made")].shared["attachments"] = files
    arguments = {"event_id": made[2]["event_id"], "scope": "following", "location": "Hall"}
    await world.execute("calendar_event_update", arguments)
    events = (await world.state())["people"]["mara"]["events"]
    assert [event.get("attachments") for event in events if event.get("location") == "Hall"] == [files] * 4


async def test_following_the_first_one_is_the_series(world: World, sunday: date) -> None:
    """Nothing is cut where nothing comes before."""
    first = (await weekly(world, sunday))[0]
    arguments = {"event_id": first["event_id"], "scope": "following", "title": "Oak 2"}
    assert shown(await world.preview("calendar_event_update", arguments))["Applies to"].startswith("the whole series")


async def test_a_crash_between_the_two_writes_leaves_nothing_half_done(world: World, sunday: date) -> None:
    """The new series stands, the old one goes on: it is not done, and the next attempt ends the old one only."""
    third = (await weekly(world, sunday))[2]
    arguments = {"event_id": third["event_id"], "scope": "following", "title": "Oak 2"}
    card = await world.preview("calendar_event_update", arguments)
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
    """The old series cannot be ended: the new one is removed, and nothing has changed."""
    third = (await weekly(world, sunday))[2]
    arguments = {"event_id": third["event_id"], "scope": "following", "title": "Oak 2"}
    card = await world.preview("calendar_event_update", arguments)
    world.fault("error", "events.patch", status=412, error="conditionNotMet")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_update", arguments, card=card)
    assert [row["title"] for row in await rows(world, sunday)] == ["Oak"] * 6


async def test_a_series_that_changed_meanwhile_is_not_cut(world: World, sunday: date) -> None:
    """Another version than the card showed: BasisChanged, and no second series is there."""
    third = (await weekly(world, sunday))[2]
    arguments = {"event_id": third["event_id"], "scope": "following", "title": "Oak 2"}
    card = await world.preview("calendar_event_update", arguments)
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
        {"event_id": third["event_id"], "recurrence": "daily"},
    ):
        with pytest.raises(ModelRetry):
            await world.preview("calendar_event_update", arguments)


# Cancelling


async def test_an_event_is_cancelled_for_everybody(world: World, sunday: date) -> None:
    """The card names who is told; afterwards it is on nobody's calendar."""
    arguments = {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00", "attendees": [DANA.email]}
    made = data(await world.execute("calendar_event_create", arguments, key="made"))
    card = await world.preview("calendar_event_cancel", {"event_id": made["event_id"]})
    assert (card.title, shown(card)["Guests"], card.recipients) == ("Cancel this event?", DANA.email, [DANA.email])
    result = await world.execute("calendar_event_cancel", {"event_id": made["event_id"]}, card=card)
    assert data(result)["cancelled"] is True
    assert await rows(world, sunday) == await rows(world, sunday, who=DANA) == []
    cancelled = [notice for notice in (await world.state())["notices"] if notice["kind"] == "cancellation"]
    assert [notice["to"] for notice in cancelled] == [[DANA.email]]


async def test_nobody_is_told_of_a_silent_cancellation_and_the_card_warns(world: World, sunday: date) -> None:
    """notify none: no mail, and a careful colleague says so."""
    arguments = {"title": "Oak", "start": f"{sunday}T14:00", "end": f"{sunday}T15:00", "attendees": [DANA.email]}
    made = data(await world.execute("calendar_event_create", arguments, key="made"))
    quiet = {"event_id": made["event_id"], "notify": "none"}
    card = await world.preview("calendar_event_cancel", quiet)
    assert "Nobody is told that it does not take place." in card.warnings
    await world.execute("calendar_event_cancel", quiet, card=card)
    assert not [notice for notice in (await world.state())["notices"] if notice["kind"] == "cancellation"]


async def test_one_occurrence_the_following_ones_or_the_series_are_cancelled(world: World, sunday: date) -> None:
    """By default only the one that was named."""
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
    """What was approved is what is cancelled: another version makes another card."""
    [first, *_] = await weekly(world, sunday, recurrence=None)
    card = await world.preview("calendar_event_cancel", {"event_id": first["event_id"]})
    await world.execute("calendar_event_update", {"event_id": first["event_id"], "location": "Gate"}, key="other")
    with pytest.raises(BasisChanged):
        await world.execute("calendar_event_cancel", {"event_id": first["event_id"]}, card=card)
    assert len(await rows(world, sunday)) == 1


@pytest.mark.parametrize("fault", ["drop_after", "status_after", "drop_before"])
async def test_a_doubtful_cancellation_is_settled(world: World, sunday: date, fault: str) -> None:
    """Whether the answer or the request was lost, it is cancelled once, and it is known."""
    [first, *_] = await weekly(world, sunday, recurrence=None, attendees=[DANA.email])
    card = await world.preview("calendar_event_cancel", {"event_id": first["event_id"]})
    world.fault(fault, first["event_id"], method="DELETE", status=503)
    await world.execute("calendar_event_cancel", {"event_id": first["event_id"]}, card=card)
    assert await rows(world, sunday) == []
    assert isinstance(await world.reconcile("calendar_event_cancel", {"event_id": first["event_id"]}, card=card), Done)
    assert len([n for n in (await world.state())["notices"] if n["kind"] == "cancellation"]) == 1


async def test_a_cancellation_that_never_left_is_not_done(world: World, sunday: date) -> None:
    """Nothing noted, or the event still there: not done."""
    [first, *_] = await weekly(world, sunday, recurrence=None)
    arguments = {"event_id": first["event_id"]}
    assert await world.reconcile("calendar_event_cancel", arguments) == NotDone()
    card = await world.preview("calendar_event_cancel", arguments)
    assert await world.reconcile("calendar_event_cancel", arguments, card=card) == NotDone()


async def test_a_guest_declines_instead_of_cancelling(world: World, sunday: date) -> None:
    """Somebody else's event cannot be cancelled; the error names what can be done."""
    [first, *_] = await weekly(world, sunday, recurrence=None, attendees=[DANA.email])
    with pytest.raises(ToolFailed) as caught:
        await world.preview("calendar_event_cancel", {"event_id": first["event_id"]}, who=DANA)
    assert (caught.value.code, "calendar_event_answer" in caught.value.hint) == ("not_organizer", True)


# Answering


async def test_an_invitation_is_answered_and_the_organizer_told(world: World, sunday: date) -> None:
    """Before and after on the card; only one's own answer changes, and the organizer gets a mail."""
    [first, *_] = await weekly(world, sunday, recurrence=None, attendees=[DANA.email, OUTSIDER])
    arguments = {"event_id": first["event_id"], "answer": "tentative", "comment": "Maybe later"}
    card = await world.preview("calendar_event_answer", arguments, who=DANA)
    answer = next(field for field in card.fields if field.label == "Your answer")
    assert (card.title, answer.before, answer.value) == (
        "Answer maybe to this invitation?",
        "no answer yet",
        "tentative",
    )
    assert (shown(card)["Organizer"], card.recipients) == (MARA.email, [MARA.email])
    await world.execute("calendar_event_answer", arguments, who=DANA, card=card)
    [row] = await rows(world, sunday)
    statuses = {guest["email"]: guest["status"] for guest in row["guests"]}
    assert (statuses[DANA.email], statuses[OUTSIDER]) == ("tentative", "needsAction")
    assert [n["to"] for n in (await world.state())["notices"] if n["kind"] == "response"] == [[MARA.email]]


async def test_an_answer_to_what_takes_time_already_is_warned_of(world: World, sunday: date) -> None:
    """Accepting looks for conflicts; declining does not."""
    own = {"title": "Sawing", "start": f"{sunday}T13:30", "end": f"{sunday}T14:30"}
    [first, *_] = await weekly(world, sunday, recurrence=None, attendees=[DANA.email])
    await world.execute("calendar_event_create", own, key="own", who=DANA)
    accepting = await world.preview(
        "calendar_event_answer", {"event_id": first["event_id"], "answer": "accept"}, who=DANA
    )
    declining = await world.preview(
        "calendar_event_answer", {"event_id": first["event_id"], "answer": "decline"}, who=DANA
    )
    assert any("“Sawing”" in warning for warning in accepting.warnings)
    assert list(declining.warnings) == []


async def test_what_cannot_be_answered_is_said(world: World, sunday: date) -> None:
    """One's own event, the same answer again, an unknown id."""
    [first, *_] = await weekly(world, sunday, recurrence=None, attendees=[DANA.email])
    accept = {"event_id": first["event_id"], "answer": "accept"}
    with pytest.raises(ModelRetry):
        await world.preview("calendar_event_answer", accept)
    with pytest.raises(ModelRetry):
        await world.preview("calendar_event_answer", {"event_id": "nosuchevent00", "answer": "accept"})
    await world.execute("calendar_event_answer", accept, who=DANA)
    with pytest.raises(ModelRetry):
        await world.preview("calendar_event_answer", accept, who=DANA)


@pytest.mark.parametrize("fault", ["drop_after", "status_after", "drop_before"])
async def test_a_doubtful_answer_is_settled(world: World, sunday: date, fault: str) -> None:
    """A lost answer of Google is settled by asking again under the same version."""
    [first, *_] = await weekly(world, sunday, recurrence=None, attendees=[MARA.email])
    arguments = {"event_id": first["event_id"], "answer": "decline"}
    made = {"title": "Oak for Mara", "start": f"{sunday}T16:00", "end": f"{sunday}T17:00", "attendees": [MARA.email]}
    invited = data(await world.execute("calendar_event_create", made, who=DANA, key="dana"))
    arguments = {"event_id": invited["event_id"], "answer": "decline"}
    card = await world.preview("calendar_event_answer", arguments)
    assert await world.reconcile("calendar_event_answer", arguments, card=card) == NotDone()
    world.fault(fault, invited["event_id"], method="PATCH", status=503)
    await world.execute("calendar_event_answer", arguments, card=card)
    assert isinstance(await world.reconcile("calendar_event_answer", arguments, card=card), Done)


# Finding a time


async def test_a_time_is_found_for_several_people(world: World) -> None:
    """Everybody free, the unseen named, working hours kept."""
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
    """Over, too short, too long, hours upside down, fifty people, no address: nothing is asked of Google."""
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
