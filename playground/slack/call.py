"""One call of a Web API method: its arguments, from JSON, form and query together, and its token."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from playground.slack.errors import Refused, invalid_arguments
from playground.slack.records import Json

if TYPE_CHECKING:
    from playground.slack.workspace import Workspace

TS = re.compile(r"\d{10}\.\d{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The arguments as they came: JSON values, or strings that hold them."""

    method: str
    args: Json
    scopes: frozenset[str] = frozenset()
    basic: tuple[str, str] = ("", "")
    """Client id and secret of `oauth.v2.access` and `openid.connect.token`."""

    token: str = ""

    notes: list[str] = field(default_factory=list[str])

    def text(self, name: str, default: str = "") -> str:
        value = self.args.get(name)
        return default if value is None else str(value)

    def need(self, name: str) -> str:
        """A required string."""
        if not (value := self.text(name)):
            raise invalid_arguments(f"missing required field: {name}")
        return value

    def ts(self, name: str) -> str:
        """A message timestamp, or nothing."""
        value = self.text(name)
        if value and not TS.fullmatch(value):
            raise Refused(
                "invalid_thread_ts" if name == "thread_ts" else "message_not_found", reason=f"{name}={value!r}"
            )
        return value

    def flag(self, name: str) -> bool:
        return self.text(name).lower() in {"true", "1"}

    def number(self, name: str, default: int) -> int:
        value = self.text(name)
        try:
            return int(value) if value else default
        except ValueError as error:
            raise invalid_arguments(f"{name} is not a number") from error

    def json(self, name: str, error: str = "invalid_arguments") -> Any:
        """An argument that may be JSON text; nothing is `None`."""
        value = self.args.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError as caught:
            raise Refused(error, reason=f"{name} is not JSON: {caught}") from caught

    def items(self, name: str) -> list[str]:
        """A list that may be comma-separated."""
        value = self.args.get(name)
        if isinstance(value, list):
            return list(map(str, cast("list[object]", value)))
        return [item.strip() for item in self.text(name).split(",") if item.strip()]

    def has(self, *scopes: str) -> None:
        """Raises `missing_scope` unless one of the scopes was granted."""
        if not self.scopes.intersection(scopes):
            raise Refused("missing_scope", needed=scopes[0], provided=",".join(sorted(self.scopes)))


Method = Callable[["Workspace", Call], Json]
"""A method returns its fields, to which `ok` is added. It raises `Refused` to answer an error."""
