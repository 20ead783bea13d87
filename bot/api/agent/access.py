"""Who may ask what: the origin of a request, who sends it, how many there are, and how many wait at once."""

from __future__ import annotations

import contextlib
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Mapping, Set
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from typing import Protocol

from starlette.requests import Request

from bot.api.cookies import cookies_of
from bot.api.refusals import HttpRefusal, busy
from bot.domain.threads import User
from bot.runtime.core.ports import NotAllowed, NotSignedIn, SignInUnavailable

PER_PERSON = 5
"""Answers and streams of one person that may be waited for at the same time."""

MOST_ADDRESSES = 10_000

SIGN_IN = "/auth/slack"
"""Where people sign in with Slack (`bot.api.sign_in`)."""

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Callers(Protocol):
    """Who calls (`bot.runtime.people.callers`)."""

    async def person(self, cookies: Mapping[str, str]) -> User:
        """A full member. Raises `NotSignedIn`, `NotAllowed`, `SignInUnavailable`."""
        ...


@dataclass(slots=True, kw_only=True)
class Slots:
    """How many may wait. A waiting request holds a connection, and some of these are left to everybody else."""

    most: int
    per_person: int = PER_PERSON
    _taken: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    @contextlib.contextmanager
    def held(self, person: User) -> Generator[None]:
        """One of them, until the block ends. Raises `HttpRefusal`."""
        who = (person.team, person.user)
        if self._taken[who] >= self.per_person:
            words = f"You wait for {self.per_person} answers already. Wait for one of them, or leave one."
            raise HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS, "too_many_open", words, retry_after=5)
        if self._taken.total() >= self.most:
            raise busy("Too many wait here at the moment, so this request did nothing. Send it again.")
        self._taken[who] += 1
        try:
            yield
        finally:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]


@dataclass(slots=True, kw_only=True)
class AddressRate:
    """How many requests one address may send in a minute, so that nobody can guess or keep us busy without an account.

    0: any number. The addresses heard last are remembered; a network of IPv6, which one person has a whole of, is one.
    """

    per_minute: int
    monotonic: Callable[[], float] = time.monotonic
    _next: OrderedDict[str, float] = field(default_factory=OrderedDict[str, float])

    def count(self, address: str) -> None:
        """Count one. Raises `HttpRefusal`."""
        if not self.per_minute:
            return
        now, step, place = self.monotonic(), 60.0 / self.per_minute, _network_of(address)
        due = max(now, self._next.pop(place, now)) + step
        self._next[place] = min(due, now + 60.0)
        if len(self._next) > MOST_ADDRESSES:
            self._next.popitem(last=False)
        if due > now + 60.0:
            words = "Too many requests come from this address, so this request did nothing. Wait a moment."
            raise HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS, "too_fast", words, retry_after=step, close=True)


def _network_of(address: str) -> str:
    """Of an IPv6 address its first 64 bits: the others are its holder's choice (RFC 6177)."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return f"{int(read) >> 64:x}::/64" if isinstance(read, IPv6Address) else address


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAccess:
    """Lets requests in. Pages that write here may stand at `origins`, of which `own` is our own address.
    `cookies` say who is signed in, by the names of the ways.
    """

    callers: Callers
    own: str
    origins: Set[str]
    cookies: Mapping[str, str]
    rate: AddressRate

    async def person(self, request: Request) -> User:
        """Who sends it. Raises `HttpRefusal`."""
        self.rate.count(request.client.host if request.client else "")
        if request.method not in _SAFE:
            self._check_origin(request)
        return await self._signed_in(request, "so this request did nothing. Send it again.")

    async def still(self, request: Request, person: User, run_id: str) -> None:
        """Whoever sent it is signed in as before, while the run that they asked for goes on. Raises `HttpRefusal`."""
        try:
            now = await self._signed_in(request, "so nothing more is told here; the run goes on. Ask for it again.")
            if (now.team, now.user) != (person.team, person.user):
                raise self._not_signed_in()
        except HttpRefusal as refusal:
            refusal.run_id = run_id
            raise

    async def _signed_in(self, request: Request, otherwise: str) -> User:
        """Who it is; `otherwise` says what is the case where that cannot be found out now."""
        try:
            return await self.callers.person(cookies_of(request.headers))
        except NotSignedIn:
            raise self._not_signed_in() from None
        except NotAllowed as refusal:
            raise HttpRefusal(HTTPStatus.FORBIDDEN, "not_allowed", str(refusal), close=True) from None
        except SignInUnavailable:
            raise busy(f"Who you are cannot be found out at the moment, {otherwise}") from None

    def _check_origin(self, request: Request) -> None:
        """A browser sends a person's cookies along with what any page asks for, and says where that page stands."""
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
        if origin in self.origins or (origin is None and site == "same-origin"):
            return
        ours = " or ".join([self.own, *sorted(self.origins - {self.own})])
        words = f"Requests that change something must come from {ours}: send that as Origin."
        raise HttpRefusal(HTTPStatus.FORBIDDEN, "wrong_origin", words, close=True)

    def _not_signed_in(self) -> HttpRefusal:
        how = {"session": f", which people get at {SIGN_IN}", "firebase": " of a session with Firebase"}
        ways = ", or ".join(f"the cookie {name}{how[way]}" for way, name in self.cookies.items())
        words = f"Sign in first. A request needs {ways}, and there is none here that counts."
        return HttpRefusal(HTTPStatus.UNAUTHORIZED, "not_signed_in", words, close=True)
