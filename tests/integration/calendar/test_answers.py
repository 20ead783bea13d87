"""Answering invitations."""

from __future__ import annotations

from datetime import date

import pytest

from integrations.base import Done, NotDone
from integrations.errors import ModelRetry
from playground.people import DANA, MARA
from tests.integration.calendar.series import created, rows
from tests.integration.google_world import World, data, shown

OUTSIDER = "bruno@kellerholz.example"

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_invitation_is_answered_and_the_organizer_told(world: World, sunday: date) -> None:
    """The card shows before and after; only the user's own answer changes, and the organizer gets a mail."""
    event_id = await created(world, sunday, attendees=[DANA.email, OUTSIDER])
    arguments = {"event_id": event_id, "answer": "tentative", "comment": "Maybe later"}
    card = await world.preview("calendar_event_answer", arguments, who=DANA)
    answer = next(field for field in card.fields if field.label == "Your answer")
    assert (card.title, answer.before, answer.value) == (
        "Answer maybe to this invitation?",
        "no answer yet",
        "tentative",
    )
    assert (shown(card)["Organizer"], card.recipients) == (MARA.email, [MARA.email])
    assert list(card.warnings) == [f"Outside fernhill.example: {OUTSIDER}"]  # guests see each other's answers
    await world.execute("calendar_event_answer", arguments, who=DANA, card=card)
    [row] = await rows(world, sunday)
    statuses = {guest["email"]: guest["status"] for guest in row["guests"]}
    assert (statuses[DANA.email], statuses[OUTSIDER]) == ("tentative", "needsAction")
    assert [n["to"] for n in (await world.state())["notices"] if n["kind"] == "response"] == [[MARA.email]]


async def test_an_answer_to_what_takes_time_already_is_warned_of(world: World, sunday: date) -> None:
    """Accepting looks for conflicts; declining does not."""
    own = {"title": "Sawing", "start": f"{sunday}T13:30", "end": f"{sunday}T14:30"}
    event_id = await created(world, sunday, attendees=[DANA.email])
    await world.execute("calendar_event_create", own, key="own", who=DANA)
    accepting = await world.preview("calendar_event_answer", {"event_id": event_id, "answer": "accept"}, who=DANA)
    declining = await world.preview("calendar_event_answer", {"event_id": event_id, "answer": "decline"}, who=DANA)
    assert any("“Sawing”" in warning for warning in accepting.warnings)
    assert list(declining.warnings) == []


async def test_what_cannot_be_answered_is_said(world: World, sunday: date) -> None:
    """The user's own event, the same answer again and an unknown id are refused."""
    event_id = await created(world, sunday, attendees=[DANA.email])
    accept = {"event_id": event_id, "answer": "accept"}
    with pytest.raises(ModelRetry):
        await world.preview("calendar_event_answer", accept)
    with pytest.raises(ModelRetry):
        await world.preview("calendar_event_answer", {"event_id": "nosuchevent00", "answer": "accept"})
    await world.execute("calendar_event_answer", accept, who=DANA)
    with pytest.raises(ModelRetry):
        await world.preview("calendar_event_answer", accept, who=DANA)


@pytest.mark.parametrize("fault", ["drop_after", "status_after", "drop_before"])
async def test_a_doubtful_answer_is_settled(world: World, sunday: date, fault: str) -> None:
    """When Google's response is lost, the tool asks again under the same version and knows."""
    event_id = await created(world, sunday, attendees=[MARA.email])
    arguments = {"event_id": event_id, "answer": "decline"}
    made = {"title": "Oak for Mara", "start": f"{sunday}T16:00", "end": f"{sunday}T17:00", "attendees": [MARA.email]}
    invited = data(await world.execute("calendar_event_create", made, who=DANA, key="dana"))
    arguments = {"event_id": invited["event_id"], "answer": "decline"}
    card = await world.preview("calendar_event_answer", arguments)
    assert await world.reconcile("calendar_event_answer", arguments, card=card) == NotDone()
    world.fault(fault, invited["event_id"], method="PATCH", status=503)
    await world.execute("calendar_event_answer", arguments, card=card)
    assert isinstance(await world.reconcile("calendar_event_answer", arguments, card=card), Done)
