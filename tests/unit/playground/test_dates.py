"""The days of the seeded world."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from playground.world.dates import Days


@pytest.mark.parametrize(
    ("today", "nearest"),
    [
        (date(2026, 11, 30), date(2026, 11, 30)),
        (date(2027, 1, 4), date(2026, 11, 30)),
        (date(2026, 8, 20), date(2026, 11, 30)),
        (date(2028, 2, 29), date(2027, 11, 30)),
    ],
)
def test_a_date_that_each_year_has(today: date, nearest: date) -> None:
    """A holiday stands on its own date, in the year that is nearest."""
    assert Days(datetime(today.year, today.month, today.day, 12, tzinfo=UTC)).named("every 11-30") == nearest
