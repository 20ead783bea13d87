"""Which day a text names, and whether it is that of a thing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from policies.guards.grammar.days import Days
from policies.guards.readings import read
from policies.guards.words import words_of

SYNC = "Team sync"
TODAY = date(2026, 11, 26)  # a Thursday
FRIDAY, MONDAY = TODAY + timedelta(days=1), TODAY + timedelta(days=4)
LATER = FRIDAY + timedelta(days=14)


def tells_apart(texts: Sequence[str], title: str, *, this: date, other: date, today: date) -> bool:
    return Days((read(text).alone for text in texts), words_of(title), today).tell_apart(this, other)


def name_another(texts: Sequence[str], title: str, *, this: date, today: date) -> bool:
    return Days((read(text).alone for text in texts), words_of(title), today).are_others(this)


@pytest.mark.parametrize(
    "text",
    [
        "Cancel the team sync on Friday",
        "Cancel Friday's team sync",
        "Cancel the Friday team sync",
        "Cancel fridays team sync",
        "Sag den freitags Team sync ab",
        "Cancel the team sync tomorrow",
        "Cancel tomorrow’s team sync",
        "Cancel the team sync of 27 November",
        "Cancel the team sync on November 27th",
        "Move the team sync from Friday to Monday",
        "Move Friday's team sync to next Monday",
        "Add Dana to the Friday team sync",
        "Add Dana to Friday's team sync",
        "Sag den Team sync am Freitag ab",
        "Sag den Team sync morgen ab",
        "Verschieb den Team sync von Freitag auf Montag",
        "Verschieb den Team sync von Freitag auf kommenden Montag",
        "Sag den Team sync vom 27. November ab",
    ],
)
def test_the_day_that_is_named_is_that_of_one(text: str) -> None:
    """It means that of Friday, and not that of Monday; nor the other way round."""
    assert tells_apart([text], SYNC, this=FRIDAY, other=MONDAY, today=TODAY)
    assert not tells_apart([text], SYNC, this=MONDAY, other=FRIDAY, today=TODAY)
    assert not name_another([text], SYNC, this=FRIDAY, today=TODAY)
    assert name_another([text], SYNC, this=MONDAY, today=TODAY)


@pytest.mark.parametrize(
    "text",
    [
        "Cancel the team sync",
        "Move the team sync to Friday",
        "Move the team sync to next Friday",
        "Verschieb den Team sync auf den Freitag",
        "Auf Freitag bitte den Team sync verschieben",
        "Cancel the team sync at 27",
        "Cancel the team sync in November",
        "Mail friday@acme.com about the team sync",
    ],
)
def test_a_text_that_names_no_day_of_its_own(text: str) -> None:
    """What it is moved to is no day that it is on, and neither is a number, a month or an address."""
    assert not tells_apart([text], SYNC, this=FRIDAY, other=MONDAY, today=TODAY)
    assert not name_another([text], SYNC, this=MONDAY, today=TODAY)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("Cancel the team sync on Friday", True, False),
        ("Cancel the team sync next Friday", True, True),
        ("Cancel the team sync on Friday in two weeks", True, True),
        ("Cancel the team sync on Friday 11 December", False, True),
        ("Cancel the team sync on Friday the 11th", True, True),
        ("Cancel the team sync today", False, False),
        ("Sag den Team sync übermorgen ab", False, False),
    ],
)
def test_which_of_several_fridays(text: str, near: bool, far: bool) -> None:
    """A weekday alone is one of this week; with its number, or a word for later, it may be another."""
    found = [not name_another([text], SYNC, this=day, today=TODAY) for day in (FRIDAY, LATER)]
    if "11 December" in text:
        found[0] = tells_apart([text], SYNC, this=FRIDAY, other=LATER, today=TODAY)
    assert found == [near, far]


@pytest.mark.parametrize("number", ["1st", "2nd", "3rd", "4th", "04", "4"])
def test_a_date_has_a_number(number: str) -> None:
    """With an ending or without."""
    day = date(2026, 12, int(number[:2].rstrip("sndrt")))
    assert not name_another([f"Cancel the team sync on December {number}"], SYNC, this=day, today=TODAY)
    assert name_another([f"Cancel the team sync on {number} December"], SYNC, this=MONDAY, today=TODAY)


@pytest.mark.parametrize("number", ["2026", "104", "٤"])
def test_a_number_that_is_no_day(number: str) -> None:
    """A year, a room, and digits of other scripts."""
    assert not name_another([f"Cancel the team sync in December {number}"], SYNC, this=MONDAY, today=TODAY)


def test_a_weekday_reaches_a_week_either_way() -> None:
    """No further, and what is said of the title counts where it stands only."""
    for days, fits in ((7, True), (-7, True), (8, False), (14, False)):
        day = TODAY + timedelta(days=days)
        text = f"Cancel the team sync on {day:%A}"
        assert name_another([text], SYNC, this=day, today=TODAY) is not fits
    assert name_another(["On Friday the team sync is off: cancel it"], SYNC, this=MONDAY, today=TODAY)
    assert name_another(["Cancel on Friday: team sync"], SYNC, this=MONDAY, today=TODAY)
    assert name_another(["Cancel it on Friday"], "", this=MONDAY, today=TODAY)
    assert not name_another(["Is it on Friday or Monday? Cancel the team sync"], SYNC, this=MONDAY, today=TODAY)
    assert name_another(["Sag den Team sync heute morgen ab"], SYNC, this=FRIDAY, today=TODAY)


def test_the_day_in_a_title_is_none() -> None:
    """What is called after a day may be on another one."""
    assert not name_another(["Cancel Friday drinks"], "Friday drinks", this=MONDAY, today=TODAY)
    assert not name_another(["Could you please cancel Friday drinks"], "Friday drinks", this=MONDAY, today=TODAY)
    assert name_another(["Cancel Friday drinks on Friday"], "Friday drinks", this=MONDAY, today=TODAY)


def test_a_german_morning_is_not_tomorrow() -> None:
    """Behind a day it is a part of that."""
    assert name_another(["Sag den Team sync Montag morgen ab"], SYNC, this=FRIDAY, today=TODAY)


def test_every_text_that_names_a_day_has_to_tell_them_apart() -> None:
    """One that names none says nothing; one that names both does not tell."""
    plain, friday, both = "When is the team sync?", "Cancel the team sync on Friday", "Is it on Monday or on Friday?"
    found = [
        tells_apart(texts, SYNC, this=FRIDAY, other=MONDAY, today=TODAY)
        for texts in ([plain], [plain, friday], [friday, both], [])
    ]
    assert found == [False, True, False, False]
    assert not name_another([friday, "Move the team sync on Monday"], SYNC, this=MONDAY, today=TODAY)
