"""When an unavailable model is asked again."""

from __future__ import annotations

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


def test_the_last_attempt_is_the_last() -> None:
    """After the last attempt there is no wait."""
    assert delay(attempt=3) is None


def test_advice_is_followed() -> None:
    """The provider's advice is followed as it stands."""
    assert delay(retry_after=4.0) == 4.0


def test_long_advice_is_not_slept_on() -> None:
    """Advice beyond the limit is reported, not slept on."""
    assert delay(retry_after=10.5) is None


def test_a_step_does_not_wait_for_ever() -> None:
    """No attempt begins after the overall limit."""
    assert delay(elapsed=59.8) is None
