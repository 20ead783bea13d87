"""How much of a thing that repeats a text is about."""

from __future__ import annotations

import pytest

from policies.guards.grammar.occurrences import are_many

SYNC, WEEKLY, MONDAY = "Team sync", "Weekly team sync", "Monday planning"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Cancel the team sync", SYNC),
        ("Cancel all team syncs from tomorrow on", SYNC),
        ("Cancel the whole series of the team sync, today", SYNC),
        ("Move every team sync to 11", SYNC),
        ("Move the team sync to Tuesdays at 11", SYNC),
        ("From now on the team sync is at 11", SYNC),
        ("Make the team sync weekly, at 11", SYNC),
        ("Cancel the team sync from next week on", SYNC),
        ("Move the team sync to 11 from next week on, please", SYNC),
        ("Cancel the team sync from next Monday on and tell Dana", SYNC),
        ("Verschieb den Team sync ab nächster Woche auf 11", SYNC),
        ("Cancel this and all following team syncs", SYNC),
        ("Rename the team sync to Standup", SYNC),
        ("Sag alle Team sync ab morgen ab", SYNC),
        ("Verschieb die Serie Team sync auf 11 Uhr", SYNC),
        ("Verschieb den Team sync künftig auf 11", SYNC),
        ("Sag den Team sync ab", SYNC),
        ("Cancel Monday planning", MONDAY),
        ("Cancel the weekly team sync", WEEKLY),
        ("Add dana.monday@acme.com to the team sync", SYNC),
    ],
)
def test_more_than_one(text: str, title: str) -> None:
    """A word says so, or no day and no time is named."""
    assert are_many(text, title)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Cancel the team sync tomorrow", SYNC),
        ("Move tomorrow's team sync to 11", SYNC),
        ("Move the team sync to 11", SYNC),
        ("Cancel the next team sync", SYNC),
        ("Cancel the team sync on Friday", SYNC),
        ("Cancel the team sync of 12 December", SYNC),
        ("Cancel only this team sync", SYNC),
        ("Cancel the weekly team sync tomorrow", WEEKLY),
        ("Cancel the sync of the weekly team tomorrow", WEEKLY),
        ("Cancel Monday planning next Monday", MONDAY),
        ("Cancel Monday planning on Monday", MONDAY),
        ("Could you cancel the weekly team sync tomorrow", WEEKLY),
        ("Sag den Team sync morgen ab", SYNC),
        ("Verschieb den nächsten Team sync", SYNC),
        ("Sag den Team sync am Freitag ab", SYNC),
        ("Cancel it tomorrow", ""),
        ("Move the team sync from next week on Friday to 11", SYNC),
        ("Move the team sync from this week on to the next", SYNC),
        ("Sag den Team sync ab, nächste Woche", SYNC),
    ],
)
def test_one(text: str, title: str) -> None:
    """A day or a time says which; what the title says does not count."""
    assert not are_many(text, title)
