"""The command `/agent`."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.threads import User
from bot.runtime.delivery.queries import Queries
from bot.runtime.people.people import AboveCap, InvalidAddress, NotListed, People
from bot.runtime.runs.stop import Stops
from bot.slack.connection.directory import DirectoryUnavailable, SlackDirectory, UnknownPerson
from bot.slack.connection.schema import SlackRequest, Text, at
from bot.slack.inbound.accounts import AccountListener
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
    stops: Stops
    queries: Queries
    directory: SlackDirectory
    schedules: ScheduleListener
    accounts: AccountListener

    def register(self, router: Router) -> None:
        """The one command."""
        router.command(COMMAND, CommandTyped.parse, self.answer)

    async def answer(self, typed: CommandTyped) -> str:
        """The text to show."""
        team, user = typed.team, typed.user
        try:
            person = await self.directory.profile(team, user)
        except (DirectoryUnavailable, UnknownPerson):
            return command.UNKNOWN_PERSON
        if not person.is_member:
            await self.people.turned_away(team, user)
            return command.GUESTS
        word, _, rest = typed.text.strip().partition(" ")
        return await self._do(word.lower(), rest.strip(), person)

    async def _do(self, word: str, rest: str, person: User) -> str:
        match word:
            case "" | "help":
                return command.usage()
            case "status":
                return command.status(await self.queries.home(person.team, person.user))
            case "trust":
                return await self._trust(rest, person)
            case "allow":
                word, _, address = rest.partition(" ")
                remove = word.lower() == "remove"
                return await (self._disallow(address.strip(), person) if remove else self._allow(rest, person))
            case "disallow":
                return await self._disallow(rest, person)
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
        stopped = {run.id for run in await self.stops.stop_person(person.team, person.user)}
        lines = [line for line in known if line.run_id in stopped]
        return command.stopped(lines, left=len(known) - len(lines))

    async def _trust(self, level: str, person: User) -> str:
        if not level:
            now = await self.queries.permissions(person.team, person.user)
            return command.level(now.level, now.cap)
        try:
            return command.level_chosen(await self.people.choose_level(person.team, person.user, level))
        except (UnknownLevel, AboveCap) as error:
            return command.refused(str(error))  # its message is written for people

    async def _allow(self, typed: str, person: User) -> str:
        if not typed:
            now = await self.queries.permissions(person.team, person.user)
            return command.address_wanted(now.allowed)
        try:
            address = await self.people.allow(person.team, person.user, typed)
        except InvalidAddress as error:
            return command.refused(str(error))  # its message is written for people
        now = await self.queries.permissions(person.team, person.user)
        return command.allowed(address, now.level)

    async def _disallow(self, typed: str, person: User) -> str:
        if not typed:
            now = await self.queries.permissions(person.team, person.user)
            return command.address_wanted(now.allowed)
        try:
            return command.disallowed(await self.people.disallow(person.team, person.user, typed))
        except NotListed as error:
            return command.refused(str(error))  # its message is written for people
