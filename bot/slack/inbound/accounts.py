"""Accounts are connected and disconnected, by the command's words and by buttons; sessions are ended by a button."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.threads import User
from bot.runtime.connections.oauth_flow import OAuthFlow
from bot.runtime.connections.revocation import Revoking
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.delivery.queries import Queries
from bot.runtime.people.sessions import SessionService
from bot.runtime.questions.decide import turned_away
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.people import Members
from bot.slack.outbound.replies import Replies
from bot.slack.views import connect

PROVIDER = "google"
_ACCESS = {
    "": None,
    "mail": "mail",
    "mail read-only": "mail_read",
    "calendar": "calendar",
    "calendar read-only": "calendar_read",
    "contacts": "contacts",
    "read-only": "both_read",
    "both": "both",
    "mail calendar": "both",
    "mail and calendar": "both",
    "both read-only": "both_read",
    "mail calendar read-only": "both_read",
    "mail and calendar read-only": "both_read",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountListener:
    """Without `connecting` accounts cannot be connected here, which people are told; disconnecting always works.

    Its methods raise `NotSaved`.
    """

    connecting: OAuthFlow | None
    revoking: Revoking
    sessions: SessionService
    queries: Queries
    transactions: TransactionFactory
    members: Members
    replies: Replies

    # Commands -------------------------------------------------------------------------------------------------

    async def connect_command(self, rest: str, person: User) -> str:
        """`/agent connect google [mail|calendar|contacts] [read-only]`."""
        provider, _, access = " ".join(rest.lower().replace("readonly", "read-only").split()).partition(" ")
        if provider != PROVIDER:
            return connect.NO_SUCH_PROVIDER
        if access not in _ACCESS:
            return connect.NOT_AN_ACCESS
        if self.queries.is_delegated(person):
            return connect.DELEGATED_ALREADY
        if self.connecting is None:
            return connect.NOT_OFFERED
        link = await self.connecting.link(person, choice=_ACCESS[access])
        return connect.link_text(link.url, (await self.queries.home(person.team, person.user)).connections)

    async def disconnect_command(self, rest: str, person: User) -> str:
        """`/agent disconnect google`."""
        if rest.strip().lower() != PROVIDER:
            return connect.NO_SUCH_PROVIDER.replace("connect", "disconnect")
        return await self._disconnect(person.team, person.user)

    # Buttons --------------------------------------------------------------------------------------------------

    async def connect(self, click: SlackClick) -> None:
        """Show the person who clicked, on App Home or on a card, a link of their own."""
        self.replies.tell(click.recipient, await self._show_link(click))

    async def _show_link(self, click: SlackClick) -> str:
        """Why no link was shown; empty when one was."""
        if self.connecting is None:
            return connect.NOT_OFFERED
        missing: frozenset[str] = frozenset()
        if click.value != PROVIDER:
            view = await self.queries.card(click.question_id)
            refusal = connect.refusal(view, value=click.value, owner=(click.team, click.user))
            if view is None or refusal:
                await turned_away(self.transactions, click.on_button(), "connect")
                return refusal
            missing = view.missing
        person = await self.members.find(click.team, click.user)
        if isinstance(person, str):
            return person
        if self.queries.is_delegated(person):
            return connect.DELEGATED_ALREADY
        self.replies.open(click.trigger, connect.link_modal(await self.connecting.link(person, missing=missing)))
        return ""

    async def disconnect(self, click: SlackClick) -> None:
        """Disconnect, on App Home or under the word that an account was connected."""
        self.replies.tell(click.recipient, await self._disconnect(click.team, click.user))

    async def sign_out(self, click: SlackClick) -> None:
        """End one of the person's own sessions of the HTTP API, on App Home."""
        ended = await self.sessions.end(click.team, click.user, click.value)
        self.replies.tell(click.recipient, connect.signed_out(ended))

    async def _disconnect(self, team: str, user: str) -> str:
        gone = await self.revoking.disconnect(team, user)
        return connect.disconnected(gone.email) if gone else connect.NOTHING_CONNECTED
