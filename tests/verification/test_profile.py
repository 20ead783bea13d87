"""Tests of many made-up values: what they share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def test_no_made_up_value_is_judged_by_a_clock() -> None:
    """Not even the first of 200 milliseconds that a busy machine takes: a watchdog ends what hangs."""
    assert settings.default is not None
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check
