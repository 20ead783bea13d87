"""A call is judged in little time, however many things were seen; and as if each were held against each text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress
from types import FrameType

import pytest
from hypothesis import given, settings

from policies.guards.known import KnownWorld, Said, World, are_said
from policies.guards.things import Things
from policies.guards.tracing import trace
from policies.provenance import Impact, Reference, Source
from policies.types import EffectClass
from tests.unit.policies.guards.worlds import CALLS, plainly, threads
from tests.verification.benchmarks import judged


@settings(max_examples=300)
@given(threads(), CALLS)
def test_an_index_changes_no_verdict(
    thread: tuple[Impact, KnownWorld], call: tuple[EffectClass, Sequence[str]]
) -> None:
    """Who named each value, and all that is kept with it, is what looking at each thing and text finds."""
    (impact, known), (effect, verbs) = thread, call
    found = trace(impact, known, effect=effect, verbs=verbs)
    assert found == trace(impact, known, effect=effect, verbs=verbs, there=plainly(known, impact))


@settings(max_examples=300)
@given(threads(), CALLS)
def test_things_that_are_not_called_change_no_verdict(
    thread: tuple[Impact, KnownWorld], call: tuple[EffectClass, Sequence[str]]
) -> None:
    """They keep a word from naming one of those that are, and are looked at for nothing else."""
    (impact, known), (effect, verbs) = thread, call
    seen = list({(one.kind, one.id): one for one in known.things}.values())
    about = {(one.kind, one.id) for one in impact.beside}
    said = zip(seen, are_said(known.said, seen), strict=True)
    fewer = [one for one, is_said in said if is_said or (one.kind, one.id) in about]
    found = trace(impact, replace(known, things=fewer, seen=seen), effect=effect, verbs=verbs)
    assert found == trace(impact, known, effect=effect, verbs=verbs, there=plainly(known, impact))


@settings(max_examples=300)
@given(threads(), CALLS)
def test_what_was_found_out_of_the_things_holds_for_a_call(
    thread: tuple[Impact, KnownWorld], call: tuple[EffectClass, Sequence[str]]
) -> None:
    """Whoever is known by then."""
    (impact, known), (effect, verbs) = thread, call
    there = Things(World(known, impact), impact.today)
    trace(replace(impact, met=frozenset()), replace(known, acquaintances=()), effect=effect, verbs=verbs, there=there)
    found = trace(impact, known, effect=effect, verbs=verbs, there=there)
    assert found == trace(impact, known, effect=effect, verbs=verbs)


def test_a_call_takes_little_more_beside_many_things() -> None:
    """Five hundred take less than twice the calls of Python's functions that sixty do; each beside each took eight
    times as many.
    """
    few, many = (_steps(judged.thread(20, things, seed=7)) for things in (60, 500))
    assert many < 2 * few


@pytest.mark.parametrize("titles", judged.LARGE.values(), ids=judged.LARGE.keys())
def test_a_long_text_is_taken_apart_once(titles: judged.Titles) -> None:
    """Not for each thing, also where there is more than is kept from one judgement to the next; twice as much takes
    twice as long. Such texts were read once for each of the owner's things.
    """
    few, many, longer = (
        _steps(judged.large(messages, 8_000, things, titles, seed=7))
        for messages, things in ((30, 20), (30, 200), (60, 20))
    )
    assert many < 1.5 * few
    assert longer < 2.5 * few


def _steps(thread: judged.Thread) -> int:
    """Calls of functions of ours for one judgement of each kind, once what is kept of texts and titles is known."""

    def judge() -> None:
        said = [Said(reference=Reference(source=Source.MESSAGE, id=one.id), text=one.typed) for one in thread.typed]
        things = list(compress(thread.things, are_said(said, thread.things)))
        known = KnownWorld(said=said, things=things, seen=thread.things, acquaintances=thread.people)
        for call in thread.calls:
            trace(call.impact, known, effect=call.effect, verbs=call.verbs)

    judge()
    return _called(judge)


def _called(play: Callable[[], None]) -> int:
    found = 0

    def on(_: FrameType, event: str, __: object) -> None:
        nonlocal found
        found += event == "call"

    before = sys.getprofile()
    sys.setprofile(on)
    try:
        play()
    finally:
        sys.setprofile(before)
    return found
