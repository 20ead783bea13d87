"""The command `/agent`."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.threads import User
from bot.runtime.delivery.queries import Queries
from bot.runtime.limits import held_back
from bot.runtime.people.decider_rules import NoSuchRule
from bot.runtime.people.people import (
    AboveCap,
    InvalidAddress,
    NotAdministrator,
    NotConfirmed,
    NotListed,
    People,
    UnknownGuardMode,
)
from bot.runtime.runs.stop import stop_person
from bot.slack.connection.schema import SlackRequest, Text, at, text_at
from bot.slack.connection.windows import Answer, instead
from bot.slack.inbound.accounts import AccountListener
from bot.slack.inbound.lists import page_of
from bot.slack.inbound.people import Members
from bot.slack.inbound.requests.agents import AgentListener, Typed
from bot.slack.inbound.requests.plans import PlanListener
from bot.slack.inbound.router import Router
from bot.slack.inbound.rules import RuleListener
from bot.slack.inbound.schedules import ScheduleListener
from bot.slack.outbound.replies import Replies
from bot.slack.views import command, ids, trust_form
from bot.slack.views.blocks import Outgoing
from bot.store.errors import NotSaved
from policies.errors import UnknownLevel

COMMAND = "/agent"
_ENTRIES_LISTED = 20
_REFUSALS = (UnknownLevel, AboveCap, InvalidAddress, NotListed, UnknownGuardMode, NotAdministrator, NoSuchRule)
"""Their messages are written for people."""


class CommandTyped(SlackRequest):
    """docs.slack.dev/interactivity/implementing-slash-commands."""

    user: str = at("user_id")
    text: Text = ""
    trigger: Text = text_at("trigger_id")
    channel: Text = text_at("channel_id")
    response_url: Text = ""

    @property
    def place(self) -> Typed:
        """Where it was typed."""
        return Typed(channel=self.channel, trigger=self.trigger, response_url=self.response_url)


class LevelConfirmed(SlackRequest):
    """The form of a trust level (docs.slack.dev/reference/interaction-payloads/view-interactions-payload)."""

    user: str = at("user", "id")
    level: str = at("view", "private_metadata")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandListener:
    """Answers the person who typed it, and nobody else. Raises `NotSaved`."""

    people: People
    queries: Queries
    members: Members
    schedules: ScheduleListener
    accounts: AccountListener
    agents: AgentListener
    plans: PlanListener
    rules: RuleListener
    replies: Replies

    def register(self, router: Router) -> None:
        """The one command, and the form that confirms a trust level."""
        router.command(COMMAND, CommandTyped.parse, self.answer)
        router.form(ids.TRUST_FORM, LevelConfirmed.parse, self.confirmed)

    async def answer(self, typed: CommandTyped) -> str | Outgoing:
        """What to show."""
        person = await self.members.find(typed.team, typed.user)
        if isinstance(person, str):
            return person
        word, _, rest = typed.text.strip().partition(" ")
        word, rest = word.lower(), rest.strip()
        if word == "allow" and rest.partition(" ")[0].lower() == "remove":
            word, rest = "disallow", rest.partition(" ")[2].strip()
        try:
            return await self._do(word, rest, person, typed.place)
        except NotConfirmed as wanted:
            guard = (await self.queries.permissions(person.team, person.user)).guard
            window, told = trust_form.form(wanted.level, guard), command.LEVEL_NOT_ASKED
            self.replies.open(typed.trigger, window, response_url=typed.response_url, otherwise=told)
            return ""
        except _REFUSALS as error:
            return command.refused(str(error))

    async def confirmed(self, form: LevelConfirmed) -> Answer:
        """The window's last words: the level that is set, or why it is not."""
        person = await self.members.find(form.team, form.user)
        if isinstance(person, str):
            said = person
        else:
            try:
                chosen = await self.people.choose_level(person.team, person.user, form.level, confirmed=True)
                said = command.level_confirmed(chosen)
            except (UnknownLevel, AboveCap) as error:
                said = command.refused(str(error))
            except NotSaved:
                said = command.NOT_SAVED_COMMAND
        return instead(trust_form.answered(said))

    async def _do(self, word: str, rest: str, person: User, place: Typed) -> str | Outgoing:
        match word:
            case "" | "help":
                return command.HELP
            case "status":
                return command.status(await self.queries.home(person.team, person.user))
            case "trust" | "guard":
                return await (self._trust if word == "trust" else self._guard)(rest, person)
            case "allow" | "disallow":
                return await self._allow(word, rest, person)
            case "schedule" | "schedules":
                held = (await self.queries.home(person.team, person.user)).held
                return await self.schedules.command(rest, person, is_held=bool(held))
            case "connect":
                return await self.accounts.connect_command(rest, person)
            case "disconnect":
                return await self.accounts.disconnect_command(rest, person)
            case "agents" | "run" | "plan" | "rules":
                return await self._open(word, rest, person, place)
            case "audit" | "stop":
                return await (self._audit(person) if word == "audit" else self._stop(person))
            case _:
                return command.unknown(word)

    async def _open(self, word: str, rest: str, person: User, place: Typed) -> str:
        """What may open a window."""
        if word == "rules":
            return await self.rules.command(rest, person, place)
        if word == "plan":
            return await self.plans.command(rest, person, place)
        return await self.agents.command(word, rest, place)

    async def _audit(self, person: User) -> str:
        shown, entries = await self.queries.audit(person.team, person.user, limit=_ENTRIES_LISTED)
        return command.audit(entries, shown)

    async def _stop(self, person: User) -> Outgoing:
        known = await self.queries.live_runs(person.team, person.user)
        stopped = {run.id for run in await stop_person(self.people.transactions, person.team, person.user)}
        dropped = await held_back.drop_of(self.people.transactions, person.team, person.user)
        lines = [line for line in known if line.run_id in stopped]
        return command.stopped(lines, left=len(known) - len(lines), dropped=dropped)

    async def _trust(self, level: str, person: User) -> str:
        chosen = await self.people.choose_level(person.team, person.user, level) if level else None
        now = await self.queries.permissions(person.team, person.user)
        return command.level_chosen(chosen, now.guard) if chosen else command.level(now.level, now.cap, now.guard)

    async def _guard(self, mode: str, person: User) -> str:
        before = (await self.queries.permissions(person.team, person.user)).guard
        if not mode:
            return command.guard(before)
        chosen = await self.people.set_guard(person, mode)
        return command.guard_already(chosen) if chosen is before else command.guard_set(chosen)

    async def _allow(self, word: str, typed: str, person: User) -> str:
        team, user = person.team, person.user
        if (page := page_of(typed)) is not None:
            return command.address_wanted((await self.queries.permissions(team, user)).allowed, page=page)
        if typed and word == "disallow":
            gone = await self.people.disallow(team, user, typed)
            return command.disallowed(gone, (await self.queries.permissions(team, user)).level)
        address = await self.people.allow(team, user, typed) if typed else ""
        now = await self.queries.permissions(team, user)
        return command.allowed(address, now.level) if address else command.address_wanted(now.allowed)
