"""Sign in with Slack (docs.slack.dev/authentication/sign-in-with-slack): OpenID Connect, its code and its id_token.

The id_token comes from Slack itself over TLS, so its signature need not be checked (OpenID Connect Core §3.1.3.7); all
the rest is.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode, urljoin

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from bot.errors import Misconfigured
from bot.runtime.core.ports import Caller, NotAllowed
from bot.slack.connection.errors import SlackError, SlackRefused
from bot.slack.connection.schema import text_in
from bot.slack.connection.web import SlackWeb
from bot.urls import is_loopback
from integrations.identities import IdentityUnavailable, NoIdentity
from integrations.ports import Clock

ISSUER = "https://slack.com"
SKEW_SECONDS = 60
SCOPES = "openid"
"""It brings the ids of the person and of their workspace, and nothing more is needed."""

_AUTHORIZE = "/openid/connect/authorize"
_LONGEST = 16_384

_Id = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9]{2,40}$")]


class NotEncrypted(Misconfigured):
    """The word of whoever is on the way would be taken for Slack's."""

    def __init__(self) -> None:
        super().__init__(
            "SLACK_API_URL begins with http://, and SLACK_CLIENT_ID has people sign in there: it must begin with "
            "https://."
        )


def is_encrypted(api_url: str) -> bool:
    """Whether nobody on the way can answer in Slack's place."""
    return api_url.startswith("https://") or is_loopback(api_url)


class _IdToken(BaseModel):
    """The claims that say who signed in, to whom, and for how long it is true."""

    model_config = ConfigDict(strict=True)

    iss: str
    aud: str
    exp: int
    iat: int
    nonce: str
    team: _Id = Field(alias="https://slack.com/team_id")
    user: _Id = Field(alias="https://slack.com/user_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSignIn:
    """Implements `bot.runtime.core.ports.SignInProvider` for the people of one workspace. Raises `NotEncrypted`."""

    web: SlackWeb
    client_id: str
    client_secret: str
    redirect_uri: str
    api_url: str
    team: str
    clock: Clock

    def __post_init__(self) -> None:
        if not is_encrypted(self.api_url):
            raise NotEncrypted

    @property
    def authorize_url(self) -> str:
        """Where Slack asks people."""
        return urljoin(self.api_url, _AUTHORIZE)

    def url(self, *, state: str, nonce: str) -> str:
        """See the port."""
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "scope": SCOPES,
            "state": state,
            "nonce": nonce,
            "team": self.team,
            "redirect_uri": self.redirect_uri,
        }
        return f"{self.authorize_url}?{urlencode(asked)}"

    async def caller(self, code: str, *, nonce: str) -> Caller:
        """See the port."""
        try:
            answer = await self.web.openid_token(
                code, client_id=self.client_id, client_secret=self.client_secret, redirect_uri=self.redirect_uri
            )
        except SlackRefused as error:
            if error.may_heal:
                raise IdentityUnavailable("Slack", error.code) from None
            raise NoIdentity(error.code) from None
        except SlackError as error:
            raise IdentityUnavailable("Slack", type(error).__name__) from None
        return self._checked(_claims(text_in(answer, "id_token")), nonce)

    def _checked(self, claims: _IdToken, nonce: str) -> Caller:
        now = self.clock.now().timestamp()
        wrong = {
            "issuer": claims.iss != ISSUER,
            "audience": claims.aud != self.client_id,
            "nonce": not hmac.compare_digest(claims.nonce.encode(errors="replace"), nonce.encode()),
            "expired": claims.exp + SKEW_SECONDS <= now,
            "later than now": claims.iat - SKEW_SECONDS > now,
        }
        if why := next((why for why, is_wrong in wrong.items() if is_wrong), ""):
            raise NoIdentity(why)
        if claims.team != self.team:
            raise NotAllowed("You signed in to a Slack workspace that I do not work in.")
        return Caller(team=claims.team, user=claims.user)


def _claims(token: str) -> _IdToken:
    try:
        if len(token) > _LONGEST:
            raise NoIdentity("claims")
        _, claims, _ = token.split(".")
        return _IdToken.model_validate(json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4))))
    except (ValidationError, ValueError, binascii.Error, RecursionError):
        raise NoIdentity("claims") from None
