"""An action is explained: its verdict computed again, and its evidence held against what the log names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.questions import Choice
from bot.runtime.audit.explanation import Explanation, NoSuchAction, explain
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.questions.edit import Edit, Editing
from bot.tools.arguments import sha256
from bot.wiring.tools import known_tools
from integrations.base import Field, Preview
from policies import engine
from policies.evidence import Evidence, evidence_as_json
from policies.types import Decision, EffectClass, ProposedAction, TrustLevel, Verdict
from tests.builders import DANA, TEAM
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
    action = await here.standing(here.effect, ActionState.PLANNED, args=ARGS, args_hash=sha256(ARGS))
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


async def done(here: Harness, *, text: str = "it") -> str:
    """A mail that its owner approved, and that is sent; the action's id."""
    here.effect.previews = [Preview(title="Send?", fields=[Field(label="To", value="h")], account="a1")]
    run = await here.asked([("gmail_send", {"text": text})], "Done.", level=TrustLevel.SUPERVISED)
    assert (await here.click(await here.card_of(run.id), Choice.APPROVE)).accepted
    await here.serve()
    return (await here.action(run)).id


APPROVAL = '{"hash":"x","by":"UBOSS","at":"2026-01-01T00:00:00+00:00","expires_at":"2026-01-01T00:00:00+00:00"}'


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("args = replace(args, 'it', 'something else')", "✗ The arguments: the log names"),
        ("tool = 'gmail_search'", "✗ The tool: the log names gmail_send, the row gmail_search."),
        ("verdict = NULL", "✗ The verdict: the log names ask, the row none."),
        ("verdict = replace(verdict, '\"ask\"', '\"allow\"')", "✗ The verdict: the log names ask, the row allow."),
        ("evidence = NULL", "and the row has none."),
        ("approval = NULL", f"✗ The person who approved: the log names {DANA}, the row none."),
        (f"approval = '{APPROVAL}'", f"✗ The person who approved: the log names {DANA}, the row UBOSS."),
        ("approval = json_set(approval, '$.agreed[0]', 'UERIN')", "besides: the log names none, the row UERIN."),
    ],
)
async def test_a_row_that_is_not_what_the_log_names_is_told(here: Harness, change: str, told: str) -> None:
    """Whoever can write to the database changes what was done, by whom it was approved, or why it was let through."""
    action_id = await done(here)
    registry = here.runner.loop.registry
    assert (await explain(here.base.store, here.base.keyring, registry, action_id)).is_sound
    await here.base.tamper(f"UPDATE actions SET {change}")
    found = await explain(here.base.store, here.base.keyring, registry, action_id)
    assert (found.is_sound, told in found.text()) == (False, True)


async def test_what_nobody_touched_is_what_the_log_names(here: Harness) -> None:
    """Sent, rejected, not as its tool wants it, and asked about again after an edit."""
    await done(here)
    here.effect.previews = [Preview(title="Send?", fields=[Field(label="To", value="h")], account="a1")] * 3
    run = await here.asked([("gmail_send", {"text": "other"}), ("gmail_send", {"txt": "invalid"})], "Done.")
    assert (await here.click(await here.card_of(run.id), Choice.REJECT)).accepted
    await here.serve()
    edited = await here.asked([("gmail_send", {"text": "third"})], "Done.")
    editing = Editing(transactions=here.transactions, registry=here.runner.loop.registry)
    value = (await here.card_of(edited.id)).button_value()
    assert (await editing.edit(Edit(team=TEAM, user=DANA, value=value, args={"text": "fourth"}))).accepted
    await here.serve()
    rows = here.base.rows("SELECT id, state FROM actions ORDER BY id")
    found = [await explain(here.base.store, here.base.keyring, here.runner.loop.registry, row["id"]) for row in rows]
    assert {row["state"] for row in rows} >= {"completed", "rejected", "failed"}
    assert [one.text() for one in found if not one.is_sound] == []
