"""The admin routes for sign-in: `/__admin/oauth`, `/__admin/grants`, `/__admin/service_account`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.admin import asked
from playground.google.grants import SCOPES, Grant
from playground.google.oauth.switches import UnknownSwitch
from playground.people import person_named

if TYPE_CHECKING:
    from playground.google.discovery import JsonObject
    from playground.google.oauth.service_account import ServiceAccount
    from playground.google.oauth.sign_in import SignIn


class SignInControls:
    """Grants, switches and the service account's key."""

    def __init__(self, sign_in: Callable[[], SignIn], robot: ServiceAccount) -> None:
        self._sign_in = sign_in
        self._robot = robot

    def routes(self) -> list[Route]:
        return [
            Route("/__admin/grants", self._grants, methods=["GET", "POST"]),
            Route("/__admin/oauth", self._oauth, methods=["GET", "POST"]),
            Route("/__admin/service_account", self._service_account),
        ]

    async def _grants(self, request: Request) -> Response:
        """`{"person", "do": "expire" | "revoke" | "restore" | "forget", "scopes": [...]}`; scopes null is all."""
        wish = await asked(request) if request.method == "POST" else {}
        grants = self._sign_in().grants
        if request.method == "POST":
            person = person_named(str(wish.get("person", "")))
            if person is None:
                return JSONResponse({"ok": False, "error": "unknown person"}, 400)
            grant = grants.held_by(person)
            acts = {
                "expire": grants.expire,
                "revoke": grants.revoke,
                "restore": grants.restore,
                "forget": grants.forget,
            }
            if act := acts.get(wish.get("do", "")):
                act(grant)
            if "scopes" in wish:
                grant.scopes = frozenset(SCOPES if wish["scopes"] is None else wish["scopes"])
        return JSONResponse({"ok": True, "grants": {grant.person.handle: _grant(grant) for grant in grants.all()}})

    async def _oauth(self, request: Request) -> Response:
        """Sets the switches that are named; `Switches` says what each means."""
        sign_in = self._sign_in()
        if request.method == "POST":
            wish = await asked(request)
            try:
                sign_in.switches.set(wish)
            except UnknownSwitch as error:
                return JSONResponse({"ok": False, "error": str(error)}, 400)
            sign_in.grants.life_seconds = sign_in.switches.life_seconds
            if "testing_seconds" in wish:
                sign_in.grants.put_on_trial(sign_in.switches.testing_seconds)
        return JSONResponse({"ok": True, "switches": asdict(sign_in.switches)})

    async def _service_account(self, request: Request) -> Response:
        return JSONResponse(self._robot.key_file(str(request.base_url).rstrip("/")))


def _grant(grant: Grant) -> JsonObject:
    return {
        "scopes": sorted(grant.scopes),
        "revoked": grant.revoked,
        "access_tokens": sorted(grant.tokens),
        "refresh_tokens": sorted(grant.refresh_tokens),
    }
