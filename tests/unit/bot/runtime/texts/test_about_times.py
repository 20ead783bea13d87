"""Moments and stretches of time, as people read them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.runtime.texts import about_times
from tests.builders import NOW


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (timedelta(days=3, hours=12), "4 days"),
        (timedelta(hours=47), "47 hours"),
        (timedelta(hours=12), "12 hours"),
        (timedelta(minutes=119), "119 minutes"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(seconds=-5), "less than a minute"),
    ],
)
def test_what_is_left_is_said_in_the_largest_unit_that_fits(span: timedelta, said: str) -> None:
    """Rounded, and never negative."""
    assert about_times.left(span) == said


def test_a_moment_is_said_in_somebodys_own_zone() -> None:
    """And in UTC when the zone is not known."""
    assert about_times.moment(NOW, "Europe/Berlin") == "Saturday 21 November at 10:30"
    assert about_times.moment(NOW, "Gone/City") == "Saturday 21 November at 09:30"
