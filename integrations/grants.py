"""Access to people's accounts: what a call needs of it, how it is asked for and kept fresh."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from integrations.base import Requester
from integrations.errors import IntegrationError


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleGrant:
    """What a call to Google needs: the account (`sub`), its address, an access token and the scopes really granted."""

    account: str
    email: str
    access_token: str = field(repr=False)
    scopes: frozenset[str]


class GoogleGrants(Protocol):
    """Where Google credentials come from."""

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        """A fresh grant that covers the scopes; raises `NotConnected`, whose message says how to connect.

        `refused` is an access token that Google just answered 401 to: that one is not handed out again.
        """
        ...

    async def refused(self, requester: Requester, account: str) -> None:
        """Google answered 401: the connection is marked as not working until somebody connects again."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """What a provider gave: an access token with its end, and the refresh token that counts from now on."""

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """A part of an account that a person may let the agent use, as it is offered to them."""

    id: str
    label: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """Where a browser goes to be asked, and the PKCE verifier that proves afterwards that it was us who sent it."""

    url: str
    verifier: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """Whose account it is, by the provider's signed word, and what was really granted.

    `account` is the provider's own id of it; `domain` the organisation that it belongs to, empty for a private one.
    """

    account: str
    email: str
    domain: str
    scopes: frozenset[str]
    token: Tokens


class ConsentFailed(IntegrationError):
    """What a browser brought back from the provider is no consent that can be used.

    `why` is `code` (not accepted, or used before), `answer` (one that cannot be read), `identity` (whose account it is
    was not said credibly), `not_lasting` (no refresh token) or `unavailable` (the provider could not be asked).
    `unkept` is what was granted all the same, to be given back; of it only the account and the token count.
    """

    def __init__(self, why: str, *, unkept: Granted | None = None) -> None:
        super().__init__(f"The consent cannot be used: {why}.")
        self.why = why
        self.unkept = unkept


class TokenRefresher(Protocol):
    """Gets new access tokens."""

    async def refresh(self, refresh_token: str) -> Tokens:
        """A new token. Raises `GrantGone`, or another `IntegrationError` when later may work."""
        ...
