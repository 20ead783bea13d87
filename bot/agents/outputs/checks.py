"""Checks of outputs by their schemas, bounded in time: the one is a model's, the other a team's.

What a pattern, a reference or unique items cost is not seen from outside. So these are checked by a process of its own
that ends at its budget, and so is whatever is large. Everything else costs at most as much as schema and value have
parts, multiplied.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Self, cast

from bot.agents.outputs import output_schema
from integrations.isolated.worker import Unanswered, Worker

CPU_SECONDS = 0.5
"""Of the processor's time, for one check."""
WALL_SECONDS = 10.0
MOST_PARTS, MOST_CHARACTERS = 5_000, 50_000_000
"""Those of the schema times those of the value, up to which a check is done here: a sixth of a second at the worst."""
TOO_LONG = "$: Checking it against its schema takes too long. Make it shorter and simpler."

_PROCESS = "bot.agents.outputs.process"


class OutputChecks:
    """Checks values, one at a time. Inert until `async with`; leaving it ends the process."""

    def __init__(self, *, cpu: float = CPU_SECONDS, wall: float = WALL_SECONDS) -> None:
        self._worker = Worker(_PROCESS, cpu=cpu, wall=wall)

    async def __aenter__(self) -> Self:
        await self._worker.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._worker.__aexit__()

    @property
    def pid(self) -> int | None:
        """The process that checks now; None where there is none."""
        return self._worker.pid

    async def errors(self, schema: Mapping[str, object], value: object) -> Sequence[str]:
        """What is wrong with a JSON value, each with its path; none where it satisfies the schema."""
        try:
            return await self._errors(schema, value)
        except (Unanswered, RecursionError):
            return [TOO_LONG]

    async def _errors(self, schema: Mapping[str, object], value: object) -> Sequence[str]:
        question = json.dumps({"schema": schema, "value": value})
        characters = len(json.dumps(schema)) * len(question)
        is_small = characters <= MOST_CHARACTERS and _parts(schema) * _parts(value) <= MOST_PARTS
        if is_small and output_schema.is_plain(schema):
            return output_schema.errors(schema, value)
        return cast("list[str]", json.loads(await self._worker.answer(question)))


def _parts(value: object) -> int:
    """How many values there are, at any depth."""
    match value:
        case Mapping():
            return 1 + sum(map(_parts, cast("Mapping[str, object]", value).values()))
        case list():
            return 1 + sum(map(_parts, cast("list[object]", value)))
        case _:
            return 1
