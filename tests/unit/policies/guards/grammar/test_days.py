"""Which day a text names, and whether it is that of a thing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time, timedelta

import pytest

from policies.guards.grammar.days import Days, is_at
from policies.guards.readings import read
from policies.guards.words import words_of

SYNC = "Team sync"
TODAY = date(2026, 11, 26)  # a Thursday
FRIDAY, MONDAY = TODAY + timedelta(days=1), TODAY + timedelta(days=4)
LATER = FRIDAY + timedelta(days=14)


def tells_apart(texts: Sequence[str], title: str, *, this: date, other: date, today: date) -> bool:
    return Days(((read(text).alone, today) for text in texts), words_of(title)).tell_apart(this, other)


def name_another(texts: Sequence[str], title: str, *, this: date, today: date) -> bool:
    return Days(((read(text).alone, today) for text in texts), words_of(title)).are_others(this)


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
        ("Cancel the team sync next Friday", True, False),
        ("Cancel the Friday team sync of this week", True, False),
        ("Cancel the Friday team sync of next week", False, False),
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


@pytest.mark.parametrize(
    ("text", "fitting"),
    [
        ("Cancel the team sync next Friday", [1, 8]),
        ("Sag den Team sync nächsten Freitag ab", [1, 8]),
        ("Cancel the team sync next week", [8]),
        ("Sag den Team sync kommende Woche ab", [8]),
        ("Cancel the team sync this week", [1]),
        ("Cancel the team sync on Friday 11 December", [15]),
        ("Cancel the team sync on Friday, 4 December", [8]),
        ("Cancel the team sync on 4 December or 11 December", [8, 15]),
        ("Move the team sync to next week", [-6, 1, 8, 15, 22]),
    ],
)
def test_which_fridays_are_meant(text: str, fitting: Sequence[int]) -> None:
    """A date beside a weekday says which one, and a week which ones; what it is moved to says nothing."""
    fridays = [-6, 1, 8, 15, 22]
    found = [not name_another([text], SYNC, this=TODAY + timedelta(days=at), today=TODAY) for at in fridays]
    assert [at for at, fits in zip(fridays, found, strict=True) if fits] == fitting


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Cancel the team sync", 0),
        ("Cancel the team sync on Friday", 1),
        ("Cancel the team sync next week", 1),
        ("Cancel the team sync on Friday and Monday", 2),
        ("Cancel the team sync on Friday 4 December", 1),
    ],
)
def test_how_many_days_are_named(text: str, count: int) -> None:
    """A day is one, also by its date."""
    assert len(Days([(read(text).alone, TODAY)], words_of(SYNC))) == count


def test_a_day_is_counted_from_that_on_which_it_was_written() -> None:
    """Of each text its own."""
    texts = [(read("Cancel the team sync tomorrow").alone, TODAY - timedelta(days=7))]
    assert Days(texts, words_of(SYNC)).are_others(FRIDAY)
    assert not Days(texts, words_of(SYNC)).are_others(FRIDAY - timedelta(days=7))


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("Cancel the team sync", [None, 0, 3, 9, 12, 15, 19]),
        ("Cancel the team sync on Friday", [None, 0, 3, 9, 12, 15, 19]),
        ("Cancel tomorrow's team sync", [None, 0, 3, 9, 12, 15, 19]),
        ("Cancel the team sync at 3", [3, 15]),
        ("Cancel the team sync at 3 pm", [15]),
        ("Cancel the 3pm team sync", [15]),
        ("Cancel the team sync at 3 a.m.", [3]),
        ("Cancel the team sync at 15:00", [15]),
        ("Cancel the team sync at 15:30", []),
        ("Sag den Team sync um 15 Uhr ab", [15]),
        ("Sag den Team sync um 3 Uhr ab", [3, 15]),
        ("Cancel the team sync at noon", [12]),
        ("Cancel the team sync at midnight", [0]),
        ("Cancel the team sync at 12", [0, 12]),
        ("Cancel the team sync at 24:00", [0, 12]),
        ("Cancel the team sync tomorrow morning", [0, 3, 9]),
        ("Cancel tomorrow afternoon's team sync", [12, 15]),
        ("Cancel the team sync on Friday evening", [19]),
        ("Cancel the team sync tonight", [19]),
        ("Cancel tonight's team sync", [19]),
        ("Cancel tomorrow's team sync at 3", [3, 15]),
        ("Sag den Team sync morgen früh ab", [0, 3, 9]),
        ("Sag den Team sync Freitag abend ab", [19]),
        ("Sag den Team sync am Freitag ab", [None, 0, 3, 9, 12, 15, 19]),
    ],
)
def test_the_hour_is_that_of_the_thing(text: str, hours: Sequence[int | None]) -> None:
    """Where one is named, or a part of a day; what takes all of a day is at none."""
    every = [None, 0, 3, 9, 12, 15, 19]
    assert [at for at in every if is_at(text, None if at is None else time(at))] == hours
