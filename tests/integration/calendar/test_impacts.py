"""What the previews of the calendar tools say that a call would do to others, against the Google emulator."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from integrations.base import Preview
from integrations.google.scopes import CALENDARS
from playground.people import DANA, LUIS, MARA
from policies.guards.verbs import ACCEPT, DECLINE, LEAVE_OPEN
from policies.guards.wishes import asks
from policies.provenance import Impact, Touched
from tests.integration.calendar.series import created, oak, weekly
from tests.integration.google_world import ALL_SCOPES, World, data

TEAM = "c_fernhillteam@group.calendar.google.com"

pytestmark = pytest.mark.asyncio(loop_scope="module")


def impact_of(card: Preview) -> Impact:
    """What it would do outside, which every write to a calendar says."""
    assert card.impact is not None
    return card.impact


def event(event_id: str, *people: str, is_own: bool = True) -> Touched:
    author = "" if is_own else MARA.email
    return Touched(kind="event", id=event_id, title="Oak", people=people, is_own=is_own, author=author)


async def test_a_new_event_reaches_its_guests_or_nobody(world: World, free_day: str) -> None:
    """Alone it is the owner's; guests read all of it."""
    alone = await world.preview("calendar_event_create", oak(free_day, location="Yard"))
    assert impact_of(alone) == Impact(is_alone=True)
    guests = [f"Dana Wood <{DANA.email}>", LUIS.email]
    card = await world.preview("calendar_event_create", oak(free_day, location="Yard", attendees=guests))
    assert impact_of(card) == Impact(
        destinations=(DANA.email, LUIS.email), called={DANA.email: "Dana Wood"}, texts=("Oak", "Yard")
    )


@pytest.mark.parametrize(
    ("calendar", "reached"), [("fernhill  TEAM", "Fernhill team"), (TEAM, TEAM), (MARA.email, None), ("", None)]
)
async def test_a_new_event_on_a_shared_calendar_reaches_it(
    world: World, free_day: str, calendar: str, reached: str | None
) -> None:
    """By its name where that named it; by its id where that did, because others may be called the same."""
    world.grants.scopes = ALL_SCOPES | {CALENDARS}
    impact = impact_of(await world.preview("calendar_event_create", oak(free_day, calendar=calendar)))
    assert impact == (
        Impact(destinations=(reached,), calendar=reached, texts=("Oak",)) if reached else Impact(is_alone=True)
    )


@pytest.mark.parametrize("notify", ["all", "none"])
async def test_rules_know_who_sees_a_write_whoever_is_told(world: World, free_day: str, notify: str) -> None:
    """The guests of an event have it in their calendars, and its organizer sees an answer, also without a mail: a rule
    about them is not passed by telling nobody.
    """
    event_id = await created(world, free_day, attendees=[DANA.email])
    about = {"event_id": event_id, "notify": notify}
    changed = await world.preview("calendar_event_update", {**about, "description": "We accept 14,000"})
    inviting = await world.preview("calendar_event_update", {**about, "add_attendees": [LUIS.email]})
    cancelled = await world.preview("calendar_event_cancel", about)
    answered = await world.preview("calendar_event_answer", {**about, "answer": "decline"}, who=DANA)
    found = [card.recipients for card in (changed, inviting, cancelled, answered)]
    assert found == [[DANA.email], [DANA.email, LUIS.email], [DANA.email], [MARA.email]]


async def test_a_change_reaches_who_is_added(world: World, free_day: str) -> None:
    """The event stands under the id that its result showed; new guests read what stands in it already."""
    alone = await created(world, free_day, description="Bring gloves")
    moved = await world.preview("calendar_event_update", {"event_id": alone, "title": "Elm"})
    assert impact_of(moved) == Impact(objects=(replace(event(alone), is_alone=True),))
    inviting = {"event_id": alone, "add_attendees": [f"Dana Wood <{DANA.email}>"]}
    assert impact_of(await world.preview("calendar_event_update", inviting)) == Impact(
        destinations=(DANA.email,),
        called={DANA.email: "Dana Wood"},
        texts=("Oak", "Bring gloves"),
        objects=(event(alone),),
    )
    shared = await created(world, free_day, key="shared", attendees=[DANA.email])
    changed = await world.preview("calendar_event_update", {"event_id": shared, "description": "Bring boots"})
    assert impact_of(changed) == Impact(texts=("Bring boots",), objects=(event(shared, DANA.email),))


async def test_a_cancellation_is_about_the_event(world: World, free_day: str) -> None:
    """With guests and without; it is asked for in words that its tool knows."""
    alone = await created(world, free_day)
    shared = await created(world, free_day, key="shared", attendees=[DANA.email])
    card = await world.preview("calendar_event_cancel", {"event_id": alone})
    assert impact_of(card) == Impact(objects=(event(alone),))
    card = await world.preview("calendar_event_cancel", {"event_id": shared})
    assert impact_of(card) == Impact(objects=(event(shared, DANA.email),))
    for text in ("Cancel the fair", "Call the fair off", "Kannst du die Messe absagen?", "Sag die Messe bitte ab"):
        assert asks(text, world.tools["calendar_event_cancel"].verbs)


async def test_an_answer_is_about_the_event_with_the_comment(world: World, free_day: str) -> None:
    """The event is its organizer's, whom the comment reaches. Each answer is asked for with verbs of its own."""
    event_id = await created(world, free_day, attendees=[DANA.email])
    arguments = {"event_id": event_id, "answer": "decline"}
    touched = event(event_id, DANA.email, is_own=False)
    card = await world.preview("calendar_event_answer", arguments, who=DANA)
    assert impact_of(card) == Impact(objects=(touched,), verbs=DECLINE)
    card = await world.preview("calendar_event_answer", arguments | {"comment": "I am ill"}, who=DANA)
    said = ("I am ill",)
    assert impact_of(card) == Impact(destinations=(MARA.email,), texts=said, objects=(touched,), verbs=DECLINE)
    for answer, verbs in (("accept", ACCEPT), ("tentative", LEAVE_OPEN)):
        card = await world.preview("calendar_event_answer", arguments | {"answer": answer}, who=DANA)
        assert impact_of(card).verbs == verbs


@pytest.mark.parametrize("scope", ["this", "following", "series"])
async def test_an_occurrence_has_the_id_that_a_search_shows(world: World, sunday: date, scope: str) -> None:
    """However much of its series is meant, what was seen and what is changed can be matched."""
    second = (await weekly(world, sunday))[1]["event_id"]
    arguments = {"query": "Oak", "start": str(sunday)}
    seen = {(one.kind, one.id) for one in (await world.execute("calendar_search", arguments)).objects}
    for tool, more in (("calendar_event_cancel", {}), ("calendar_event_update", {"title": "Elm"})):
        [touched] = impact_of(await world.preview(tool, {"event_id": second, "scope": scope, **more})).objects
        assert (touched.kind, touched.id) in seen
        assert (touched.id, touched.title, touched.is_own) == (second, "Oak", True)


@pytest.mark.parametrize("scope", ["series", "following"])
async def test_the_guest_of_one_occurrence_counts_where_all_are_changed(world: World, sunday: date, scope: str) -> None:
    """They read what is written into the series, or see it go: the card names them, rules about them hold, and links
    are looked at. A change of another occurrence alone does not concern them.
    """
    ids = [row["event_id"] for row in await weekly(world, sunday)]
    world.grants.scopes = ALL_SCOPES
    invited = {"event_id": ids[3], "add_attendees": [LUIS.email]}
    await world.execute("calendar_event_update", invited, key="invited")
    written = {"description": "See https://x.example/a", "scope": scope}
    changed = await world.preview("calendar_event_update", {"event_id": ids[1], **written})
    cancelled = await world.preview("calendar_event_cancel", {"event_id": ids[1], "scope": scope})
    assert [list(card.recipients or ()) for card in (changed, cancelled)] == [[LUIS.email], [LUIS.email]]
    assert all(LUIS.email in str(card.fields) for card in (changed, cancelled))
    assert impact_of(changed).texts == (written["description"],)
    alone = await world.preview("calendar_event_update", {"event_id": ids[1], **written, "scope": "this"})
    assert (list(alone.recipients or ()), impact_of(alone).texts) == ([], ())


@pytest.mark.parametrize("on", ["", "@primary", "@PRIMARY", f"@{MARA.email}", f"@{MARA.email.upper()}"])
async def test_an_event_of_ones_own_calendar_is_one_thing(world: World, free_day: str, on: str) -> None:
    """Whichever name the calendar has in its id."""
    alone = await created(world, free_day)
    named = {"event_id": f"{alone}{on}", "location": "Yard"}
    [touched] = impact_of(await world.preview("calendar_event_update", named)).objects
    assert touched == replace(event(alone), is_alone=True)


async def test_an_occurrence_is_a_part_of_its_series(world: World, sunday: date) -> None:
    """However much of it is meant; the series is no part of anything."""
    first, second, *_ = await weekly(world, sunday)
    series = first["event_id"].partition("_")[0]
    for scope in ("this", "following", "series"):
        card = await world.preview("calendar_event_cancel", {"event_id": second["event_id"], "scope": scope})
        assert [(one.id, one.part_of) for one in impact_of(card).objects] == [(second["event_id"], series)]
    card = await world.preview("calendar_event_cancel", {"event_id": series})
    assert [(one.id, one.part_of) for one in impact_of(card).objects] == [(series, "")]


async def test_the_rest_of_a_series_is_what_it_was(world: World, sunday: date) -> None:
    """Its title, its people and whose it is are those of the series, under the id that the change tells."""
    second = (await weekly(world, sunday, attendees=[DANA.email]))[1]
    change = {"event_id": second["event_id"], "scope": "following", "location": "Yard"}
    [before] = impact_of(await world.preview("calendar_event_update", change)).objects
    rest = data(await world.execute("calendar_event_update", change))["event_id"]
    [after] = impact_of(await world.preview("calendar_event_cancel", {"event_id": rest})).objects
    assert after == replace(before, id=rest, part_of="")
