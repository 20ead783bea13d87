"""Limits of a run, and the guard against loops. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

MAX_RETRIES = 2  # unusable outputs, or steps whose calls were all invalid, one after the other
MAX_ATTEMPTS = 3  # of one action, each certain not to have happened before the next begins
CIRCLE_CALLS = (2, 3, 4)  # how long a circle of calls may be to be noticed
CIRCLE_ROUNDS = 3  # and how often the model goes round it, with the same results, until it is told
HISTORY_TAKEN = 40  # messages of the thread taken in
HISTORY_SENT = 30  # messages from before this run sent to the model
MAX_ATTACHED = 12  # attached contexts
MAX_OBJECTS = 40  # objects of earlier runs that go along
QUESTION_LIFE = timedelta(hours=24)
APPROVAL_LIFE = timedelta(hours=1)  # after the deciding vote, or until the question's expiry, whichever is later
SETTLE_LIFE = timedelta(days=7)
AUDIT_LAG = timedelta(seconds=60)  # effects are refused while the oldest unsealed entry is older


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
