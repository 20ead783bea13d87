"""The Bolt app: how it authorizes, and what it may log."""

from __future__ import annotations

import logging
import secrets

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.logger.messages import (
    info_default_oauth_settings_loaded,
    warning_client_prioritized_and_token_skipped,
)
from slack_sdk.web.async_client import AsyncWebClient

from bot.domain.threads import Workspace

BOLT_LOGGER = "slack_bolt.AsyncApp"
QUIET_LOGGERS = ("slack_bolt.AsyncRequestVerification", "slack_bolt.RequestVerification")
"""They log the raw body of a request whose signature is wrong."""


def build_app(*, client: AsyncWebClient, workspace: Workspace, signing_secret: str | None = None) -> AsyncApp:
    """The app for one workspace, without listeners, for Socket Mode and, with a signing secret, for HTTP.

    Authorization needs no call: the workspace is known. (When auth.test fails, Bolt otherwise answers 200 to an event,
    and the event is lost.) What we said ourselves is told apart by the reader of messages, because Bolt takes it for
    our own doing when somebody else deletes a message of ours.
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
        ignoring_self_events_enabled=False,
    )
    for name in QUIET_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    return app


def _is_news(record: logging.LogRecord) -> bool:
    """Bolt reads SLACK_BOT_TOKEN and SLACK_CLIENT_ID by itself whatever it is given: it warns that it needs no second
    token, and says that it could install itself elsewhere, for which it has no route here.
    """
    return record.getMessage() not in {
        warning_client_prioritized_and_token_skipped(),
        info_default_oauth_settings_loaded(),
    }


def _without_token(client: AsyncWebClient) -> AsyncWebClient:
    """The same pool and retries; the token comes from `authorize`, and Bolt warns when it gets it twice."""
    return AsyncWebClient(
        base_url=client.base_url, session=client.session, retry_handlers=client.retry_handlers, timeout=client.timeout
    )
