"""The questions of `setup` in order: Slack, Gemini, the HTTP API, Google, the database and its key.

Each answer is checked with its provider before the next question, and the file is written once, at the end. Earlier
answers are the defaults of the next run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import click

from bot import settings as configuration
from bot.commands.doctor.examination import examine
from bot.commands.setup.answers import (
    APP_TOKEN,
    BOT_TOKEN,
    CLIENT_ID,
    CLIENT_SECRET,
    DATABASE,
    GEMINI_KEY,
    HTTP,
    PUBLIC_URL,
    SIGNING_SECRET,
    SOCKET,
    Answers,
    Wanted,
)
from bot.commands.setup.checks import Checks, database_url
from bot.commands.setup.database import ask_database
from bot.commands.setup.file import ConfigurationFile
from bot.commands.setup.google import ask_google
from bot.commands.setup.http_api import ask_http_api, required_over_http
from bot.commands.setup.links import manifest_path, slack_link
from bot.commands.terminal import title, to_its_end
from bot.env_file import ENV_FILE_VARIABLE
from bot.errors import BadSettings

_PLACES = (
    *("SLACK_API_URL", "GOOGLE_GEMINI_BASE_URL", "GEMINI_MODEL", "GOOGLE_OAUTH_TOKEN_URL", "GOOGLE_OAUTH_AUTH_URL"),
    *("FIREBASE_CERTS_URL", "FIREBASE_API_URL", "GOOGLE_SERVICE_ACCOUNT_FILE"),
)


class Walk:
    """Asks all questions. Nothing is written before the end."""

    def __init__(
        self,
        *,
        given: Mapping[str, str],
        flags: Mapping[str, str],
        env_file: str | None,
        mode: str | None,
        with_google: bool,
        online: bool,
        may_ask: bool,
    ) -> None:
        self._file = ConfigurationFile(Path(env_file or os.environ.get(ENV_FILE_VARIABLE) or ".env"))
        of_file, of_environment = self._file.values(), _environment()
        known = of_file | of_environment
        places = {name: f"{name} in {self._file.path}" for name in of_file}
        places |= {name: f"{name} in the environment" for name in of_environment}
        self._mode, self._with_google, self._online = mode, with_google, online
        self._answers = Answers(
            given=given, known=known, places={**places, **flags}, asks=may_ask and sys.stdin.isatty()
        )
        self._checks = Checks(places=_places(known), online=online)

    def run(self) -> NoReturn:
        """Ask everything, write the file, run the doctor; exit with its status."""
        mode, answers = self._chosen_mode(), self._answers
        answers.require(self._required(mode))
        self._refuse_wrong_forms()
        self._slack(mode)
        self._gemini()
        ask_http_api(answers, self._checks)
        if self._with_google:
            ask_google(answers, self._checks)
        title("Database and key")
        ask_database(self._answers, self._checks)
        self._file.write(answers.taken)
        click.echo(f"\n✓ Written: {self._file.path.absolute()}, readable by you only.\n")
        to_its_end(self._doctor())

    def _chosen_mode(self) -> str:
        """Socket Mode, unless the flag or earlier answers say otherwise."""
        over_http = self._answers.has(SIGNING_SECRET.variable) and not self._answers.has(APP_TOKEN.variable)
        default = HTTP if over_http else SOCKET
        if self._mode:
            return self._mode
        if self._answers.asks:
            click.echo("Slack can reach the bot through Socket Mode (no public address needed), or over HTTP.")
        return self._answers.choose("How?", [SOCKET, HTTP], default=default)

    def _required(self, mode: str) -> list[Wanted]:
        wanted = [BOT_TOKEN, *([APP_TOKEN] if mode == SOCKET else [SIGNING_SECRET, PUBLIC_URL])]
        if not self._answers.has("VERTEX_AI_PROJECT_ID"):
            wanted.append(GEMINI_KEY)
        if self._answers.has(CLIENT_ID.variable) and self._with_google:
            wanted.append(CLIENT_SECRET)
        return [*wanted, *required_over_http(self._answers)]

    def _refuse_wrong_forms(self) -> None:
        """Where nobody is asked, everything that can be seen to be wrong is told at once. Raises `BadSettings`."""
        answers = {**self._answers.known, **self._answers.given}
        if self._answers.asks:
            return
        if DATABASE.variable in answers:
            answers[DATABASE.variable] = database_url(answers[DATABASE.variable])
        try:
            configuration.read({**answers, ENV_FILE_VARIABLE: ""})
        except BadSettings as error:
            raise BadSettings(map(self._answers.placed, error.problems)) from None

    def _slack(self, mode: str) -> None:
        answers, checks = self._answers, self._checks
        public_url = answers.take(PUBLIC_URL, checks.public_url) if mode == HTTP else None
        title("Slack")
        if not all(map(answers.is_given, [BOT_TOKEN, APP_TOKEN if mode == SOCKET else SIGNING_SECRET])):
            click.echo("Open this link: Slack makes the app from the manifest. Create it, then “Install to Workspace”.")
            click.echo(slack_link(public_url=public_url))
            if mode == SOCKET:
                click.echo(f"(If the link is too long for your browser: “From a manifest”, with {manifest_path()}.)")
        click.echo("“OAuth & Permissions” has the Bot User OAuth Token.")
        answers.take(BOT_TOKEN, checks.bot_token)
        if mode == SOCKET:
            click.echo("“Basic Information”, “App-Level Tokens”: generate one with the scope connections:write.")
            answers.take(APP_TOKEN, checks.app_token)
            return
        click.echo("“Basic Information”, “App Credentials” has the Signing Secret.")
        answers.take(SIGNING_SECRET, checks.signing_secret)
        answers.taken[APP_TOKEN.variable] = ""  # with an app token the bot would use Socket Mode

    def _gemini(self) -> None:
        title("Gemini")
        if self._answers.has("VERTEX_AI_PROJECT_ID"):
            click.echo("Vertex AI is configured, so no key is needed.")
            return
        click.echo("Make a key in Google AI Studio: https://aistudio.google.com/apikey")
        self._answers.take(GEMINI_KEY, self._checks.gemini_key)

    async def _doctor(self) -> int:
        title("Doctor")
        environ = {**os.environ, ENV_FILE_VARIABLE: str(self._file.path)}
        if self._online:
            return await examine(click.echo, environ)
        configuration.read(environ)
        click.echo("Skipped, because of --no-checks. Next: countersign doctor")
        return 0


def _environment() -> dict[str, str]:
    known = {name.upper() for name in configuration.Settings.model_fields}
    return {name: value for name, value in os.environ.items() if name in known and value}


def _places(known: Mapping[str, str]) -> dict[str, str]:
    """The variables that the checks need beside an answer: base URLs and the model's name. Raises `BadSettings`."""
    places = {ENV_FILE_VARIABLE: "", **{name: known[name] for name in _PLACES if name in known}}
    configuration.read(places)
    return places
