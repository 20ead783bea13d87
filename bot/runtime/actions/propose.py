"""Proposals: the model's calls become actions, and those that rows alone can decide are evaluated at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.agents.definition import ENDING_TOOL, Definition
from bot.agents.processors import processed
from bot.domain import ids
from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.limits import Guard
from bot.domain.runs import Run
from bot.domain.steps import Step
from bot.llm.model import ModelCall
from bot.runtime.actions.claim import deadline
from bot.runtime.actions.delegate import delegate
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action, settle_action
from bot.runtime.policy.service import PolicyService
from bot.runtime.texts import to_model
from bot.runtime.texts.about_agents import HANDED_OVER
from bot.tools.agents import AgentTool
from bot.tools.arguments import InvalidArguments, hash_of_invalid, proposed, sha256, validate
from bot.tools.handover import CAPTION, HandedOver
from bot.tools.kit import Kit
from bot.tools.names import tool_name
from bot.tools.plans import PROPOSE_PLAN
from bot.tools.registry import Registry
from integrations.base import AnyTool, ToolArgs
from policies.evidence import Evidence, evidence_as_json
from policies.types import Decision, EffectClass

_RAW_KEPT = 64 * 1024  # as the model spelt them; longer ones are kept in canonical form, invalid ones cut


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An action as written down, its validated arguments, or what is wrong with them; or the `result` that the run of
    an agent hands over with it, as a text.
    """

    action: Action
    args: ToolArgs | None
    problem: str = ""
    result: str | None = None

    @property
    def hands_over(self) -> bool:
        """Whether the call ends the run of an agent, or was to."""
        return self.action.tool == ENDING_TOOL


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFactory:
    """Drafts and evaluates the calls of one step inside one unit of work; `evidence` was read once for all of them, and
    what they hand over was checked.
    """

    tx: Transaction
    run: Run
    step: Step
    kit: Kit
    registry: Registry
    policy_service: PolicyService
    guard: Guard
    evidence: Evidence
    handed_over: HandedOver

    def draft(self, seq: int, call: ModelCall) -> Proposal:
        """The action of one call: planned, with canonical arguments where they are valid."""
        try:
            if self.kit.definition is not None and call.name == ENDING_TOOL:
                return self._handover(seq, call, self.kit.definition)
        except InvalidArguments as error:
            return self._invalid(seq, call, error)
        return self.of_tool(seq, call, self.registry[call.name])

    def of_tool(self, seq: int, call: ModelCall, tool: AnyTool) -> Proposal:
        """The same, where it is known which tool is meant."""
        try:
            valid = validate(tool, call.args)
        except InvalidArguments as error:
            return self._invalid(seq, call, error)
        caption = tool.caption(valid.args)
        return Proposal(action=self._action(seq, call, valid.canonical, valid.hash, caption), args=valid.args)

    def _invalid(self, seq: int, call: ModelCall, error: InvalidArguments) -> Proposal:
        raw, hash_ = call.raw[:_RAW_KEPT], hash_of_invalid(call.args, call.raw)
        caption = tool_name(call.name) or call.name
        return Proposal(action=self._action(seq, call, raw, hash_, caption), args=None, problem=str(error))

    def _handover(self, seq: int, call: ModelCall, definition: Definition) -> Proposal:
        result = self.handed_over.call(seq)
        action = self._action(seq, call, result.args, sha256(result.args), CAPTION)
        return Proposal(action=action, args=None, result=processed(definition, result.output))

    def _action(self, seq: int, call: ModelCall, args: str, hash_: str, caption: str) -> Action:
        return Action(
            id=ids.new_id("act"),
            run_id=self.run.id,
            step_id=self.step.id,
            thread_id=self.run.thread_id,
            team=self.run.team,
            user=self.run.user,
            seq=seq,
            call_id=call.id,
            call_id_given=call.given_id,
            tool=call.name,
            effect=self.registry[call.name].effect if call.name in self.registry else EffectClass.READ,
            caption=caption[:300],
            args_proposed=call.raw if len(call.raw) <= _RAW_KEPT else args,  # whole, whatever its spelling
            args=args,
            args_hash=hash_,
            state=ActionState.PLANNED,
            created_at=self.tx.now,
        )

    async def evaluate(self, proposal: Proposal, streak: int) -> Action:
        """Settle or claim what needs no look outside; the rest stays planned."""
        action = proposal.action
        if action.seq >= self.guard.calls:
            return await self._deny(action, AuditCode.ACTION_TOO_MANY, to_model.too_many_calls(self.guard.calls))
        if proposal.result is not None:
            return await self._hand_over(action, proposal.result)
        if proposal.args is None:
            told = to_model.error("invalid_arguments", proposal.problem, retryable=True)
            return await settle_action(
                self.tx, action, ActionState.FAILED, code=AuditCode.ACTION_INVALID, response=told
            )
        if streak >= self.guard.refused_at:
            return await self._deny(action, AuditCode.ACTION_SAME_AGAIN, to_model.repeated())
        if action.tool == PROPOSE_PLAN:
            return action  # it does nothing; its owner is asked, where the run may propose one
        if await self._is_late():
            return action  # nothing more begins: it stays planned, and the run stops
        return await self._by_policy(action, proposal.args)

    async def _is_late(self) -> bool:
        """Whether the deadline of its request is over: the model may have answered a moment too late."""
        request = await self.tx.work.runs.find(self.run.root) if self.run.root else self.run
        return request.is_late(self.tx.now)

    async def _hand_over(self, action: Action, result: str) -> Action:
        """The run ends with it when its step closes (`bot.runtime.lifecycle.progress`)."""
        code = AuditCode.ACTION_TASK_COMPLETED
        return await settle_action(
            self.tx, action, ActionState.COMPLETED, code=code, response={"output": result}, summary=HANDED_OVER
        )

    async def _by_policy(self, action: Action, args: ToolArgs) -> Action:
        tool = self.registry[action.tool]
        call = proposed(tool, args, offered=action.tool in self.kit.tools)
        verdict = self.policy_service.decide(call, self.evidence)
        judged: dict[str, Any] = {"verdict": verdict, "evidence": evidence_as_json(self.evidence)}
        if self.policy_service.must_look_first(call, verdict):
            return action
        if verdict.decision is Decision.DENY:
            told = to_model.denied(verdict.reason)
            return await settle_action(
                self.tx, action, ActionState.DENIED, code=AuditCode.ACTION_DENIED, response=told, **judged
            )
        if verdict.decision is Decision.ASK or self.policy_service.needs_outside(call) or tool.asks:
            return action
        if isinstance(tool, AgentTool):
            return await delegate(self.tx, action, tool, judged, by=self.kit.definition)
        return await move_action(
            self.tx,
            action,
            ActionState.APPROVED,
            ActionState.EXECUTING,
            code=AuditCode.ACTION_CLAIMED if action.effect is EffectClass.OWN else AuditCode.ACTION_READ,
            attempt=1,
            started_at=self.tx.now,
            deadline_at=deadline(self.tx.now, tool),
            **judged,
        )

    async def _deny(self, action: Action, code: AuditCode, response: to_model.Response) -> Action:
        return await settle_action(self.tx, action, ActionState.DENIED, code=code, response=response)
