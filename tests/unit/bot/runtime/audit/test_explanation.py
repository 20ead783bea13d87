"""An action is explained: its verdict computed again, and its evidence held against what the log names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.runtime.audit.explanation import Explanation, NoSuchAction, explain
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.progress import step_locked
from bot.wiring.tools import known_tools
from policies import engine
from policies.evidence import Evidence, evidence_as_json
from policies.types import Decision, EffectClass, ProposedAction, TrustLevel, Verdict
from tests.unit.bot.runtime.runtime_harness import Harness

EVIDENCE = Evidence(
    is_member=True,
    level=TrustLevel.SUPERVISED,
    side_effects_enabled=True,
    policy_version="p",
    allowed_tools=frozenset({"calendar_delete_event"}),
)
TOOLS = known_tools()
TOOL = next(tool for tool in TOOLS if tool.effect is EffectClass.DESTRUCTIVE)


async def judged(here: Harness, verdict: Verdict | None = None, evidence: Evidence = EVIDENCE) -> str:
    """An action that was judged, and is in the log; its id."""
    evidence = replace(evidence, allowed_tools=frozenset({TOOL.name}))
    made = verdict or engine.decide(ProposedAction(tool=TOOL.name, effect=TOOL.effect), evidence)
    action = await here.standing(here.effect, ActionState.PLANNED, args=ARGS)
    await here.base.tamper(f"UPDATE actions SET tool = '{TOOL.name}', effect = '{TOOL.effect}'")
    action = await here.action(action)
    columns: dict[str, Any] = {"verdict": made, "evidence": evidence_as_json(evidence)}
    async with here.transactions.write() as tx, step_locked(tx, action.step_id):
        await move_action(tx, action, ActionState.APPROVED, code=AuditCode.ACTION_APPROVED, **columns)
    return action.id


ARGS = '{"event_id":"e1"}'


async def explained(here: Harness, action_id: str, evidence: Mapping[str, object] | None = None) -> Explanation:
    return await explain(here.base.store, here.base.keyring, TOOLS, action_id, evidence=evidence)


async def test_a_verdict_is_computed_again(here: Harness) -> None:
    """The same evidence gives the same verdict, and it is the evidence that the log names."""
    found = await explained(here, await judged(here))
    assert found.is_sound
    assert "Computed again from the stored evidence: ask by level.supervised, as it was." in found.text()
    assert found.text().endswith("The evidence is what the log names.")


async def test_a_verdict_that_nobody_computes_is_told(here: Harness) -> None:
    """Somebody wrote another verdict into the row, or policy changed since."""
    forged = Verdict(decision=Decision.ALLOW, rule="level.supervised", reason="")
    found = await explained(here, await judged(here, forged))
    assert not found.is_sound
    assert "✗ Computed again from the stored evidence: ask by level.supervised." in found.text()


async def test_evidence_that_was_changed_is_told(here: Harness) -> None:
    """It gives a fitting verdict, and is not what the log names."""
    action_id = await judged(here)
    await here.base.tamper("UPDATE actions SET evidence = replace(evidence, '\"p\"', '\"q\"')")
    found = await explained(here, action_id)
    assert not found.is_sound
    assert "✗ The evidence is not what the log names" in found.text()


async def test_an_entry_that_was_changed_is_told(here: Harness) -> None:
    """Its MAC does not fit its bytes."""
    action_id = await judged(here)
    change = "UPDATE audit SET body = replace(body, 'approved', 'denied')"
    await here.base.tamper(f"DROP TRIGGER audit_insert_only; {change}")
    found = await explained(here, action_id)
    assert (found.is_sound, "was changed, or its key is missing" in found.text()) == (False, True)


async def test_a_limit_is_no_matter_of_policy(here: Harness) -> None:
    """What a limit refused is not computed again."""
    refused = Verdict(decision=Decision.DENY, rule="limit.side_effects", reason="")
    found = await explained(here, await judged(here, refused))
    assert found.is_sound
    assert "deny by limit.side_effects: that is a limit" in found.text()


async def test_a_step_that_was_forgotten_is_said_to_be(here: Harness) -> None:
    """The log still names the hash, and evidence that was kept elsewhere can be held against it."""
    action_id = await judged(here)
    await here.base.tamper("DELETE FROM actions")
    found = await explained(here, action_id)
    assert found.is_sound
    assert "Its step was forgotten" in found.text()
    assert "give --evidence FILE" in found.text()
    kept = evidence_as_json(replace(EVIDENCE, allowed_tools=frozenset({TOOL.name})))
    assert (await explained(here, action_id, evidence=kept)).text().endswith("The evidence is what the log names.")
    assert not (await explained(here, action_id, evidence={**kept, "policy_version": "q"})).is_sound


async def test_an_action_that_is_not_there(here: Harness) -> None:
    """Neither in the rows nor in the log."""
    with pytest.raises(NoSuchAction, match="no action act_0"):
        await explained(here, "act_0")
