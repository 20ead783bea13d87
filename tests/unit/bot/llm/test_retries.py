"""When an unavailable model is asked again."""

from __future__ import annotations

from typing import Any

import pytest

from bot.llm.model import ModelUnavailable
from bot.llm.transport import Retries

RETRIES = Retries(attempts=3, first_delay=1.0, longest_delay=1.5, longest_advice=10.0, overall=60.0)


def delay(*, retry_after: float | None = None, attempt: int = 1, elapsed: float = 0.0) -> float | None:
    return RETRIES.delay(ModelUnavailable("rate", retry_after=retry_after), attempt=attempt, elapsed=elapsed)


@pytest.mark.parametrize(("attempt", "longest"), [(1, 1.0), (2, 1.5)])
def test_waits_double_up_to_a_limit(attempt: int, longest: float) -> None:
    """The wait doubles, with jitter, up to the longest delay."""
    waits = [delay(attempt=attempt) for _ in range(50)]
    assert all(wait is not None and longest / 2 <= wait <= longest for wait in waits)
    assert len(set(waits)) > 1


@pytest.mark.parametrize(
    ("asked", "waits"),
    [({"attempt": 3}, None), ({"retry_after": 4.0}, 4.0), ({"retry_after": 10.5}, None), ({"elapsed": 59.8}, None)],
    ids=["after the last attempt", "as advised", "advice beyond the limit", "after the overall limit"],
)
def test_a_step_does_not_wait_for_ever(asked: dict[str, Any], waits: float | None) -> None:
    """Advice is followed as it stands, or reported where it is too long; no attempt begins after a limit."""
    assert delay(**asked) == waits
