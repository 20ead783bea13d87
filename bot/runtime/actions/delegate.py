"""Delegating: a call of an agent queues a run of its own, in the commit in which the call may begin.

The action waits for that run as another one waits for people, and ends with it
(`bot.runtime.lifecycle.progress`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.agents import canonical
from bot.domain import ids
from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.plans import Phase
from bot.domain.runs import CHILD_SOURCE, Run, RunState
from bot.runtime.actions.flow_steps import standing_of
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.runs import queue_run
from bot.runtime.limits.of_agents import limits_of_child
from bot.tools.agents import AgentTool


async def delegate(
    tx: Transaction,
    action: Action,
    tool: AgentTool,
    columns: Mapping[str, Any],
    *,
    tried: str | None = None,
    phase: Phase | None = None,
) -> Action:
    """planned or approved → awaiting_confirmation, with the run that does the work; `tried` did not come to its end.
    That of a flow's step knows of whatever tried it before. It hears what was said to that and to its parent, as a task
    of a plan does, which begins in a `phase`.
    """
    parent = await tx.work.runs.find(action.run_id)
    if parent.is_flow:
        tried = (await standing_of(tx.work, parent)).tried
    child = replace(_run(parent, action, tool, tx, tried), phase=phase)
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
    text = json.dumps(canonical.mapping(tool.definition), ensure_ascii=False)
    await tx.work.definitions.keep(tool.hash, name=tool.name, canonical=text, at=tx.now)


def _run(parent: Run, action: Action, tool: AgentTool, tx: Transaction, tried: str | None) -> Run:
    """Its owner, place and context are those of the run that it works for."""
    limits = limits_of_child(tool.definition)
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
        retry_of=tried,
        created_at=tx.now,
    )
