"""A service account that acts for the people of a Google Workspace: the administrator's way instead of everybody's own.

"Using OAuth 2.0 for Server to Server Applications" of Google Identity, "Delegating domain-wide authority": nobody is
asked for consent, so who is acted for is decided by the address of the Slack profile, and only in the domains that an
administrator listed here.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from integrations.base import Requester
from integrations.errors import ToolFailed
from integrations.google import scopes as s
from integrations.google.auth.service_account import Minted, MintRefused, MintUnreachable, ServiceAccount
from integrations.grants import GoogleGrant, GoogleGrants
from integrations.ports import Clock

log = structlog.get_logger()

SCOPES = frozenset({s.MAIL_READ, s.MAIL_COMPOSE, s.EVENTS, s.BUSY})
"""What the administrator is to allow the service account."""

OPTIONAL = frozenset({s.MAIL_MODIFY, s.CALENDARS, s.CONTACTS, s.OTHER_CONTACTS, s.DIRECTORY})
"""What the administrator may allow besides: some tools do more with it."""

_BESIDES = OPTIONAL - {s.MAIL_MODIFY}
"""Scopes that no call demands: they are used where they were granted."""

ACCOUNT = "delegated:"
"""What the ids of such accounts begin with; Google's own id of the person is not known."""

_FRESH = timedelta(minutes=5)
_KNOWN_FOR = timedelta(hours=1)
_PLACE = "Admin console, Security, Access and data control, API controls, Manage domain-wide delegation"

_Wanted = tuple[str, frozenset[str]]


def domain_of(email: str | None) -> str:
    """The domain of an address, in small letters; empty where there is none."""
    return (email or "").rpartition("@")[2].strip().lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """Implements `integrations.grants.GoogleGrants` for the people of these domains; `own` is asked for all others.

    It raises no `NotConnected`: there is nothing that the person could connect.
    """

    account: ServiceAccount
    domains: frozenset[str]
    clock: Clock
    own: GoogleGrants | None = None
    _tokens: dict[_Wanted, Minted] = field(default_factory=dict[_Wanted, Minted])
    _allowed: dict[str, tuple[datetime, frozenset[str]]] = field(
        default_factory=dict[str, tuple[datetime, frozenset[str]]]
    )
    _flights: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    def covers(self, email: str | None) -> bool:
        """Whether the service account acts for this address."""
        return domain_of(email) in self.domains

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        """A token in the person's name. Raises `ToolFailed` that says what an administrator has to mend."""
        if not self.covers(requester.email):
            if self.own is None:
                raise _not_covered(requester.email, self.domains)
            return await self.own.grant(requester, scopes, refused=refused)
        email = (requester.email or "").strip().lower()
        async with self._flights[email]:
            minted = await self._minted(email, scopes, refused)
        return GoogleGrant(
            account=f"{ACCOUNT}{email}", email=email, access_token=minted.access_token, scopes=minted.scopes
        )

    async def refused(self, requester: Requester, account: str) -> None:
        """Google answered 401 to a fresh token: the next call asks for another one."""
        if account.startswith(ACCOUNT):
            log.warning("delegation.token_refused", team=requester.team, user=requester.user)
            self._forget(account.removeprefix(ACCOUNT))
        elif self.own is not None:
            await self.own.refused(requester, account)

    async def _minted(self, email: str, scopes: frozenset[str], refused: str | None) -> Minted:
        kept = self._kept(email, scopes)
        if kept is not None and kept.access_token != refused:
            return kept
        self._forget(email)
        try:
            minted = await self._widest(email, scopes)
        except MintUnreachable as error:
            raise ToolFailed(
                "google_unavailable", "Google could not be reached, so nothing was done.", private=False
            ) from error
        except MintRefused as error:
            log.warning("delegation.refused", reason=error.code, description=error.description)
            raise told(error, self.account, email, scopes) from error
        self._tokens[email, scopes] = minted
        return minted

    async def _widest(self, email: str, scopes: frozenset[str]) -> Minted:
        """A token for all that the tools use or are the better for; where that was not allowed, for what this call
        needs, and what it is the better for.
        """
        besides = await self._besides(email)
        if not scopes >= SCOPES:
            try:
                return await self.account.mint(email, SCOPES | s.lacking(SCOPES, scopes) | besides)
            except MintRefused as error:
                if not error.lacks_scope:
                    raise
        return await self.account.mint(email, scopes | besides)

    async def _besides(self, email: str) -> frozenset[str]:
        """What the administrator of this domain allowed of what no call demands; asked for once an hour."""
        domain, now = domain_of(email), self.clock.now()
        known = self._allowed.get(domain)
        if known is None or now - known[0] > _KNOWN_FOR:
            whole = await self._are_allowed(email, _BESIDES)
            each = _BESIDES if whole else {scope for scope in _BESIDES if await self._are_allowed(email, {scope})}
            known = self._allowed[domain] = now, frozenset(each)
        return known[1]

    async def _are_allowed(self, email: str, scopes: Set[str]) -> bool:
        """Google refuses all for one scope too many, and does not say which."""
        try:
            await self.account.mint(email, frozenset(scopes))
        except MintRefused as error:
            if not error.lacks_scope:
                raise
            return False
        return True

    def _kept(self, email: str, scopes: frozenset[str]) -> Minted | None:
        now = self.clock.now()
        fitting = (
            kept for (who, _), kept in self._tokens.items() if who == email and not s.lacking(kept.scopes, scopes)
        )
        return next((kept for kept in fitting if kept.expires_at - now > _FRESH), None)

    def _forget(self, email: str) -> None:
        for key in [key for key in self._tokens if key[0] == email]:
            del self._tokens[key]


def _not_covered(email: str | None, domains: Iterable[str]) -> ToolFailed:
    whose = " or ".join(sorted(domains))
    has = f"has the address {email}" if email else "has no address that I may see"
    return ToolFailed(
        "not_delegated",
        f"Google accounts are used here for addresses of {whose} only, and your Slack profile {has}. "
        "Nothing was done. Ask your administrator.",
    )


def told(error: MintRefused, account: ServiceAccount, email: str, scopes: Iterable[str]) -> ToolFailed:
    """What people read, with the administrator's next step in it."""
    if error.lacks_scope:
        return ToolFailed("delegation_missing", f"{missing_scopes(account, scopes)} Nothing was done.", private=False)
    if error.knows_no_such_person:
        message = f"Google knows no account {email} in this organisation, so nothing was done. Ask your administrator."
        return ToolFailed("no_google_account", message)
    message = (
        f"Google does not accept the service account ({error.code}), so nothing was done. "
        "An administrator finds the reason with `countersign doctor`."
    )
    return ToolFailed("delegation_refused", message, private=False)


def missing_scopes(account: ServiceAccount, scopes: Iterable[str]) -> str:
    """What an administrator does about scopes that the service account was not allowed."""
    return (
        f"The service account {account.email} was not allowed this by the Google Workspace administrator. In the "
        f"{_PLACE}: add or edit the client ID {account.client_id} with these scopes: {', '.join(sorted(scopes))}."
    )
