"""What policy needs to know about an action, gathered from rows; what only a provider knows comes with the preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.store.unit_of_work import UnitOfWork
from policies import engine
from policies.deciders import Deciders
from policies.evidence import Evidence
from policies.loader import Policy
from policies.provenance import GuardMode, Provenance
from policies.types import Decision, Label, Need, ProposedAction, Role, TrustLevel, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyService:
    """The policy in force in this process, the kill switch, and the highest level that counts."""

    policy: Policy
    side_effects_enabled: bool
    cap: TrustLevel = TrustLevel.AUTONOMOUS

    async def evidence(
        self,
        work: UnitOfWork,
        team: str,
        user: str,
        *,
        label: Label,
        recipients: Sequence[str] | None = None,
        provenance: Provenance | None = None,
        heard: Sequence[tuple[Role, str]] = (),
    ) -> Evidence:
        """The evidence for this person's actions, as the rows say it now; `label` is that of their run."""
        person, workspace, rules = await work.rules.standing(team, user)
        chosen = person.level if person else TrustLevel.SUPERVISED
        rules = (*self.policy.rules, *rules)
        named = sorted({one for rule in rules if rule.deciders for one in rule.deciders.people})
        return Evidence(
            is_member=person is not None and person.is_member,
            level=chosen.capped(workspace.cap).capped(self.cap),
            side_effects_enabled=self.side_effects_enabled,
            policy_version=self.policy.version,
            allowed_tools=self.policy.allowed_tools,
            rules=rules,
            recipients=recipients,
            provenance=provenance,
            label=label,
            guard=workspace.guard,
            requester=user if named else "",
            heard=tuple(heard),
            absent=frozenset([one for one in named if not await may_decide(work, team, one)]),
            now=work.now if any(rule.deciders and rule.deciders.has_ends for rule in rules) else None,
        )

    def decide(self, action: ProposedAction, evidence: Evidence) -> Verdict:
        """The verdict of the policy, without any look at rows."""
        return engine.decide(action, evidence)

    def deciders(self, action: ProposedAction, evidence: Evidence) -> Sequence[Deciders]:
        """Who has to agree to it besides, as the rules name them: also those who may not decide at the moment."""
        return engine.decide(action, replace(evidence, absent=frozenset(), now=None)).deciders

    def goes_unasked(self, action: ProposedAction, evidence: Evidence) -> bool:
        """Whether the owner's words count for it, and nobody would be asked, but for the guards: only then it is looked
        up who named what.
        """
        if Need.TYPED not in engine.needs(action) or evidence.guard is GuardMode.OFF:
            return False
        return engine.before_guards(action, evidence).decision is Decision.ALLOW

    def needs_outside(self, action: ProposedAction) -> bool:
        """Whether the verdict must wait for a look outside, or a card for a preview: every side effect does."""
        return action.effect.is_side_effect() or bool(action.addresses_asked)

    def must_look_first(self, action: ProposedAction, verdict: Verdict) -> bool:
        """Whether this verdict of a rule may change once a provider was asked, or once those were looked up who have to
        agree; a hard stop never does.
        """
        return engine.is_by_rule(verdict) and (Need.RECIPIENTS in engine.needs(action) or bool(verdict.deciders))


async def may_decide(work: UnitOfWork, team: str, user: str) -> bool:
    """Whether this person may agree to something: a full, active member of the workspace, as far as is known."""
    person = await work.users.find(team, user)
    return person is not None and person.is_member
