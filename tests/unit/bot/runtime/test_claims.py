"""What a vote is bound to, and what a claim passes through."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.actions import Action, ActionState
from bot.runtime.claims import approval_hash, claim_path, deadline
from bot.tools.arguments import InvalidArguments
from tests import builders as make
from tests.builders import NOW
from tests.unit.bot.tools.tools import Note

BOUND: dict[str, Any] = {"basis": {"etag": "1"}, "policy_version": "p1", "account": "a1"}


@pytest.mark.parametrize(
    "other",
    [
        {"basis": {"etag": "2"}},
        {"basis": {}},
        {"policy_version": "p2"},
        {"account": "a2"},
        {"account": None},
        {"action": make.action(args_hash="1" * 64)},
        {"action": make.action(tool="gmail_reply")},
    ],
    ids=["basis", "no basis", "policy", "account", "no account", "arguments", "tool"],
)
def test_an_approval_is_bound_to_everything(other: dict[str, Any]) -> None:
    """Other arguments, another tool, basis, policy version or account make another hash."""
    given: dict[str, Any] = {"action": make.action(), **BOUND}
    assert _bound(**given) != _bound(**given | other)


def _bound(*, action: Action, **rest: Any) -> str:
    return approval_hash(action, **rest)


def test_the_same_again_is_the_same_hash() -> None:
    """Whoever computes it, whenever, from equal values in any order finds the same hash."""
    one = approval_hash(make.action(), basis={"a": 1, "b": 2}, policy_version="p", account=None)
    two = approval_hash(make.action(), basis={"b": 2, "a": 1}, policy_version="p", account=None)
    assert one == two


def test_a_basis_without_a_canonical_form_is_refused() -> None:
    """What cannot be hashed cannot be approved."""
    with pytest.raises(InvalidArguments):
        approval_hash(make.action(), basis={"n": 2**60}, policy_version="p", account=None)


def test_a_planned_action_is_approved_on_its_way() -> None:
    """A claim in the commit of its verdict passes through approved; one of an approved action does not."""
    assert claim_path(make.action()) == (ActionState.APPROVED, ActionState.EXECUTING)
    assert claim_path(make.action(state=ActionState.APPROVED)) == (ActionState.EXECUTING,)


def test_a_deadline_is_as_far_as_the_tool_is_slow() -> None:
    """An attempt is given up when the tool's own time is over."""
    assert deadline(NOW, Note()) == NOW + timedelta(seconds=Note.timeout_seconds)
