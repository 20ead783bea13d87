"""What a claim is made of: its path, its deadline, and the hash that binds an approval to exactly this."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.domain.actions import Action, ActionState
from bot.tools.arguments import canonical, sha256
from bot.tools.registry import AnyTool


def claim_path(action: Action) -> tuple[ActionState, ...]:
    """The states that a claim in the same commit as its verdict passes through."""
    if action.state is ActionState.PLANNED:
        return (ActionState.APPROVED, ActionState.EXECUTING)
    return (ActionState.EXECUTING,)


def deadline(now: datetime, tool: AnyTool) -> datetime:
    """The moment after which nothing of this attempt is sent."""
    return now + timedelta(seconds=tool.timeout_seconds)


def approval_hash(action: Action, *, basis: Mapping[str, object], policy_version: str, account: str | None) -> str:
    """What a vote is bound to: the exact arguments, what the preview was made from, the policy and the account."""
    bound = {
        "tool": action.tool,
        "args": action.args_hash,
        "basis": dict(basis),
        "policy": policy_version,
        "account": account,
    }
    return sha256(canonical(bound))
