"""The claim: every effect begins here and nowhere else (docs/states.md §2).

An action may come here evaluated, approved by a person, or certain not to have happened before. It begins when its run
still wants it, and when policy allows it or a vote on this very hash stands. The intent is in the same commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing, covers, is_allowed, lets_through, may_act, may_begin, may_repeat
from bot.domain.limits import DailyBudgets
from bot.domain.runs import Run
from bot.runtime.actions.deadlines import deny_late
from bot.runtime.actions.defer import held_until, hold
from bot.runtime.actions.delegate import delegate
from bot.runtime.core.lease import DEADLINE_SECONDS, Lease
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action, rewrite_card, settle_action
from bot.runtime.lifecycle.runs import request_of
from bot.runtime.limits import places
from bot.runtime.people.profiles import NobodyKnown, ProfileService
from bot.runtime.policy import unasked
from bot.runtime.policy.service import PolicyService
from bot.runtime.policy.tries import asked_because, done_before
from bot.runtime.texts import to_model
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from bot.tools.agents import AgentTool
from bot.tools.arguments import canonical, proposed, sha256, stored
from bot.tools.kit import Kits
from bot.tools.registry import Registry
from integrations.base import AnyTool
from integrations.ports import Clock
from policies import engine
from policies.deciders import Deciders, still_agree
from policies.evidence import Evidence, evidence_as_json, evidence_from_json
from policies.provenance import Provenance
from policies.types import Label, ProposedAction, Role, Verdict

log = structlog.get_logger()

MAX_ATTEMPTS = 3  # of one action, each certain not to have happened before the next begins
AUDIT_LAG = timedelta(seconds=60)  # effects are refused while the oldest unsealed entry is older
PAUSE_SECONDS = 1.0  # while the log lags


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalBasis:
    """What a verdict and an approval rest on: the recipients and who named what, as far as it was looked up, what the
    preview was made from, and the account. `met` are the recipients the owner is known to have written to,
    `heard` what else rules hear of (`Evidence.heard`).
    """

    recipients: Sequence[str] | None
    provenance: Provenance | None = None
    basis: Mapping[str, object]
    account: str | None
    met: Collection[str] = ()
    heard: Sequence[tuple[Role, str]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncovered:
    """A person must be asked: the hash that an approval must name, who has to agree besides, and the columns of the
    evaluation.
    """

    bound: str
    judged: Mapping[str, Any]
    deciders: tuple[Deciders, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Evaluates by rows and claims, inside the caller's transaction and after the step was locked.

    `longest_hold` bounds how long an action that nobody approved is deferred, whatever its tool says; `daily` is how
    much may be done outside on a day.
    """

    store: Store
    clock: Clock
    kits: Kits
    registry: Registry
    policy_service: PolicyService
    profiles: ProfileService
    longest_hold: timedelta = timedelta.max
    daily: DailyBudgets = field(default_factory=DailyBudgets)
    max_attempts: int = MAX_ATTEMPTS
    pause_seconds: float = PAUSE_SECONDS

    async def prepared(self, action: Action) -> bool:
        """Before an action is evaluated, outside any transaction: False when effects must wait, because the log lags.

        The profiles of the action's owner, and of those who have to agree, are read again: they may have left since.
        """
        await self._look_up(action, {one for each in _deciders_of(action) for one in each.people})
        if not action.is_side_effect:
            return True
        if await self._log_lags():
            await asyncio.sleep(self.pause_seconds)
            return False
        await self._look_up(action, {action.user})
        return True

    async def _look_up(self, action: Action, people: Collection[str]) -> None:
        for user in sorted(people):
            with suppress(NobodyKnown):  # without a row the evidence says that they are no member
                await self.profiles.person(action.team, user)

    async def _log_lags(self) -> bool:
        """No audit, no action: the oldest unsealed entry is too old."""
        async with self.store.read() as work:
            oldest = await work.audit.oldest_unsealed()
        lags = oldest is not None and self.clock.now() - oldest > AUDIT_LAG
        if lags:
            log.error("audit.lags", oldest=str(oldest))
        return lags

    async def claim(
        self,
        tx: Transaction,
        action: Action,
        grounds: ApprovalBasis,
        lease: Lease,
        *,
        not_before: datetime | None = None,
        **shown: object,
    ) -> Uncovered | None:
        """Claim the action or refuse it; where a person must be asked, that is returned, and the caller asks.

        The run follows its step in any case: something may have stopped it meanwhile.

        `shown` are columns of a fresh preview, kept with the claim. An action that is to happen later
        (`not_before`), or can still be undone, is deferred instead of claimed.
        """
        run = await tx.work.runs.find(action.run_id)
        judged = await self._let_through(tx, action, run, grounds)
        if judged is None:
            return None
        verdict, evidence, columns = judged
        bound, covered = self._vote(action, run, grounds, (verdict, evidence), tx.now)
        begins = may_begin(verdict.decision, edition=action.edition, covered=covered)
        if begins and not covered and (asks := await self._asks_besides(tx, run, action, evidence)):
            columns, begins = {**columns, "verdict": asks}, False
        limit = await places.taken(tx, run, action, evidence, self.daily, asks=not begins, covered=covered)
        if limit is not None:
            await places.refuse(tx, run, action, limit, self.daily, columns)
            return None
        if not begins:
            return Uncovered(bound=bound, judged=columns, deciders=verdict.deciders)
        tool = self.registry[action.tool]
        hold_back = timedelta(0) if covered or tool.hold is None else min(tool.hold, self.longest_hold)
        until = held_until(run, not_before, undoable=tx.now + hold_back, now=tx.now)
        if isinstance(tool, AgentTool):
            await delegate(tx, action, tool, columns | shown, by=self.kits.of(run).definition)
        elif until is not None:
            await hold(tx, action, until, covered=covered, columns=columns | shown)
        else:
            await unasked.keep(tx, action, tool, evidence.reached, met=grounds.met, covered=covered)
            await _begin(tx, action, tool, lease, columns | shown)
        return None

    async def _asks_besides(self, tx: Transaction, run: Run, action: Action, evidence: Evidence) -> Verdict | None:
        """Why a person is asked about what policy lets begin: it reaches too many, or an earlier try did the like."""
        if too_wide := await places.widely(tx, run, action, evidence):
            return too_wide
        done = await done_before(tx.work, run, action, evidence.reached)
        return asked_because(done) if done else None

    async def admits(self, tx: Transaction, action: Action) -> Mapping[str, Any] | None:
        """Before its owner is asked a tool's question: the columns of the evaluation; None where the run does not want
        it any more, or policy refused it.
        """
        judged = await self._let_through(tx, action, await tx.work.runs.find(action.run_id), basis_of(action))
        return judged and judged[2]

    async def _let_through(
        self, tx: Transaction, action: Action, run: Run, grounds: ApprovalBasis
    ) -> tuple[Verdict, Evidence, dict[str, Any]] | None:
        """How policy judges it, with the columns for that; None where nothing more is to be done: it was denied, the
        deadline of its request is over, which denies what was held back, or its run was stopped meanwhile, which
        `after` sees to.
        """
        tx.step_changed(action.step_id)
        if not may_act(Standing.of(run)):
            return None
        if (await request_of(tx.work, run)).is_late(tx.now):
            if run.holds is not None:
                await deny_late(tx, action)
            return None
        verdict, evidence = await self._judged(tx.work, action, grounds)
        columns: dict[str, Any] = {"verdict": verdict, "evidence": evidence_as_json(evidence)}
        looked_up = not verdict.deciders or action.state is ActionState.PLANNED
        if lets_through(verdict.decision) or not looked_up:  # who has to agree is looked up where it is evaluated
            return verdict, evidence, columns
        told, why = to_model.denied(verdict.reason), verdict.reason
        code = AuditCode.ACTION_DENIED
        denied = await settle_action(tx, action, ActionState.DENIED, code=code, response=told, summary=why, **columns)
        await rewrite_card(tx, denied)
        return None

    async def goes_unasked(self, action: Action, grounds: ApprovalBasis) -> Evidence | None:
        """The evidence if nobody would be asked, but for the guards: then it is looked up who named what. Those who
        may have to agree are looked up in any case.
        """
        async with self.store.read() as work:
            call, evidence = await self._known(work, action, grounds)
        await self._look_up(action, engine.named_deciders(call, evidence))
        return evidence if self.policy_service.goes_unasked(call, evidence) else None

    async def may_repeat(self, tx: Transaction, action: Action) -> bool:
        """Whether an action that is safe to repeat may begin once more, evaluated again as at a claim."""
        grounds = basis_of(action)
        judged = await self._judged(tx.work, action, grounds)
        run = await tx.work.runs.find(action.run_id)
        _, covered = self._vote(action, run, grounds, judged, tx.now)
        return may_repeat(
            Standing.of(run),
            judged[0].decision,
            edition=action.edition,
            covered=covered,
            attempt=action.attempt,
            most=self.max_attempts,
        )

    async def allows(self, action: Action) -> bool:
        """Whether policy, as the rows are now, lets it be done without asking."""
        async with self.store.read() as work:
            verdict, _ = await self._judged(work, action, basis_of(action))
        return is_allowed(verdict.decision, action.edition)

    async def _judged(self, work: UnitOfWork, action: Action, grounds: ApprovalBasis) -> tuple[Verdict, Evidence]:
        call, evidence = await self._known(work, action, grounds)
        return self.policy_service.decide(call, evidence), evidence

    async def _known(self, work: UnitOfWork, action: Action, grounds: ApprovalBasis) -> tuple[ProposedAction, Evidence]:
        run = await work.runs.find(action.run_id)
        evidence = await self.policy_service.evidence(
            work,
            action.team,
            action.user,
            label=await _label(work, action, run, grounds.provenance),
            recipients=grounds.recipients,
            provenance=grounds.provenance,
            heard=grounds.heard,
        )
        return self.proposed(action, run), evidence

    def _vote(
        self, action: Action, run: Run, grounds: ApprovalBasis, judged: tuple[Verdict, Evidence], now: datetime
    ) -> tuple[str, bool]:
        """The hash that an approval must name, and whether the one that there is covers the action.

        The hash has those who have to agree as the rules name them, so it does not change when one of them leaves or
        comes back. Those who may decide now must have agreed.
        """
        verdict, evidence = judged
        named = self.policy_service.deciders(self.proposed(action, run), evidence) if verdict.deciders else ()
        bound = approval_hash(action, grounds, policy_version=evidence.policy_version, deciders=named)
        agreed = action.approval.agreed if action.approval else ()
        return bound, covers(action.approval, bound, now) and still_agree(verdict.deciders, agreed)

    def proposed(self, action: Action, run: Run) -> ProposedAction:
        """The call as policy sees it."""
        tool = self.registry[action.tool]
        return proposed(tool, stored(tool, action.args), offered=tool.name in self.kits.of(run).tools)


async def _label(work: UnitOfWork, action: Action, run: Run, provenance: Provenance | None) -> Label:
    """What its run has read. A look of the same step that is not over yet may bring anything, where that counts."""
    if provenance is None or not provenance.depends_on_label:
        return run.label
    beside = [one for one in await work.actions.of_step(action.step_id) if not one.is_side_effect]
    return run.label if all(one.state.is_settled() for one in beside) else Label.EXTERNAL


async def _begin(tx: Transaction, action: Action, tool: AnyTool, lease: Lease, columns: Mapping[str, Any]) -> None:
    planned = action.state is ActionState.PLANNED
    path = (ActionState.APPROVED, ActionState.EXECUTING) if planned else (ActionState.EXECUTING,)
    claimed = await move_action(
        tx,
        action,
        *path,
        code=AuditCode.ACTION_CLAIMED,
        attempt=action.attempt + 1,
        started_at=tx.now,
        deadline_at=deadline(tx.now, tool),
        **columns,
    )
    tx.work.after_commit(lambda: lease.claims.add(claim_of(claimed)))


def claim_of(action: Action) -> str:
    """The name of one attempt, as the worker that began it remembers it."""
    return f"{action.id}:{action.attempt}"


def deadline(now: datetime, tool: AnyTool) -> datetime:
    """The moment after which nothing of this attempt is sent, unless its worker lives and moves it on."""
    return now + timedelta(seconds=min(tool.timeout_seconds, DEADLINE_SECONDS))


def _deciders_of(action: Action) -> tuple[Deciders, ...]:
    """Who has to agree to it, as it was last judged."""
    return action.verdict.deciders if action.verdict else ()


def approval_hash(
    action: Action, grounds: ApprovalBasis, *, policy_version: str, deciders: Sequence[Deciders] = ()
) -> str:
    """What a vote is bound to: the exact arguments, what the preview was made from, the policy, the account, and who
    has to agree besides.
    """
    bound: dict[str, object] = {
        "tool": action.tool,
        "args": sha256(action.args),
        "basis": dict(grounds.basis),
        "policy": policy_version,
        "account": grounds.account,
    }
    if deciders:
        bound["deciders"] = [each.as_json() for each in deciders]
    return sha256(canonical(bound))


def basis_of(action: Action) -> ApprovalBasis:
    """The basis as it was stored when the action was last evaluated."""
    stored = evidence_from_json(action.evidence) if action.evidence else None
    return ApprovalBasis(
        recipients=stored.recipients if stored else None,
        provenance=stored.provenance if stored else None,
        basis=action.basis or {},
        account=action.account,
        heard=stored.heard if stored else (),
    )


def stored_hash(action: Action) -> str:
    """The hash that an approval of the action by its owner must name, as it was last evaluated. It covers nothing to
    which others have to agree: that is asked about again.
    """
    version = str((action.evidence or {}).get("policy_version", ""))
    return approval_hash(action, basis_of(action), policy_version=version)
