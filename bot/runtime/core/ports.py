"""What an adapter implements: the dispatcher, the timetable, the surface, the providers of accounts, the repositories,
what tells who calls over HTTP.

`runtime` is written against these and knows no adapter; `bot.wiring` joins them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.deliveries import Delivery
from bot.errors import BotError
from integrations.grants import Access, Consent, Granted
from integrations.ports import RepositoryProblem, RepositorySummary


class Timetable(Protocol):
    """When a schedule fires."""

    def next(self, spec: Mapping[str, object], zone: str, *, after: datetime) -> datetime | None:
        """The first moment of this schedule later than `after`; None when there is none. Raises `BadSchedule`."""
        ...


class Dispatcher(Protocol):
    """Wakes a thread's work. Rows are the truth: a lost or doubled wake-up is harmless."""

    @property
    def closing(self) -> bool:
        """Whether the process is about to end: what runs is waited for, and nothing more is to be begun."""
        ...

    def wake(self, thread_id: str, *, here: bool = False) -> None:
        """Have the thread served; `here` by this process, if it can, because somebody follows it from here."""
        ...

    def expect(self, thread_id: str) -> bool:
        """Before a commit that gives a thread work: begin to serve it, with a lease that is taken in the same commit.
        False where that cannot be; else it needs no wake-up.
        """
        ...

    def is_expected(self, thread_id: str) -> bool:
        """Whether it is served because of that, for the first time."""
        ...


class DeliveryFailed(BotError):
    """A delivery did not reach Slack. `retry_after` seconds, or None for an error that cannot heal."""

    def __init__(self, why: str, *, retry_after: float | None) -> None:
        super().__init__(why)
        self.retry_after = retry_after


class Display(Protocol):
    """Where people see things."""

    async def deliver(self, delivery: Delivery) -> None:
        """Render the subject from current rows and show it; raises `DeliveryFailed`, or `LostRace` where that is
        not for us to do any more.
        """
        ...


class AccountProvider(Protocol):
    """A provider at which people have accounts: its scopes, its consent page and what comes of that."""

    def offered(self, missing: frozenset[str]) -> Sequence[Access]:
        """What a person may choose to allow; with something missing only what brings it."""
        ...

    def described(self, granted: frozenset[str]) -> str:
        """What was allowed, in words; empty when it is nothing that the agent can use."""
        ...

    def lacking(self, granted: frozenset[str], wanted: frozenset[str]) -> frozenset[str]:
        """The scopes that are wanted and neither granted nor included in one that is."""
        ...

    def staying(self, before: frozenset[str], chosen: frozenset[str]) -> frozenset[str]:
        """What stays of an earlier choice beside this one: what is about another part of the account."""
        ...

    async def consent(self, scopes: frozenset[str], *, state: str, email: str | None, adds: bool) -> Consent:
        """Where the browser goes; `email` is the address that the account probably has. `adds` says that it is to hold
        what was granted before as well.
        """
        ...

    async def granted(self, code: str, *, verifier: str) -> Granted:
        """What the code that the browser brought back stands for; raises `ConsentFailed`."""
        ...

    async def revoke(self, refresh_token: str) -> bool:
        """End a grant; whether it is ended now. Raises nothing."""
        ...


class RepositoryView(Protocol):
    """The repositories that plans are made from."""

    async def names(self) -> Sequence[str]:
        """Names that people may give. Raises nothing."""
        ...

    async def view(self, repo_url: str) -> RepositorySummary | RepositoryProblem:
        """What there is to say of one, by its URL as a person gave it. Raises nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls over HTTP: a person by their Slack ids."""

    team: str
    user: str


class NotSignedIn(BotError):
    """Nobody is signed in, or not any more."""


class NotAllowed(BotError):
    """Whoever is signed in may not use the agent; the message tells them why."""


class NoSuchPerson(BotError):
    """The directory answered, and there is nobody by this id."""


class SignInUnavailable(BotError):
    """Who calls cannot be found out now; later may work."""


class Authenticator(Protocol):
    """One way of signing in."""

    async def caller(self, cookies: Mapping[str, str]) -> Caller | None:
        """Who calls, by a request's cookies; None where none is of this kind.

        Raises `NotSignedIn`, `NotAllowed`, `SignInUnavailable`; it ends within seconds.
        """
        ...


class SignInProvider(Protocol):
    """Where browsers go to sign in, and come back from with a code."""

    def url(self, *, state: str, nonce: str) -> str:
        """Where the browser goes."""
        ...

    async def caller(self, code: str, *, nonce: str) -> Caller:
        """Who came back with this code from where this nonce was sent along.

        Raises `NoIdentity` and `IdentityUnavailable` of `integrations.identities`, and `NotAllowed` for people of a
        workspace where the agent is not installed.
        """
        ...


Sleep = Callable[[float], Awaitable[None]]
