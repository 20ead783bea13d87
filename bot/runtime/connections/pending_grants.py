"""Pending grants: sealed in their attempt until the person at the browser says whose account it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.domain.connections import OAuthAttempt, Secret
from bot.secrets import CannotOpen, KeyRing
from integrations.grants import Granted, RefreshedToken

log = structlog.get_logger()


def bound_to(connect: OAuthAttempt, what: Secret) -> str:
    """What a secret of this attempt is bound to."""
    return what.of(provider=connect.provider, team=connect.team, user=connect.user, row_id=connect.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingGrants:
    """Seals and opens what an attempt holds."""

    keyring: KeyRing

    def sealed(self, connect: OAuthAttempt, granted: Granted) -> str:
        """What is kept in the attempt's row."""
        return self.keyring.seal(_as_text(granted), bound_to=bound_to(connect, Secret.HELD))

    def opened(self, connect: OAuthAttempt) -> Granted | None:
        """What the attempt holds; None for nothing, and when no key of ours opens it."""
        if connect.held is None:
            return None
        try:
            return _from_text(self.keyring.open(connect.held, bound_to=bound_to(connect, Secret.HELD)))
        except CannotOpen as error:
            log.error("connect.sealed", connect=connect.id, reason=str(error))
            return None


def _as_text(granted: Granted) -> str:
    token = granted.token
    return json.dumps(
        {
            "account": granted.account,
            "email": granted.email,
            "domain": granted.domain,
            "scopes": sorted(granted.scopes),
            "access": token.access_token,
            "refresh": token.refresh_token,
            "until": token.expires_at.isoformat() if token.expires_at else None,
        }
    )


def _from_text(text: str) -> Granted:
    data = json.loads(text)
    until = datetime.fromisoformat(data["until"]) if data["until"] else None
    return Granted(
        account=data["account"],
        email=data["email"],
        domain=data["domain"],
        scopes=frozenset(data["scopes"]),
        token=RefreshedToken(access_token=data["access"], refresh_token=data["refresh"], expires_at=until),
    )
