"""What the doctor says of the policy."""

from __future__ import annotations

from pathlib import Path

import pytest

import policies
from bot.wiring.tools import policy_problems

SHIPPED = Path(policies.__file__).parent
RULE = "rules: [{{id: a, decision: deny, tool: gmail_send, argument: {argument}, value: x@y.example, reason: Never.}}]"


def test_the_shipped_policy_is_well() -> None:
    """What is shipped starts."""
    assert policy_problems() == []


@pytest.mark.parametrize(("argument", "problems"), [("recipient", 0), ("receivers", 1)])
def test_a_rule_that_nothing_could_match_is_told(tmp_path: Path, argument: str, problems: int) -> None:
    """An argument that no mail has is told before a start refuses it."""
    (tmp_path / "constitution.md").write_bytes((SHIPPED / "constitution.md").read_bytes())
    (tmp_path / "policy.yaml").write_text(RULE.format(argument=argument), encoding="utf-8")
    told = policy_problems(tmp_path)
    assert len(told) == problems
    assert all(f"names the argument “{argument}”" in line for line in told)
