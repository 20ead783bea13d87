"""`/agent`: help, status, trust, allow, disallow, stop."""

from __future__ import annotations

from bot.domain.threads import User
from bot.runtime.delivery.queries import Queries
from bot.runtime.people.people import AboveCap, InvalidAddress, NotListed, People
from bot.runtime.runs.stop import Stops
from bot.slack.directory import DirectoryUnavailable, SlackDirectory, UnknownPerson
from bot.slack.front import Front
from bot.slack.listeners.connecting import ConnectListener
from bot.slack.listeners.schedules import ScheduleListener
from bot.slack.payload import Payload, team_of, text_at
from bot.slack.views import command
from policies.errors import UnknownLevel

COMMAND = "/agent"


class CommandListener:
    """Answers whoever typed it, and nobody else. Raises `NotSaved`; the app's error handler answers that."""

    def __init__(
        self,
        *,
        people: People,
        stops: Stops,
        queries: Queries,
        directory: SlackDirectory,
        schedules: ScheduleListener | None = None,
        accounts: ConnectListener | None = None,
    ) -> None:
        self._people = people
        self._stops = stops
        self._queries = queries
        self._directory = directory
        self._schedules = schedules
        self._accounts = accounts

    def register(self, front: Front) -> None:
        """The one command."""
        front.command(COMMAND, self.answer)

    async def answer(self, body: Payload) -> str:
        """The text to show."""
        team, user = team_of(body), text_at(body, "user_id")
        try:
            person = await self._directory.profile(team, user)
        except (DirectoryUnavailable, UnknownPerson):
            return command.UNKNOWN_PERSON
        if not person.is_member:
            await self._people.turned_away(team, user)
            return command.GUESTS
        word, _, rest = text_at(body, "text").strip().partition(" ")
        return await self._do(word.lower(), rest.strip(), person)

    async def _do(self, word: str, rest: str, person: User) -> str:
        match word:
            case "" | "help":
                return command.usage()
            case "status":
                return command.status(await self._queries.home(person.team, person.user))
            case "trust":
                return await self._trust(rest, person)
            case "allow":
                word, _, address = rest.partition(" ")
                remove = word.lower() == "remove"
                return await (self._disallow(address.strip(), person) if remove else self._allow(rest, person))
            case "disallow":
                return await self._disallow(rest, person)
            case "schedule" | "schedules" if self._schedules:
                return await self._schedules.command(rest, person)
            case "connect" if self._accounts:
                return await self._accounts.connect_command(rest, person)
            case "disconnect" if self._accounts:
                return await self._accounts.disconnect_command(rest, person)
            case "stop":
                return await self._stop(person)
            case _:
                return command.unknown(word)

    async def _stop(self, person: User) -> str:
        known = await self._queries.live_runs(person.team, person.user)
        stopped = {run.id for run in await self._stops.stop_person(person.team, person.user)}
        lines = [line for line in known if line.run_id in stopped]
        return command.stopped(lines, left=len(known) - len(lines))

    async def _trust(self, level: str, person: User) -> str:
        if not level:
            now = await self._queries.permissions(person.team, person.user)
            return command.level(now.level, now.cap)
        try:
            chosen = await self._people.choose_level(person.team, person.user, level)
        except (UnknownLevel, AboveCap) as error:
            return command.refused(str(error))  # its message is written for people
        return command.level_chosen(chosen.level, chosen.warning)

    async def _allow(self, typed: str, person: User) -> str:
        if not typed:
            now = await self._queries.permissions(person.team, person.user)
            return command.address_wanted(now.allowed)
        try:
            address = await self._people.allow(person.team, person.user, typed)
        except InvalidAddress as error:
            return command.refused(str(error))  # its message is written for people
        now = await self._queries.permissions(person.team, person.user)
        return command.allowed(address, now.level)

    async def _disallow(self, typed: str, person: User) -> str:
        if not typed:
            now = await self._queries.permissions(person.team, person.user)
            return command.address_wanted(now.allowed)
        try:
            return command.disallowed(await self._people.disallow(person.team, person.user, typed))
        except NotListed as error:
            return command.refused(str(error))  # its message is written for people
