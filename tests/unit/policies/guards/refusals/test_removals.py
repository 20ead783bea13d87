"""Who is taken off an event."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.guards.refusals.removals import is_taken_off
from policies.guards.verbs import CHANGE
from policies.provenance import Impact
from policies.types import EffectClass
from tests.unit.policies.cases import DANA
from tests.unit.policies.guards.office import BOARD, LUIS, Call, asked

GUESTS = replace(BOARD, people=[DANA, LUIS])
OFF = Call(effect=EffectClass.EXTERNAL, verbs=CHANGE, impact=Impact(objects=[GUESTS], removed={LUIS: "Luis Weiss"}))


@pytest.mark.parametrize(
    "text",
    [
        "Move the board meeting to 3 and drop Luis a line",
        "Move the board meeting to 3. Drop Luis a note",
        "Remove Luis' notes from the board meeting",
        "Remove the link Luis added from the board meeting",
        "Remove the item Luis sent from the board meeting",
        "Remove the Luis item from the board meeting",
        "Swap Luis and Dana in the agenda of the board meeting",
        "Replace the room Luis booked in the board meeting",
        "Take the room Luis booked off the board meeting",
        "Remove Dana, Luis can stay in the board meeting",
        "Remove Dana and Luis's item from the board meeting",
        "Remove Dana and Luis wrote the rest of the board meeting",
        "Entferne den Link, den Luis geschickt hat, aus dem Board meeting",
        "Streiche Luis' Vortrag aus dem Board meeting",
    ],
)
def test_a_guest_who_is_not_what_the_verb_is_done_to_stays(text: str) -> None:
    """Though a verb of removing stands before the name."""
    assert asked(OFF, text, things=(GUESTS,)) == "object"


@pytest.mark.parametrize(
    "text",
    [
        "Remove Luis from the board meeting",
        "Remove Dana and Luis from the board meeting",
        "Remove Dana, Luis and Eve from the board meeting, please",
        "Take Luis off the board meeting",
        "Remove Luis, he is ill, from the board meeting",
        "Replace Luis with Dana in the board meeting",
        "Remove Luis Weiss (luis@acme.com) from the board meeting",
        "Remove luis@acme.com from the board meeting",
    ],
)
def test_a_guest_who_is_taken_off_was_named(text: str) -> None:
    """Alone or in a list, by a name or by the address."""
    assert asked(OFF, text, things=(GUESTS,)) == ""


def test_rooms_and_verbs_at_the_end() -> None:
    """“The room” may stand before a name, and in German the verb comes last."""
    wholes = [["oak", "room"]]
    assert is_taken_off("Remove the room Oak from it", {"oak@acme.com"}, {"oak"}, wholes)
    assert is_taken_off("Kannst du Luis bitte entfernen", {LUIS}, {"luis"}, [])
    assert is_taken_off("Remove <luis@acme.com>", {LUIS}, set(), [])
    assert not is_taken_off("Remove", {LUIS}, {"luis"}, [])
