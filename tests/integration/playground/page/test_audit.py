"""What the Audit tab says of its entries."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.playground.page.javascript import computed

DANA = {"U0DANA": {"id": "U0DANA", "name": "dana", "real_name": "Dana Okafor"}}
ALL = [
    {"id": 1, "run_id": "run_one", "hash": "a"},
    {"id": 2, "run_id": "run_one", "hash": "b"},
    {"id": 3, "run_id": "run_two"},
]


def state(count: int) -> dict[str, Any]:
    audit = {"entries": {str(entry["id"]): entry for entry in ALL}, "count": count}
    return {"slack": {"users": DANA}, "supervisor": {"audit": audit}}


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("", "9 entries, 1 not sealed yet"),
        ("run_one", "2 of 9 entries, all sealed"),
        ("run_two", "1 of 9 entries, 1 not sealed yet"),
    ],
)
def test_the_counter_is_about_the_run_that_was_chosen(run: str, said: str) -> None:
    note = "({ countNote }, all, run) => countNote(all, run)"
    assert computed("world/audit.js", note, ALL, run, state=state(9)) == said


def test_the_menu_of_runs_says_that_there_may_be_older_ones() -> None:
    """Where the log has more entries than what the page lists; else it has every run."""
    notes = "({ notesOf }) => notesOf()"
    assert computed("world/runs.js", notes, state=state(9)) == ["These are in the newest 3 of 9 entries."]
    assert computed("world/runs.js", notes, state=state(3)) == []


@pytest.mark.parametrize(
    ("actor", "said"),
    [("agent", "The agent"), ("", "The agent"), ("U0DANA", "Dana Okafor, U0DANA"), ("program", "program")],
)
def test_an_actor_is_said_once(actor: str, said: str) -> None:
    """A person by name and id, everything else by its name alone."""
    found = "({ actorOf }, entry) => actorOf(entry)"
    assert computed("world/sentences.js", found, {"actor": actor}, state=state(3)) == said
