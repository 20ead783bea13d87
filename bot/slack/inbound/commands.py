"""The command `/agent`."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.threads import User
from bot.runtime.delivery.queries import Queries
from bot.runtime.people.people import AboveCap, InvalidAddress, NotListed, People
from bot.runtime.runs.stop import stop_person
from bot.slack.connection.schema import SlackRequest, Text, at
from bot.slack.inbound.accounts import AccountListener
from bot.slack.inbound.people import Members
from bot.slack.inbound.router import Router
from bot.slack.inbound.schedules import ScheduleListener
from bot.slack.views import command
from policies.errors import UnknownLevel

COMMAND = "/agent"


class CommandTyped(SlackRequest):
    """docs.slack.dev/interactivity/implementing-slash-commands."""

    user: str = at("user_id")
    text: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandListener:
    """Answers the person who typed it, and nobody else. Raises `NotSaved`."""

    people: People
    queries: Queries
    members: Members
    schedules: ScheduleListener
    accounts: AccountListener

    def register(self, router: Router) -> None:
        """The one command."""
        router.command(COMMAND, CommandTyped.parse, self.answer)

    async def answer(self, typed: CommandTyped) -> str:
        """The text to show."""
        person = await self.members.find(typed.team, typed.user)
        if isinstance(person, str):
            return person
        word, _, rest = typed.text.strip().partition(" ")
        word, rest = word.lower(), rest.strip()
        if word == "allow" and rest.partition(" ")[0].lower() == "remove":
            word, rest = "disallow", rest.partition(" ")[2].strip()
        try:
            return await self._do(word, rest, person)
        except (UnknownLevel, AboveCap, InvalidAddress, NotListed) as error:
            return command.refused(str(error))  # its message is written for people

    async def _do(self, word: str, rest: str, person: User) -> str:
        match word:
            case "" | "help":
                return command.HELP
            case "status":
                return command.status(await self.queries.home(person.team, person.user))
            case "trust":
                return await self._trust(rest, person)
            case "allow" | "disallow":
                return await self._allow(word, rest, person)
            case "schedule" | "schedules":
                return await self.schedules.command(rest, person)
            case "connect":
                return await self.accounts.connect_command(rest, person)
            case "disconnect":
                return await self.accounts.disconnect_command(rest, person)
            case "stop":
                return await self._stop(person)
            case _:
                return command.unknown(word)

    async def _stop(self, person: User) -> str:
        known = await self.queries.live_runs(person.team, person.user)
        stopped = {run.id for run in await stop_person(self.people.transactions, person.team, person.user)}
        lines = [line for line in known if line.run_id in stopped]
        return command.stopped(lines, left=len(known) - len(lines))

    async def _trust(self, level: str, person: User) -> str:
        if level:
            return command.level_chosen(await self.people.choose_level(person.team, person.user, level))
        now = await self.queries.permissions(person.team, person.user)
        return command.level(now.level, now.cap)

    async def _allow(self, word: str, typed: str, person: User) -> str:
        team, user = person.team, person.user
        if typed and word == "disallow":
            return command.disallowed(await self.people.disallow(team, user, typed))
        address = await self.people.allow(team, user, typed) if typed else ""
        now = await self.queries.permissions(team, user)
        return command.allowed(address, now.level) if address else command.address_wanted(now.allowed)
