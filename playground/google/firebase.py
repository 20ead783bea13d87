"""Firebase Authentication of the playground's project: accounts, session cookies, certificates and `accounts:lookup`.

"Manage Session Cookies" of Firebase, and "Method: projects.accounts.lookup" of Identity Toolkit's REST reference. The
cookie itself is made by a product's own server; here a page, `/firebase/sign-in`, is that product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from playground.admin import asked
from playground.google.errors import ApiError
from playground.google.oauth.keys import SigningKey
from playground.google.oauth.service_account import PROJECT
from playground.people import PEOPLE, Person, person_named

if TYPE_CHECKING:
    from playground.clock import Clock
    from playground.google.oauth.sign_in import SignIn

ISSUER = "https://session.firebase.google.com/"
COOKIE = "__session"
COOKIE_SECONDS = 5 * 86_400
CERTIFICATES = "/identitytoolkit/v3/relyingparty/publicKeys"
LOOKUP = f"/v1/projects/{PROJECT}/accounts:lookup"
SIGN_IN = "/firebase/sign-in"
SCOPES = frozenset(
    {"https://www.googleapis.com/auth/identitytoolkit", "https://www.googleapis.com/auth/cloud-platform"}
)
KEPT = {"cache-control": "public, max-age=21600, must-revalidate, no-transform"}


@dataclass(slots=True, kw_only=True)
class Account:
    """A person's account in the product. What was signed in before `valid_since` is revoked."""

    person: Person
    verified: bool = True
    disabled: bool = False
    deleted: bool = False
    valid_since: int = 0
    claims: dict[str, object] = field(default_factory=dict[str, object])

    @property
    def uid(self) -> str:
        return f"firebase-{self.person.handle}"

    def shown(self) -> dict[str, object]:
        """As Identity Toolkit tells of it."""
        told: dict[str, object] = {
            "localId": self.uid,
            "email": self.person.email,
            "emailVerified": self.verified,
            "displayName": self.person.name,
            "validSince": str(self.valid_since),
        }
        return told | ({"disabled": True} if self.disabled else {})


class Firebase:
    """The accounts: one for everybody, with a confirmed address."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.accounts = {person.handle: Account(person=person) for person in PEOPLE}

    def change(self, account: Account, wish: Mapping[str, Any]) -> None:
        """Does what is wished: `revoke`, `disable`, `enable`, `delete`; sets `verified` and `claims`."""
        match wish.get("do"):
            case "revoke":
                account.valid_since = int(self._clock.seconds())
            case "disable" | "enable":
                account.disabled = wish["do"] == "disable"
            case "delete":
                account.deleted = True
            case _:
                pass
        account.verified = bool(wish.get("verified", account.verified))
        account.claims = dict(cast("Mapping[str, object]", wish.get("claims", account.claims)))

    def session(self, account: Account, changed: Mapping[str, object]) -> dict[str, object]:
        """The claims of a session that begins now, with some of them changed, or (None) left out."""
        now = int(self._clock.seconds())
        claims: dict[str, object] = {
            "iss": f"{ISSUER}{PROJECT}",
            "aud": PROJECT,
            "auth_time": now,
            "user_id": account.uid,
            "sub": account.uid,
            "iat": now,
            "exp": now + COOKIE_SECONDS,
            "email": account.person.email,
            "email_verified": account.verified,
            "firebase": {"identities": {"email": [account.person.email]}, "sign_in_provider": "password"},
        }
        claims |= {**account.claims, **changed}
        return {name: value for name, value in claims.items() if value is not None}


class FirebaseRoutes:
    """The routes. Accounts are looked up per request, because a reset makes new ones; keys stay."""

    def __init__(self, firebase: Callable[[], Firebase], sign_in: Callable[[], SignIn]) -> None:
        self._firebase = firebase
        self._sign_in = sign_in
        self._keys = [SigningKey()]

    def routes(self) -> list[Route]:
        return [
            Route(CERTIFICATES, self._certificates, methods=["GET"]),
            Route(LOOKUP, self._lookup, methods=["POST"]),
            Route(SIGN_IN, self._page, methods=["GET"]),
            Route(SIGN_IN, self._signed_in, methods=["POST"]),
            Route("/__admin/firebase", self._admin, methods=["POST"]),
        ]

    async def _certificates(self, request: Request) -> Response:
        """The newest key and the one before: cookies outlive the key that signed them by little."""
        now = self._sign_in().clock.now()
        return JSONResponse({key.id: key.certificate(now) for key in self._keys[-2:]}, headers=KEPT)

    async def _lookup(self, request: Request) -> Response:
        """Accounts by their ids; those that there are not are left out."""
        try:
            _, _, token = request.headers.get("authorization", "").partition(" ")
            access = self._sign_in().grants.by_access_token(token)
            if access.person is not None or not access.scopes & SCOPES:
                raise ApiError(403, "insufficientPermissions", "Request had insufficient authentication scopes.")
        except ApiError as error:
            return JSONResponse(error.body("identitytoolkit"), error.status)
        wanted = (await asked(request)).get("localId", [])
        found = [
            account.shown()
            for account in self._firebase().accounts.values()
            if account.uid in wanted and not account.deleted
        ]
        return JSONResponse({"kind": "identitytoolkit#GetAccountInfoResponse"} | ({"users": found} if found else {}))

    async def _page(self, request: Request) -> Response:
        buttons = "".join(
            f'<p><button name="person" value="{escape(person.handle)}">{escape(person.name)}</button></p>'
            for person in PEOPLE
        )
        title = "Sign in to the product"
        form = f'<form method="post">{buttons}</form>'
        return HTMLResponse(f'<!doctype html><html lang="en"><title>{title}</title><h1>{title}</h1>{form}</html>')

    async def _signed_in(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode(errors="replace")))
        person = person_named(form.get("person", ""))
        if person is None:
            return RedirectResponse(SIGN_IN, 303)
        response = HTMLResponse(f"<!doctype html><title>Signed in</title><p>Signed in as {escape(person.name)}.")
        cookie = self._cookie(self._firebase().accounts[person.handle], {})
        response.set_cookie(COOKIE, cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="strict")
        return response

    async def _admin(self, request: Request) -> Response:
        """`{"person", "do"?, "verified"?, "claims"?, "session"?: {claims of the cookie}, "rotate"?: true}`.

        Answers with a cookie as it is given to that person now.
        """
        wish = await asked(request)
        person = person_named(str(wish.get("person", "")))
        if person is None:
            return JSONResponse({"ok": False, "error": "unknown person"}, 400)
        if wish.get("rotate"):
            self._keys.append(SigningKey())
        firebase = self._firebase()
        account = firebase.accounts[person.handle]
        firebase.change(account, wish)
        return JSONResponse({"ok": True, "uid": account.uid, "cookie": self._cookie(account, wish.get("session", {}))})

    def _cookie(self, account: Account, changed: Mapping[str, object]) -> str:
        return self._keys[-1].signed(self._firebase().session(account, changed))
