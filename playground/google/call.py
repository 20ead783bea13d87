"""One API call: who calls which method with what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from playground.google.discovery import JsonObject, Method
from playground.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An authenticated call; its parameters have the types and defaults of the discovery document."""

    method: Method
    person: Person
    scopes: frozenset[str]
    params: Mapping[str, Any]
    body: JsonObject
    if_match: str | None = None

    def text(self, name: str) -> str | None:
        return self.params.get(name)

    def needed(self, name: str) -> str:
        return self.params[name]

    def number(self, name: str, default: int) -> int:
        return self.params.get(name, default)

    def flag(self, name: str) -> bool:
        return self.params.get(name, False)

    def many(self, name: str) -> list[str]:
        return self.params.get(name, [])


Handler = Callable[[Call], JsonObject | None]
"""Answers one method; None is an empty answer."""
