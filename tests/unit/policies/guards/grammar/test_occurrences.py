"""How much of a thing that repeats a text is about."""

from __future__ import annotations

import pytest

from policies.guards.grammar.occurrences import are_many, have_new_rhythm
from policies.guards.readings import title_of

SYNC, WEEKLY, MONDAY = "Team sync", "Weekly team sync", "Monday planning"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Cancel every team sync from tomorrow on", SYNC),
        ("Cancel the whole series of the team sync, today", SYNC),
        ("Move every team sync to 11", SYNC),
        ("Move the whole team sync series to the yard", SYNC),
        ("Move the team sync to Tuesdays at 11", SYNC),
        ("From now on the team sync is at 11", SYNC),
        ("Make the team sync weekly, at 11", SYNC),
        ("Repeat the team sync every Friday at 3", SYNC),
        ("Let the team sync repeat every two weeks", SYNC),
        ("Mach den Team sync jede Woche", SYNC),
        ("Cancel the team sync from next week on", SYNC),
        ("Move the team sync to 11 from next week on, please", SYNC),
        ("Cancel the team sync from next Monday on and tell Dana", SYNC),
        ("Verschieb den Team sync ab nächster Woche auf 11", SYNC),
        ("Cancel this and all following Team sync", SYNC),
        ("Add Dana to the recurring team sync", SYNC),
        ("Cancel all remaining team sync", SYNC),
        ("Move every team sync from 10 to 11", SYNC),
        ("Move every team sync to 3 until Friday", SYNC),
        ("Cancel every Friday team sync", SYNC),
        ("Cancel the team sync on Fridays", SYNC),
        ("Sag den Team sync immer freitags ab", SYNC),
        ("Sag alle Team sync ab morgen ab", SYNC),
        ("Verschieb die Serie Team sync auf 11 Uhr", SYNC),
        ("Verschieb den Team sync künftig auf 11", SYNC),
        ("Cancel all Monday planning", MONDAY),
        ("Move every team sync to 3", "Team sync Berlin"),
        ("Cancel the planning on Mondays", MONDAY),
        ("Sag den Team sync künftig ab", SYNC),
    ],
)
def test_more_than_one(text: str, title: str) -> None:
    """A word says so beside the title, or in its clause."""
    assert are_many(text, title_of(title))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        # nothing says how many
        ("Cancel the team sync", SYNC),
        ("Sag den Team sync ab", SYNC),
        ("Rename the team sync to Standup", SYNC),
        ("Cancel Monday planning", MONDAY),
        ("Cancel the weekly team sync", WEEKLY),
        ("Cancel it all", SYNC),
        # a day or a time says which one
        ("Cancel the team sync tomorrow", SYNC),
        ("Move tomorrow's team sync to 11", SYNC),
        ("Move the team sync to 11", SYNC),
        ("Cancel the next team sync", SYNC),
        ("Cancel the team sync of 12 December", SYNC),
        ("Cancel Monday planning next Monday", MONDAY),
        ("Sag den Team sync am Freitag ab", SYNC),
        ("Move the team sync from this week on to the next", SYNC),
        # so it does beside words that say how a thing repeats
        ("Cancel tomorrow's weekly team sync", SYNC),
        ("Move tomorrow's team sync to 3 like every week", SYNC),
        ("Cancel the weekly team sync tomorrow", SYNC),
        ("Cancel the recurring team sync on Friday", SYNC),
        ("Sag den wöchentlichen Team sync morgen ab", SYNC),
        ("Move the weekly team sync to 3", SYNC),
        ("Cancel tomorrow's team sync series", SYNC),
        ("Move the team sync series to 11 on Friday", SYNC),
        ("Cancel every team sync on Friday", SYNC),
        ("Cancel each team sync on December 24", SYNC),
        ("Cancel every team sync this week", SYNC),
        ("Move every team sync on 4.12. to 3", SYNC),
        ("Move every team sync on the 4th to 3", SYNC),
        ("Move every team sync on the 4 to 3", SYNC),
        ("Sag jeden Team sync am Freitag ab", SYNC),
        ("Sag den Team sync am Freitag für immer ab", SYNC),
        ("Sag den Team sync ab morgen ab", SYNC),
        # a day whose apostrophe is missing is one day
        ("Cancel fridays team sync", SYNC),
        ("cancel the mondays team sync please", SYNC),
        ("Cancel on fridays team sync", SYNC),
        ("Move fridays team sync to 3", SYNC),
        ("Cancel every fridays team sync", SYNC),
        ("sag den montags team sync ab", SYNC),
        ("Sag den Team sync Freitags ab", SYNC),
        # these say which one, or nothing
        *(
            (f"Cancel the {word} team sync", SYNC)
            for word in (
                *("upcoming", "following", "later", "remaining", "future", "regular", "weekly", "whole", "entire"),
                *("full", "all", "next", "any"),
            )
        ),
        ("Cancel any team sync", SYNC),
        ("Sag den folgenden Team sync ab", SYNC),
        ("Sag den ganzen Team sync ab", SYNC),
        ("Sag den wöchentlichen Team sync ab", SYNC),
        ("Move the rest of the remaining team sync", SYNC),
        # what is many or whole is something else
        ("Cancel the team sync for the whole team", SYNC),
        ("Cancel the team sync, all of us are travelling", SYNC),
        ("Cancel the team sync. Any questions, ask me", SYNC),
        ("Cancel the team sync and keep the rest", SYNC),
        ("Cancel the team sync, both Dana and Luis are ill", SYNC),
        ("Cancel the team sync. I'm starting my holidays", SYNC),
        ("Sag den Team sync ab, wir sind alle unterwegs", SYNC),
        # it is refused, or no more than one is wanted
        ("Cancel only the team sync, not the whole series", SYNC),
        ("Cancel only one of the team sync series", SYNC),
        ("Just cancel the team sync series", SYNC),
        ("Cancel the team sync, but not all team sync", SYNC),
        ("Never cancel the whole team sync series", SYNC),
        ("Sag nur den Team sync ab, nicht die ganze Serie Team sync", SYNC),
    ],
)
def test_one(text: str, title: str) -> None:
    """Where nothing says that there are more, there is one."""
    assert not are_many(text, title_of(title))


@pytest.mark.parametrize(
    "text",
    [
        "Let the team sync end in May",
        "The team sync only 4 times, please move it",
        "Move every team sync to 3 until Friday",
        "Move the team sync series to 3 until the end of the year",
        "Verschiebe den Team sync auf 10 und lass ihn bis Mai laufen",
        "The team sync should end after Friday",
        "Stop the team sync series",
        "Add Dana to the team sync for 3 more weeks",
        "Noch 4 mal Team sync, dann ist Schluss",
        "Make the team sync fortnightly",
        "Mach den Team sync monatlich",
    ],
)
def test_it_is_to_have_a_new_rhythm(text: str) -> None:
    """A clause that calls it says for how long it goes on, or how often it comes, or one of its sentence about “it”."""
    assert have_new_rhythm(text, title_of(SYNC))


@pytest.mark.parametrize(
    "text",
    [
        "Move every team sync to the end of the day",
        "Move all team sync to the weekend",
        "Move every team sync to Friday, we need it till spring",
        "Move every team sync to 3, I am away until Friday",
        "Never let the team sync end, move every one to 3",
        "Move every team sync from 3 until 4",
        "Let the team sync end at 4",
        "Don't let the team sync end in May",
        "Add Dana to every team sync. She will be there many times",
        "Move every team sync through to Friday",
        "Add Dana to every team sync, at the end tell me",
        "Add Dana to every team sync; don't shorten or end it",
        "Verschieb alle Team sync aufs Wochenende",
        "Move every team sync to 3, and stop asking me",
        "Move every team sync to 3. Stop!",
        "Move every team sync to 9 times permitting",
        "Shorten the team sync to 30 minutes",
    ],
)
def test_it_keeps_its_rhythm(text: str) -> None:
    """What ends, or how often something is, may be something else."""
    assert not have_new_rhythm(text, title_of(SYNC))
