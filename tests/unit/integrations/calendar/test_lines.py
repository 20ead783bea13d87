"""The lines that the cards of events share."""

from __future__ import annotations

from integrations.calendar.cards.lines import organizer_line, readers_of_answers
from integrations.calendar.events.target import Reach, Target
from integrations.calendar.wire import Event

HOME, BRUNO, ROOM = "mara@x.example", "bruno@k.example", "room@x.example"


def invitation(organizer: str, *guests: str) -> Target:
    there = {
        "id": "e1",
        "organizer": {"email": organizer},
        "attendees": [{"email": one, "self": one == HOME, "resource": one == ROOM} for one in (HOME, *guests)],
    }
    event = Event.model_validate(there)
    return Target(reach=Reach.SINGLE, event=event, named=event, zone="UTC")


def test_an_organizer_from_outside_is_marked() -> None:
    """An answer goes to them, as an invitation goes to guests."""
    [line] = organizer_line(invitation(BRUNO), HOME)
    assert (line.label, line.value, line.destination) == ("Organizer", f"{BRUNO} (outside)", True)
    assert [one.value for one in organizer_line(invitation("dana@x.example"), HOME)] == ["dana@x.example"]
    assert organizer_line(invitation(""), HOME) == []


def test_an_answer_is_read_by_the_organizer_and_the_other_guests() -> None:
    """Each once, however they are written; a room reads nothing, nor does the one who answers count."""
    assert readers_of_answers(invitation(BRUNO, "Bruno@K.example", "eve@e.example", ROOM)) == [
        "Bruno@K.example",
        "eve@e.example",
    ]
    assert readers_of_answers(invitation("")) == []
