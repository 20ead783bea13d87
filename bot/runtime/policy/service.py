"""What policy needs to know about an action, gathered from rows; what only a provider knows comes with the preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.store.unit_of_work import UnitOfWork
from policies import engine
from policies.loader import Policy
from policies.types import Evidence, ProposedAction, TrustLevel, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyService:
    """The policy in force in this process, the kill switch, and the highest level that counts."""

    policy: Policy
    side_effects_enabled: bool
    cap: TrustLevel = TrustLevel.AUTONOMOUS

    async def evidence(
        self, work: UnitOfWork, team: str, user: str, *, recipients: Sequence[str] | None = None
    ) -> Evidence:
        """The evidence for this person's actions, as the rows say it now."""
        person, workspace, rules = await work.rules.standing(team, user)
        chosen = person.level if person else TrustLevel.SUPERVISED
        return Evidence(
            is_member=person is not None and person.is_member,
            level=chosen.capped(workspace.cap).capped(self.cap),
            side_effects_enabled=self.side_effects_enabled,
            policy_version=self.policy.version,
            allowed_tools=self.policy.allowed_tools,
            rules=(*self.policy.rules, *rules),
            recipients=recipients,
        )

    def decide(self, action: ProposedAction, evidence: Evidence) -> Verdict:
        """The verdict of the policy, without any look at rows."""
        return engine.decide(action, evidence)

    def needs_outside(self, action: ProposedAction) -> bool:
        """Whether the verdict must wait for a look outside, or a card for a preview: every side effect does."""
        return action.effect.is_side_effect()

    def must_look_first(self, action: ProposedAction, verdict: Verdict) -> bool:
        """Whether this verdict of a rule may change once a provider was asked; a hard stop never does."""
        return engine.is_by_rule(verdict) and any(need.is_outside() for need in engine.needs(action))
