"""Administrators' rules about who has to agree: written, edited and taken away by them alone, and audited.

A rule is checked when it is written: later its approvers may leave, which `countersign doctor` tells.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from bot.domain import ids
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.events import HomeChanged
from bot.domain.rules import (
    APPROVERS,
    LONGEST_TURN_MINUTES,
    MOST_APPROVERS,
    MOST_DAYS,
    NEEDED,
    RECIPIENT,
    TOOL,
    TURN,
    NewRule,
    last_day_field,
    stand_in_field,
)
from bot.domain.threads import User, zone_of
from bot.errors import BotError
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.people.people import NotAdministrator
from bot.runtime.people.profiles import NobodyKnown, ProfileService
from policies import rules
from policies.errors import InvalidRecipient
from policies.loader import can_name
from policies.rules import ANY, ROLE_PREFIX
from policies.types import Contract, Decision, Role, Rule, RuleAuthor

MOST_RULES = 20
"""Of one workspace: the people they name are looked up whenever something is judged."""

STANDS_ALREADY = "The same rule stands already, so nothing was saved: /agent rules lists it."

DESTINATION = f"{ROLE_PREFIX}{Role.DESTINATION}"


class InvalidRule(BotError):
    """It cannot be a rule; `faults` says what is wrong, by field."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__(" ".join(faults.values()))
        self.faults = faults


class NoSuchRule(BotError):
    """It was taken away, or never was one of this workspace."""

    def __init__(self, rule_id: str) -> None:
        super().__init__(f"There is no rule “{rule_id[:80]}” here; /agent rules lists them.")


class RuleChanged(BotError):
    """An edit counts for nothing: somebody edited the rule, or took it away, since its window was opened.

    `now` is what it says, None where it is gone; `wanted` is what it was to say.
    """

    def __init__(self, now: Rule | None, wanted: Rule) -> None:
        super().__init__(f"The rule “{wanted.id[:80]}” was edited or taken away meanwhile.")
        self.now = now
        self.wanted = wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class DeciderRules:
    """Writes them, edits them and takes them away. `tools` are those that a rule can be about, with what each
    declares.
    """

    transactions: TransactionFactory
    profiles: ProfileService
    tools: Mapping[str, Contract]

    async def checked(self, person: User, new: NewRule) -> Rule:
        """The rule that it would be; `person` is as Slack tells it now. Raises `NotAdministrator`, `InvalidRule`,
        `NotSaved`, `NotRead`.
        """
        await self.refuse_others(person)
        faults = self._faults(new) | _faults_of_days(new, self.today(person))
        faults |= await self._not_members(person.team, new)
        if faults:
            raise InvalidRule(faults)
        deciders = new.deciders(ZoneInfo(zone_of(person)))
        if deciders.fault:
            raise InvalidRule({APPROVERS: f"This cannot be met: {deciders.fault}."})
        goes_to = rules.recipient_value(new.recipient) if new.recipient.strip() else None
        named = new.tool == ANY or goes_to is not None
        return Rule(
            id=ids.new_id("rule"),
            decision=Decision.ASK,
            tool=new.tool,
            argument=DESTINATION if named else None,
            value=goes_to,
            by=RuleAuthor.ADMIN,
            deciders=deciders,
        )

    def today(self, person: User) -> date:
        """The day where this person is."""
        return self.transactions.clock.now().astimezone(ZoneInfo(zone_of(person))).date()

    async def add(self, person: User, new: NewRule) -> Rule:
        """Write it; raises what `checked` raises."""
        rule = await self.checked(person, new)
        async with self.transactions.write_promptly() as tx:
            await tx.work.rules.hold(person.team)
            known = [one for team, one in await tx.work.rules.of_administrators() if team == person.team]
            if len(known) >= MOST_RULES:
                raise InvalidRule({TOOL: f"There are {MOST_RULES} rules already. Take one away first."})
            if not await tx.work.rules.add(person.team, person.user, rule, at=tx.now):
                raise InvalidRule({TOOL: STANDS_ALREADY})
            _record(tx, person, AuditCode.WORKSPACE_RULE_ADDED, rule)
        return rule

    async def edit(self, person: User, new: NewRule, *, rule_id: str, seen: str) -> Rule:
        """Have a rule say something else, if it says still what was `seen` of it: its `edition` as its window was
        opened. Raises what `checked` raises, and `RuleChanged`.
        """
        rule = replace(await self.checked(person, new), id=rule_id)
        async with self.transactions.write_promptly() as tx:
            before = await tx.work.rules.held(person.team, rule_id)
            if before is None or edition(before) != seen:
                raise RuleChanged(before, rule)
            if edition(rule) == seen:
                raise InvalidRule({TOOL: "This is what the rule says already. Change something, or cancel."})
            if not await tx.work.rules.rewrite(person.team, rule):
                raise InvalidRule({TOOL: STANDS_ALREADY})
            _record(tx, person, AuditCode.WORKSPACE_RULE_EDITED, rule, before)
        return rule

    async def remove(self, person: User, rule_id: str) -> Rule:
        """Take it away. Raises `NotAdministrator`, `NoSuchRule`, `NotSaved`."""
        await self.refuse_others(person)
        async with self.transactions.write_promptly() as tx:
            gone = await tx.work.rules.take_away(person.team, rule_id)
            if gone is None:
                raise NoSuchRule(rule_id)
            _record(tx, person, AuditCode.WORKSPACE_RULE_REMOVED, gone)
        return gone

    async def refuse_others(self, person: User) -> None:
        """Raises `NotAdministrator` for a person who is none, and has it in the log."""
        if person.is_admin:
            return
        async with self.transactions.write_promptly() as tx:
            _record(tx, person, AuditCode.WORKSPACE_RULE_REFUSED)
        raise NotAdministrator("change who has to agree")

    def _faults(self, new: NewRule) -> dict[str, str]:
        """What is wrong with it whoever they are."""
        faults: dict[str, str] = {}
        if new.tool != ANY and new.tool not in self.tools:
            faults[TOOL] = "There is no such tool here. Choose another one."
        if why := self._cannot_reach(new):
            faults[RECIPIENT] = why
        if not 1 <= len(new.approvers) <= MOST_APPROVERS:
            faults[APPROVERS] = f"Choose one person at least, and {MOST_APPROVERS} at most."
        elif len({*new.approvers}) < len(new.approvers) or new.stand_ins.keys() - {*new.approvers}:
            faults[APPROVERS] = "Choose each person once."
        elif not 1 <= new.needed <= len(new.approvers):
            faults[NEEDED] = f"You chose {len(new.approvers)} above: no more can agree."
        if not 1 <= new.turn_minutes <= LONGEST_TURN_MINUTES:
            faults[TURN] = "A turn lasts from a minute to a day."
        return faults | _stand_in_faults(new)

    def _cannot_reach(self, new: NewRule) -> str:
        if not new.recipient.strip():
            return ""
        contract = self.tools.get(new.tool)
        if contract is not None and not can_name(contract, DESTINATION):
            return "What is chosen above names nobody whom it reaches: leave this empty, or choose something else."
        try:
            rules.recipient_value(new.recipient)
        except InvalidRecipient:
            return "This is no address and no domain. Write dana@example.com, or @example.com for everybody there."
        return ""

    async def _not_members(self, team: str, new: NewRule) -> dict[str, str]:
        """What is wrong with the people, by the field in which each stands."""
        users = list(new.approvers)[: MOST_APPROVERS + 1]
        named = [(APPROVERS, user) for user in users]
        named += [(stand_in_field(user), new.stand_ins[user]) for user in users if new.stand_ins.get(user)]
        found = await asyncio.gather(*(self._not_a_member(team, user) for _, user in named))
        faults: dict[str, str] = {}
        for (place, _), why in zip(named, found, strict=True):
            if why:
                faults[place] = f"{faults[place]} {why}" if place in faults else why
        return faults

    async def _not_a_member(self, team: str, user: str) -> str:
        try:
            person = await self.profiles.person(team, user)
        except NobodyKnown:
            return "I could not look up one of them in Slack. Try again in a minute, or choose somebody else."
        return "" if person.is_member else f"{person.name or user} {_why_not(person)}"


def edition(rule: Rule) -> str:
    """What a rule says, in 16 characters: others as soon as somebody edits it."""
    return hashlib.sha256(json.dumps(_said(rule), sort_keys=True).encode()).hexdigest()[:16]


def _why_not(person: User) -> str:
    if person.is_deleted:
        return "has no active account any more."
    if person.is_bot:
        return "is an app, which cannot agree."
    return "is a guest or of another workspace: only full members can agree."


def _stand_in_faults(new: NewRule) -> dict[str, str]:
    faults: dict[str, str] = {}
    times = Counter(new.stand_ins.values())
    for approver, stand_in in new.stand_ins.items():
        if stand_in in new.approvers:
            faults[stand_in_field(approver)] = "They have to agree themselves. Choose somebody else, or nobody."
        elif times[stand_in] > 1:
            faults[stand_in_field(approver)] = "They can stand in for one person only."
    return faults


def _faults_of_days(new: NewRule, today: date) -> dict[str, str]:
    """What is wrong with the days until which people stand in, by field. A day without anybody says nothing."""
    faults: dict[str, str] = {}
    for approver in new.stand_ins:
        day = new.last_days.get(approver)
        if day is None:
            faults[last_day_field(approver)] = "Choose the last day on which they stand in."
        elif day < today:
            faults[last_day_field(approver)] = "This day is over. Choose a later one, or nobody above."
        elif day > today + timedelta(days=MOST_DAYS):
            faults[last_day_field(approver)] = f"{MOST_DAYS} days at most. Choose a day that comes sooner."
    return faults


def _said(rule: Rule) -> dict[str, object]:
    """What the log keeps of a rule."""
    about = {"rule": rule.id, "decision": rule.decision.value, "tool": rule.tool}
    where = {"argument": rule.argument, "value": rule.value}
    who = rule.deciders.as_json() if rule.deciders else {}
    seats: list[object] = list(who.pop("approvers", ()))
    return {**about, **{name: word for name, word in where.items() if word}, **who, **({"who": seats} if seats else {})}


def _record(
    tx: Transaction, person: User, code: AuditCode, rule: Rule | None = None, before: Rule | None = None
) -> None:
    """What a rule is about may be somebody's address. It lies under the key of the administrator whose words it is:
    the people it names have a key of ours seldom, since most are outside the workspace.
    """
    details, personal = _parted(rule)
    was, secret = _parted(before)
    event = AuditEvent(
        team=person.team,
        code=code,
        actor=person.user,
        details=details | ({"before": was} if was else {}),
        owner=person.user if personal or secret else "",
        personal=personal | ({"before": secret} if secret else {}),
    )
    tx.record(event)
    tx.publish(HomeChanged(person.team, person.user))


def _parted(rule: Rule | None) -> tuple[dict[str, object], dict[str, object]]:
    """What everybody may read of it, and what is personal in it."""
    said = _said(rule) if rule else {}
    personal = {name: said.pop(name) for name in ("value",) if name in said}
    return said, personal
