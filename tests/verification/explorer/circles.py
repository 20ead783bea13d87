"""Who has to agree to an action beside its owner: rules as they are written, what policy makes of them, how far a card
is. What must hold is read off the rules here, and not by what the runtime asks (`policies/deciders.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from policies import engine
from policies.deciders import Approver, Deciders, turns_over
from policies.evidence import Evidence
from policies.provenance import GuardMode
from policies.types import Decision, EffectClass, ProposedAction, Rule, RuleAuthor, TrustLevel

OWNER, MARA, ERIN, FINN, GWEN, HELEN = "owner", "mara", "erin", "finn", "gwen", "helen"
PEOPLE = (OWNER, MARA, ERIN, FINN, GWEN, HELEN)
"""All who may press a button; no rule names the last one."""

TOOL = "gmail_send"
_CALL = ProposedAction(tool=TOOL, effect=EffectClass.EXTERNAL)


def _seats(*pairs: tuple[str, str], needed: int = 1) -> Deciders:
    return Deciders(approvers=tuple(Approver(user=user, stand_in=by) for user, by in pairs), needed=needed)


RULES: Sequence[tuple[Deciders, ...]] = (
    (_seats((MARA, GWEN), (ERIN, ""), (FINN, ""), needed=2),),
    (_seats((OWNER, FINN), (ERIN, GWEN)), _seats((MARA, OWNER))),
    (_seats((MARA, ""), (GWEN, "")), _seats((MARA, ""), (ERIN, FINN), needed=2)),
    (),
    (_seats((MARA, GWEN), (GWEN, FINN)),),
    (_seats((OWNER, FINN)),),
)
"""Rules that ask, each a set of those that are in force together: two of three; two that name whoever asks; two others;
nobody besides; somebody who stands in for who stands in, which is refused; whoever asks alone, and who stands in.
"""

TWO_OF_THREE, NAMES_THE_OWNER, TWO_RULES, NOBODY, A_CHAIN, THE_OWNER_ALONE = range(len(RULES))


class Circle(NamedTuple):
    """The rules in force about an action, who of those whom they name is no full member at present, and who really said
    yes to what, by its hash.
    """

    rules: int = TWO_OF_THREE
    away: frozenset[str] = frozenset()
    said: frozenset[tuple[str, str]] = frozenset()

    def about(self, alone: str) -> Circle:
        """What was said of others than this matters no more."""
        if all(what.startswith(alone) for _, what in self.said):
            return self
        return self._replace(said=frozenset(one for one in self.said if one[1].startswith(alone)))

    @property
    def judged(self) -> Judged:
        """What policy makes of it."""
        return judged(self.rules, self.away)

    @property
    def bound(self) -> str:
        """What a hash names: all whom the rules name, whoever of them is away."""
        return judged(self.rules, frozenset[str]()).bound


class Round(NamedTuple):
    """How far a card is that was made under these `rules`: who said yes, who was shown it, in order, whose turn it is
    (None: its owner's), and whether that turn ends before the card does.
    """

    rules: int = NOBODY
    deciders: tuple[Deciders, ...] = ()
    agreed: frozenset[str] = frozenset()
    shown: tuple[str, ...] = ()
    reader: str | None = None
    timed: bool = False

    @property
    def waits_for(self) -> str:
        """Whose decision is awaited."""
        return self.reader or OWNER

    @property
    def over(self) -> frozenset[str]:
        """Those who had their turn and did not agree, whoever was passed over, and whose turn it is."""
        return turns_over(self.deciders, self.shown, self.agreed)


class Judged(NamedTuple):
    """What policy says, who has to agree, and what of it a hash names."""

    decision: Decision
    deciders: tuple[Deciders, ...]
    bound: str


def _written(deciders: Deciders) -> str:
    return f"{deciders.needed} of {', '.join('/'.join(seat.people) for seat in deciders.approvers)}"


@cache
def judged(rules: int, away: frozenset[str]) -> Judged:
    """By the real policy."""
    written = [
        Rule(id=str(n), decision=Decision.ASK, tool=TOOL, by=RuleAuthor.ADMIN, deciders=each)
        for n, each in enumerate(RULES[rules])
    ]
    evidence = Evidence(
        is_member=True,
        level=TrustLevel.SUPERVISED,
        side_effects_enabled=True,
        policy_version="1",
        allowed_tools=frozenset({TOOL}),
        rules=written,
        guard=GuardMode.OFF,
        requester=OWNER,
        absent=away & named(rules),
    )
    verdict = engine.decide(_CALL, evidence)
    bound = " and ".join(_written(each) for each in verdict.deciders)
    return Judged(verdict.decision, verdict.deciders, bound)


@cache
def named(rules: int) -> frozenset[str]:
    """Everybody whom these rules name."""
    return frozenset(one for each in RULES[rules] for seat in each.approvers for one in (seat.user, seat.stand_in))


# What must hold, by the rules as they are written ---------------------------------------------------------------------


def seats_of(deciders: Deciders) -> list[frozenset[str]]:
    """Who may agree for each approver: neither whoever asks nor who stands in for them, nobody for who stands in."""
    stand_ins = {seat.stand_in for seat in deciders.approvers} - {""}
    found = list[frozenset[str]]()
    for seat in deciders.approvers:
        if seat.user != OWNER:
            behind = {seat.stand_in} if seat.user not in stand_ins else set[str]()
            found.append(frozenset({seat.user, *behind} - {OWNER, ""}))
    return found


def too_few(rules: int, yes: Collection[str]) -> bool:
    """Whether one of these rules wants more people than said yes."""
    return any(wants_more(each, yes) for each in RULES[rules])


def wants_more(deciders: Deciders, yes: Collection[str]) -> bool:
    """Whether more people have to agree than said yes."""
    return sum(bool(seat & {*yes}) for seat in seats_of(deciders)) < deciders.needed


def may_be_asked(rules: int, user: str) -> bool:
    """Whether one of these rules lets this person agree."""
    return any(user in seat for each in RULES[rules] for seat in seats_of(each))


def is_wanted(rules: int, user: str, yes: Collection[str]) -> bool:
    """Whether one of these rules still wants somebody in the place of this person."""
    wanting = [each for each in RULES[rules] if wants_more(each, yes)]
    return any(user in seat and not seat & {*yes} for each in wanting for seat in seats_of(each))
