"""What an order was used for already, and the day on which it was given."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from bot.domain.actions import Action, ActionState
from bot.runtime.policy.tracer import days_of, used_before
from tests import builders as make


def cancelled(event: str, **more: object) -> Action:
    return make.action(**{"tool": "calendar_event_cancel", "args": f'{{"event_id":"{event}","scope":"this"}}', **more})


def test_calls_of_the_same_tool_before_it() -> None:
    """Those behind it are not yet, and other tools do something else."""
    first, moved, mine, last = (
        cancelled("a", state=ActionState.COMPLETED),
        cancelled("b", tool="calendar_event_update"),
        cancelled("c"),
        cancelled("d"),
    )
    assert [*used_before(mine, [first, moved, mine, last])] == ["a"]
    assert [*used_before(last, [first, moved, mine, last])] == ["a", "c"]


@pytest.mark.parametrize("state", ActionState)
def test_what_changed_nothing_uses_nothing(state: ActionState) -> None:
    """What waits, runs, or may have happened, counts."""
    nothing = {"failed", "denied", "rejected", "expired", "cancelled"}
    mine = cancelled("b")
    assert [*used_before(mine, [cancelled("a", state=state), mine])] == ([] if state.value in nothing else ["a"])


def test_the_day_of_a_message_is_that_of_its_owners_zone() -> None:
    """Where the zone is known."""
    message = make.message(created_at=datetime(2026, 11, 30, 22, 30, tzinfo=UTC))
    assert days_of([message], "Europe/Berlin") == {message.id: date(2026, 11, 30)}
    assert days_of([message], "Asia/Tokyo") == {message.id: date(2026, 12, 1)}
    assert days_of([message], "") == {}
