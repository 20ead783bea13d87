"""The checks of `setup`: each answer must be one that the configuration takes and the doctor finds right."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bot.commands.doctor import gemini, google
from bot.commands.doctor.findings import Findings
from bot.commands.doctor.slack import examine_slack, no_way_back
from bot.commands.setup.answers import Check, Wanted, Wrong
from bot.errors import BadSettings, Misconfigured
from bot.settings import Settings, read
from bot.urls import is_loopback
from bot.wiring.store import check_database

_SQLITE = "sqlite+aiosqlite:///"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The checks; with `online` False nobody is contacted. `places` are the variables with the providers' addresses."""

    places: Mapping[str, str]
    online: bool

    def bot_token(self, token: str) -> str:
        """Ask Slack which workspace it belongs to."""
        return self._asked(examine_slack, self._with(SLACK_BOT_TOKEN=token))

    def app_token(self, token: str) -> str:
        """Ask Slack for a connection."""
        return self._asked(examine_slack, self._with(SLACK_APP_TOKEN=token))

    def signing_secret(self, secret: str) -> str:
        """Check the form; only a call by Slack shows whether it is right."""
        return _right(asyncio.run(examine_slack(self._with(SLACK_SIGNING_SECRET=secret))))

    def gemini_key(self, key: str) -> str:
        """One call of the model, of a few tokens. A right key is taken, whatever its quota."""
        settings = self._with(GEMINI_API_KEY=key)
        try:
            return self._asked(gemini.examine_model, settings)
        except Wrong as error:
            if gemini.no_quota(settings) in str(error):
                return "Gemini accepts it, but its quota is used up"
            raise

    def public_url(self, url: str) -> str:
        """An address to which Slack and Google can send."""
        self._with(PUBLIC_URL=url)
        if trouble := trouble_with(url):
            raise Wrong(trouble)
        return ""

    def address_for_slack(self, url: str) -> str:
        """The same, and one to which Slack leads browsers back."""
        said = self.public_url(url)
        if trouble := no_way_back(self._with(PUBLIC_URL=url)):
            raise Wrong(trouble)
        return said

    def slack_client(self, client_id: str, secret: str, public_url: str) -> str:
        """Ask Slack whether it knows the client, with which people sign in to the HTTP API."""
        settings = self._with(SLACK_CLIENT_ID=client_id, SLACK_CLIENT_SECRET=secret, PUBLIC_URL=public_url)
        return self._asked(examine_slack, settings)

    def firebase(self, project: str, account_file: str) -> str:
        """Ask Firebase for an account, with this service account's key."""
        settings = self._with(FIREBASE_PROJECT_ID=project, FIREBASE_SERVICE_ACCOUNT_FILE=account_file)
        return self._asked(google.examine_firebase, settings)

    def taken_as(self, wanted: Wanted) -> Check:
        """Whether the configuration takes it."""

        def check(answer: str) -> str:
            self._with(**{wanted.variable: answer})
            return ""

        return check

    def google_client(self, client_id: str, secret: str, public_url: str) -> str:
        """Ask Google whether it knows the client, its secret and the redirect URI."""
        settings = self._with(GOOGLE_CLIENT_ID=client_id, GOOGLE_CLIENT_SECRET=secret, PUBLIC_URL=public_url)
        return self._asked(google.examine_client, settings)

    def database(self, answer: str) -> str:
        """Check that the file can be used, or that the server accepts the connection."""
        settings = self._with(DATABASE_URL=database_url(answer))
        try:
            if self.online or not settings.uses_postgresql:
                asyncio.run(check_database(settings))
        except Misconfigured as error:
            raise Wrong(str(error)) from None
        return "PostgreSQL accepts the connection" if settings.uses_postgresql and self.online else ""

    def _asked(self, examine: Callable[[Settings], Coroutine[Any, Any, Findings]], settings: Settings) -> str:
        """What the doctor finds right. Between questions there is no loop, so that Ctrl-C ends a question."""
        if not self.online:
            return ""
        try:
            return _right(asyncio.run(examine(settings)))
        except Wrong as error:
            raise Wrong(f"{error} Or skip the checks with --no-checks.") from None

    def _with(self, **answers: str) -> Settings:
        """The settings with these answers. Raises `Wrong` for one that the configuration does not take."""
        try:
            return read({**self.places, **answers})
        except BadSettings as error:
            problem = error.problems[0]
            raise Wrong(problem.partition(" is wrong: ")[2] or problem) from None


def _right(found: Findings) -> str:
    """What was found right. Raises `Wrong` with the first problem, also where nobody could be asked."""
    for problem in [*found.problems, *found.away]:
        raise Wrong(problem)
    return " ".join([*found.good, *found.remarks])


def trouble_with(public_url: str) -> str | None:
    """Why Google would not send people back to this address ("Redirect URI validation rules" of Google Identity)."""
    host = urlsplit(public_url).hostname or ""
    if is_loopback(public_url):
        return None
    try:
        ip_address(host)
    except ValueError:
        return None if "." in host else "its host has no public top-level domain, and Google needs one"
    return "it is a bare IP address, and Google needs a name"


def database_url(answer: str) -> str:
    """The URL for an answer, which may also be the path of a SQLite file."""
    return answer if "://" in answer else f"{_SQLITE}{Path(answer).expanduser()}"
