"""Several deciders: who has to agree beside the requester, and whose turn it is. Pure.

A rule names approvers, each with a stand-in at most, and how many of them have to agree. They are asked one after the
other. Nobody counts twice, and whoever asks does not count.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

TURN_MINUTES = 240
"""How long one of them is waited for, where a rule says nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approver:
    """Somebody who has to agree, by their id in Slack, and who is asked in their place ("" for nobody)."""

    user: str
    stand_in: str = ""

    @property
    def people(self) -> Sequence[str]:
        """Both, in the order in which they are asked."""
        return [person for person in (self.user, self.stand_in) if person]

    def agrees(self, agreed: Collection[str], over: Collection[str]) -> bool:
        """Whether one of them said yes: the stand-in counts once the approver's turn is over."""
        return self.user in agreed or (self.user in over and self.stand_in in agreed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciders:
    """Who has to agree beside the requester: so many (`needed`) of these, each within so many minutes."""

    approvers: tuple[Approver, ...]
    needed: int = 1
    turn_minutes: int = TURN_MINUTES

    @property
    def people(self) -> frozenset[str]:
        """Everybody who may be asked."""
        return frozenset(person for seat in self.approvers for person in seat.people)

    @property
    def fault(self) -> str:
        """What is wrong with it, in words for whoever wrote the rule; "" where it can be met."""
        users = [seat.user for seat in self.approvers]
        stand_ins = [seat.stand_in for seat in self.approvers if seat.stand_in]
        if not users:
            return "it names no approvers"
        if len(set(users)) < len(users):
            return "it names an approver twice"
        if not 1 <= self.needed <= len(users):
            return f"{self.needed} have to agree, but it names {len(users)}"
        if self.turn_minutes < 1:
            return "a turn lasts at least a minute"
        if any(seat.stand_in == seat.user for seat in self.approvers):
            return "an approver cannot stand in for themselves"
        if set(stand_ins) & set(users):
            return "whoever stands in cannot be an approver, too"
        return "somebody stands in for two approvers" if len(set(stand_ins)) < len(stand_ins) else ""

    @property
    def needs_all(self) -> bool:
        """Whether every approver has to agree: what one of them asks for themselves is then refused."""
        return self.needed == len(self.approvers)

    def present(self, *, requester: str, absent: Collection[str]) -> Deciders:
        """Those who may decide on a request of this person: neither the requester, nor who stands in for them, nor
        anybody `absent`. In the place of an absent approver stands who stands in, for whom nobody does.
        """
        others = [seat for seat in self.approvers if seat.user != requester]
        sitting = [[one for one in seat.people if one not in {*absent, requester}] for seat in others]
        seats = [Approver(user=here[0], stand_in=next(iter(here[1:]), "")) for here in sitting if here]
        return replace(self, approvers=tuple(seats))

    @property
    def is_possible(self) -> bool:
        """Whether enough are named."""
        return len(self.approvers) >= self.needed

    def missing(self, agreed: Collection[str], over: Collection[str]) -> int:
        """How many more have to agree; an approver and their stand-in count once."""
        there = sum(seat.agrees(agreed, over) for seat in self.approvers)
        return max(0, self.needed - there)

    def waiting(self, agreed: Collection[str], over: Collection[str]) -> Sequence[str]:
        """Who can be asked next, for each approver who is missing; `over` are those whose turn has ended."""
        left = [seat.people for seat in self.approvers if not seat.agrees(agreed, over)]
        return [now[0] for people in left if (now := [one for one in people if one not in over])]

    def stand_ins(self, agreed: Collection[str], over: Collection[str]) -> Collection[str]:
        """Whoever may come to stand in for an approver who is missing, and whose turn has not ended."""
        return {seat.stand_in for seat in self.approvers if not {seat.user} & {*agreed, *over}}


def have_agreed(deciders: Sequence[Deciders], agreed: Collection[str], over: Collection[str]) -> bool:
    """Whether all agreed who have to, beside the requester; `over` are those whose turn ended without their yes."""
    return not any(each.missing(agreed, over) for each in deciders)


def still_agree(deciders: Sequence[Deciders], agreed: Collection[str]) -> bool:
    """Whether those whose yes counted when it was given are enough of those who may decide now."""
    return have_agreed(deciders, agreed, {person for each in deciders for person in each.people})


def can_agree(deciders: Sequence[Deciders], agreed: Collection[str], over: Collection[str]) -> bool:
    """Whether enough of them are left to be asked."""
    return all(len(each.waiting(agreed, over)) >= each.missing(agreed, over) for each in deciders)


def next_reader(deciders: Sequence[Deciders], agreed: Collection[str], over: Collection[str]) -> str | None:
    """Whose turn it is; None where nobody is missing, or too few are left.

    The first of the first rule, but whoever may come to stand in for somebody else is asked after that one: so one yes
    is enough where both want it, whichever rule comes first.
    """
    if not can_agree(deciders, agreed, over):
        return None
    open_ = [each for each in deciders if each.missing(agreed, over)]
    first = list(dict.fromkeys(each.waiting(agreed, over)[0] for each in open_))
    later = {person for each in open_ for person in each.stand_ins(agreed, over)}
    return next((one for one in first if one not in later), min(first, default=None))


def turns_over(deciders: Sequence[Deciders], asked: Sequence[str], agreed: Collection[str]) -> frozenset[str]:
    """Of those who were asked, in this order, all who did not agree, and whoever was passed over, as they could not
    decide when it was their turn.
    """
    yes, over = {*agreed} - {*asked}, set[str]()
    for one in asked:
        while (reader := next_reader(deciders, yes, over)) not in {one, None, *over}:
            over.add(str(reader))
        (yes if one in agreed else over).add(one)
    return frozenset(over)


def turn_minutes(deciders: Sequence[Deciders], reader: str) -> int:
    """How long this reader's turn lasts: where several rules name them, the shortest counts."""
    return min(each.turn_minutes for each in deciders if reader in each.people)
