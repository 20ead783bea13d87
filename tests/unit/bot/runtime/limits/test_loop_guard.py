"""The guard against loops counts identical calls in a row, over steps."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.domain.limits import Guard
from bot.runtime.limits.loop_guard import streaks


@pytest.mark.parametrize(
    ("earlier", "calls", "counted"),
    [
        ("", "", []),
        ("", "a", [1]),
        ("", "aaa", [1, 2, 3]),
        ("aa", "a", [3]),
        ("aa", "ba", [1, 1]),
        ("ab", "bab", [2, 1, 1]),
        ("aaaa", "aa", [5, 6]),
        ("ba", "aab", [2, 3, 1]),
    ],
)
def test_identical_calls_in_a_row_are_counted(earlier: Sequence[str], calls: Sequence[str], counted: list[int]) -> None:
    """Each call counts the identical ones right before it, those of earlier steps too; any other call starts anew."""
    assert streaks(list(earlier), list(calls)) == counted


def test_a_warning_comes_before_the_end() -> None:
    """The third identical call is answered with an error, the fifth ends the run."""
    assert (Guard().refused_at, Guard().failed_at) == (3, 5)
