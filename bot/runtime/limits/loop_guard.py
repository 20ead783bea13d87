"""The guard against loops: identical calls in a row, and circles of calls. Pure."""

from __future__ import annotations

from collections.abc import Sequence

CIRCLE_CALLS = (2, 3, 4)  # how long a circle of calls may be to be noticed
CIRCLE_ROUNDS = 3  # and how often the model goes round it, with the same results, until it is told


def streaks(earlier: Sequence[str], calls: Sequence[str]) -> list[int]:
    """For each new call, how many identical calls in a row it makes, counting those of earlier steps."""
    counts: list[int] = []
    row = list(earlier)
    for call in calls:
        row.append(call)
        same = 0
        for other in reversed(row):
            if other != call:
                break
            same += 1
        counts.append(same)
    return counts


def circles(calls: Sequence[str]) -> bool:
    """Whether the newest calls go round in a circle. One that stands still is `streaks`' to find."""
    return any(_goes_round(calls, length) for length in CIRCLE_CALLS)


def _goes_round(calls: Sequence[str], length: int) -> bool:
    newest = calls[-length * CIRCLE_ROUNDS :]
    rounds = {tuple(newest[start : start + length]) for start in range(0, len(newest), length)}
    return len(newest) == length * CIRCLE_ROUNDS and len(rounds) == 1 and len(set(newest)) > 1
