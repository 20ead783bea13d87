"""Connecting and disconnecting accounts: the command's words, the buttons, and what Slack tells of who is gone."""

from __future__ import annotations

from bot.domain.questions import QuestionKind, QuestionState
from bot.domain.threads import User
from bot.runtime.connections.disconnect import Disconnecting
from bot.runtime.connections.oauth_flow import OAuthFlow
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.views import CardView
from bot.runtime.people.people import People
from bot.runtime.questions.decide import Questions
from bot.slack import ids
from bot.slack.directory import DirectoryUnavailable, SlackDirectory, UnknownPerson
from bot.slack.errands import Errands
from bot.slack.front import Front
from bot.slack.payload import Payload, team_of, texts_at
from bot.slack.pressed import Pressed, pressed
from bot.slack.views import command, connect
from bot.slack.web import SlackWeb
from bot.slack.whispers import Whispers

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


class ConnectListener:
    """Without `connecting` nothing can be connected here, and people are told; disconnecting always works."""

    def __init__(
        self,
        *,
        connecting: OAuthFlow | None,
        disconnecting: Disconnecting,
        queries: Queries,
        questions: Questions,
        people: People,
        directory: SlackDirectory,
        web: SlackWeb,
        errands: Errands,
        whispers: Whispers,
    ) -> None:
        self._connecting = connecting
        self._disconnecting = disconnecting
        self._queries = queries
        self._questions = questions
        self._people = people
        self._directory = directory
        self._web = web
        self._errands = errands
        self._whispers = whispers

    def register(self, front: Front) -> None:
        """Three buttons, and the events that say that the agent, or a person, is gone."""
        front.action(ids.CONNECT, self.connect)
        front.action(ids.DISCONNECT, self.disconnect)
        front.action(ids.OPEN_LINK, self.left_for_the_browser)
        front.event("app_uninstalled", self.uninstalled)
        front.event("tokens_revoked", self.tokens_revoked)

    # Commands -------------------------------------------------------------------------------------------------

    async def connect_command(self, rest: str, person: User) -> str:
        """`/agent connect google [mail|calendar|contacts] [read-only]`. Raises `NotSaved`."""
        provider, _, access = " ".join(rest.lower().replace("readonly", "read-only").split()).partition(" ")
        if provider != PROVIDER:
            return connect.NO_SUCH_PROVIDER
        if access not in _ACCESS:
            return connect.NOT_AN_ACCESS
        if self._queries.is_delegated(person):
            return connect.DELEGATED_ALREADY
        if self._connecting is None:
            return connect.NOT_OFFERED
        return connect.link_text(await self._connecting.link(person, choice=_ACCESS[access]))

    async def disconnect_command(self, rest: str, person: User) -> str:
        """`/agent disconnect google`. Raises `NotSaved`."""
        if rest.strip().lower() != PROVIDER:
            return connect.NO_SUCH_PROVIDER.replace("connect", "disconnect")
        return await self._disconnect(person.team, person.user)

    # Buttons --------------------------------------------------------------------------------------------------

    async def connect(self, body: Payload) -> None:
        """Connect, on App Home or on a card: a link made for whoever pressed, in a window that only he sees."""
        press = pressed(body)
        if (refusal := await self._shown_link(press)) is not None:
            self._whispers.tell(press, refusal)

    async def left_for_the_browser(self, body: Payload) -> None:
        """Slack opens the link by itself and tells of the press all the same: it is only acknowledged.

        docs.slack.dev/reference/block-kit/block-elements/button-element, "url".
        """

    async def _shown_link(self, press: Pressed) -> str | None:
        """Why there is none, in words; None when it was shown."""
        if self._connecting is None:
            return connect.NOT_OFFERED
        missing: frozenset[str] = frozenset()
        if press.value != PROVIDER:
            view = await self._queries.card(ids.question_of(press.value))
            if (refusal := _refusal(view, press)) is not None or view is None:
                await self._questions.turned_away(press.as_press(), "connect")
                return refusal
            missing = view.missing
        try:
            person = await self._directory.profile(press.team, press.user)
        except (DirectoryUnavailable, UnknownPerson):
            return command.UNKNOWN_PERSON
        if not person.is_member:
            await self._people.turned_away(press.team, press.user)
            return command.GUESTS
        if self._queries.is_delegated(person):
            return connect.DELEGATED_ALREADY
        url = await self._connecting.link(person, missing=missing)
        self._errands.run("connect", self._web.open_view(press.trigger, connect.link_modal(url)))
        return None

    async def disconnect(self, body: Payload) -> None:
        """Disconnect, on App Home or under the word that an account was connected."""
        press = pressed(body)
        self._whispers.tell(press, await self._disconnect(press.team, press.user))

    async def _disconnect(self, team: str, user: str) -> str:
        gone = await self._disconnecting.forget(team, user)
        if gone is None:
            return connect.NOTHING_CONNECTED
        return connect.disconnected(gone.email)

    # Who is gone ----------------------------------------------------------------------------------------------

    async def uninstalled(self, body: Payload) -> None:
        """docs.slack.dev/reference/events/app_uninstalled. Raises `NotSaved`, so that Slack sends it again."""
        await self._disconnecting.forget_workspace(team_of(body))

    async def tokens_revoked(self, body: Payload) -> None:
        """docs.slack.dev/reference/events/tokens_revoked: of the bot's own token the same as being removed."""
        if texts_at(body, "event", "tokens", "bot"):
            await self.uninstalled(body)

    async def left(self, person: User) -> None:
        """Whoever is no member any more has no account connected any more. Raises `NotSaved`."""
        await self._disconnecting.forget(person.team, person.user, actor="slack")


def _refusal(view: CardView | None, press: Pressed) -> str | None:
    if view is None or view.value != press.value or view.kind is not QuestionKind.CONNECT:
        return connect.NOT_ASKED_ANY_MORE
    if (view.place.team, view.place.user) != (press.team, press.user):
        return connect.NOT_YOURS
    return None if view.state is QuestionState.OPEN else connect.NOT_ASKED_ANY_MORE
