"""What a vote is bound to."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.actions import Action
from bot.runtime.actions.claim import ApprovalBasis, approval_hash, basis_of, claim_of, deadline, stored_hash
from bot.runtime.core.lease import DEADLINE_SECONDS
from bot.runtime.core.transaction import LEASE_SECONDS
from bot.tools.arguments import InvalidArguments
from policies.evidence import Evidence, evidence_as_json
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import NOW
from tests.unit.bot.tools.tools import Note


def bound(action: Action | None = None, *, policy_version: str = "p1", **grounds: Any) -> str:
    """The hash of an action that was judged on these grounds."""
    given: dict[str, Any] = {"recipients": None, "basis": {"etag": "1"}, "account": "a1"}
    return approval_hash(action or make.action(), ApprovalBasis(**given | grounds), policy_version=policy_version)


@pytest.mark.parametrize(
    "other",
    [
        {"basis": {"etag": "2"}},
        {"basis": {}},
        {"policy_version": "p2"},
        {"account": "a2"},
        {"account": None},
        {"action": make.action(args='{"text":"another"}')},
        {"action": make.action(tool="gmail_reply")},
    ],
    ids=["basis", "no basis", "policy", "account", "no account", "arguments", "tool"],
)
def test_security_input_24_an_approval_is_bound_to_everything(other: dict[str, Any]) -> None:
    """Other arguments, another tool, basis, policy version or account make another hash."""
    assert bound(**other) != bound()


def test_the_same_again_is_the_same_hash() -> None:
    """Equal values give the same hash, in any order and for any action."""
    assert bound(make.action(), basis={"a": 1, "b": 2}) == bound(make.action(), basis={"b": 2, "a": 1})


def test_what_was_stored_gives_the_hash_again() -> None:
    """From an action's row comes the hash that its approval had to name."""
    evidence = Evidence(
        is_member=True,
        level=TrustLevel.SUPERVISED,
        side_effects_enabled=True,
        policy_version="p1",
        allowed_tools=frozenset({"gmail_send"}),
        recipients=("a@b.c",),
    )
    action = make.action(basis={"etag": "1"}, account="a1", evidence=evidence_as_json(evidence))
    assert stored_hash(action) == bound(action)
    assert basis_of(action).recipients == ("a@b.c",)
    assert basis_of(make.action()) == ApprovalBasis(recipients=None, basis={}, account=None)


def test_a_basis_without_a_canonical_form_is_refused() -> None:
    """What cannot be hashed cannot be approved."""
    with pytest.raises(InvalidArguments):
        bound(basis={"n": 2**60})


def test_attempts_of_one_action_are_told_apart() -> None:
    """A worker remembers which attempt it began itself."""
    action = make.action(attempt=1)
    assert claim_of(action) != claim_of(make.action(id=action.id, attempt=2))


class Slow(Note):
    """May take longer than a lease lasts."""

    timeout_seconds = 60.0


def test_a_deadline_is_as_far_as_the_tool_is_slow() -> None:
    """A deadline is the end of the tool's own time; that of a slow one lies inside the lease all the same."""
    assert deadline(NOW, Note()) == NOW + timedelta(seconds=Note.timeout_seconds)
    assert deadline(NOW, Slow()) == NOW + timedelta(seconds=DEADLINE_SECONDS)
    assert DEADLINE_SECONDS < LEASE_SECONDS
