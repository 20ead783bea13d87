"""Bolt, typed: registers handlers that get the request's body, and acknowledges after they are done.

Bolt is told to run listeners before it answers (`process_before_response`), so a handler that raises leaves an event
unacknowledged and Slack sends it again (docs.slack.dev/apis/events-api, "Responding to events"; the option is described
in Bolt's reference under "Lazy listeners").
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from re import Pattern
from typing import Any, Protocol

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse

from bot.slack.payload import Payload, team_of, text_at

log = structlog.get_logger()

Handler = Callable[[Payload], Awaitable[None]]
Answer = Callable[[Payload], Awaitable[str]]
FormAnswer = Callable[[Payload], Awaitable[Mapping[str, object]]]
Matcher = str | Pattern[str]


class Ack(Protocol):
    """Bolt's acknowledgement."""

    async def __call__(self, text: str = "") -> object:
        """Answer Slack; a command's text is shown to the person who sent it only."""
        ...


class Front:
    """Where listeners register."""

    def __init__(self, app: AsyncApp) -> None:
        self._app: Any = app  # Bolt's decorators carry no types

    def only_for(self, team: str) -> None:
        """Do nothing about what is not this workspace's: acknowledge it, or refuse it where it names none at all."""

        async def here(body: dict[str, object], next_: Callable[[], Awaitable[object]]) -> object:
            if team_of(body) == team:
                return await next_()
            log.warning("slack.not_our_workspace", type=text_at(body, "type"), team=team_of(body))
            return BoltResponse(status=200 if team_of(body) else 404, body="")

        self._app.use(here)

    def event(self, kind: Matcher, handle: Handler) -> None:
        """Handle an event; Bolt acknowledges it when the handler is done."""

        async def run(body: dict[str, object]) -> None:
            await handle(body)

        self._app.event(kind)(run)

    def action(self, action_id: Matcher, handle: Handler) -> None:
        """Handle a click, then acknowledge it."""
        self._app.action(action_id)(_acknowledged(handle))

    def form(self, callback_id: Matcher, answer: FormAnswer) -> None:
        """Take a form that was filled in, then acknowledge it with what Slack is to do with it."""

        async def run(body: dict[str, object], ack: Callable[..., Awaitable[object]]) -> None:
            await ack(**await answer(body))

        self._app.view(callback_id)(run)

    def command(self, name: Matcher, answer: Answer) -> None:
        """Answer a slash command with text."""

        async def run(body: dict[str, object], ack: Ack) -> None:
            await ack(text=await answer(body))

        self._app.command(name)(run)

    def everything_else(self, pattern: Pattern[str], handle: Handler) -> None:
        """Acknowledge whatever nobody else handles; Slack otherwise sends it again, or shows an error."""
        run = _acknowledged(handle)
        for register in (self._app.action, self._app.view, self._app.shortcut, self._app.command, self._app.options):
            register(pattern)(run)
        self._app.view_closed(pattern)(run)
        self.event(pattern, handle)


def _acknowledged(handle: Handler) -> Callable[..., Awaitable[None]]:
    async def run(body: dict[str, object], ack: Ack) -> None:
        await handle(body)
        await ack()

    return run
