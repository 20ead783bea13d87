"""The scripted model's answer to one request, before it becomes chunks on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One function call, with the arguments as they will stand in the JSON."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One candidate. `garbage` replaces the whole body; `block` is a block reason, and then there is no candidate.

    `ids` says whether calls carry ids, `signature` where a text's signature stands (`part` or `empty`); with None the
    request decides. One that `is_deaf` does not have the form that the request demands.
    """

    thoughts: tuple[str, ...] = ()
    text: str = ""
    calls: tuple[Call, ...] = ()
    finish: str = "STOP"
    finish_message: str = ""
    block: str = ""
    garbage: str = ""
    ids: bool | None = None
    signature: str | None = None
    is_empty: bool = False
    is_deaf: bool = False

    def is_whole(self) -> bool:
        """Whether it is a text or calls, and nothing cut it."""
        return self.finish == "STOP" and not (self.block or self.garbage or self.is_empty)
