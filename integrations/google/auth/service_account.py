"""A Google service account's key file, and tokens in people's names made with it, through google-auth."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from google.auth.exceptions import GoogleAuthError, RefreshError
from google.oauth2 import service_account

from integrations.errors import IntegrationError
from integrations.google.auth.transport import MANGLED, BoundedRequest, words_of

_NEEDED = ("client_email", "client_id", "private_key", "token_uri")


class BadAccountFile(IntegrationError):
    """The file is no key of a service account."""


class MintUnreachable(IntegrationError):
    """Google could not be asked for a token; later may work."""


class MintRefused(IntegrationError):
    """Google gave no token; `code` and `description` are its own words, which hold no secret."""

    def __init__(self, code: str, description: str) -> None:
        super().__init__(f"{code}: {description}")
        self.code = code
        self.description = description

    @property
    def lacks_scope(self) -> bool:
        """Whether the administrator did not allow the account to act for people with these scopes.

        Google says nothing more exact: one scope too many refuses all.
        """
        return self.code in {"unauthorized_client", "access_denied"}

    @property
    def knows_no_such_person(self) -> bool:
        """Whether there is no such account in the organisation."""
        return self.code == "invalid_grant" and "email or User ID" in self.description

    @property
    def is_about_the_clock(self) -> bool:
        """Whether this machine's clock is so wrong that Google takes what it signs for old or new."""
        return self.code == "invalid_grant" and "iat and exp" in self.description


@dataclass(frozen=True, slots=True, kw_only=True)
class Minted:
    """An access token in a person's name."""

    access_token: str = field(repr=False)
    scopes: frozenset[str]
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccount:
    """The account of a key file. The library is synchronous, so it runs in a thread."""

    email: str
    client_id: str
    info: Mapping[str, str] = field(repr=False)

    async def mint(self, subject: str | None, scopes: frozenset[str]) -> Minted:
        """A token for these scopes, in the person's name or in the account's own.

        Raises `MintRefused` or `MintUnreachable`.
        """
        return await asyncio.to_thread(self._mint, subject, scopes)

    def _mint(self, subject: str | None, scopes: frozenset[str]) -> Minted:
        make = cast("Any", service_account.Credentials).from_service_account_info  # google-auth is typed in part only
        credentials = make(self.info, scopes=sorted(scopes), subject=subject)
        try:
            credentials.refresh(BoundedRequest())
        except RefreshError as error:
            code, description = words_of(error)
            if cast("Any", error).retryable or not code:
                raise MintUnreachable("Google could not be asked for a token") from None
            raise MintRefused(code, description) from None
        except (GoogleAuthError, *MANGLED):
            raise MintUnreachable("Google could not be asked for a token") from None
        expiry: datetime | None = credentials.expiry
        if not isinstance(credentials.token, str) or expiry is None:
            raise MintUnreachable("Google's answer has no token")
        return Minted(access_token=credentials.token, scopes=scopes, expires_at=expiry.replace(tzinfo=UTC))


def read_service_account(text: str, *, token_url: str | None = None) -> ServiceAccount:
    """The account of a key file as the Cloud console makes it; `token_url` replaces Google's.

    Raises `BadAccountFile`.
    """
    try:
        found = cast("object", json.loads(text))
    except ValueError:
        raise BadAccountFile("it is no JSON") from None
    info = cast("dict[str, str]", found) if isinstance(found, dict) else {}
    if info.get("type") != "service_account" or not all(isinstance(info.get(name), str) for name in _NEEDED):
        raise BadAccountFile("it is not the key of a service account")
    if token_url:
        info = {**info, "token_uri": token_url}
    account = ServiceAccount(email=info["client_email"], client_id=info["client_id"], info=info)
    try:
        cast("Any", service_account.Credentials).from_service_account_info(info)
    except (ValueError, GoogleAuthError):
        raise BadAccountFile("its private key cannot be read") from None
    return account
