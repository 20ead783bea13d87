"""A tool call as the runtime makes one, and what its result tells the model."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from integrations.base import Call, Requester, Result
from policies.types import Label

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


async def _note(_: Mapping[str, object]) -> None: ...


def call(requester: Requester, *, key: str = "k1", attempt: int = 1, label: Label = Label.OWNER) -> Call:
    return Call(requester=requester, run_id="r1", key=key, attempt=attempt, deadline=NOON, note=_note, label=label)


def data(result: Result) -> Any:
    return result.data
