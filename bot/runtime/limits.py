"""Limits of a run, and the guard against loops. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

MAX_CALLS_PER_STEP = 16
MAX_RETRIES = 2  # unusable outputs, or steps whose calls were all invalid, one after the other
MAX_ATTEMPTS = 3  # of one action, each certain not to have happened before the next begins
REPEATED_CALL = 3  # the n-th identical call in a row is answered with an error
DOOM_LOOP = 5  # the n-th ends the run
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
