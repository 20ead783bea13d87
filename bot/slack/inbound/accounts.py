"""Accounts are connected and disconnected: by the command's words, and by buttons."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.questions import QuestionKind, QuestionState
from bot.domain.threads import User
from bot.runtime.connections.disconnect import Disconnecting
from bot.runtime.connections.oauth_flow import OAuthFlow
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.views import CardView
from bot.runtime.people.people import People
from bot.runtime.questions.decide import Questions
from bot.slack.connection.directory import DirectoryUnavailable, SlackDirectory, UnknownPerson
from bot.slack.connection.web import SlackWeb
from bot.slack.inbound.clicks import SlackClick
from bot.slack.outbound.background_tasks import BackgroundTasks
from bot.slack.outbound.ephemeral import Ephemeral
from bot.slack.views import command, connect, ids

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
    disconnecting: Disconnecting
    queries: Queries
    questions: Questions
    people: People
    directory: SlackDirectory
    web: SlackWeb
    background: BackgroundTasks
    ephemeral: Ephemeral

    # Commands -------------------------------------------------------------------------------------------------

    async def connect_command(self, rest: str, person: User) -> str:
        """`/agent connect google [mail|calendar|contacts] [read-only]`. Raises `NotSaved`."""
        provider, _, access = " ".join(rest.lower().replace("readonly", "read-only").split()).partition(" ")
        if provider != PROVIDER:
            return connect.NO_SUCH_PROVIDER
        if access not in _ACCESS:
            return connect.NOT_AN_ACCESS
        if self.queries.is_delegated(person):
            return connect.DELEGATED_ALREADY
        if self.connecting is None:
            return connect.NOT_OFFERED
        return connect.link_text(await self.connecting.link(person, choice=_ACCESS[access]))

    async def disconnect_command(self, rest: str, person: User) -> str:
        """`/agent disconnect google`. Raises `NotSaved`."""
        if rest.strip().lower() != PROVIDER:
            return connect.NO_SUCH_PROVIDER.replace("connect", "disconnect")
        return await self._disconnect(person.team, person.user)

    # Buttons --------------------------------------------------------------------------------------------------

    async def connect(self, click: SlackClick) -> None:
        """Show the person who clicked, on App Home or on a card, a link of their own."""
        if (refusal := await self._shown_link(click)) is not None:
            self.ephemeral.tell(click.recipient, refusal)

    async def _shown_link(self, click: SlackClick) -> str | None:
        """Why there is none, in words; None when it was shown."""
        if self.connecting is None:
            return connect.NOT_OFFERED
        missing: frozenset[str] = frozenset()
        if click.value != PROVIDER:
            view = await self.queries.card(ids.question_of(click.value))
            if (refusal := _refusal(view, click)) is not None or view is None:
                await self.questions.turned_away(click.on_button(), "connect")
                return refusal
            missing = view.missing
        try:
            person = await self.directory.profile(click.team, click.user)
        except (DirectoryUnavailable, UnknownPerson):
            return command.UNKNOWN_PERSON
        if not person.is_member:
            await self.people.turned_away(click.team, click.user)
            return command.GUESTS
        if self.queries.is_delegated(person):
            return connect.DELEGATED_ALREADY
        url = await self.connecting.link(person, missing=missing)
        self.background.run("connect", self.web.open_view(click.trigger, connect.link_modal(url)))
        return None

    async def disconnect(self, click: SlackClick) -> None:
        """Disconnect, on App Home or under the word that an account was connected."""
        self.ephemeral.tell(click.recipient, await self._disconnect(click.team, click.user))

    async def _disconnect(self, team: str, user: str) -> str:
        gone = await self.disconnecting.forget(team, user)
        if gone is None:
            return connect.NOTHING_CONNECTED
        return connect.disconnected(gone.email)


def _refusal(view: CardView | None, click: SlackClick) -> str | None:
    if view is None or view.value != click.value or view.kind is not QuestionKind.CONNECT:
        return connect.NOT_ASKED_ANY_MORE
    if (view.place.team, view.place.user) != (click.team, click.user):
        return connect.NOT_YOURS
    return None if view.state is QuestionState.OPEN else connect.NOT_ASKED_ANY_MORE
