"""What each trust level allows when no rule matches, and everything that it says about itself to people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from policies.provenance import GuardMode
from policies.types import Decision, EffectClass, TrustLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """What a level asks about when no rule matches, and how it is explained to people, in the agent's words.

    `listed` says what it means for an address on a person's list, `warning` what they are told when they choose it.
    `unguarded` and `unguarded_warning` say what is otherwise where the guard asks nobody.
    """

    asks: frozenset[EffectClass]
    caption: str
    listed: str
    uses_list: bool = False
    warning: str = ""
    unguarded: str = ""
    unguarded_warning: str = ""

    def meaning(self, guard: GuardMode) -> str:
        """What it means while the guard is set so."""
        return self.caption if guard is GuardMode.ENFORCE else self.unguarded or self.caption

    def warns(self, guard: GuardMode) -> str:
        """What a person is told when they choose it while the guard is set so."""
        return self.warning if guard is GuardMode.ENFORCE else self.unguarded_warning or self.warning


_OUTSIDE = frozenset({EffectClass.PRIVATE_WRITE, EffectClass.EXTERNAL, EffectClass.DESTRUCTIVE})

_DECEIVED = (
    "I read mail, invitations and messages that other people wrote, and such a text can deceive the model that I use."
)

LEVELS: Mapping[TrustLevel, Level] = {
    TrustLevel.SUPERVISED: Level(
        asks=_OUTSIDE,
        caption="I ask you before anything changes outside.",
        listed=(
            "At your trust level, `supervised`, I ask before mail goes there all the same: `/agent trust delegated` "
            "changes that."
        ),
    ),
    TrustLevel.DELEGATED: Level(
        asks=_OUTSIDE,
        caption="I ask you before anything changes outside, except for mail to addresses that you allowed.",
        listed="I send mail that goes to nobody outside your list without asking you.",
        uses_list=True,
    ),
    TrustLevel.AUTONOMOUS: Level(
        asks=frozenset(),
        caption="I act without asking where you named what I do. Deceived, I may still write wrong words unasked.",
        listed="At your trust level, `autonomous`, mail goes unasked to whom you named, on the list or not.",
        warning=(
            f"{_DECEIVED} Before I reach, change or pass on what you did not name in your own words, I ask you. A "
            "deceived model can then act unasked only within what you named: it can write wrong words in your name to "
            "the people whom you named."
        ),
        unguarded="I act without asking. Deceived, I may write to anybody and change anything of yours unasked.",
        unguarded_warning=(
            f"{_DECEIVED} The guard would ask about what you did not name in your own words, but in this workspace it "
            "asks nobody. A deceived model can then send, change and pass on anything unasked, to anybody."
        ),
    ),
}

_UNLISTED = (
    "At trust level delegated mail goes out unasked only to addresses on your list, and this goes to another one. "
    "/agent allow adds an address."
)
_NO_MAIL = (
    "At trust level delegated only mail to addresses on your list goes out unasked: every other change waits for your "
    "click."
)


def choices(quote: str = "", *, cap: TrustLevel = TrustLevel.AUTONOMOUS) -> str:
    """The levels as a person may type them: "supervised, delegated or autonomous"."""
    *most, last = (f"{quote}{level}{quote}" for level in TrustLevel if level.capped(cap) is level)
    return f"{', '.join(most)} or {last}" if most else last


def limit(cap: TrustLevel) -> str:
    """What people are told about the most that their workspace allows; nothing where it allows every level."""
    return "" if cap is list(TrustLevel)[-1] else f"Your workspace allows at most “{cap}”."


def reason(level: TrustLevel, decision: Decision, *, mail: bool) -> str:
    """Why the level decides so when no rule matches, for the person asked; `mail`: something would be sent."""
    if decision is Decision.ALLOW and LEVELS[level].asks >= _OUTSIDE:
        return "Nothing outside is changed by this, so nobody has to be asked."
    if level is TrustLevel.DELEGATED:
        return _UNLISTED if mail else _NO_MAIL
    asked = "Asked" if decision is Decision.ASK else "Not asked"
    return f"{asked} because your trust level is {level}."


def default(level: TrustLevel, effect: EffectClass) -> Decision:
    """What the level decides about an effect class when no rule matches."""
    return Decision.ASK if effect in LEVELS[level].asks else Decision.ALLOW
