"""Builders of actions, rules and evidence for the tests of policy."""

from __future__ import annotations

from collections.abc import Sequence

from policies.evidence import Evidence
from policies.provenance import GuardMode, Provenance
from policies.types import (
    Addressing,
    Argument,
    Decision,
    EffectClass,
    Label,
    ProposedAction,
    Role,
    Rule,
    RuleAuthor,
    TrustLevel,
)

NOTHING_UNNAMED = Provenance(is_asked_for=True)

DANA = "dana@acme.com"
EVIL = "x@evil.example"

EFFECTS = {
    "gmail_search": EffectClass.READ,
    "save_memory": EffectClass.OWN,
    "gmail_draft_create": EffectClass.PRIVATE_WRITE,
    "gmail_send": EffectClass.EXTERNAL,
    "gmail_reply": EffectClass.EXTERNAL,
    "calendar_event_create": EffectClass.EXTERNAL,
    "mail_delete": EffectClass.DESTRUCTIVE,
}


ADDRESSING = {
    "gmail_draft_create": Addressing.STATED,
    "gmail_send": Addressing.STATED,
    "gmail_reply": Addressing.LOOKED_UP,
}


def action(tool: str, *arguments: Argument, offered: bool = True) -> ProposedAction:
    return ProposedAction(
        tool=tool,
        effect=EFFECTS[tool],
        arguments=arguments,
        addressing=ADDRESSING.get(tool, Addressing.NONE),
        offered=offered,
    )


def mail(
    *, to: Sequence[str] = (), cc: Sequence[str] = (), bcc: Sequence[str] = (), tool: str = "gmail_send"
) -> ProposedAction:
    places = {"to": to, "cc": cc, "bcc": bcc}
    return action(
        tool,
        *(Argument(name=name, role=Role.DESTINATION, values=values) for name, values in places.items()),
        Argument(name="body", role=Role.CONTENT, values=("Hello",)),
    )


def reply(*, cc: Sequence[str] = ()) -> ProposedAction:
    return action(
        "gmail_reply",
        Argument(name="thread_id", role=Role.OBJECT, values=("t1",)),
        Argument(name="cc", role=Role.DESTINATION, values=cc),
    )


def event(*attendees: str, title: str = "Fair") -> ProposedAction:
    return action(
        "calendar_event_create",
        Argument(name="title", role=Role.CONTENT, values=(title,)),
        Argument(name="attendees", role=Role.DESTINATION, values=attendees),
    )


def rule(
    decision: Decision,
    argument: str | None = None,
    value: str | None = None,
    *,
    tool: str = "*",
    by: RuleAuthor = RuleAuthor.ADMIN,
    id: str = "r1",
    reason: str = "",
) -> Rule:
    return Rule(id=id, decision=decision, tool=tool, argument=argument, value=value, by=by, reason=reason)


def allowed(value: str, id: str = "a1") -> Rule:
    """An entry of the owner's own allow-list."""
    return rule(Decision.ALLOW, "recipient", value, by=RuleAuthor.OWNER, id=id)


def evidence(
    level: TrustLevel = TrustLevel.SUPERVISED,
    *rules: Rule,
    member: bool = True,
    enabled: bool = True,
    tools: Sequence[str] = tuple(EFFECTS),
    recipients: Sequence[str] | None = None,
    provenance: Provenance | None = NOTHING_UNNAMED,
    label: Label = Label.EXTERNAL,
    guard: GuardMode = GuardMode.ENFORCE,
) -> Evidence:
    return Evidence(
        is_member=member,
        level=level,
        side_effects_enabled=enabled,
        policy_version="v1",
        allowed_tools=frozenset(tools),
        rules=rules,
        recipients=recipients,
        provenance=provenance,
        label=label,
        guard=guard,
    )
