"""Bolt, typed: parses a request, runs its handler, and acknowledges after the handler is done.

Bolt is told to run listeners before it answers (`process_before_response`), so a handler that raises leaves an event
unacknowledged and Slack sends it again (docs.slack.dev/apis/events-api, "Responding to events"; the option is described
in Bolt's reference under "Lazy listeners").
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from re import Pattern
from typing import Any, Protocol, TypeVar

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse

from bot.slack.connection.schema import Malformed, Payload, SlackRequest, Text, text_at
from bot.slack.inbound.clicks import Interaction
from bot.slack.outbound.replies import Replies
from bot.slack.views import command
from bot.slack.views.blocks import Outgoing
from bot.store.errors import NotRead, NotSaved

log = structlog.get_logger()

ANYTHING = re.compile(r".*", re.DOTALL)
SHORTCUTS = frozenset({"message_action", "shortcut"})

Matcher = str | Pattern[str]
Value = TypeVar("Value")
Parse = Callable[[Payload], Value]
Handle = Callable[[Value], Awaitable[None]]
Ack = Callable[..., Awaitable[object]]


class Listener(Protocol):
    """One feature's listeners."""

    def register(self, router: Router) -> None:
        """Say what to listen to."""
        ...


class Kind(SlackRequest):
    """What kind of a request it is: one, whatever stands in it that others have. Bolt looks only for what it needs.

    Of all requests commands alone have no type (docs.slack.dev/interactivity/implementing-slash-commands), and
    shortcuts alone name no app (docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload).
    """

    type: Text = ""
    event_type: Text = text_at("event", "type")
    view_type: Text = text_at("view", "type")
    command: Text = ""

    @property
    def is_event(self) -> bool:
        """Something that happened in the workspace."""
        return self.type == "event_callback"

    @property
    def is_command(self) -> bool:
        """A slash command that somebody typed."""
        return bool(self.command) and not self.type

    @property
    def is_form(self) -> bool:
        """A window that somebody filled in."""
        return self.type == "view_submission" and self.view_type == "modal"

    def is_for(self, app: str) -> bool:
        """Whether it was sent to this app; an empty `app` is one that Slack did not name to us."""
        return not app or self.app == app or (not self.app and self.type in SHORTCUTS)


class Router:
    """Where listeners register. Each names what parses a request into a frozen value, and what handles the value."""

    def __init__(self, app: AsyncApp) -> None:
        self._app: Any = app  # Bolt's decorators carry no types

    def event(self, kind: Matcher, parse: Parse[Value], handle: Handle[Value]) -> None:
        """Handle an event; Bolt acknowledges it when the handler is done."""

        async def run(body: dict[str, object]) -> None:
            await handle(parse(body))

        self._app.event(kind)(run)

    def action(self, action_id: Matcher, parse: Parse[Value], handle: Handle[Value]) -> None:
        """Handle a click, then acknowledge it. Bolt compares a bare name with the callback ids of dialogs, too."""
        only = {"type": "block_actions", "action_id": action_id}
        self._app.action(only)(_acknowledged(parse, handle))

    def shortcut(self, callback_id: Matcher, parse: Parse[Value], handle: Handle[Value]) -> None:
        """Handle a shortcut that was chosen on a message, then acknowledge it."""
        self._app.message_shortcut(callback_id)(_acknowledged(parse, handle))

    def form(
        self, callback_id: Matcher, parse: Parse[Value], answer: Callable[[Value], Awaitable[Mapping[str, object]]]
    ) -> None:
        """Take a form that was filled in, then acknowledge it with what Slack is to do with it."""

        async def run(body: dict[str, object], ack: Ack) -> None:
            await ack(**await answer(parse(body)))

        self._app.view(callback_id, matchers=[_only(lambda sent: sent.is_form)])(run)

    def command(self, name: Matcher, parse: Parse[Value], answer: Callable[[Value], Awaitable[str | Outgoing]]) -> None:
        """Answer a slash command with text or blocks, which only the person who sent it sees; with an empty text
        nothing is shown.
        """

        async def run(body: dict[str, object], ack: Ack) -> None:
            said = await answer(parse(body))
            if isinstance(said, Outgoing):
                await ack(text=said.text, blocks=said.blocks)
            else:
                await (ack(text=said) if said else ack())

        self._app.command(name, matchers=[_only(lambda sent: sent.is_command)])(run)

    def only_for(self, team: str, app: str) -> None:
        """Do nothing about what is another workspace's or another app's: acknowledge it, or refuse it where it names
        no workspace at all.
        """

        async def here(body: dict[str, object], next_: Callable[[], Awaitable[object]]) -> object:
            sent = Kind.parse(body)
            if sent.team == team and sent.is_for(app):
                return await next_()
            log.warning("slack.not_for_us", type=sent.type, team=sent.team, app=sent.app)
            return BoltResponse(status=200 if sent.team else 404, body="")

        self._app.use(here)

    def everything_else(self) -> None:
        """Acknowledge what nobody else handles; Slack otherwise sends it again, or shows an error."""
        run = _acknowledged(Kind.parse, _unhandled)
        for register in (self._app.action, self._app.view, self._app.shortcut, self._app.command, self._app.options):
            register(ANYTHING)(run)
        self._app.view_closed(ANYTHING)(run)
        self.event(ANYTHING, Kind.parse, _unhandled)

    def errors(self, replies: Replies) -> None:
        """Answer what a handler raised."""

        async def on_error(error: Exception, body: dict[str, object]) -> BoltResponse | None:
            return _after_error(error, body, replies)

        self._app.error(on_error)


def listen(app: AsyncApp, *, team: str, app_id: str, listeners: Sequence[Listener], replies: Replies) -> None:
    """Lead what one workspace sends to our app to its listeners."""
    router = Router(app)
    router.only_for(team, app_id)
    for listener in listeners:
        listener.register(router)
    router.everything_else()
    router.errors(replies)


def _only(holds: Callable[[Kind], bool]) -> Callable[..., Awaitable[bool]]:
    async def matches(body: dict[str, object]) -> bool:
        return holds(Kind.parse(body))

    return matches


async def _unhandled(sent: Kind) -> None:
    log.info("slack.unhandled", type=sent.type, kind=sent.event_type)


def _acknowledged(parse: Parse[Value], handle: Handle[Value]) -> Callable[..., Awaitable[None]]:
    async def run(body: dict[str, object], ack: Ack) -> None:
        await handle(parse(body))
        await ack()

    return run


def _after_error(error: Exception, body: Payload, replies: Replies) -> BoltResponse | None:
    """Events stay unacknowledged, so that Slack sends them again; a person who typed or clicked gets a reference."""
    if isinstance(error, Malformed):
        log.warning("slack.malformed", kind=error.kind, fields=error.fields)
        return BoltResponse(status=400, body="malformed")
    reference = secrets.token_hex(4)
    unsaved = isinstance(error, NotSaved | NotRead)
    if unsaved:
        log.warning("slack.not_saved", reference=reference)
    else:
        log.error("slack.listener_broke", reference=reference, exc_info=error)
    sent = Kind.parse(body)
    if sent.is_command:
        return BoltResponse(status=200, body=command.NOT_SAVED_COMMAND if unsaved else command.failed(reference))
    if sent.is_event:
        return None
    person = Interaction.parse(body).recipient
    replies.tell(person, command.NOT_SAVED if unsaved else command.failed(reference))
    return BoltResponse(status=200, body="")
