"""Sign in with Slack: who agreed to what, the codes and tokens that stand for it, and the key of id_tokens."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from playground.google.oauth.keys import SigningKey
from playground.slack.errors import Refused
from playground.slack.records import User


@dataclass(slots=True, kw_only=True)
class Agreed:
    """What a person agreed to, and for which request."""

    user: User
    nonce: str
    scopes: frozenset[str]
    redirect_uri: str
    until: float
    used: bool = False


class OpenId:
    """Codes and tokens of one world. `changed` are claims that id_tokens have instead of their own (None: left out)."""

    def __init__(self) -> None:
        self.codes: dict[str, Agreed] = {}
        self.tokens: dict[str, Agreed] = {}
        self.changed: Mapping[str, object] = {}

    def agree(self, agreed: Agreed) -> str:
        """A code, good once."""
        code = f"{secrets.randbelow(10**12)}.{secrets.token_hex(32)}"
        self.codes[code] = agreed
        return code

    def take(self, code: str, *, redirect_uri: str, now: float) -> Agreed:
        """Uses up a code; raises `Refused` with Slack's words."""
        agreed = self.codes.get(code)
        if agreed is None or agreed.until <= now:
            raise Refused("invalid_code")
        if agreed.used:
            raise Refused("code_already_used")
        if redirect_uri != agreed.redirect_uri:
            raise Refused("bad_redirect_uri")
        agreed.used = True
        return agreed


def new_key() -> SigningKey:
    """The key of id_tokens; it is made when it is first needed."""
    return SigningKey()
