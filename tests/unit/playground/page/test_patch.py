from __future__ import annotations

from typing import Any

import pytest

from playground.page.patch import difference


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
