"""`/o/oauth2/v2/auth`: from an app's request to a code, through the pages that a person sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from playground.google.oauth.asking import Asking, Unacceptable, read_asking
from playground.google.oauth.pages import account_page, consent_page, error_page
from playground.google.oauth.scopes import SIGN_IN, described
from playground.google.oauth.switches import Switches
from playground.people import MAIL_DOMAIN, PEOPLE, Person

if TYPE_CHECKING:
    from playground.google.oauth.sign_in import SignIn

PATH = "/o/oauth2/v2/auth"
ISSUER = "https://accounts.google.com"

HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
}


class ConsentRoutes:
    """The sign-in pages. Grants are looked up per request, because a reset makes new ones."""

    def __init__(self, sign_in: Callable[[], SignIn]) -> None:
        self._sign_in = sign_in

    def routes(self) -> list[Route]:
        return [Route(PATH, self._ask, methods=["GET"]), Route(PATH, self._answer, methods=["POST"])]

    async def _ask(self, request: Request) -> Response:
        try:
            asking = read_asking(request.query_params, self._switches)
            return self._asked(request, asking)
        except Unacceptable as error:
            return _html(error_page(error), error.status)

    async def _answer(self, request: Request) -> Response:
        form = parse_qsl((await request.body()).decode(errors="replace"))
        try:
            asking = read_asking(request.query_params, self._switches)
            person = self._allowed_person(asking)
        except Unacceptable as error:
            return _html(error_page(error), error.status)
        if person is None or dict(form).get("decision") != "allow":
            return _refusal(asking, "access_denied")
        ticked = frozenset(value for name, value in form if name == "scope")
        return self._agreed(asking, person, ticked)

    def _asked(self, request: Request, asking: Asking) -> Response:
        person = self._allowed_person(asking)
        if self._switches.auto and person:
            if self._switches.auto == "deny":
                return _refusal(asking, "access_denied")
            return self._agreed(asking, person, frozenset(asking.scopes) - {*self._switches.untick})
        if person and not asking.prompts & {"consent", "select_account"} and self._covered(asking, person):
            return self._agreed(asking, person, frozenset(asking.scopes))
        if "none" in asking.prompts:
            return _refusal(asking, "interaction_required" if person else "login_required")
        if person is None:
            links = {one.handle: _with(request, authuser=one.handle) for one in PEOPLE}
            return _html(account_page(asking, PEOPLE, links))
        held = self._sign_in().grants.held_by(person)
        return _html(
            consent_page(
                asking,
                person,
                described(),
                frozenset() if held.revoked else held.scopes,
                action=_with(request, authuser=person.handle),
                other=_with(request, authuser="", prompt=" ".join(sorted({*asking.prompts, "select_account"}))),
            )
        )

    def _allowed_person(self, asking: Asking) -> Person | None:
        """The person who answers; raises if the app's settings or the administrator refuse that account."""
        switches = self._switches
        person = asking.person
        if switches.auto and switches.person:
            person = next((one for one in PEOPLE if one.handle == switches.person), person)
        if person is None:
            return None
        if switches.internal and person.guest:
            text = f"Countersign is restricted to users within its organization ({MAIL_DOMAIN})."
            raise Unacceptable(403, "org_internal", text)
        if switches.test_users is not None and person.handle not in switches.test_users:
            text = "Countersign has not completed the verification process and can only be used by its test users."
            raise Unacceptable(403, "access_denied", text)
        if switches.admin_policy and not person.guest:
            text = "The administrator of your organization has not allowed this app to use its data."
            raise Unacceptable(400, "admin_policy_enforced", text)
        return person

    def _covered(self, asking: Asking, person: Person) -> bool:
        grant = self._sign_in().grants.held_by(person)
        return not grant.revoked and grant.scopes >= {*asking.scopes}

    def _agreed(self, asking: Asking, person: Person, ticked: frozenset[str]) -> Response:
        """Sends the person back with a code for what they allowed; nothing allowed counts as a refusal."""
        asked = frozenset(asking.scopes)
        allowed = (asked & ticked) | (asked & SIGN_IN)
        if not allowed:
            return _refusal(asking, "access_denied")
        grants = self._sign_in().grants
        grant = grants.held_by(person)
        offline = asking.offline and (grant.revoked or "consent" in asking.prompts)
        grants.consent(person, allowed)
        scopes = grant.scopes if asking.incremental else allowed
        code = self._sign_in().codes.give(
            person=person,
            scopes=scopes,
            redirect_uri=asking.redirect_uri,
            challenge=asking.challenge,
            nonce=asking.nonce,
            offline=offline,
        )
        told = {"code": code, "scope": " ".join(sorted(scopes)), "authuser": "0", "prompt": _prompt(asking)}
        if not person.guest:
            told["hd"] = MAIL_DOMAIN
        return _back(asking, told)

    @property
    def _switches(self) -> Switches:
        return self._sign_in().switches


def _prompt(asking: Asking) -> str:
    return " ".join(sorted(asking.prompts)) or "none"


def _refusal(asking: Asking, error: str) -> Response:
    return _back(asking, {"error": error})


def _back(asking: Asking, told: dict[str, str]) -> Response:
    state = {} if asking.state is None else {"state": asking.state}
    mark = "&" if "?" in asking.redirect_uri else "?"
    url = f"{asking.redirect_uri}{mark}{urlencode({**state, 'iss': ISSUER, **told})}"
    return RedirectResponse(url, 302, headers={"cache-control": "no-store", "referrer-policy": "no-referrer"})


def _with(request: Request, **change: str) -> str:
    """This request's address with other parameters; an empty one is left out."""
    query = {**request.query_params, **change}
    return f"{PATH}?{urlencode({name: value for name, value in query.items() if value})}"


def _html(text: str, status: int = 200) -> Response:
    return HTMLResponse(text, status, headers=HEADERS)
