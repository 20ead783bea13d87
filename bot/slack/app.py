"""The Bolt app: the listeners, what catches the rest, and what people are told when something breaks."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Sequence
from typing import Any, Protocol

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.logger.messages import warning_client_prioritized_and_token_skipped
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from bot.domain.threads import Workspace
from bot.slack.front import Front
from bot.slack.payload import Payload, text_at
from bot.slack.pressed import pressed
from bot.slack.views import command
from bot.slack.whispers import Whispers
from bot.store.errors import NotRead, NotSaved

log = structlog.get_logger()

ANYTHING = re.compile(r".*", re.DOTALL)
BOLT_LOGGER = "slack_bolt.AsyncApp"
QUIET_LOGGERS = ("slack_bolt.AsyncRequestVerification", "slack_bolt.RequestVerification")
"""They log the raw body of a request whose signature is wrong."""


class Listener(Protocol):
    """One feature's listeners."""

    def register(self, front: Front) -> None:
        """Say what to listen to."""
        ...


def build_app(
    *,
    client: AsyncWebClient,
    workspace: Workspace,
    listeners: Sequence[Listener],
    whispers: Whispers,
    signing_secret: str | None = None,
) -> AsyncApp:
    """The app for one workspace, for Socket Mode and, with a signing secret, for HTTP.

    Authorization needs no call: the workspace is known. (When auth.test fails, Bolt otherwise answers 200 to an event,
    and the event is lost.)
    """

    async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id or workspace.team,
            bot_user_id=workspace.bot_user,
            bot_id=workspace.bot_id,
            bot_token=client.token,
        )

    logging.getLogger(BOLT_LOGGER).addFilter(_is_news)
    app = AsyncApp(
        name="countersign",
        client=_without_token(client),
        authorize=authorize,
        signing_secret=signing_secret or secrets.token_hex(32),
        process_before_response=True,
    )
    for name in QUIET_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    front = Front(app)
    front.only_for(workspace.team)
    for listener in listeners:
        listener.register(front)
    front.everything_else(ANYTHING, _unhandled)
    _handle_errors(app, whispers)
    return app


def _is_news(record: logging.LogRecord) -> bool:
    """Bolt reads SLACK_BOT_TOKEN by itself whatever it is given, and warns that it needs no second token."""
    return record.getMessage() != warning_client_prioritized_and_token_skipped()


def _without_token(client: AsyncWebClient) -> AsyncWebClient:
    """The same pool and retries; the token comes from `authorize`, and Bolt warns when it gets it twice."""
    return AsyncWebClient(
        base_url=client.base_url, session=client.session, retry_handlers=client.retry_handlers, timeout=client.timeout
    )


async def _unhandled(body: Payload) -> None:
    log.info("slack.unhandled", type=text_at(body, "type"), kind=text_at(body, "event", "type"))


def _handle_errors(app: AsyncApp, whispers: Whispers) -> None:
    async def on_error(error: Exception, body: dict[str, Any]) -> BoltResponse | None:
        return _after_error(error, body, whispers)

    untyped: Any = app
    untyped.error(on_error)


def _after_error(error: Exception, body: Payload, whispers: Whispers) -> BoltResponse | None:
    """Events stay unacknowledged, so that Slack sends them again; whoever typed or pressed is told a reference."""
    reference = secrets.token_hex(4)
    unsaved = isinstance(error, NotSaved | NotRead)
    if unsaved:
        log.warning("slack.not_saved", reference=reference, type=text_at(body, "type"))
    else:
        log.error("slack.listener_broke", reference=reference, exc_info=error)
    if "command" in body:
        return BoltResponse(status=200, body=command.NOT_SAVED_COMMAND if unsaved else command.failed(reference))
    if "event" in body:
        return None
    whispers.tell(pressed(body), command.NOT_SAVED if unsaved else command.failed(reference))
    return BoltResponse(status=200, body="")
