"""The pattern of an app in testing: its connections end after seven days."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.audit import AuditCode
from bot.domain.connections import ConnectionChange, ended_after_a_week

BEGIN = datetime(2026, 11, 1, 9, tzinfo=UTC)


def story(*told: tuple[str, float], who: str = "U1") -> list[ConnectionChange]:
    """Changes of one person's connection, each so many days after the beginning."""
    return [
        ConnectionChange(whose=("T1", who), code=AuditCode(f"connection.{code}"), at=BEGIN + timedelta(days=days))
        for code, days in told
    ]


def test_one_that_ended_at_seven_days_is_the_pattern() -> None:
    """Connected, refreshed until the last day, refused at seven days."""
    assert ended_after_a_week(story(("connected", 0), ("refreshed", 6.9), ("refused", 7.01))) == 1
    twice = story(("connected", 0), ("refused", 7.2), ("connected", 8), ("refused", 16))
    assert ended_after_a_week(twice) == 2


@pytest.mark.parametrize(
    "told",
    [
        [("connected", 0), ("refused", 2)],  # the person took it back
        [("connected", 0), ("refused", 180)],  # unused for half a year
        [("connected", 0), ("refreshed", 7.5), ("refused", 7.6)],  # it lived on, so there is no such end
        [("refused", 7)],  # nobody knows since when
        [("connected", 0), ("refreshed", 9)],
        [],
    ],
)
def test_other_ends_are_not(told: list[tuple[str, float]]) -> None:
    """An end for another reason is no sign of it."""
    assert ended_after_a_week(story(*told)) == 0


def test_one_that_lives_on_speaks_against_it() -> None:
    """A connection that works after more than a week shows that the app is not in testing."""
    ended = story(("connected", 0), ("refused", 7.01))
    lives = story(("connected", 0), ("refreshed", 8), who="U2")
    assert ended_after_a_week([*ended, *lives]) == 0
