"""The doctor on rules about who has to agree: whether they can be met, and whether those that administrators wrote ask
at all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.commands.doctor.findings import Findings
from bot.domain.threads import User
from bot.wiring.store import Base
from integrations.text import one_line
from policies.characters import without_invisible
from policies.deciders import Deciders
from policies.rules import ANY
from policies.types import Rule

_NAME_CHARACTERS = 80

People = Mapping[tuple[str, str], User | None]
"""The people that rules name, by workspace and id, as they were last seen; None for somebody who never was."""


async def examine_rules(base: Base, tools: Collection[str]) -> Findings:
    """Check the rules of all workspaces. `tools` are all that there are. Raises `NotRead`."""
    async with base.store.read() as work:
        rules = await work.rules.of_administrators()
        named = {(team, user) for team, rule in rules if rule.deciders for user in rule.deciders.people}
        people = {(team, user): await work.users.find(team, user) for team, user in sorted(named)}
    return findings_of(rules, people, tools, base.clock.now())


def findings_of(rules: Sequence[tuple[str, Rule]], people: People, tools: Collection[str], now: datetime) -> Findings:
    """What is wrong with these rules at this moment. One that asks nobody, or that nobody can meet, is a problem; that
    some of its people are gone while enough are left is a remark.
    """
    found = Findings()
    for team, rule in rules:
        cure = f"In Slack, type “/agent rules edit {rule.id}”; “/agent rules remove {rule.id}” takes it away."
        told = Told(rule=f"The rule {rule.id} of {team}", cure=cure, unknown="never seen here")
        if rule.tool not in {ANY, *tools}:
            found.problems.append(
                f"{told.rule} is about “{one_line(rule.tool, _NAME_CHARACTERS)}”, and there is no such tool: "
                f"it never asks anybody. {told.cure}"
            )
        elif rule.deciders is not None:
            known = {user: people.get((team, user)) for user in rule.deciders.people}
            examine_people(told, rule.deciders, known, found, now=now)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How a rule is called, what to do about it, and what is said of somebody that nobody knows."""

    rule: str
    cure: str
    unknown: str


def examine_people(
    told: Told,
    deciders: Deciders,
    people: Mapping[str, User | None],
    found: Findings,
    *,
    now: datetime | None = None,
) -> None:
    """Add to what was found whether these people can make up the number, without those who stand in no more by `now`;
    nobody does so who is named in `policy.yaml`, where there are no ends.
    """
    over = deciders.people - deciders.at(now).people if now else frozenset[str]()
    gone = {user: why for user in sorted(deciders.people) if (why := _why_not(people.get(user), told.unknown))}
    gone |= dict.fromkeys(sorted(over - gone.keys()), "stands in no more")
    present = deciders.present(requester="", absent=gone)
    who = ", ".join(f"{_called(user, people.get(user))} ({why})" for user, why in gone.items())
    if deciders.fault:
        found.problems.append(
            f"{told.rule} contradicts itself: {deciders.fault}. What it is about is refused. {told.cure}"
        )
    elif not present.is_possible:
        found.problems.append(
            f"{told.rule} wants {deciders.needed} to agree, and {len(present.approvers)} of those whom "
            f"it names can: {who}. What it is about is refused. {told.cure}"
        )
    elif gone:
        found.remarks.append(f"{told.rule} names people who cannot agree: {who}. Enough others are left. {told.cure}")


def _why_not(person: User | None, unknown: str) -> str:
    if person is None:
        return unknown
    if person.is_deleted:
        return "left"
    if person.is_bot:
        return "an app"
    return "a guest" if person.is_guest else ""


def _called(user: str, person: User | None) -> str:
    return one_line(without_invisible(person.name), _NAME_CHARACTERS) if person and person.name else user
