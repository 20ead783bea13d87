"""What each trust level allows when no rule matches, and how the levels are explained to people."""

from __future__ import annotations

from policies.types import Decision, EffectClass, TrustLevel

CAPTIONS = {
    TrustLevel.SUPERVISED: (
        "Asks before anything changes outside: every mail, draft, label and calendar change waits for your click."
    ),
    TrustLevel.DELEGATED: "Like supervised, but mail goes out unasked when every recipient is on your allow-list.",
    TrustLevel.AUTONOMOUS: "Acts without asking.",
}

_UNLISTED = (
    "At trust level delegated mail goes out unasked when every recipient is on your list, and here not every one is. "
    "/agent allow adds an address."
)
_NO_MAIL = (
    "At trust level delegated only mail to addresses on your list goes out unasked: every other change waits for your "
    "click."
)

WARNINGS = {
    TrustLevel.AUTONOMOUS: (
        "The agent reads mail, invitations and messages that other people wrote, and such a text can deceive the "
        "model. A deceived model can then act unasked: it can send mail and change your calendar in your name, and no "
        "card comes before it."
    ),
}

ASKS = {
    TrustLevel.SUPERVISED: frozenset({EffectClass.PRIVATE_WRITE, EffectClass.EXTERNAL, EffectClass.DESTRUCTIVE}),
    TrustLevel.DELEGATED: frozenset({EffectClass.PRIVATE_WRITE, EffectClass.EXTERNAL, EffectClass.DESTRUCTIVE}),
    TrustLevel.AUTONOMOUS: frozenset[EffectClass](),
}


def caption(level: TrustLevel) -> str:
    """What this level means, in one line for people."""
    return CAPTIONS[level]


def warning(level: TrustLevel) -> str | None:
    """The warning that a person gets when they choose this level, if there is one."""
    return WARNINGS.get(level)


def reason(level: TrustLevel, decision: Decision, *, mail: bool) -> str:
    """Why the level decides so when no rule matches, for the person asked; `mail`: something would be sent."""
    if decision is Decision.ALLOW and level is not TrustLevel.AUTONOMOUS:
        return "Nothing outside is changed by this, so nobody has to be asked."
    if level is TrustLevel.DELEGATED:
        return _UNLISTED if mail else _NO_MAIL
    return f"Trust level {level}: {caption(level)}"


def default(level: TrustLevel, effect: EffectClass) -> Decision:
    """What the level decides about an effect class when no rule matches."""
    return Decision.ASK if effect in ASKS[level] else Decision.ALLOW
