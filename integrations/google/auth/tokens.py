"""Refreshing Google's tokens, through google-auth (developers.google.com/identity/protocols/oauth2/web-server)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from google.auth.exceptions import GoogleAuthError, RefreshError
from google.oauth2.credentials import Credentials

from integrations.errors import ClientRefused, GrantGone, IntegrationError
from integrations.google.auth.transport import MANGLED, BoundedRequest, words_of
from integrations.grants import Tokens

_GONE = {"invalid_grant", "unauthorized_client", "invalid_rapt"}
_NO_CLIENT = {"invalid_client", "deleted_client"}


class RefreshFailed(IntegrationError):
    """Google could not be asked for a new token; later may work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleTokens:
    """Implements `integrations.grants.TokenRefresher`. The library is synchronous, so it runs in a thread."""

    token_url: str
    client_id: str
    client_secret: str

    async def refresh(self, refresh_token: str) -> Tokens:
        """A new access token; raises `GrantGone`, `ClientRefused` or `RefreshFailed`."""
        return await asyncio.to_thread(self._refresh, refresh_token)

    def _refresh(self, refresh_token: str) -> Tokens:
        credentials = cast("Any", Credentials)(  # google-auth is typed in part only
            token=None,
            refresh_token=refresh_token,
            token_uri=self.token_url,
            client_id=self.client_id,
            client_secret=self.client_secret,
        )
        try:
            credentials.refresh(BoundedRequest())
        except RefreshError as error:
            code, _ = words_of(error)
            if code in _GONE:
                raise GrantGone from None
            if code in _NO_CLIENT:
                raise ClientRefused from None
            raise RefreshFailed("the token was not refreshed") from None
        except (GoogleAuthError, *MANGLED):
            raise RefreshFailed("the token was not refreshed") from None
        if not isinstance(credentials.token, str):
            raise RefreshFailed("the answer has no token")
        expiry: datetime | None = credentials.expiry
        return Tokens(
            access_token=credentials.token,
            refresh_token=str(credentials.refresh_token or refresh_token),
            expires_at=expiry.replace(tzinfo=UTC) if expiry else None,
        )
