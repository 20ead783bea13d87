"""Nothing of the rules is there for nothing: what is taken out is missed, or another condition covers it by name."""

from __future__ import annotations

from itertools import chain

import pytest

from bot.domain import conditions
from tests.depth import first
from tests.verification.explorer import agreement_out, families_out, guards
from tests.verification.explorer.conditions_out import (
    JOINED,
    OF_HELD,
    OF_LATER,
    OF_OTHERWISE,
    OUT,
    TOGETHER,
    Out,
    named,
    taken_out,
)
from tests.verification.explorer.lines_out import LINES, Line, without
from tests.verification.explorer.search import Found, Search

MISSED = {name: out for name, out in OUT.items() if out.finds}
COVERED = {name: out for name, out in OUT.items() if not out.finds}


def search(out: Out | Line) -> None:
    """As far as it says."""
    Search(disturbances=out.disturbances, bounds=out.bounds).run()


@pytest.mark.parametrize("name", first(4, MISSED))
def test_a_condition_that_is_taken_out_is_missed(name: str) -> None:
    """Without this condition the search finds what it is there against; with it, nothing."""
    search(MISSED[name])
    with taken_out(name), pytest.raises(Found, match=MISSED[name].finds):
        search(MISSED[name])


@pytest.mark.deep
@pytest.mark.parametrize("out", [*OF_HELD.items(), *OF_LATER.items()], ids=lambda out: out[0])
def test_a_condition_is_missed_by_what_is_held_back(out: tuple[str, Out]) -> None:
    """What guards every run guards one that waits for its moment, and the step to it, just as well."""
    name, found = out
    search(found)
    with taken_out(name), pytest.raises(Found, match=found.finds):
        search(found)


@pytest.mark.parametrize("name", first(2, OF_OTHERWISE))
def test_a_condition_is_missed_by_what_was_approved_otherwise(name: str) -> None:
    """An edit that approves is judged like any other: what guards a claim or a question guards this one."""
    search(OF_OTHERWISE[name])
    with taken_out(name), pytest.raises(Found, match=OF_OTHERWISE[name].finds):
        search(OF_OTHERWISE[name])


@pytest.mark.parametrize("name", COVERED)
def test_a_condition_that_others_cover(name: str) -> None:
    """Without this condition nothing breaks, because others hold the same: the table says which."""
    assert COVERED[name].because
    with taken_out(name):
        search(COVERED[name])


@pytest.mark.parametrize("names", TOGETHER, ids=" and ".join)
def test_conditions_that_cover_each_other(names: tuple[str, str]) -> None:
    """One of them alone is not missed here, both together are."""
    for name in names:
        with taken_out(name):
            search(TOGETHER[names])
    with taken_out(*names), pytest.raises(Found, match=TOGETHER[names].finds):
        search(TOGETHER[names])


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_after_that_is_taken_out_is_missed(name: str) -> None:
    """Where `after` does not see what this line looks at, the search finds what it is there against."""
    with without(LINES[name].hide), pytest.raises(Found, match=LINES[name].finds):
        search(LINES[name])


def test_every_condition_stands_in_the_table() -> None:
    """No condition can be added without saying what misses it."""
    elsewhere = {*families_out.CONDITIONS, *families_out.OF_PLANS, *agreement_out.CONDITIONS, *agreement_out.COVERED}
    assert set(OUT) | JOINED | elsewhere == named(conditions) | named(guards)
    assert set(chain.from_iterable(TOGETHER)) <= set(OUT)
