"""Who a Firebase account is in Slack: the person that its claims name, else the one member with its address."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import structlog

from bot.domain.threads import User
from bot.errors import BotError
from bot.runtime.core.ports import Caller, NotAllowed, NotSignedIn, SignInUnavailable
from bot.runtime.people.profiles import NobodyKnown, NotLookedUp, ProfileService
from bot.store.errors import NotRead, NotSaved
from bot.store.store import Store
from integrations.identities import Identities, Identity, IdentityUnavailable, NoIdentity
from policies.guards.words import address

log = structlog.get_logger()

TEAM_CLAIM, USER_CLAIM = "slack_team_id", "slack_user_id"
_ID = re.compile(r"[A-Z0-9]{2,40}", re.ASCII)

_NOBODY = (
    "Your account belongs to nobody in a Slack workspace that I work in. An administrator gives it the claims "
    f"{TEAM_CLAIM} and {USER_CLAIM}, or you sign in with the address of your Slack profile and confirm it."
)


class Addresses(Protocol):
    """Where people are found by their address. Raises `BotError` when it cannot be asked."""

    async def with_address(self, team: str, email: str) -> User | None:
        """The person of the workspace who has it, if somebody has."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FirebaseAuthenticator:
    """Implements `bot.runtime.core.ports.Authenticator` for Firebase's session cookies.

    `teams` are the workspaces where the agent is installed here, `cookie` is the name of the cookie.
    """

    cookie: str
    teams: frozenset[str]
    identities: Identities
    profiles: ProfileService
    directory: Addresses
    store: Store

    async def caller(self, cookies: Mapping[str, str]) -> Caller | None:
        """See the port."""
        shown = cookies.get(self.cookie)
        if shown is None:
            return None
        try:
            identity = await self.identities.identity(shown)
        except NoIdentity as refusal:
            log.info("sign_in.refused", by="firebase", why=refusal.why)
            raise NotSignedIn from None
        except IdentityUnavailable as failure:
            log.warning("sign_in.unavailable", by="firebase", what=failure.what, reason=failure.reason)
            raise SignInUnavailable from None
        try:
            return await self._person(identity)
        except (NotRead, NotSaved) as error:
            raise SignInUnavailable from error

    async def _person(self, identity: Identity) -> Caller:
        if identity.claims.keys() & {TEAM_CLAIM, USER_CLAIM}:
            found = self._named(identity.claims.get(TEAM_CLAIM), identity.claims.get(USER_CLAIM))
        else:
            found = await self._with_address(identity.email) if identity.email else None
        if found is None:
            log.info("sign_in.nobody", by="firebase", account=identity.account)
            raise NotAllowed(_NOBODY)
        return found

    def _named(self, team: object, user: object) -> Caller | None:
        if not (isinstance(team, str) and team in self.teams and isinstance(user, str) and _ID.fullmatch(user)):
            return None
        return Caller(team=team, user=user)

    async def _with_address(self, email: str) -> Caller | None:
        """The person who has this address now, where no second one has it; rows may be older than the directory, and
        have only those who spoke to the agent before.
        """
        async with self.store.read() as work:
            found = await work.users.members_with(email, self.teams)
        if not found:
            found = await self._in_directory(email)
        if len(found) != 1:
            return None
        (member,) = found
        try:
            person = await self.profiles.person(member.team, member.user)
        except NotLookedUp as error:
            raise SignInUnavailable from error
        except NobodyKnown:
            return None
        return Caller(team=person.team, user=person.user) if _is_same(person.email, email) else None

    async def _in_directory(self, email: str) -> Sequence[User]:
        try:
            asked = [await self.directory.with_address(team, email) for team in sorted(self.teams)]
        except BotError as error:
            log.warning("sign_in.unavailable", by="directory", what=type(error).__name__)
            raise SignInUnavailable from error
        return [person for person in asked if person is not None]


def _is_same(one: str | None, other: str) -> bool:
    return one is not None and address(one) == address(other)
