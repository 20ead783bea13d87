"""The decision: a pure function of a proposed action and the evidence. No clock, no model; I/O only to log a defect.

The order is fixed: hard stops; rules, where deny beats ask beats allow; the trust level's default; then guards, which
can only make the verdict stricter. An error inside denies.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from policies import rules, trust
from policies.deciders import Deciders
from policies.evidence import Evidence
from policies.guards.addresses import links
from policies.guards.rules import GUARDS
from policies.provenance import GuardMode
from policies.rules import Named
from policies.types import Decision, EffectClass, Need, ProposedAction, Role, Rule, RuleAuthor, Verdict

_LINK = rules.ROLE_PREFIX + Role.URL

Guard = Callable[[ProposedAction, Evidence], Verdict | None]

_AUTHORS = {
    RuleAuthor.SHIPPED: "A shipped rule",
    RuleAuthor.ADMIN: "An administrator's rule",
    RuleAuthor.OWNER: "Your own rule",
}


def needs(action: ProposedAction) -> frozenset[Need]:
    """The evidence that `decide` needs for this action.

    A call that a hard stop ends needs nothing. Reads and own writes do not depend on the level; a read that asks an
    address for something tells it something, too. The recipients of a reply are in the mailbox, not in the arguments.
    """
    if not action.offered:
        return frozenset()
    if not action.effect.is_side_effect():
        return frozenset({Need.RULES, Need.TYPED} if action.addresses_asked else {Need.RULES})
    hidden = {Need.RECIPIENTS} if rules.hides_recipients(action) else set[Need]()
    return _OF_EFFECTS | hidden


_OF_EFFECTS = frozenset({Need.LEVEL, Need.RULES, Need.IMPACT, Need.TYPED, Need.CONTACTS, Need.OBJECTS, Need.LABEL})


def decide(action: ProposedAction, evidence: Evidence) -> Verdict:
    """The verdict on one action. Never raises: an error inside denies, under the rule id `error`."""
    try:
        verdict = before_guards(action, evidence)
        match evidence.guard:
            case GuardMode.ENFORCE:
                return tightened(verdict, action, evidence)
            case GuardMode.SHADOW:
                found = tightened(verdict, action, evidence)
                return verdict if found is verdict else replace(verdict, would_ask=found.rule)
            case GuardMode.OFF:
                return verdict
    except Exception as error:  # the last line of defence: after any error nothing runs
        logging.getLogger(__name__).exception("policy.failed")
        reason = f"The policy could not be applied ({type(error).__name__}), so nothing is done."
        return Verdict(decision=Decision.DENY, rule="error", reason=reason)


def tightened(
    verdict: Verdict, action: ProposedAction, evidence: Evidence, guards: Sequence[Guard] = GUARDS
) -> Verdict:
    """The verdict after the guards, each of which may make it stricter. What several of them ask about is one verdict,
    under the first one's rule.
    """
    before = verdict.decision
    for guard in guards:
        found = guard(action, evidence)
        if found is None:
            continue
        if found.decision.stricter_than(verdict.decision):
            verdict = found
        elif found.decision is verdict.decision is not before:
            verdict = _joined(verdict, found)
    return verdict


def _joined(verdict: Verdict, found: Verdict) -> Verdict:
    """What both ask about; a value that two guards ask about is confirmed once."""
    known = {one.value for one in verdict.unnamed}
    more = tuple(one for one in found.unnamed if one.value not in known)
    if not more:
        return verdict
    return replace(verdict, reason=f"{verdict.reason} {found.reason}", unnamed=(*verdict.unnamed, *more))


def before_guards(action: ProposedAction, evidence: Evidence) -> Verdict:
    """The verdict of hard stops, rules and the level alone."""
    return _hard_stop(action, evidence) or _by_rule(action, evidence) or _by_level(action, evidence)


def _hard_stop(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    if not evidence.is_member:
        return _deny("requester", "The person who asked is not a full, active member of this workspace.")
    if action.tool not in evidence.allowed_tools:
        return _deny("constitution", f"The constitution does not list {action.tool}.")
    if not action.offered:
        return _deny("agent", f"This agent was not given {action.tool}.")
    if action.effect.is_side_effect() and not evidence.side_effects_enabled:
        return _deny("kill_switch", "An administrator has switched off everything that changes something outside.")
    return None


def _by_rule(action: ProposedAction, evidence: Evidence) -> Verdict | None:
    values = rules.named_values(action, evidence.recipients)
    unknown = evidence.recipients is None and rules.hides_recipients(action)
    heard_of = [*values, *(rules.named(value, role, action) for role, value in evidence.heard)]
    for decision in (Decision.DENY, Decision.ASK):
        heard = [
            rule
            for rule in evidence.rules
            if rule.decision is decision
            and (
                any(rules.restricts(each, action, heard_of) for each in _forms(rule))
                or (unknown and rules.may_restrict(rule, action))
            )
        ]
        if heard:
            return _restricted(heard, action, evidence)
    return _allowed(action, evidence, values, unknown=unknown)


def _forms(rule: Rule) -> Sequence[Rule]:
    """The rule, and where it names a link, also with that in the one form in which links are found in texts."""
    if rule.argument != _LINK or not rule.value:
        return (rule,)
    return (rule, *(replace(rule, value=address) for address in links.found(rule.value)))


def _restricted(heard: Sequence[Rule], action: ProposedAction, evidence: Evidence) -> Verdict:
    """The verdict of the first of these rules; of those that ask, the first one that names deciders. Everybody they
    name has to agree. Where too few of them may, it is refused.
    """
    named = [(rule, rule.deciders) for rule in heard if rule.decision is Decision.ASK and rule.deciders]
    deciders = tuple(dict.fromkeys(_present(each, evidence) for _, each in named))  # two alike are met once
    for rule, each in named:
        if why := _cannot_agree(each, evidence):
            return replace(_deny(rule_id(rule), why), deciders=deciders)
    first = next((rule for rule, _ in named), heard[0])
    return Verdict(decision=first.decision, rule=rule_id(first), reason=_reason(first, action), deciders=deciders)


def _present(deciders: Deciders, evidence: Evidence) -> Deciders:
    """Who of the people a rule names may decide."""
    return deciders.present(requester=evidence.requester, absent=evidence.absent, now=evidence.now)


def _cannot_agree(deciders: Deciders, evidence: Evidence) -> str:
    """Why nobody can approve what a rule with these asks about; "" where enough may decide."""
    if fault := deciders.fault:
        return f"The rule about who has to agree cannot be met: {fault}."
    present = _present(deciders, evidence)
    if present.is_possible:
        return ""
    if [seat.user for seat in deciders.approvers] == [evidence.requester]:
        besides = " and who stands in for them" if deciders.approvers[0].stand_in else ""
        return f"Somebody else has to agree to this, and the rule names nobody but the person who asked{besides}."
    return (
        f"{deciders.needed} of those whom a rule names have to agree to this besides the person who asked, and "
        f"only {len(present.approvers)} of them may decide at the moment."
    )


def _allowed(action: ProposedAction, evidence: Evidence, values: Sequence[Named], *, unknown: bool) -> Verdict | None:
    heard = [rule for rule in evidence.rules if rules.counts(rule, evidence.level) and rules.speaks_of(rule, action)]
    for rule in heard:
        if rule.argument is None:
            return Verdict(decision=Decision.ALLOW, rule=rule_id(rule), reason=_reason(rule, action))
    covering = _covering(heard, values)
    if unknown or not covering:
        return None
    beyond = next((rule for rule in covering if rule.argument != rules.RECIPIENT), None)
    if beyond is None:
        reason = "Not asked because every recipient is on your list."
        return Verdict(decision=Decision.ALLOW, rule=f"level.{evidence.level}.allow_list", reason=reason)
    return Verdict(decision=Decision.ALLOW, rule=rule_id(beyond), reason=_reason(beyond, action))


def _covering(heard: Sequence[Rule], values: Sequence[Named]) -> list[Rule]:
    """The rules that together allow the call, in order, or none.

    Together they must cover every destination. A rule counts if it covers a value and every other value that its
    argument names is covered too. Without any value nothing is covered: a mail without recipients is not allowed.
    """
    uncovered = [named for named in values if not any(rules.covers(rule, named) for rule in heard)]
    if any(named.is_destination for named in uncovered):
        return []
    left_open = {name for named in uncovered for name in named.names}
    return [
        rule for rule in heard if rule.argument not in left_open and any(rules.covers(rule, named) for named in values)
    ]


def _by_level(action: ProposedAction, evidence: Evidence) -> Verdict:
    decision = trust.default(evidence.level, action.effect)
    mail = rules.is_mail(action) and action.effect is EffectClass.EXTERNAL
    reason = trust.reason(evidence.level, decision, mail=mail)
    return Verdict(decision=decision, rule=f"level.{evidence.level}", reason=reason)


def named_deciders(action: ProposedAction, evidence: Evidence) -> frozenset[str]:
    """Everybody who may have to agree to it, as the rules name them."""
    heard = [rule.deciders for rule in evidence.rules if rule.deciders and rules.speaks_of(rule, action)]
    return frozenset(person for deciders in heard for person in deciders.people)


def rule_id(rule: Rule) -> str:
    """How a verdict names the rule that made it."""
    return f"shipped.{rule.id}" if rule.by is RuleAuthor.SHIPPED else f"rule.{rule.id}"


def is_by_rule(verdict: Verdict) -> bool:
    """Whether a rule made the verdict, shipped or added by people."""
    return verdict.rule.startswith(("rule.", "shipped."))


def _reason(rule: Rule, action: ProposedAction) -> str:
    """Why it counts, in words for people; the id of a tool stands there only where the tool has no other name."""
    if rule.reason:
        return rule.reason
    by, every = _AUTHORS[rule.by], rule.tool == rules.ANY
    if rule.deciders:
        whom = f" to {rule.value or 'anybody'}" if rule.argument else ""
        everything = f"to everything{' that goes' if whom else ''}"
        one = f"before I {action.deed}" if action.deed else f"to {action.tool}"
        return f"{by} says who else has to agree {everything if every else one}{whom}."
    about = f" ({rule.argument} {rule.value or 'any'})" if rule.argument else ""
    what = "everything" if every else f"“{action.deed}”" if action.deed else action.tool
    return f"{by} says {rule.decision} for {what}{about}."


def _deny(rule: str, reason: str) -> Verdict:
    return Verdict(decision=Decision.DENY, rule=rule, reason=reason)
