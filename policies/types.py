"""The vocabulary of policy: effect classes, roles, labels, trust levels, rules and verdicts.

Everything here is a frozen value. The other layers import these words from here and define none of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from policies.deciders import Deciders
from policies.errors import UnknownLevel


def _rank(member: StrEnum) -> int:
    """Its place among the members of its enumeration, which are in order."""
    return _in_order(type(member)).index(member)


@cache
def _in_order(kind: type[StrEnum]) -> Sequence[StrEnum]:
    return list(kind)


class EffectClass(StrEnum):
    """What an action can do, mildest first."""

    READ = "read"
    OWN = "own"
    PRIVATE_WRITE = "private_write"
    EXTERNAL = "external"
    DESTRUCTIVE = "destructive"

    def is_side_effect(self) -> bool:
        """Whether it changes something outside our own store."""
        return self in {EffectClass.PRIVATE_WRITE, EffectClass.EXTERNAL, EffectClass.DESTRUCTIVE}


class Role(StrEnum):
    """What a tool's parameter means to policy; every parameter declares one."""

    DESTINATION = "destination"
    OBJECT = "object"
    CONTENT = "content"
    URL = "url"
    ATTACHMENT = "attachment"
    COMMAND = "command"
    NONE = "none"


class Addressing(StrEnum):
    """How the recipients of a tool that writes mail are known. The people that rules allow are recipients of mail."""

    NONE = "none"  # it writes no mail
    STATED = "stated"  # its arguments of the role `destination` are all of them
    LOOKED_UP = "looked_up"  # its preview says who they are, as the provider has it


class Label(StrEnum):
    """How far a text can be trusted, best first."""

    OWNER = "owner"
    CONFIG = "config"
    DIRECTORY = "directory"
    MEMBER = "member"
    EXTERNAL = "external"

    def worst(self, other: Label) -> Label:
        """The less trusted of the two, for a text made of both."""
        return max(self, other, key=_rank)


GUARD = "guard."
"""How a verdict names what a guard decided: this and the guard's name."""


class TrustLevel(StrEnum):
    """How much the agent may do alone, set by each user and capped by the workspace."""

    SUPERVISED = "supervised"
    DELEGATED = "delegated"
    AUTONOMOUS = "autonomous"

    @classmethod
    def parse(cls, text: str) -> TrustLevel:
        """The level that a person typed; raises `UnknownLevel` with the choices."""
        try:
            return cls(text.strip().lower())
        except ValueError:
            raise UnknownLevel(text, choices=[level.value for level in cls]) from None

    def capped(self, cap: TrustLevel) -> TrustLevel:
        """The lower of this level and the workspace's cap."""
        return min(self, cap, key=_rank)

    def at_least(self, other: TrustLevel) -> bool:
        """Whether this level allows at least as much as the other."""
        return _rank(self) >= _rank(other)


class Decision(StrEnum):
    """What policy says of an action, mildest first."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    def stricter_than(self, other: Decision) -> bool:
        """Whether this decision is the stricter one."""
        return _rank(self) > _rank(other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unnamed:
    """Something that a guard, `rule`, asks about: the exact value that nobody named, and how people know it.

    Without a `value` it is about the whole call.
    """

    rule: str
    value: str = ""
    shown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A decision with the id of the rule that made it and a reason that a person can read.

    `unnamed` is what guards ask about, and what a person confirms one by one before they can approve; empty where
    anything else decided. `would_ask` is the guard that would have asked if the workspace enforced it; "" where none
    would. `deciders` have to agree beside the person who is asked.
    """

    decision: Decision
    rule: str
    reason: str
    unnamed: tuple[Unnamed, ...] = ()
    would_ask: str = ""
    deciders: tuple[Deciders, ...] = ()

    @property
    def is_by_guard(self) -> bool:
        """Whether a guard asks: a plain yes does not do."""
        return self.rule.startswith(GUARD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of an action as policy sees it: its name, its role and its values as text."""

    name: str
    role: Role
    values: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedAction:
    """What is to be decided: a tool with its effect class and the arguments with their roles.

    `offered` is false for a tool that this agent was not given. `deed` is what it does in words, as “send a mail”,
    empty for a tool that has no name but its id.
    """

    tool: str
    effect: EffectClass
    arguments: Sequence[Argument] = ()
    addressing: Addressing = Addressing.NONE
    offered: bool = True
    deed: str = ""

    @property
    def addresses_asked(self) -> list[str]:
        """The addresses that it would look at outside."""
        return [value for argument in self.arguments if argument.role is Role.URL for value in argument.values]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What a tool declares of all its calls: its arguments with their roles, and how its recipients are known."""

    roles: Mapping[str, Role]
    addressing: Addressing = Addressing.NONE


class Need(StrEnum):
    """A kind of evidence that `decide` asks for."""

    LEVEL = "level"
    RULES = "rules"
    RECIPIENTS = "recipients"
    IMPACT = "impact"  # what it would do outside
    TYPED = "typed"  # what its owner said in their own words
    CONTACTS = "contacts"  # people they wrote to before
    OBJECTS = "objects"  # what was seen, and what was made for this request
    LABEL = "label"  # the least trusted text that its run has read


class RuleAuthor(StrEnum):
    """Who made a rule."""

    SHIPPED = "shipped"
    ADMIN = "admin"
    OWNER = "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule, shipped or added by people: `decision` for a tool whose `argument` has `value`.

    `tool` may be `*`. `argument` is a parameter's name, `role:` and a role (`role:destination`), or `recipient`, which
    is every address in To, Cc and Bcc of a mail. Without an argument the rule matches every call of the tool; without a
    value, or with `*`, every value of the argument. `policies.rules` says how values are compared. `by` says who made
    it, `reason` why, in words for the person who is asked. `deciders` have to agree beside that person.
    """

    id: str
    decision: Decision
    tool: str
    argument: str | None = None
    value: str | None = None
    by: RuleAuthor
    reason: str = ""
    deciders: Deciders | None = None
