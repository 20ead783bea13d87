"""Delegating: a call of an agent queues a run of its own, in the commit in which the call may begin.

The action waits for that run as another one waits for people, and ends with it
(`bot.runtime.lifecycle.progress`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.agents.definition import Definition
from bot.domain import ids
from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.limits import Limits, SpawnLimits
from bot.domain.plans import Phase
from bot.domain.runs import CHILD_SOURCE, Run, RunState
from bot.runtime.actions.flow_steps import standing_of
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.runs import queue_run
from bot.runtime.limits.of_agents import limits_of_child, spawn_of_step
from bot.tools.agents import AgentTool


async def delegate(
    tx: Transaction,
    action: Action,
    tool: AgentTool,
    columns: Mapping[str, Any],
    *,
    by: Definition | None,
    tried: str | None = None,
    phase: Phase | None = None,
) -> Action:
    """planned or approved → awaiting_confirmation, with the run that does the work; `tried` did not come to its end.
    That of a flow's step knows of whatever tried it before, and has the limits that the flow (`by`, the agent of the
    parent, if that is one) sets for it. It hears what was said to that and to its parent, as a task of a plan does,
    which begins in a `phase`.
    """
    parent, spawn = await tx.work.runs.find(action.run_id), SpawnLimits()
    if parent.is_flow and by is not None:
        standing = await standing_of(tx.work, parent)
        tried, spawn = standing.tried, spawn_of_step(by, len(standing.done), parent.limits)
    limits = limits_of_child(tool.definition, spawn)
    child = replace(_run(parent, action, tool, tx, limits), retry_of=tried, phase=phase)
    await keep_definition(tx, tool)
    delegated = await move_action(
        tx,
        action,
        ActionState.AWAITING,
        code=AuditCode.ACTION_DELEGATED,
        about={"child": child.id},
        child=child.id,
        **columns,
    )
    await queue_run(tx, child, agent=tool.name, definition=tool.hash)
    if parent.is_led_by_code:
        await _pass_on(tx, parent, child)
    return delegated


async def _pass_on(tx: Transaction, parent: Run, child: Run) -> None:
    """What was said before, and nobody can hear any more, is for this step."""
    if child.retry_of is not None:
        await tx.work.messages.steer_again(child.retry_of, by=child.id)
    for message in await tx.work.messages.untaken(parent.id):
        await tx.work.messages.change(message.id, steers=child.id)


async def keep_definition(tx: Transaction, tool: AgentTool) -> None:
    """Store the definition, so that its runs have it whatever becomes of its file."""
    await tx.work.definitions.keep(tool.hash, name=tool.name, canonical=tool.canonical(), at=tx.now)


def _run(parent: Run, action: Action, tool: AgentTool, tx: Transaction, limits: Limits) -> Run:
    """Its owner, place and context are those of the run that it works for."""
    inputs = tool.inputs(action.args)
    return Run(
        id=ids.new_id("run"),
        thread_id=parent.thread_id,
        team=parent.team,
        user=parent.user,
        source_key=f"{CHILD_SOURCE}{action.id}",
        message_id=parent.message_id,
        state=RunState.QUEUED,
        private=parent.private,
        label=parent.label,
        limits=limits,
        ceiling=limits,
        parent=parent.id,
        parent_action=action.id,
        root=parent.request_run,
        agent=tool.name,
        definition=tool.hash,
        inputs=inputs,
        order_key=parent.order_key,
        created_at=tx.now,
    )
