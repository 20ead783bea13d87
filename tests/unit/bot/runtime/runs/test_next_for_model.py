"""Who asks the model next in a thread."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.runs import Run, RunState
from bot.runtime.runs.runner import next_for_model
from tests import builders as make
from tests.builders import NOW

PLANNING, QUEUED, EXECUTING, AWAITING = RunState.PLANNING, RunState.QUEUED, RunState.EXECUTING, RunState.AWAITING


def run(name: str, state: RunState, *, woken: int | None = None, held: int | None = None) -> Run:
    """A run; `woken` is the minute in which a person's click made it ready again, `held` until when it must wait."""
    at = None if woken is None else NOW + timedelta(minutes=woken)
    until = None if held is None else NOW + timedelta(minutes=held)
    return make.run(id=name, state=state, order_key=name, woken_at=at, not_before=until)


@pytest.mark.parametrize(
    ("runs", "chosen"),
    [
        ([], None),
        ([run("a", QUEUED), run("b", QUEUED)], "a"),
        ([run("a", AWAITING), run("b", QUEUED)], "b"),
        ([run("a", QUEUED), run("b", PLANNING)], "b"),
        ([run("a", PLANNING), run("b", PLANNING)], "a"),
        ([run("a", PLANNING), run("b", PLANNING, woken=1)], "b"),
        ([run("a", PLANNING, woken=2), run("b", PLANNING, woken=1)], "b"),
        ([run("a", EXECUTING), run("b", QUEUED)], None),
        ([run("a", EXECUTING), run("b", PLANNING), run("c", QUEUED)], "b"),
        ([run("a", AWAITING)], None),
        ([run("a", QUEUED, held=1)], None),
        ([run("a", QUEUED, held=1), run("b", QUEUED)], "b"),
        ([run("a", QUEUED, held=0), run("b", QUEUED)], "a"),
    ],
    ids=[
        "nobody",
        "the oldest of the queue",
        "one that waits for people holds nobody up",
        "who is planning goes on",
        "the older one",
        "woken by a person",
        "woken first",
        "an open step holds the queue up",
        "but not who is planning",
        "only people can move it",
        "it is not time yet",
        "one that is held back holds nobody up",
        "its time has come",
    ],
)
def test_who_is_next(runs: list[Run], chosen: str | None) -> None:
    """A planning run, woken ones first; else the oldest queued one, unless another run works in the thread."""
    found = next_for_model(runs, now=NOW)
    assert (found.id if found else None) == chosen
