"""What time says in Slack, for many inputs, is what Slack accepts, and nothing from outside is parsed in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, cast

import pytest

from bot.domain.briefings import MAILS_SHOWN, MEETINGS_SHOWN, Briefing, Item, ItemKind
from bot.runtime.delivery.views import OpeningView, ReminderView, ScheduledReminderView
from bot.slack.views.briefing import briefing
from bot.slack.views.notices import opening, reminder
from bot.slack.views.schedule import (
    EXAMPLE,
    NOT_CHANGED,
    REMOVED,
    RESUMED,
    alarm,
    answered,
    done,
    listed,
    on_home,
    which,
)
from integrations.ports import ScheduleInfo
from tests.contract.test_blocks import Samples, accepted, accepted_view, inert
from tests.unit.bot.slack.cases import MARA, NOW, place

LINK = "https://fernhill.slack.com/archives/D0MARA/p1795284925593411"


@Samples
@pytest.mark.parametrize("link", ["", LINK])
@pytest.mark.parametrize(("reader", "passes_on"), [("", False), ("U0DANA", False), ("U0DANA", True)])
def test_reminders(text: str, link: str, reader: str, passes_on: bool) -> None:
    """Of any title, with the way to the card or without; an approver reads whose request it is, and what comes next."""
    view = ReminderView(
        place=place(),
        question_id="q_1",
        needs_none=False,
        title=text,
        ends_at=NOW,
        left=timedelta(hours=3),
        zone="Gone/City",
        card=None,
        reader=reader,
        passes_on=passes_on,
    )
    shown = reminder(view, link)
    accepted(shown)
    assert (" asks for it. " in str(shown.blocks)) is bool(reader)
    assert ("somebody else is asked " in str(shown.blocks)) is passes_on
    assert ("it expires " in str(shown.blocks)) is not passes_on
    assert ("Go to the card" in str(shown.blocks)) is bool(link)
    assert "3 hours left" in shown.text


@Samples
@pytest.mark.parametrize("value", ["", "sch_1@2026-11-23T08:00:00+00:00"])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("blind", [False, True])
def test_alarms(text: str, value: str, late: bool, blind: bool) -> None:
    """Of any words, in time or late, with its owner's buttons, and a word when nobody knows if it is still needed."""
    due = NOW if late else None
    shown = alarm(
        ScheduledReminderView(team="T1", user=MARA, text=text, zone="UTC", due=due, since="1", value=value, blind=blind)
    )
    accepted(shown)
    told = str(shown.blocks)
    assert ("comes late" in told, "could not check" in told, "button" in told) == (late, blind, bool(value))


@Samples
@pytest.mark.parametrize("until", [None, NOW])
def test_answered_alarms(text: str, until: datetime | None) -> None:
    """Without buttons: done, or when it comes again."""
    shown = answered(text, until, "Gone/City")
    accepted(shown)
    assert "actions" not in {block["type"] for block in shown.blocks}


def _item(kind: ItemKind, text: str) -> Item:
    return Item(
        kind=kind, id=text, title=text, when=text, people=text, where=text, snippet=text, link=LINK, notes=[text] * 9
    )


@Samples
def test_briefings(text: str) -> None:
    """As full as they get, with words from outside everywhere; a button for each item, and its place in each."""
    found = Briefing(
        day="Monday 23 November",
        meetings=[_item(ItemKind.MEETING, f"{text}{n}") for n in range(MEETINGS_SHOWN)],
        mails=[_item(ItemKind.MAIL, f"{text}{n}") for n in range(MAILS_SHOWN)],
        more_meetings=3,
        more_mails=1,
        remarks=[text or "x"],
    )
    shown = briefing(found, owner=MARA)
    accepted(shown)
    rows = [block for block in shown.blocks if block["type"] == "actions"]
    assert len(rows) == len(found.items)


@pytest.mark.parametrize("nothing", [None, ()], ids=["not seen", "empty"])
def test_briefings_of_nothing(nothing: Sequence[Item] | None) -> None:
    """An empty day is said to be empty; one that nobody could look at is not."""
    shown = briefing(Briefing(day="Monday", meetings=nothing, mails=nothing, remarks=["Why."]), owner=MARA)
    accepted(shown)
    assert ("Nothing is on your calendar" in str(shown.blocks)) is (nothing is not None)


def _planned(number: int, text: str, **values: Any) -> ScheduleInfo:
    given: dict[str, Any] = {
        "what": "reminder",
        "title": text,
        "when": "every day at 08:00",
        "zone": "Gone/City",
        "next_at": NOW,
    }
    return ScheduleInfo(id=f"sch_{number}", number=number, **given | values)


@Samples
def test_schedules(text: str) -> None:
    """In a command's answer nothing from outside is parsed, and App Home takes as many as a person can have."""
    many = [_planned(n, text, is_paused=n % 2 == 0) for n in range(1, 51)]
    for page in range(4):
        said = listed(many, page=page)
        inert([], said)
        assert len(said) < 4_000
    accepted_view({"type": "home", "blocks": list(on_home(many))}, blocks=20)
    assert "and 42 more" in str(on_home(many))


def test_a_page_of_schedules_says_how_to_see_the_next() -> None:
    """Every one is on some page; a page beyond the last is the last."""
    many = [_planned(n, f"thing {n}") for n in range(1, 51)]
    pages = [listed(many, page=page) for page in (1, 2, 3)]
    assert all(any(f"*{n}*  thing {n} " in page for page in pages) for n in range(1, 51))
    assert "`/agent schedule page 2`" in pages[0]
    assert listed(many, page=9) == pages[2]
    assert listed([]) == EXAMPLE
    assert ["under *Scheduled*" in listed(known, is_held=True) for known in ([], many[:3])] == [True, True]
    assert "page" not in listed(many[:3])


def test_what_is_planned_stands_in_the_order_in_which_it_comes() -> None:
    """Whatever the numbers are; what is paused comes last."""
    known = [_planned(n, f"thing {n}", next_at=None if n in {1, 2} else NOW - timedelta(hours=n)) for n in (1, 2, 3, 4)]
    for shown in (listed(known), str(on_home(known))):
        assert sorted("1234", key=lambda n: shown.index(f"thing {n}")) == list("4312")


def test_remove_asks_back_and_says_what_it_is() -> None:
    """Nothing brings it back."""
    made = on_home([_planned(1, "water the plants", when="once, Monday 23 November at 16:00")])
    (_, _, row) = cast("list[Any]", made)
    asks = next(one["confirm"] for one in row["elements"] if "confirm" in one)
    assert asks["text"]["text"].startswith("water the plants (reminder) – ")
    assert (asks["confirm"]["text"], asks["deny"]["text"]) == ("Remove it", "Keep it")


def test_the_example_names_a_number_that_is_there() -> None:
    """What is typed as it is shown changes something of the list."""
    known = [_planned(n, "Tea") for n in (5, 3)]
    assert "To change number 3: `/agent schedule pause 3`" in listed(known)
    assert "`/agent schedule pause 3`" in which("pause", known)


@Samples
def test_openings(text: str) -> None:
    """Of any title and any request, also without one of them."""
    for title, asked in ((text, text), ("", text), (text, "")):
        accepted(opening(OpeningView(place=place(), title=title, text=asked, since="1.0")))


def test_a_list_names_the_condition_of_a_reminder() -> None:
    """What is to be said only where nobody answers reads as no fact, and the title's own quotes end no quotation."""
    one = _planned(1, "nobody has answered “Tea”", unless_answered=True, when="once, Monday 23 November at 16:00")
    assert "unless somebody answers that mail before" in listed([one])
    assert "unless somebody" not in listed([_planned(1, "tea")])
    assert done(one, REMOVED) == "“nobody has answered 'Tea'” is removed."


def test_what_was_not_changed_says_how_it_stands() -> None:
    """Of a reminder that is active it is known that it is."""
    active, paused = _planned(1, "tea"), _planned(2, "tea", is_paused=True)
    said = [done(one, NOT_CHANGED) for one in (active, paused, _planned(3, "tea", next_at=None))]
    assert [one.removeprefix("“tea” ") for one in said] == [
        "(number 1) is active already. Nothing was changed.",
        "(number 2) is paused already. Nothing was changed.",
        "(number 3) is over. Nothing was changed.",
    ]


def test_what_is_resumed_says_when_it_comes() -> None:
    """A reminder that comes once does not come “again from now on”."""
    once = _planned(1, "call Helen", when="once, Monday 23 November at 16:00")
    said = done(once, RESUMED)
    assert said.startswith("“call Helen” is resumed: ")
    assert said.removeprefix("“call Helen” is resumed: ").rstrip(".") in listed([once])
