"""An authorization request, read and checked before anybody sees a page.

Parameters and error names are those of "Using OAuth 2.0 for Web Server Applications" of Google Identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from playground.google.oauth.clients import CLIENT_ID, is_registered
from playground.google.oauth.scopes import described, spelled_out
from playground.google.oauth.switches import Switches
from playground.people import PEOPLE, Person

PROMPTS = frozenset({"none", "consent", "select_account"})


class Unacceptable(Exception):
    """The request gets an error page, since it would send people to an address that cannot be trusted."""

    def __init__(self, status: int, error: str, description: str) -> None:
        self.status = status
        self.error = error
        self.description = description
        super().__init__(f"{error}: {description}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What the app asks a person to allow."""

    redirect_uri: str
    scopes: tuple[str, ...]
    state: str | None
    nonce: str
    challenge: str
    offline: bool
    prompts: frozenset[str]
    incremental: bool
    login_hint: str
    domain: str
    """The `hd` of the request: accounts of this domain are offered first."""
    chosen: Person | None

    @property
    def person(self) -> Person | None:
        """The person who answers: chosen on the account page, or hinted at by an app that skips that page."""
        if self.chosen or "select_account" in self.prompts:
            return self.chosen
        return next((person for person in PEOPLE if self.login_hint.lower() in names_of(person)), None)


def read_asking(query: Mapping[str, str], switches: Switches) -> Asking:
    """The request in a query; raises `Unacceptable`."""
    if query.get("client_id") != CLIENT_ID:
        raise Unacceptable(401, "invalid_client", "The OAuth client was not found.")
    redirect_uri = _needed(query, "redirect_uri")
    if not is_registered(redirect_uri, switches.redirect_uris):
        text = f"The redirect URI in the request, {redirect_uri}, does not match the ones authorized for this client."
        raise Unacceptable(400, "redirect_uri_mismatch", text)
    if _needed(query, "response_type") != "code":
        raise Unacceptable(400, "unsupported_response_type", "Only response_type=code is emulated.")
    _check_proof_key(query)
    prompts = frozenset(query.get("prompt", "").split())
    if not prompts <= PROMPTS or ("none" in prompts and len(prompts) > 1):
        raise Unacceptable(400, "invalid_request", f"Invalid parameter value for prompt: {query.get('prompt')}")
    return Asking(
        redirect_uri=redirect_uri,
        scopes=_scopes(_needed(query, "scope")),
        state=query.get("state"),
        nonce=query.get("nonce", ""),
        challenge=query.get("code_challenge", ""),
        offline=_choice(query, "access_type", ("online", "offline")) == "offline",
        prompts=prompts,
        incremental=_choice(query, "include_granted_scopes", ("false", "true")) == "true",
        login_hint=query.get("login_hint", ""),
        domain=query.get("hd", ""),
        chosen=next((person for person in PEOPLE if person.handle == query.get("authuser")), None),
    )


def names_of(person: Person) -> tuple[str, str]:
    """The values that `login_hint` may have: the address or the account's id."""
    return person.email, person.google_sub


def _scopes(text: str) -> tuple[str, ...]:
    asked = spelled_out(text.split())
    known = described()
    if invalid := [scope for scope in asked if scope not in known]:
        valid = [scope for scope in asked if scope in known]
        raise Unacceptable(
            400,
            "invalid_scope",
            f"Some requested scopes were invalid. {{valid=[{', '.join(valid)}], invalid=[{', '.join(invalid)}]}}",
        )
    return asked


def _check_proof_key(query: Mapping[str, str]) -> None:
    method = query.get("code_challenge_method", "S256" if "code_challenge" not in query else "plain")
    if method != "S256":
        raise Unacceptable(400, "invalid_request", "Only code_challenge_method=S256 is emulated.")
    if "code_challenge_method" in query and not query.get("code_challenge"):
        raise Unacceptable(400, "invalid_request", "Missing required parameter: code_challenge")


def _needed(query: Mapping[str, str], name: str) -> str:
    if not query.get(name):
        raise Unacceptable(400, "invalid_request", f"Missing required parameter: {name}")
    return query[name]


def _choice(query: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    value = query.get(name, choices[0])
    if value not in choices:
        raise Unacceptable(400, "invalid_request", f"Invalid parameter value for {name}: {value}")
    return value
