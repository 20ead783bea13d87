"""The answers that `setup` wants, and where it gets them: flags, files, the environment, `.env`, or a person."""

from __future__ import annotations

import getpass
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import click

from bot.errors import BadSettings, Misconfigured


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One answer: its variable, the flag that gives it, and what it is."""

    variable: str
    flag: str
    what: str
    secret: bool = False
    default: str = ""
    optional: bool = False


SOCKET, HTTP = "socket", "http"
LOCAL_URL = "http://localhost:8080"

BOT_TOKEN = Wanted(
    variable="SLACK_BOT_TOKEN", flag="--slack-bot-token-file", what="Bot User OAuth Token (xoxb-…)", secret=True
)
APP_TOKEN = Wanted(
    variable="SLACK_APP_TOKEN", flag="--slack-app-token-file", what="App-Level Token (xapp-…)", secret=True
)
SIGNING_SECRET = Wanted(
    variable="SLACK_SIGNING_SECRET", flag="--slack-signing-secret-file", what="Signing Secret", secret=True
)
GEMINI_KEY = Wanted(variable="GEMINI_API_KEY", flag="--gemini-api-key-file", what="Gemini API key", secret=True)
CLIENT_ID = Wanted(
    variable="GOOGLE_CLIENT_ID",
    flag="--google-client-id",
    what="Google OAuth client ID (- for none)",
    optional=True,
)
CLIENT_SECRET = Wanted(
    variable="GOOGLE_CLIENT_SECRET", flag="--google-client-secret-file", what="Its client secret", secret=True
)
PUBLIC_URL = Wanted(variable="PUBLIC_URL", flag="--public-url", what="Address of this server, as people reach it")
DATABASE = Wanted(
    variable="DATABASE_URL",
    flag="--database",
    what="Database: a file for SQLite, or postgresql://user:password@host/database",
    default="sqlite+aiosqlite:///countersign.db",
)
SLACK_CLIENT_ID = Wanted(variable="SLACK_CLIENT_ID", flag="--slack-client-id", what="Client ID of the Slack app")
SLACK_CLIENT_SECRET = Wanted(
    variable="SLACK_CLIENT_SECRET",
    flag="--slack-client-secret-file",
    what="Client Secret of the Slack app",
    secret=True,
)
FIREBASE_PROJECT = Wanted(variable="FIREBASE_PROJECT_ID", flag="--firebase-project-id", what="Firebase project ID")
FIREBASE_ACCOUNT = Wanted(
    variable="FIREBASE_SERVICE_ACCOUNT_FILE",
    flag="--firebase-service-account-file",
    what="The key file of its service account",
)
FIREBASE_COOKIE = Wanted(
    variable="FIREBASE_SESSION_COOKIE",
    flag="--firebase-session-cookie",
    what="The cookie that has its sessions",
    default="__session",
)
HTTP_APPLICATION = Wanted(
    variable="HTTP_APPLICATION",
    flag="--http-application",
    what="Name of your product, as people read it in Slack (- for none)",
    optional=True,
)
HTTP_ORIGINS = Wanted(
    variable="HTTP_ORIGINS",
    flag="--http-origins",
    what="Other addresses whose pages may use it, separated by commas (- for none)",
    optional=True,
)
SECRETS = (BOT_TOKEN, APP_TOKEN, SIGNING_SECRET, GEMINI_KEY, CLIENT_SECRET, SLACK_CLIENT_SECRET)
OVER_HTTP = (
    SLACK_CLIENT_ID,
    FIREBASE_PROJECT,
    FIREBASE_ACCOUNT,
    FIREBASE_COOKIE,
    HTTP_APPLICATION,
    HTTP_ORIGINS,
)
PLAIN = (CLIENT_ID, PUBLIC_URL, DATABASE, *OVER_HTTP)

Check = Callable[[str], str]
"""Says in a line what was found right, or raises `Wrong`."""


_VARIABLE = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")


class Wrong(Exception):
    """The answer cannot be used; the message says why, and what to do."""


@dataclass(slots=True, kw_only=True)
class Answers:
    """Collects answers by variable. `given` are those of flags, which are final; `known` are earlier ones. `places`
    says where each stands: the flag as it was typed, the environment, or the file.
    """

    given: Mapping[str, str]
    known: Mapping[str, str]
    places: Mapping[str, str]
    asks: bool
    taken: dict[str, str] = field(default_factory=dict[str, str])

    def has(self, variable: str) -> bool:
        """Whether there is an answer to it without asking."""
        return variable in self.given or variable in self.known

    def is_given(self, wanted: Wanted) -> bool:
        """Whether a flag gives it."""
        return wanted.variable in self.given

    def require(self, wanted: Sequence[Wanted]) -> None:
        """Raises `BadSettings`, naming every answer that is missing, where nobody can be asked."""
        missing = [item for item in wanted if not self.has(item.variable) and not item.default]
        if missing and not self.asks:
            lines = [
                f"{item.flag} is missing (or {item.variable} in the environment): {item.what}." for item in missing
            ]
            raise BadSettings([*lines, "There is no terminal to ask in; nothing was written."])

    def take(self, wanted: Wanted, check: Check) -> str:
        """One checked answer. A person is asked until it can be used; a flag that cannot be used is an error."""
        asks = self.asks and not self.is_given(wanted)
        known = {**self.known, **self.given}
        while True:
            answer = self._asked(wanted) if asks else known.get(wanted.variable, wanted.default)
            try:
                return self._checked(wanted, answer, check)
            except Wrong as error:
                if not asks:
                    raise Misconfigured(self._blamed(wanted, str(error))) from None
                click.echo(f"✗ {error}")

    def take_together(self, wanted: Mapping[Wanted, Check], check: Callable[..., str], *, first: str = "") -> None:
        """Answers that are right only together, each with a check of its own before: which of them is wrong nobody can
        tell, so a person is asked for all of them again, and Enter keeps what they typed. `first` is the answer to the
        first of them where it was taken before; without that one the others are not needed.
        """
        asks, (leading, *others) = self.asks and not all(map(self.is_given, wanted)), wanted
        while True:
            if not (first := first or self.take(leading, wanted[leading])):
                self.taken |= {item.variable: "" for item in others}
                return
            answers = [first, *(self.take(item, wanted[item]) for item in others)]
            first = ""
            try:
                if good := check(*answers):
                    click.echo(f"✓ {good}")
                return
            except Wrong as error:
                if not asks:
                    raise Misconfigured(self._blamed(others[-1], str(error))) from None
                click.echo(f"✗ {error}")
                self.known = {**self.known, **self.taken}

    def _blamed(self, wanted: Wanted, why: str) -> str:
        """What is wrong with an answer, and where it stands."""
        said, place = self.placed(why), self.places.get(wanted.variable, wanted.flag)
        return said if place in said else f"{place} is wrong: {said}"

    def placed(self, text: str) -> str:
        """The text with the places of answers in place of their variables."""
        return _VARIABLE.sub(lambda found: self.places.get(found[0], found[0]), text)

    def _checked(self, wanted: Wanted, answer: str, check: Check) -> str:
        if not answer and not wanted.optional:
            raise Wrong("it is needed")
        if answer and (good := check(answer)):
            click.echo(f"✓ {good}")
        self.taken[wanted.variable] = answer
        return answer

    def _asked(self, wanted: Wanted) -> str:
        """What a person types; Enter keeps the earlier answer. A secret is not shown while it is typed."""
        before = self.known.get(wanted.variable, wanted.default)
        shown = masked(before) if wanted.secret else before
        empty = f" [{shown}]" if shown else " (Enter: none)" if wanted.optional else ""
        question = f"{wanted.what}{empty}: "
        typed = (getpass.getpass(question) if wanted.secret else input(question)).strip()
        if typed == "-" and wanted.optional:
            return ""
        return typed or before

    def choose(self, question: str, choices: Sequence[str], *, default: str) -> str:
        """One of some words; the default when nobody can be asked."""
        while self.asks:
            typed = input(f"{question} ({'/'.join(choices)}) [{default}]: ").strip().lower() or default
            found = [choice for choice in choices if choice.startswith(typed)]
            if len(found) == 1:
                return found[0]
            click.echo(f"✗ Type {', '.join(choices[:-1])} or {choices[-1]}.")
        return default


def local_by_default(wanted: Wanted, answers: Answers) -> Wanted:
    """The local address as the default, which is enough to try it on one machine."""
    return wanted if answers.has(wanted.variable) else replace(wanted, default=LOCAL_URL)


def masked(secret: str) -> str:
    """Enough of a secret to recognise it."""
    if len(secret) < 12:
        return "…" if secret else ""
    kind = secret.partition("-")[0] + "-" if secret.startswith("x") and "-" in secret[:6] else ""
    return f"{kind}…{secret[-4:]}"
