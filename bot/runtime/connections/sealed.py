"""Sealed secrets of accounts: a connection's tokens, and a grant until the person at the browser says whose it is."""

from __future__ import annotations

import json
from datetime import datetime

import structlog

from bot.domain.connections import Connection, OAuthAttempt
from bot.domain.seals import Secret
from bot.secrets import CannotOpen, KeyRing
from integrations.grants import Granted, Tokens

log = structlog.get_logger()


def bound_to(team: str, user: str, provider: str) -> str:
    """What the tokens of this person's connection are bound to."""
    return Secret.TOKENS.of(provider=provider, team=team, user=user)


def attempt_bound_to(connect: OAuthAttempt, what: Secret) -> str:
    """What a secret of this attempt is bound to."""
    return what.of(provider=connect.provider, team=connect.team, user=connect.user, row_id=connect.id)


def seal_tokens(keyring: KeyRing, tokens: Tokens, team: str, user: str, provider: str) -> str:
    """What is kept in the connection's row."""
    return keyring.seal(json.dumps(_as_json(tokens)), bound_to=bound_to(team, user, provider))


def tokens_of(keyring: KeyRing, connection: Connection) -> Tokens | None:
    """The tokens of a connection; None when no key of ours opens them."""
    bound = bound_to(connection.team, connection.user, connection.provider)
    try:
        return _from_json(json.loads(keyring.open(connection.secret, bound_to=bound)))
    except CannotOpen as error:
        log.error("connection.sealed", team=connection.team, user=connection.user, reason=str(error))
        return None


def seal_grant(keyring: KeyRing, connect: OAuthAttempt, granted: Granted) -> str:
    """What is kept in the attempt's row."""
    about = {"account": granted.account, "email": granted.email, "domain": granted.domain}
    text = json.dumps({**about, "scopes": sorted(granted.scopes), **_as_json(granted.token)})
    return keyring.seal(text, bound_to=attempt_bound_to(connect, Secret.HELD))


def held_grant(keyring: KeyRing, connect: OAuthAttempt) -> Granted | None:
    """What the attempt holds; None for nothing, and when no key of ours opens it."""
    if connect.held is None:
        return None
    try:
        data = json.loads(keyring.open(connect.held, bound_to=attempt_bound_to(connect, Secret.HELD)))
    except CannotOpen as error:
        log.error("connect.sealed", connect=connect.id, reason=str(error))
        return None
    return Granted(
        account=data["account"],
        email=data["email"],
        domain=data["domain"],
        scopes=frozenset(data["scopes"]),
        token=_from_json(data),
    )


def _as_json(tokens: Tokens) -> dict[str, str | None]:
    until = tokens.expires_at.isoformat() if tokens.expires_at else None
    return {"access": tokens.access_token, "refresh": tokens.refresh_token, "until": until}


def _from_json(data: dict[str, str]) -> Tokens:
    until = datetime.fromisoformat(data["until"]) if data["until"] else None
    return Tokens(access_token=data["access"], refresh_token=data["refresh"], expires_at=until)
