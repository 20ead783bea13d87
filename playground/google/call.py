"""One API call after the front door: who calls which method with what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playground.google.discovery import JsonObject, Method
from playground.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that was authenticated and whose parameters are typed and defaulted as the document says."""

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
