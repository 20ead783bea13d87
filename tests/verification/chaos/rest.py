"""Rest: nothing is left to be done, by anybody. Only then is anything compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tests.acceptance.world import Json

_BUSY = """
SELECT (SELECT count(*) FROM runs WHERE state IN ('queued', 'planning', 'executing', 'awaiting_confirmation')) AS runs
     , (SELECT count(*) FROM outbox WHERE state = 'pending') AS deliveries
     , (SELECT count(*) FROM audit WHERE seq IS NULL) AS unsealed
"""


class NotAtRest(AssertionError):
    """Something is still to be done, so a comparison would prove nothing."""

    def __init__(self, left: Mapping[str, int]) -> None:
        super().__init__(f"it does not come to rest: {', '.join(f'{n} {name}' for name, n in left.items())}")


class Database(Protocol):
    """What is read by SQL."""

    def rows(self, query: str, /, *values: object) -> list[Json]:
        """Rows; parameters are written as `?`."""
        ...


def left_to_do(stage: Database) -> Mapping[str, int]:
    """What is still to be done, and how much of each; empty at rest."""
    return {name: number for name, number in stage.rows(_BUSY)[0].items() if number}
