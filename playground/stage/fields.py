"""Reads JSON of others: a value that is missing or of another type is empty, never an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast

Fields: TypeAlias = Mapping[str, object]


def fields(value: object) -> Fields:
    """The value as an object."""
    return cast("Fields", value) if isinstance(value, Mapping) else {}


def text(of: Fields, key: str) -> str:
    found = of.get(key)
    return found if isinstance(found, str) else ""


def listed(value: object) -> Sequence[object]:
    """The value as a list."""
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def items(of: Fields, key: str) -> Sequence[object]:
    return listed(of.get(key))


def rows(of: Fields, key: str) -> list[Fields]:
    """The objects in the list at `key`."""
    return [cast("Fields", row) for row in items(of, key) if isinstance(row, Mapping)]


def walk(value: object) -> Iterator[Fields]:
    """Every object in a JSON value, the outer before the inner."""
    if isinstance(value, Mapping):
        yield cast("Fields", value)
        for inner in cast("Fields", value).values():
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in cast("Sequence[object]", value):
            yield from walk(inner)
