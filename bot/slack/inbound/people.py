"""Who is a member by now: a profile that changed, an account that was deactivated, a workspace that removed us."""

from __future__ import annotations

from dataclasses import dataclass

from bot.runtime.connections.disconnect import Disconnecting
from bot.runtime.runs.stop import Stops
from bot.slack.connection.directory import SlackDirectory
from bot.slack.connection.schema import SlackRequest
from bot.slack.inbound.events import PersonChanged, TokensRevoked
from bot.slack.inbound.router import Router


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleListener:
    """Keeps what Slack tells of people. Its methods raise `NotSaved`, so that Slack sends the event again."""

    directory: SlackDirectory
    stops: Stops
    disconnecting: Disconnecting

    def register(self, router: Router) -> None:
        """Slack sends `user_change` for every change of a profile, a status text included."""
        router.event("user_change", PersonChanged.parse, self.changed)
        router.event("app_uninstalled", SlackRequest.parse, self.uninstalled)
        router.event("tokens_revoked", TokensRevoked.parse, self.tokens_revoked)

    async def changed(self, event: PersonChanged) -> None:
        """Remember the profile; what a person has running stops, and their account goes, once they are no member."""
        person = self.directory.remember(event.team, event.profile)
        if not person.is_member:  # keys to their account first: there may be much to cancel
            await self.disconnecting.forget(person.team, person.user, actor="slack")
        await self.stops.person_changed(person)

    async def uninstalled(self, event: SlackRequest) -> None:
        """docs.slack.dev/reference/events/app_uninstalled."""
        await self.disconnecting.forget_workspace(event.team)

    async def tokens_revoked(self, event: TokensRevoked) -> None:
        """docs.slack.dev/reference/events/tokens_revoked: of the bot's own token the same as being removed."""
        if event.bot:
            await self.uninstalled(event)
