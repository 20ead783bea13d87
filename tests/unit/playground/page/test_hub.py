"""What the page is told: a snapshot, what changes, and the exchanges with the emulators."""

from __future__ import annotations

from typing import Any

import pytest

from playground.page.hub import BACKLOG, Hub
from playground.page.patch import difference
from playground.page.wire import BODIES, LINES, Wire


async def test_a_window_gets_a_snapshot_and_then_changes() -> None:
    """Who opens the stream receives the whole state once, then only what differs."""
    hub = Hub()
    hub.publish("slack", {"a": 1})
    changes = hub.changes(beat=5)
    assert await anext(changes) == {"snapshot": {"slack": {"a": 1}}}
    hub.publish("slack", {"a": 1})
    hub.publish("slack", {"a": 2})
    assert await anext(changes) == {"set": [[["slack", "a"], 2]]}


async def test_an_idle_stream_beats() -> None:
    """Without changes there is a heartbeat, so that a dead window is noticed."""
    changes = Hub().changes(beat=0.01)
    await anext(changes)
    assert await anext(changes) is None


async def test_a_window_that_does_not_read_is_dropped() -> None:
    """A window too far behind loses its stream, and starts over from a snapshot when it reconnects."""
    hub = Hub()
    changes = hub.changes(beat=5)
    await anext(changes)
    for number in range(BACKLOG + 5):
        hub.publish("slack", {"a": number})
    received = [change async for change in changes]
    assert len(received) == BACKLOG


# What changed between two states -----------------------------------------------------------------------------------


def applied(old: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The change as the page's own code applies it."""
    for path, value in change.get("set", []):
        _parent(old, path)[path[-1]] = value
    for path in change.get("drop", []):
        del _parent(old, path)[path[-1]]
    return old


def _parent(tree: dict[str, Any], path: list[str]) -> dict[str, Any]:
    for key in path[:-1]:
        tree = tree[key]
    return tree


def test_nothing_changed_is_an_empty_patch() -> None:
    """Equal states have no difference."""
    old, new = ({"slack": {"messages": {"C": {"1": {"text": "a"}}}}} for _ in range(2))
    assert difference(old, new) == {}


def test_one_message_is_one_change() -> None:
    """A changed message is set whole, and its neighbours are not mentioned."""
    old = {"slack": {"messages": {"C": {"1": {"text": "a"}, "2": {"text": "b", "blocks": [1]}}}}}
    new = {"slack": {"messages": {"C": {"1": {"text": "a"}, "2": {"text": "c"}}}}}
    assert difference(old, new) == {"set": [[["slack", "messages", "C", "2"], {"text": "c"}]]}


CASES: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
    ({}, {"a": {"b": 1}}),
    ({"a": {"b": 1}}, {}),
    ({"a": {"b": 1}}, {"a": None}),
    ({"a": None}, {"a": {"b": {}}}),
    ({"a": {"b": {"c": {"d": {"e": 1}}}}}, {"a": {"b": {"c": {"d": {"f": 2}}}}}),
    ({"a": {"b": [1, 2], "x": 0}}, {"a": {"b": [2], "y": 0}}),
)


@pytest.mark.parametrize(("old", "new"), CASES)
def test_applying_the_difference_gives_the_new_state(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Old state and difference make the new state, whatever came, went or changed its kind."""
    change = difference(old, new)
    assert applied(old, change) == new


# The exchanges with the emulators ----------------------------------------------------------------------------------


def entry(number: int) -> dict[str, object]:
    return {"n": number, "at": f"2026-11-21T10:{number // 60:04d}:{number % 60:02d}", "path": "/x", "request": {"a": 1}}


def test_lines_have_no_bodies() -> None:
    """The list names an exchange; its bodies are read one by one."""
    wire = Wire()
    wire.add("slack", entry(1))
    assert "request" not in wire.lines()["slack:1"]
    found = wire.entry("slack:1")
    assert found is not None
    assert found["request"] == {"a": 1}


def test_only_the_newest_are_kept() -> None:
    """The list and the bodies are bounded, and the newest stay."""
    wire = Wire()
    for number in range(BODIES + 10):
        wire.add("google", entry(number))
    assert len(wire.lines()) == LINES
    assert f"google:{BODIES + 9}" in wire.lines()
    assert wire.entry("google:9") is None


def test_a_reset_forgets_one_source_only() -> None:
    """What the other emulators logged stays."""
    wire = Wire()
    wire.add("slack", entry(1))
    wire.add("google", entry(1))
    wire.forget("slack")
    assert list(wire.lines()) == ["google:1"]
