"""One order is for one thing: the occurrence of its day, or the next one, and once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, time, timedelta

import pytest

from policies.engine import decide
from policies.guards.known import KnownWorld, Said
from policies.guards.tracing import trace
from policies.provenance import Reference, Source, Touched
from policies.types import Decision, ProposedAction, TrustLevel
from tests.unit.policies.cases import evidence
from tests.unit.policies.guards.office import BOARD, SYNC, Call, cancel, move

TODAY = date(2026, 11, 30)  # a Monday
TUESDAY, FRIDAY = TODAY + timedelta(days=1), TODAY + timedelta(days=4)
WEEKS = timedelta(weeks=1)


def occurrence(day: date, *, is_next: bool = False) -> Touched:
    return replace(
        SYNC, id=f"sync_{day:%Y%m%d}T090000Z", is_many=False, day=day, begins=time(9), part_of="sync", is_next=is_next
    )


NEXT = occurrence(TUESDAY, is_next=True)
COMING = [
    NEXT,
    *(occurrence(day + WEEKS * week) for week in range(4) for day in (TUESDAY, FRIDAY) if week or day > TUESDAY),
]


def asked(
    call: Call,
    *typed: str,
    earlier: Sequence[int] = (),
    days: Mapping[int, date] | None = None,
    used: Sequence[Touched] = (),
) -> bool:
    """Whether a card asks about a call after these messages, on this Monday."""
    said = [Said(reference=Reference(source=Source.MESSAGE, id=f"{at}"), text=text) for at, text in enumerate(typed)]
    known = KnownWorld(
        said=said[::-1],
        earlier=frozenset(map(str, earlier)),
        things=[*call.impact.objects],
        days={**{one.reference.id: TODAY for one in said}, **{str(at): day for at, day in (days or {}).items()}},
        used={one.id: one.title for one in used},
    )
    found = trace(replace(call.impact, today=TODAY), known, effect=call.effect, verbs=call.verbs)
    action = ProposedAction(tool="a_tool", effect=call.effect, arguments=())
    verdict = decide(action, evidence(TrustLevel.AUTONOMOUS, tools=["a_tool"], provenance=found))
    return verdict.decision is Decision.ASK


def done(make: Callable[[Touched], Call], text: str) -> list[date | None]:
    """The days of those that are coming whose call nobody is asked about, each by itself."""
    return [one.day for one in COMING if not asked(make(one), text)]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Cancel the team sync", [TUESDAY]),
        ("Cancel the team sync, I'm ill", [TUESDAY]),
        ("Cancel the next team sync", [TUESDAY]),
        ("Cancel just this one team sync", [TUESDAY]),
        ("Sag bitte den Team sync ab", [TUESDAY]),
        ("Cancel the team sync at 9", [TUESDAY]),
        ("Cancel the team sync at 3", []),
        ("Cancel the team sync on Friday", [FRIDAY]),
        ("Cancel fridays team sync", [FRIDAY]),
        ("Cancel the team sync on Friday afternoon", []),
        ("Cancel the team sync on Wednesday", []),
        ("Cancel every team sync", [one.day for one in COMING]),
    ],
)
def test_an_order_is_for_the_occurrence_of_its_day(text: str, days: Sequence[date]) -> None:
    """Or for the next one, where it names none."""
    assert done(cancel, text) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Move the team sync to 3", [TUESDAY]),
        ("Move the next team sync to 3", [TUESDAY]),
        ("Move next week's team sync to 3", [TUESDAY + WEEKS, FRIDAY + WEEKS]),
        ("Move next Friday's team sync to 3", [FRIDAY, FRIDAY + WEEKS]),
        ("Move the team sync to Friday", [TUESDAY]),
        ("Verschieb den Team sync auf 15 Uhr", [TUESDAY]),
        ("Move every team sync to 3", [one.day for one in COMING]),
    ],
)
def test_so_is_a_change(text: str, days: Sequence[date]) -> None:
    """To what day it is moved says nothing."""
    assert done(move, text) == days


def test_an_order_is_used_up() -> None:
    """By the first call for it, as far as it names no more days: the one after that is the next one by then."""
    second = occurrence(FRIDAY, is_next=True)
    assert not asked(cancel(second), "Cancel the team sync")
    assert asked(cancel(second), "Cancel the team sync", used=[NEXT])
    assert asked(move(second), "Move the team sync to 3", used=[NEXT])
    assert not asked(cancel(second), "Cancel every team sync", used=[NEXT])
    assert not asked(cancel(NEXT), "Cancel the team sync", used=[NEXT])
    assert asked(cancel(second), "Cancel the team sync on Friday", used=[occurrence(FRIDAY + WEEKS)])
    assert not asked(move(second), "Move the team sync on Tuesday and Friday to 3", used=[NEXT])
    other = replace(BOARD, id="other")
    assert asked(cancel(BOARD), "Cancel the board meeting", used=[other])
    assert not asked(cancel(BOARD), "Cancel the board meeting", used=[SYNC])


@pytest.mark.parametrize("courtesy", ["Thanks!", "yes please", "ok", "ja", "👍", "passt, danke", "do it"])
def test_an_order_of_an_earlier_request_stands_no_more(courtesy: str) -> None:
    """Whatever is thanked for, or agreed to; what is said while the agent works is of this request."""
    typed = ("Cancel the board meeting", courtesy)
    assert asked(cancel(BOARD), *typed, earlier=[0])
    assert not asked(cancel(BOARD), *typed)


def test_a_day_is_counted_from_its_message() -> None:
    """“Tomorrow” of a week ago was another day; and what was the next one then, is not known."""
    ago = {0: TODAY - WEEKS}
    assert not asked(cancel(NEXT), "Cancel tomorrow's team sync")
    assert asked(cancel(NEXT), "Cancel tomorrow's team sync", days=ago)
    assert asked(move(NEXT), "Move tomorrow's team sync to 3", days=ago)
    assert not asked(cancel(occurrence(TUESDAY - WEEKS)), "Cancel tomorrow's team sync", days=ago)
    assert asked(cancel(NEXT), "Cancel the team sync", days=ago)


@pytest.mark.parametrize(
    "text",
    [
        "Cancel the board meeting on Friday",
        "Cancel tomorrow's board meeting",
        "Cancel today's board meeting",
        "Cancel the board meeting at 3",
        "Cancel the board meeting tonight",
        "Sag das Board meeting am Freitag ab",
        "Cancel the Board meeting on December 8",
    ],
)
def test_what_is_there_once_is_on_its_day_as_well(text: str) -> None:
    """An order that names another day or hour is for something else."""
    event = replace(BOARD, day=date(2026, 12, 20), begins=time(10))
    assert asked(cancel(event), text)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("Cancel the board meeting on Friday", time(10)),
        ("Cancel the board meeting at 10", time(10)),
        ("Cancel the board meeting on 4 December at 10:00", time(10)),
        ("Sag das Board meeting am Freitag vormittag ab", time(10)),
        ("Cancel the board meeting on Friday", None),
    ],
)
def test_its_own_day_is_its_own(text: str, begins: time | None) -> None:
    """With its hour, or without."""
    assert not asked(cancel(replace(BOARD, day=FRIDAY, begins=begins)), text)


def test_where_days_are_not_known_none_is_compared() -> None:
    """But an order is used up all the same."""
    call = cancel(replace(SYNC, id="sync_20261201T090000Z", is_many=False))
    assert not asked(call, "Cancel the team sync on Friday at 3")
    assert asked(call, "Cancel the team sync on Friday at 3", used=[COMING[1]])
