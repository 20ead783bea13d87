"""The checks of `setup`: each answer is tried with its provider."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from bot.api.oauth import redirect_uri
from bot.commands.doctor.examination import database_problems
from bot.commands.setup.answers import Wrong
from bot.commands.setup.links import trouble_with
from bot.errors import BadSettings
from bot.llm import models
from bot.llm.probing import Finding as Answered
from bot.llm.probing import probe as probe_model
from bot.llm.transport import DeveloperApi
from bot.settings import Settings, read
from bot.slack.connection.errors import SlackError, WrongToken
from bot.slack.connection.http import is_signing_secret
from bot.slack.connection.installations import installation
from bot.slack.connection.socket import check_app_token
from bot.slack.connection.web import SlackWeb, slack_client
from integrations.google.auth.client_check import Finding, OAuthClient, probe
from integrations.google.auth.consent import AUTH_URL, TOKEN_URL

T = TypeVar("T")

_AWAY = "{who} could not be reached, so this was not checked. Try again, or skip the checks with --no-checks"
_SQLITE = "sqlite+aiosqlite:///"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The checks; with `online` False they look at the answers only. `settings` has the providers' base URLs."""

    settings: Settings
    online: bool

    def bot_token(self, token: str) -> str:
        """docs.slack.dev/reference/methods/auth.test."""
        if not token.startswith("xoxb-"):
            raise Wrong("it must start with xoxb-: take the Bot User OAuth Token of “OAuth & Permissions”")
        return _now(self._bot_token(token)) if self.online else ""

    async def _bot_token(self, token: str) -> str:
        async with slack_client(token=token, base_url=self.settings.slack_api_url) as client:
            try:
                workspace = await installation(SlackWeb(client))
            except WrongToken as error:
                raise Wrong(str(error)) from None
            except SlackError:
                raise Wrong(_AWAY.format(who="Slack")) from None
        return f"Slack accepts it: the workspace {workspace.name}, the bot {workspace.bot_user}"

    def app_token(self, token: str) -> str:
        """docs.slack.dev/reference/methods/apps.connections.open."""
        if not token.startswith("xapp-"):
            raise Wrong(
                "it must start with xapp-: make an App-Level Token with connections:write (“Basic Information”)"
            )
        return _now(self._app_token(token)) if self.online else ""

    async def _app_token(self, token: str) -> str:
        async with slack_client(token=None, base_url=self.settings.slack_api_url) as client:
            try:
                await check_app_token(client, token)
            except WrongToken as error:
                raise Wrong(str(error)) from None
            except SlackError:
                raise Wrong(_AWAY.format(who="Slack")) from None
        return "Slack opens a connection with it: Socket Mode works"

    def signing_secret(self, secret: str) -> str:
        """Check the form; only a call by Slack shows whether it is right."""
        if not is_signing_secret(secret):
            raise Wrong("it must have 32 hexadecimal digits: take the Signing Secret of “Basic Information”")
        return ""

    def gemini_key(self, key: str) -> str:
        """One call of the model, of a few tokens."""
        return _now(self._gemini_key(key)) if self.online else ""

    async def _gemini_key(self, key: str) -> str:
        model = self.settings.gemini_model or models.DEFAULT_MODEL
        access = DeveloperApi(api_key=key, base_url=self.settings.google_gemini_base_url)
        probed = await probe_model(access, model=model)
        match probed.finding:
            case Answered.GOOD:
                return f"Gemini answers: {model}"
            case Answered.ACCESS:
                raise Wrong(f"Gemini does not accept it ({probed.detail}). Make a key in Google AI Studio")
            case Answered.MODEL:
                raise Wrong(f"Gemini knows no model “{model}”: correct GEMINI_MODEL, or leave it out")
            case Answered.REFUSED:
                raise Wrong(f"Gemini refuses even a small request ({probed.detail}): check GEMINI_MODEL")
            case Answered.AWAY:
                raise Wrong(_AWAY.format(who="Gemini"))
            case Answered.QUOTA | Answered.DAILY_QUOTA:
                return "Gemini accepts it, but its quota is used up"
            case Answered.BUSY:
                return f"Gemini accepts it, but is busy at the moment ({probed.detail})"
            case Answered.UNCLEAR:
                return "Gemini accepts it, but gave no answer that can be read"

    def public_url(self, url: str) -> str:
        """An address to which Slack and Google can send."""
        if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname:
            raise Wrong("it must be a web address, as in https://agent.example.com")
        if trouble := trouble_with(url):
            raise Wrong(f"{trouble}")
        return ""

    def google_secret(self, client_id: str, secret: str, public_url: str) -> str:
        """Ask Google's token endpoint with a code that cannot exist, and look at the consent page."""
        if not self.online:
            return ""
        settings = self.settings
        client = OAuthClient(
            id=client_id,
            secret=secret,
            redirect_uri=redirect_uri(public_url),
            token_url=settings.google_oauth_token_url or TOKEN_URL,
            auth_url=settings.google_oauth_auth_url or AUTH_URL,
        )
        match _now(probe(client)):
            case Finding.GOOD:
                return "Google knows the client, its secret and the redirect URI"
            case Finding.CLIENT:
                raise Wrong("Google does not know this client with this secret. Copy both again from the client’s page")
            case Finding.REDIRECT:
                uri = client.redirect_uri
                raise Wrong(f"the client has no redirect URI {uri}: add exactly this, save, and try again")
            case Finding.AWAY:
                raise Wrong(_AWAY.format(who="Google"))
            case Finding.UNCLEAR:
                return "Google did not say whether it knows the client; `countersign doctor` asks again"

    def database(self, answer: str) -> str:
        """Check that the file can be used, or that the server accepts the connection."""
        try:
            settings = read({"DATABASE_URL": database_url(answer), "COUNTERSIGN_ENV_FILE": ""})
        except BadSettings as error:
            raise Wrong(error.problems[0].removeprefix("DATABASE_URL is wrong: ")) from None
        problems = _now(database_problems(settings)) if self.online or not settings.uses_postgresql else []
        if problems:
            raise Wrong(problems[0])
        return "PostgreSQL accepts the connection" if settings.uses_postgresql and self.online else ""


def database_url(answer: str) -> str:
    """The URL for an answer, which may also be the path of a SQLite file."""
    if "://" in answer:
        return answer
    return f"{_SQLITE}{Path(answer).expanduser()}"


def _now(work: Coroutine[Any, Any, T]) -> T:
    """Run it to the end. Between questions there is no loop, so that Ctrl-C ends a question."""
    return asyncio.run(work)
