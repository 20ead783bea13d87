"""An action is explained: its verdict computed again, and its evidence held against what the log names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.questions import Choice
from bot.runtime.audit.checkpoints import Checkpoints
from bot.runtime.audit.explanation import Explanation, NoSuchAction, explain
from bot.runtime.audit.personal import erase
from bot.runtime.audit.pruner import Pruner
from bot.runtime.audit.sealer import Sealer
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


async def test_evidence_of_a_backup_is_held_against_the_log_also_where_there_is_a_row(here: Harness) -> None:
    """Whoever gives some wants to know of that."""
    action_id = await judged(here)
    kept = evidence_as_json(replace(EVIDENCE, allowed_tools=frozenset({TOOL.name})))
    assert (await explained(here, action_id, evidence=kept)).is_sound
    found = await explained(here, action_id, evidence={**kept, "policy_version": "q"})
    assert (found.is_sound, "✗ The evidence is not what the log names" in found.text()) == (False, True)


async def test_a_limit_is_no_matter_of_policy(here: Harness) -> None:
    """What a limit refused is not computed again."""
    refused = Verdict(decision=Decision.DENY, rule="limit.side_effects", reason="")
    found = await explained(here, await judged(here, refused))
    assert found.is_sound
    assert "deny by limit.side_effects: that is a limit" in found.text()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("tool = 'of_another_version'", "it cannot be computed again, as this version has no tool of_another_version."),
        ("args = '{}'", f"it cannot be computed again, as its arguments are none of {TOOL.name} in this version."),
        ('evidence = \'{"level":"none"}\'', "it cannot be computed again: The stored evidence is damaged at"),
        ("evidence = NULL", "it cannot be computed again without its evidence."),
    ],
)
async def test_what_cannot_be_computed_again_says_why(here: Harness, change: str, told: str) -> None:
    """A tool of another version, and what somebody made of a row, break nothing; the log names what it was."""
    action_id = await judged(here)
    await here.base.tamper(f"UPDATE actions SET {change}")
    found = await explained(here, action_id)
    assert (found.is_sound, told in found.text()) == (False, True)


@pytest.mark.parametrize(
    "change",
    [
        *(
            "state = 'nonsense'",
            "evidence = '{'",
            "args = x'ff00'",
            "verdict = '{}'",
            "created_at = 'x'",
            "args = NULL",
        ),
        *("state = NULL", "attempt = 'often'", "attempt = NULL", "owner = NULL", "evidence = '[1]'", "account = x'00'"),
        *("args = CAST(x'ff' AS TEXT)", 'verdict = \'{"decision":"ask","rule":7,"reason":""}\''),
        f"evidence = '{'[' * 100_000}'",
    ],
)
async def test_a_row_that_nobody_can_read_is_told(here: Harness, change: str) -> None:
    """What the log says of it is there all the same."""
    action_id = await judged(here)
    await here.base.tamper(NO_RULES)
    await here.base.tamper(f"UPDATE actions SET {change.replace('owner', 'user')}")
    found = await explained(here, action_id)
    assert (found.is_sound, "✗ Its row cannot be read" in found.text()) == (False, True)
    assert "action.approved" in found.text()


NO_RULES = """PRAGMA writable_schema = 1;
UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table';"""


@pytest.mark.parametrize("change", ["started_at = 'soon'", "closed_at = x'ff'", "ended_at = CAST(x'ff' AS TEXT)"])
async def test_a_step_that_nobody_can_read_is_told(here: Harness, change: str) -> None:
    """Whether the call waits for its moment stands there; the rest is explained."""
    action_id = await judged(here)
    await here.base.tamper(f"UPDATE steps SET {change}")
    found = await explained(here, action_id)
    assert (found.is_sound, "✗ The steps of its run cannot be read" in found.text()) == (False, True)
    assert "Computed again from the stored evidence" in found.text()


@pytest.mark.parametrize("column", ["team", "scope", "code", "at", "mac", "key_id", "hash", "seq"])
@pytest.mark.parametrize("value", ["NULL", "x'ff'", "CAST(x'ff41' AS TEXT)", "'a' || char(10) || char(27)"])
async def test_an_entry_that_nobody_can_read_ends_no_explanation(here: Harness, column: str, value: str) -> None:
    """It is told as far as it can be, on one line."""
    action_id = await judged(here)
    await here.base.tamper(f"DROP TRIGGER audit_insert_only; {NO_RULES}")
    await here.base.tamper(f"UPDATE audit SET {column} = {value}")
    lines = (await explained(here, action_id)).text().splitlines()
    assert any("act_" in line and "args_sha256" in line for line in lines)
    assert not any("\x1b" in line for line in lines)


async def test_a_step_that_was_forgotten_is_said_to_be(here: Harness) -> None:
    """The log still names the hash, and evidence that was kept elsewhere can be held against it. Retention forgets a
    run's steps together with its actions: where only the row is gone, somebody deleted it.
    """
    action_id = await judged(here)
    await here.base.tamper("DELETE FROM actions")
    found = await explained(here, action_id)
    assert (found.is_sound, "✗ Its row is gone, and its run has steps" in found.text()) == (False, True)
    await here.base.tamper("DELETE FROM steps")
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
        ("state = 'rejected'", "✗ The state: the log names completed, the row rejected."),
        ("user = 'UBOSS'", f"✗ The owner: the log names {DANA}, the row UBOSS."),
        ("team = 'TEVIL'", f"✗ The workspace: the log names {TEAM}, the row TEVIL."),
        ("account = 'a2'", "✗ The account: the log names a1, the row a2."),
        ("account = NULL", "✗ The account: the log names a1, the row none."),
        ("attempt = 7", "✗ The number of attempts: the log names 1, the row 7."),
        ("label = 'owner'", "✗ The label of its result: the log names"),
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


async def test_a_row_is_not_held_against_what_nobody_opens(here: Harness) -> None:
    """The account lies under the owner's key. Once that was destroyed, nobody knows what it was, which is no fault."""
    action_id = await done(here)
    assert await erase(here.base.store, TEAM, DANA)
    await here.base.tamper("UPDATE actions SET account = 'a2'")
    found = await explain(here.base.store, here.base.keyring, here.runner.loop.registry, action_id)
    assert found.is_sound
    assert found.text().endswith("cannot be opened, so the account was not held against it.")


async def without_entries(here: Harness, action_id: str, condition: str = "true") -> Explanation:
    """What is found where somebody deleted entries about an action, whose tool may be one of the product's."""
    about = f'body LIKE \'%"action":"{action_id}"%\''
    await here.base.tamper(f"DROP TRIGGER audit_no_delete; DELETE FROM audit WHERE {about} AND {condition}")
    registry = here.runner.loop.registry
    (row,) = here.base.rows("SELECT tool FROM actions WHERE id = ?", action_id)
    return await explain(here.base.store, here.base.keyring, registry if row["tool"] in registry else TOOLS, action_id)


async def test_a_row_of_which_the_log_says_nothing_is_told(here: Harness) -> None:
    """All entries about what was done are gone, and none because its time was over."""
    found = await without_entries(here, await done(here))
    assert not found.is_sound
    assert "✗ The log says nothing of it, and its row says that it is completed: its entries were" in found.text()


@pytest.mark.parametrize("state", ["approved", "planned"])
async def test_what_was_judged_is_in_the_log(here: Harness, state: str) -> None:
    """Also what was not begun."""
    action_id = await judged(here)
    await here.base.tamper(f"UPDATE actions SET state = '{state}'")
    found = await without_entries(here, action_id)
    said = f"✗ The log says nothing of it, and its row says that it is {state}"
    assert (found.is_sound, said in found.text()) == (False, True)


async def test_what_was_only_written_down_is_in_no_log(here: Harness) -> None:
    """Nor is the call of a deferred run, which keeps the verdict that it got before."""
    action = await here.standing(here.effect, ActionState.PLANNED)
    registry = here.runner.loop.registry
    found = await explain(here.base.store, here.base.keyring, registry, action.id)
    assert (found.is_sound, found.gaps) == (True, [])
    judged_before = await judged(here)
    await here.base.tamper("UPDATE steps SET finish = 'held'")
    assert (await without_entries(here, judged_before)).gaps == []


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("action.asked", "are missing: the first one that is there begins with awaiting_confirmation."),
        ("action.claimed", "are missing: one ends with approved, and the next one begins with executing."),
        ("action.completed", "The state: the log names executing, the row completed."),
    ],
)
async def test_an_entry_that_is_missing_is_told(here: Harness, code: str, told: str) -> None:
    """The first, one in the middle, and the last."""
    found = await without_entries(here, await done(here), f"code = '{code}'")
    assert not found.is_sound
    assert f"✗ {told}" in found.text().replace("Entries about it ", "")


async def test_what_was_pruned_is_not_missing(here: Harness) -> None:
    """A signed checkpoint carries over which runs had entries, and which attempts they claimed: another attempt was
    none of theirs, and a checkpoint that nobody signed explains nothing.
    """
    action_id = await done(here)
    registry = here.runner.loop.registry

    async def found() -> Explanation:
        return await explain(here.base.store, here.base.keyring, registry, action_id)

    signs = Checkpoints(store=here.base.store, keyring=here.base.keyring, clock=here.base.clock, entries=1)
    while await Sealer(store=here.base.store, keyring=here.base.keyring, checkpoints=signs).seal():
        await signs.keep_up(1)
    await Pruner(store=here.base.store, keyring=here.base.keyring, clock=here.base.clock).prune(here.base.clock.now())
    pruned = await found()
    assert (pruned.is_sound, pruned.entries) == (True, [])
    assert "what was before was pruned on" in pruned.text()
    await here.base.tamper("UPDATE actions SET attempt = 2")
    assert "row says that it is completed: attempt 2 is none of those" in (await found()).text()
    await here.base.tamper("UPDATE audit_checkpoints SET carried = replace(carried, '1]]', '2]]')")
    assert "its entries were deleted or changed, and not because their time was over" in (await found()).text()
