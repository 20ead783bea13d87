"""Who calls over HTTP: signed in by one of the ways that are in force, and a full member of their workspace today."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from bot.domain.threads import User
from bot.runtime.core.ports import Authenticator, Caller, NotAllowed, NotSignedIn, SignInUnavailable
from bot.runtime.people.people import People
from bot.runtime.people.profiles import NobodyKnown, NotLookedUp, ProfileService
from bot.store.errors import NotRead, NotSaved

log = structlog.get_logger()

LIMIT_SECONDS = 15.0
"""For all of it. Each part has a limit of its own; this is for their sum."""

RECORD_SECONDS = 60.0
"""The log has a refusal of the same person once in this time: anybody can repeat a request."""

MOST_REFUSED = 1_000

_UNKNOWN = "Slack knows nobody by the id that you are signed in with."
_NO_MEMBER = "I work for full members of the workspace only, and you are not one of them."


@dataclass(frozen=True, slots=True, kw_only=True)
class Callers:
    """The ways of signing in, in the order in which they are asked; each person is looked at each time."""

    authenticators: Sequence[Authenticator]
    profiles: ProfileService
    people: People
    limit_seconds: float = LIMIT_SECONDS
    monotonic: Callable[[], float] = time.monotonic
    _refused: OrderedDict[Caller, float] = field(default_factory=OrderedDict[Caller, float])

    async def person(self, cookies: Mapping[str, str]) -> User:
        """Who calls. Raises `NotSignedIn`, `NotAllowed`, `SignInUnavailable`."""
        try:
            async with asyncio.timeout(self.limit_seconds):
                return await self.member(await self._caller(cookies))
        except (TimeoutError, NotRead, NotSaved) as error:
            log.warning("sign_in.unavailable", by="callers", what=type(error).__name__)
            raise SignInUnavailable from error

    async def _caller(self, cookies: Mapping[str, str]) -> Caller:
        """Whom the first one knows that knows anybody: a session that ended may lie beside one that did not."""
        for authenticator in self.authenticators:
            try:
                found = await authenticator.caller(cookies)
            except NotSignedIn:
                continue
            if found is not None:
                return found
        raise NotSignedIn

    async def member(self, caller: Caller) -> User:
        """The person, who may use the agent today. Raises `NotAllowed`, `SignInUnavailable`, `NotRead`, `NotSaved`."""
        try:
            person = await self.profiles.person(caller.team, caller.user)
        except NotLookedUp as error:
            raise SignInUnavailable from error
        except NobodyKnown:
            raise NotAllowed(_UNKNOWN) from None
        if not person.is_member:
            await self._record(caller)
            raise NotAllowed(_NO_MEMBER)
        return person

    async def _record(self, caller: Caller) -> None:
        now = self.monotonic()
        if now - self._refused.get(caller, float("-inf")) < RECORD_SECONDS:
            return
        self._refused[caller] = now
        self._refused.move_to_end(caller)
        if len(self._refused) > MOST_REFUSED:
            self._refused.popitem(last=False)
        await self.people.turned_away(caller.team, caller.user)
