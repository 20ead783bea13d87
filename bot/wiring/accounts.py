"""Builds what people's own accounts need: the provider, connecting, disconnecting, and the questions that wait; and who
they are when they call over HTTP.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import urlsplit

from starlette.routing import Route

from bot.api.agent.access import AddressRate
from bot.api.browsers import Browsers
from bot.api.oauth import OAuthPages
from bot.api.sign_in import SESSION, SignInPages, redirect_uri
from bot.runtime.connections.accounts import ConnectionService
from bot.runtime.connections.oauth_flow import AccountMatchPolicy, OAuthFlow
from bot.runtime.connections.revocation import Revoking
from bot.runtime.core.lock import DistributedLock
from bot.runtime.core.ports import Authenticator
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.people.callers import Callers
from bot.runtime.people.firebase import Addresses, FirebaseAuthenticator
from bot.runtime.people.people import People
from bot.runtime.people.profiles import Profiles, ProfileService
from bot.runtime.people.sessions import SessionAuthenticator, SessionService
from bot.runtime.people.sign_in import SignIn
from bot.runtime.questions.connect import ConnectQuestions
from bot.scheduler import OUTSIDE_SECONDS, Scheduler
from bot.settings import Settings
from bot.slack.connection.sign_in import SlackSignIn
from bot.slack.connection.web import SlackWeb
from bot.store.repositories.due import Due
from bot.wiring.google import firebase_sessions, google_provider
from bot.wiring.store import Base, connections
from integrations.google import scopes

_DIRECTORY_SECONDS = 3.0  # a person who calls over HTTP is looked up no longer; then the row counts
_TICK_SECONDS = 5.0  # what a connection answers is answered when it is made; this is for what broke off then


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """The parts. Without `connecting` people cannot connect accounts here: the configuration lacks something."""

    connections: ConnectionService
    questions: ConnectQuestions
    revoking: Revoking
    connecting: OAuthFlow | None
    pages: OAuthPages | None

    def routes(self) -> Sequence[Route]:
        """The pages, if there are any."""
        return self.pages.routes() if self.pages else ()

    def keep(self, scheduler: Scheduler) -> None:
        """Take up what broke off when an account was connected, and give back what is not wanted any more."""
        scheduler.every(_TICK_SECONDS, "accounts", self.questions.tick)
        scheduler.when_found(Due.REVOCATIONS, self.revoking.tick, seconds=_TICK_SECONDS, within=OUTSIDE_SECONDS)


def are_offered(settings: Settings) -> bool:
    """Whether people can connect accounts of their own."""
    return bool(settings.google_client_id and settings.google_client_secret and settings.public_url)


def accounts(base: Base, transactions: TransactionFactory, *, lock: DistributedLock, url: str) -> Accounts:
    """The parts of this process; `url` is where it listens."""
    settings = base.settings
    connected = connections(base, lock=lock)
    public_url = public_address(settings, url)
    provider = google_provider(settings, public_url)
    questions = ConnectQuestions(transactions=transactions, lacking=scopes.lacking)
    revoking = Revoking(transactions=transactions, connections=connected, provider=provider)
    connecting = pages = None
    if provider is not None and are_offered(settings):
        connecting = OAuthFlow(
            transactions=transactions,
            keyring=base.keyring,
            provider=provider,
            connections=connected,
            questions=questions,
            revoking=revoking,
            match_policy=AccountMatchPolicy(
                domains=settings.allowed_domains, strict=settings.google_other_address == "refuse"
            ),
            public_url=public_url,
        )
        browsers = Browsers(public_url=public_url)
        pages = OAuthPages(connecting=connecting, browsers=browsers, auth_url=provider.auth_url)
    return Accounts(
        connections=connected,
        questions=questions,
        revoking=revoking,
        connecting=connecting,
        pages=pages,
    )


class Directory(Profiles, Addresses, Protocol):
    """The people of the workspace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningIn:
    """Who may call over HTTP, None where there is no way of signing in; and our own pages for that, if there are any.

    The way in takes `callers` to its routes.
    """

    callers: Callers | None
    pages: SignInPages | None

    def routes(self) -> Sequence[Route]:
        """The pages."""
        return self.pages.routes() if self.pages else ()


def signing_in(
    base: Base, transactions: TransactionFactory, *, web: SlackWeb, team: str, directory: Directory, url: str
) -> SigningIn:
    """The ways of this installation, our own sessions first; `url` is where it listens. Raises `Misconfigured`."""
    settings = base.settings
    browsers, sessions = Browsers(public_url=public_address(settings, url)), SessionService(transactions=transactions)
    provider = slack_sign_in(base, web, team=team, public_url=browsers.public_url)
    own = SessionAuthenticator(cookie=browsers.cookie(SESSION), teams=frozenset({team}), sessions=sessions)
    made = callers(base, transactions, team=team, directory=directory, first=[own] if provider else [])
    if provider is None or made is None:
        return SigningIn(callers=made, pages=None)
    flow = SignIn(
        provider=provider,
        callers=made,
        sessions=sessions,
        keyring=base.keyring,
        clock=base.clock,
        origins=settings.origins,
    )
    pages = SignInPages(
        signing_in=flow,
        sessions=sessions,
        browsers=browsers,
        authorize_url=provider.authorize_url,
        application=settings.application,
        rate=AddressRate(per_minute=settings.http_requests_per_minute),
    )
    return SigningIn(callers=made, pages=pages)


def slack_sign_in(base: Base, web: SlackWeb, *, team: str, public_url: str) -> SlackSignIn | None:
    """Slack as the place where people sign in, where that is configured. Raises `NotEncrypted`."""
    settings = base.settings
    if not (settings.slack_client_id and settings.slack_client_secret and settings.public_url):
        return None
    return SlackSignIn(
        web=web,
        client_id=settings.slack_client_id,
        client_secret=settings.slack_client_secret.get_secret_value(),
        redirect_uri=redirect_uri(public_url),
        api_url=settings.slack_api_url,
        team=team,
        clock=base.clock,
    )


def callers(
    base: Base,
    transactions: TransactionFactory,
    *,
    team: str,
    directory: Directory,
    first: Sequence[Authenticator] = (),
) -> Callers | None:
    """Who may call over HTTP, where there is a way of signing in: `first` these, then Firebase. Raises
    `Misconfigured`.
    """
    settings, ways = base.settings, [*first]
    profiles = ProfileService(store=base.store, profiles=directory, patience_seconds=_DIRECTORY_SECONDS)
    sessions = firebase_sessions(settings, clock=base.clock)
    if sessions is not None:
        ways.append(
            FirebaseAuthenticator(
                cookie=settings.firebase_session_cookie,
                teams=frozenset({team}),
                identities=sessions,
                profiles=profiles,
                directory=directory,
                store=base.store,
            )
        )
    if not ways:
        return None
    people = People(transactions=transactions, cap=settings.agent_trust_cap)
    return Callers(authenticators=ways, profiles=profiles, people=people)


def public_address(settings: Settings, url: str) -> str:
    """Where browsers reach us; port 0 is the one that this process got."""
    parts = urlsplit(settings.public_url or "")
    if parts.port == 0:
        parts = parts._replace(netloc=f"{parts.netloc.removesuffix(':0')}:{urlsplit(url).port}")
    return parts.geturl()


def cookies_in_force(settings: Settings, public: str) -> Mapping[str, str]:
    """The cookies by which somebody can be signed in at this address, by the names of the ways that are on."""
    names = {"session": Browsers(public_url=public).cookie(SESSION), "firebase": settings.firebase_session_cookie}
    return {way: names[way] for way in ways_in(settings)}


def ways_in(settings: Settings) -> Sequence[Literal["session", "firebase"]]:
    """The ways of signing in that are on."""
    found: list[Literal["session", "firebase"]] = []
    if settings.slack_client_id and settings.slack_client_secret and settings.public_url:
        found.append("session")
    if settings.firebase_project_id:
        found.append("firebase")
    return found
