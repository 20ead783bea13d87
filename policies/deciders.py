"""Several deciders: who has to agree beside the requester, and whose turn it is. Pure.

A rule names approvers, each with a stand-in at most, and how many of them have to agree. They are asked one after the
other. Nobody counts twice, and the person who asks does not count. A stand-in counts until a moment that the rule says.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

TURN_MINUTES = 240
"""How long one of them is waited for, where a rule says nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approver:
    """Somebody who has to agree, by their id in Slack, and who is asked in their place ("" for nobody).

    `until` is when the person who stands in counts no more: the stand-in, or the `user` who sits in an approver's
    place. None for a rule that was written before there were ends, or in `policy.yaml`.
    """

    user: str
    stand_in: str = ""
    until: datetime | None = None

    @property
    def people(self) -> Sequence[str]:
        """Both, in the order in which they are asked."""
        return [person for person in (self.user, self.stand_in) if person]

    def without(self, gone: Collection[str]) -> Approver | None:
        """Who is left of both: where the approver is gone, who stands in sits in their place. None for nobody."""
        left = [person for person in self.people if person not in gone]
        ends = {} if (self.stand_in or self.user) in left else {"until": None}
        return replace(self, user=left[0], stand_in=next(iter(left[1:]), ""), **ends) if left else None

    def at(self, now: datetime) -> Approver | None:
        """Who counts at this moment; None for nobody."""
        is_over = self.until is not None and self.until <= now
        return self.without({self.stand_in or self.user}) if is_over else self

    def agrees(self, agreed: Collection[str], over: Collection[str]) -> bool:
        """Whether one of them said yes: the stand-in counts once the approver's turn is over."""
        return self.user in agreed or (self.user in over and self.stand_in in agreed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciders:
    """Who has to agree beside the requester: so many (`needed`) of these, each within so many minutes."""

    approvers: tuple[Approver, ...]
    needed: int = 1
    turn_minutes: int = TURN_MINUTES

    def as_json(self) -> dict[str, Any]:
        """It as plain values: an approver without an end is what it was before there were ends."""
        said = asdict(self)
        for seat in said["approvers"]:
            until: datetime | None = seat.pop("until")
            seat |= {} if until is None else {"until": until.isoformat()}
        return said

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Deciders:
        """What `as_json` made of it."""
        seats = tuple(_seat(**one) for one in said["approvers"])
        return cls(**{name: value for name, value in said.items() if name != "approvers"}, approvers=seats)

    @property
    def people(self) -> frozenset[str]:
        """Everybody who may be asked."""
        return frozenset(person for seat in self.approvers for person in seat.people)

    @property
    def fault(self) -> str:
        """What is wrong with it, in words for the author of the rule; "" where it can be met."""
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

    @property
    def has_ends(self) -> bool:
        """Whether somebody stands in until a moment."""
        return any(seat.until is not None for seat in self.approvers)

    def at(self, now: datetime) -> Deciders:
        """Without those who do not stand in any more."""
        return replace(self, approvers=tuple(here for seat in self.approvers if (here := seat.at(now))))

    def ends_for(self, person: str) -> datetime | None:
        """Until when this person counts, who is one of them; None for as long as the rule stands."""
        return next((seat.until for seat in self.approvers if person == (seat.stand_in or seat.user)), None)

    def present(self, *, requester: str, absent: Collection[str], now: datetime | None = None) -> Deciders:
        """Those who may decide on a request of this person: neither the requester, nor who stands in for them, nor
        anybody `absent`, nor who does not stand in any more by `now`, where that is looked at. In the place of an
        absent approver stands their stand-in, and nobody stands in for that one.
        """
        named = self if now is None else self.at(now)
        others = [seat for seat in named.approvers if seat.user != requester]
        seats = [here for seat in others if (here := seat.without({*absent, requester}))]
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
        """Those who may come to stand in for an approver who is missing, and whose turn has not ended."""
        return {seat.stand_in for seat in self.approvers if not {seat.user} & {*agreed, *over}}


def _seat(*, until: str | None = None, **people: str) -> Approver:
    return Approver(**people, until=datetime.fromisoformat(until) if until else None)


def counts(deciders: Sequence[Deciders], person: str, now: datetime) -> bool:
    """Whether this person is one of them at this moment."""
    return any(person in each.at(now).people for each in deciders)


def counts_until(deciders: Sequence[Deciders], person: str) -> datetime | None:
    """The moment from which this person is none of them, who is one now; None where they stay one."""
    ends = [each.ends_for(person) for each in deciders if person in each.people]
    known = [end for end in ends if end is not None]
    return max(known, default=None) if len(known) == len(ends) else None


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

    The first of the first rule, but a person who may come to stand in for somebody is asked after that one: so one yes
    is enough where both want it, whichever rule comes first.
    """
    if not can_agree(deciders, agreed, over):
        return None
    open_ = [each for each in deciders if each.missing(agreed, over)]
    first = list(dict.fromkeys(each.waiting(agreed, over)[0] for each in open_))
    later = {person for each in open_ for person in each.stand_ins(agreed, over)}
    return next((one for one in first if one not in later), min(first, default=None))


def turns_over(deciders: Sequence[Deciders], asked: Sequence[str], agreed: Collection[str]) -> frozenset[str]:
    """Of those who were asked, in this order, all who did not agree, and those who were passed over, as they could not
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
