"""Administrators' rules about who has to agree: `/agent rules`, App Home's buttons, and the two windows in which one
is written or edited.

Whoever sends a window is looked up again: only administrators change them, and what they chose is checked each time.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, TypeVar

from pydantic import Json

from bot.domain import rules as fields
from bot.domain.rules import NewRule
from bot.domain.threads import User
from bot.runtime.delivery.queries import Queries
from bot.runtime.people.decider_rules import DeciderRules, InvalidRule, NoSuchRule, RuleChanged, edition
from bot.runtime.people.people import NotAdministrator
from bot.slack.connection.directory import SlackDirectory
from bot.slack.connection.schema import SlackModel, Texts, at
from bot.slack.connection.windows import Answer, SentWindow, instead
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.lists import page_of
from bot.slack.inbound.people import Members
from bot.slack.inbound.requests.agents import Typed
from bot.slack.inbound.router import Router
from bot.slack.outbound.replies import Replies
from bot.slack.views import command, ids, rules
from bot.slack.views.blocks import Block
from bot.store.errors import NotRead, NotSaved
from policies.types import Rule


class Edited(SlackModel):
    """Which rule a window edits, and its `edition` as it was opened; neither for a new one."""

    rule: str = ""
    seen: str = ""


class RuleWindowState(Edited):
    """What the second window holds of the first."""

    tool: str
    recipient: str
    approvers: Texts
    needed: int
    turn_minutes: int


class RuleWindow(SentWindow):
    """Either of the two."""

    def number(self, name: str) -> int:
        """The number that was chosen; 0 where none was."""
        chosen = self.field(name).choice
        return int(chosen) if chosen.isascii() and chosen.isdecimal() and len(chosen) < 9 else 0

    def day(self, name: str) -> date | None:
        """The day that was chosen; None where none was."""
        try:
            return date.fromisoformat(self.field(name).selected_date)
        except ValueError:
            return None


Window = TypeVar("Window", bound=RuleWindow)


class RuleDescribed(RuleWindow):
    """The first window, as it was sent."""

    kept: Json[Edited] = at("view", "private_metadata")

    def rule(self) -> NewRule:
        """The rule without anybody who stands in."""
        return NewRule(
            tool=self.field(fields.TOOL).choice,
            recipient=self.field(fields.RECIPIENT).value,
            approvers=self.field(fields.APPROVERS).selected_users,
            needed=self.number(fields.NEEDED),
            turn_minutes=self.number(fields.TURN),
        )


class StandInsChosen(RuleWindow):
    """The second window, as it was sent."""

    kept: Json[RuleWindowState] = at("view", "private_metadata")

    def rule(self) -> NewRule:
        """The whole rule."""
        described: dict[str, Any] = self.kept.model_dump(exclude={"rule", "seen"})
        chosen = {user: self.field(fields.stand_in_field(user)).selected_user for user in self.kept.approvers}
        stand_ins = {user: instead for user, instead in chosen.items() if instead}
        days = {user: self.day(fields.last_day_field(user)) for user in stand_ins}
        return NewRule(**described, stand_ins=stand_ins, last_days={user: day for user, day in days.items() if day})


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleListener:
    """Shows the rules, and changes them for administrators. `tools` are those that one can be about."""

    rules: DeciderRules
    tools: Sequence[str]
    queries: Queries
    members: Members
    directory: SlackDirectory
    replies: Replies

    def register(self, router: Router) -> None:
        """The two windows; App Home's buttons stand in the button table."""
        router.form(ids.RULE_FORM, RuleDescribed.parse, self.described)
        router.form(ids.RULE_STAND_INS, StandInsChosen.parse, self.chosen)

    # Commands and buttons -------------------------------------------------------------------------------------

    async def command(self, rest: str, person: User, place: Typed) -> str:
        """`/agent rules [add | edit ID | remove ID | page N]`. Raises `NotSaved`, `NotAdministrator`, `NoSuchRule`."""
        word, _, typed = rest.partition(" ")
        rule_id = typed.strip().strip("`")
        match word.lower():
            case "add" | "edit" as wanted if wanted == "add" or rule_id:
                await self.rules.refuse_others(person)
                window = rules.form(self.tools) if wanted == "add" else await self._filled(person, rule_id)
                otherwise = {"response_url": place.response_url, "otherwise": rules.NOT_OPENED}
                self.replies.open(place.trigger, window, **otherwise)
                return ""
            case "remove" if rule_id:
                return command.said(rules.removed(await self.rules.remove(person, rule_id)))
            case named:
                known = (await self.queries.permissions(person.team, person.user)).rules
                if named in {"edit", "remove"}:
                    return rules.which(known, is_admin=person.is_admin)
                return rules.listed(known, is_admin=person.is_admin, page=page_of(rest) or 1)

    async def add(self, click: SlackClick) -> None:
        """Open the window, from App Home. Raises `NotSaved`."""
        if await self._administrator(click):
            self.replies.open(click.trigger, rules.form(self.tools))

    async def edit(self, click: SlackClick) -> None:
        """Open the window for one, from App Home. Raises `NotSaved`."""
        if person := await self._administrator(click):
            try:
                self.replies.open(click.trigger, await self._filled(person, click.value))
            except NoSuchRule as error:
                self.replies.tell(click.recipient, str(error))

    async def remove(self, click: SlackClick) -> None:
        """Take one away, from App Home, which is published anew. Raises `NotSaved`."""
        if person := await self._administrator(click):
            try:
                said = rules.removed(await self.rules.remove(person, click.value))
            except NoSuchRule as error:
                said = str(error)
            self.replies.tell(click.recipient, said)

    async def _filled(self, person: User, rule_id: str) -> Block:
        """The first window for a rule that there is. Raises `NoSuchRule`."""
        rule = await self._known(person, rule_id)
        if rule is None:
            raise NoSuchRule(rule_id)
        return rules.form(self.tools, rule, kept=Edited(rule=rule.id, seen=edition(rule)).model_dump_json())

    async def _known(self, person: User, rule_id: str) -> Rule | None:
        """One that names who has to agree, as it is now."""
        known = (await self.queries.permissions(person.team, person.user)).rules
        return next((rule for rule in known if rule.id == rule_id and rule.deciders), None)

    async def _administrator(self, click: SlackClick) -> User | None:
        """Who clicked, where they are one; else they are told."""
        person = await self.members.find(click.team, click.user)
        if isinstance(person, str):
            self.replies.tell(click.recipient, person)
            return None
        try:
            await self.rules.refuse_others(person)
        except NotAdministrator as error:
            self.replies.tell(click.recipient, str(error))
            return None
        return person

    # Windows --------------------------------------------------------------------------------------------------

    async def described(self, sent: RuleDescribed) -> Answer:
        """The second window in the place of the first, or what is wrong."""
        return await self._instead(sent, self._second)

    async def chosen(self, sent: StandInsChosen) -> Answer:
        """That the rule counts from now on as it is, or what is wrong by now."""
        return await self._instead(sent, self._written)

    async def _second(self, person: User, sent: RuleDescribed) -> Block:
        new, kept = sent.rule(), sent.kept
        rule = await self.rules.checked(person, new)
        known = await self._known(person, kept.rule) if kept.rule else None
        if kept.rule and (known is None or edition(known) != kept.seen):
            raise RuleChanged(known, rule)
        names = {user: self.directory.name(person.team, user) or user for user in new.approvers}
        whole = RuleWindowState.model_validate(asdict(replace(new, stand_ins={}, last_days={})) | kept.model_dump())
        kept_with_it, today = whole.model_dump_json(), self.rules.today(person)
        return rules.stand_ins(new, rule, names, today=today, kept=kept_with_it, edited=known)

    async def _written(self, person: User, sent: StandInsChosen) -> Block:
        new, kept = sent.rule(), sent.kept
        if kept.rule:
            written = await self.rules.edit(person, new, rule_id=kept.rule, seen=kept.seen)
        else:
            written = await self.rules.add(person, new)
        return rules.answered(command.said(rules.saved(written)))

    async def _instead(self, sent: Window, make: Callable[[User, Window], Awaitable[Block]]) -> Answer:
        """What is made for whoever sent a window, as they are in Slack by now, in its place; or what is wrong."""
        try:
            person = await self.members.find(sent.team, sent.user)
            return instead(rules.answered(person) if isinstance(person, str) else await make(person, sent))
        except NotAdministrator as error:
            return instead(rules.answered(command.refused(str(error))))
        except RuleChanged as error:
            return instead(rules.answered(command.said(rules.not_edited(error.now, error.wanted))))
        except InvalidRule as error:
            return sent.wrong(error.faults)
        except (NotSaved, NotRead):
            return sent.wrong({"": command.NOT_SAVED})
