"""The OpenAPI document of the agent's API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from bot.api.agent.openapi import document


def _fields(value: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every field of an object in it, however deep."""
    match value:
        case dict():
            given = cast("dict[str, Any]", value)
            yield from cast("dict[str, dict[str, Any]]", given.get("properties", {})).items()
            for one in given.values():
                yield from _fields(one)
        case list():
            for one in cast("list[object]", value):
                yield from _fields(one)
        case _:
            pass


def test_a_field_has_no_title_that_a_machine_made() -> None:
    """It would be its name without its capitals: “Stilltoagree”."""
    fields = list(_fields(document("Countersign", "1", {"slack": "countersign"})))
    assert {"stillToAgree", "expiresAt", "threadId"} <= {name for name, _ in fields}
    assert [name for name, field in fields if "title" in field] == []
