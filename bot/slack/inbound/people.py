"""Who may use the agent, and who is a member no more: a changed profile, a closed account, a removed app."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from bot.domain.threads import User
from bot.runtime.connections.revocation import Revoking
from bot.runtime.people.people import People
from bot.runtime.runs.stop import person_changed
from bot.slack.connection.directory import SlackDirectory, UnknownPerson
from bot.slack.connection.schema import SlackRequest
from bot.slack.inbound.events import PersonChanged, TokensRevoked
from bot.slack.inbound.router import Router
from bot.slack.views import command
from bot.store.errors import NotSaved


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """Knows who may use the agent."""

    directory: SlackDirectory
    people: People

    async def find(self, team: str, user: str) -> User | str:
        """The person, whose profile is kept, or what they are told when they may not. Raises `NotSaved`, `NotRead`."""
        try:
            person = await self.directory.profile(team, user)
        except UnknownPerson:
            return command.UNKNOWN_PERSON
        if person.is_member:
            await self.people.met(person)
            return person
        await self.people.turned_away(team, user)
        return command.GUESTS

    async def known(self, team: str, user: str) -> User | None:
        """The person for whom App Home is shown, whose profile is kept where it can be; None where Slack does not say
        who it is: they may see it all the same.
        """
        try:
            person = await self.directory.profile(team, user)
        except UnknownPerson:
            return None
        if person.is_member:
            with contextlib.suppress(NotSaved):
                await self.people.met(person)
        return person


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleListener:
    """Keeps what Slack tells of people. Its methods raise `NotSaved`, so that Slack sends the event again."""

    directory: SlackDirectory
    revoking: Revoking

    def register(self, router: Router) -> None:
        """Slack sends `user_change` for every change of a profile, a status text included."""
        router.event("user_change", PersonChanged.parse, self.changed)
        router.event("app_uninstalled", SlackRequest.parse, self.uninstalled)
        router.event("tokens_revoked", TokensRevoked.parse, self.tokens_revoked)

    async def changed(self, event: PersonChanged) -> None:
        """Remember the profile; what a person has running stops, and their account goes, once they are no member."""
        person = self.directory.remember(event.team, event.profile)
        if not person.is_member:  # keys to their account first: there may be much to cancel
            await self.revoking.disconnect(person.team, person.user, actor="slack")
        await person_changed(self.revoking.transactions, person)

    async def uninstalled(self, event: SlackRequest) -> None:
        """docs.slack.dev/reference/events/app_uninstalled."""
        await self.revoking.disconnect_workspace(event.team)

    async def tokens_revoked(self, event: TokensRevoked) -> None:
        """docs.slack.dev/reference/events/tokens_revoked: of the bot's own token the same as being removed."""
        if event.bot:
            await self.uninstalled(event)
