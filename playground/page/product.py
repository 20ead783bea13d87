"""The page as a product of its own whose people ask the agent over HTTP: it adds their cookie and the agent's origin.

A product stands behind one address with the agent. Here they have ports of their own, so it passes on what is asked, as
a proxy in front of both would.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Self

import aiohttp
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from playground.google.firebase import COOKIE
from playground.page.upstream import CONNECT_SECONDS, Unreachable, Upstream
from playground.people import PEOPLE, TEAM_ID

PASSED_ON = ("content-type", "idempotency-key")
GIVEN_BACK = ("content-type", "countersign-first-line", "retry-after")


class Product:
    """Its routes below `/api`; opens its connections with `async with`."""

    def __init__(self, *, upstreams: Mapping[str, Upstream]) -> None:
        self._upstreams = upstreams
        self._opened: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)
        self._opened = aiohttp.ClientSession(trust_env=False, timeout=timeout)
        return self

    async def __aexit__(self, *problem: object) -> None:
        assert self._opened is not None, "not opened"
        await self._opened.close()

    def routes(self) -> list[Route]:
        return [
            Route("/product/{user}", self._signed_in),
            Route("/product/{user}/{path:path}", self._pass_on, methods=["GET", "POST"]),
        ]

    async def _signed_in(self, request: Request) -> Response:
        """Where the agent is and this person's cookie: what a script of theirs needs."""
        try:
            return JSONResponse({"agent": await self._agent(), "cookie": await self._cookie(request)})
        except Unreachable:
            return await self._not_there()

    async def _pass_on(self, request: Request) -> Response:
        path = request.path_params["path"]
        if not path.startswith("agent/run"):
            return _refused(404, "not_found", "The page asks for runs only.")
        assert self._opened is not None, "not opened"
        try:
            agent, cookie = await self._agent(), await self._cookie(request)
            given = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
            headers = {**given, "cookie": cookie, "origin": agent}
            url, body = f"{agent}/api/{path}", await request.body()
            answer = await self._opened.request(
                request.method, url, params=request.url.query, data=body or None, headers=headers
            )
        except (Unreachable, aiohttp.ClientError, TimeoutError):
            return await self._not_there()
        told = {name: answer.headers[name] for name in GIVEN_BACK if name in answer.headers}
        return StreamingResponse(_pieces(answer), answer.status, headers=told)

    async def _agent(self) -> str:
        """The agent's address. Raises `Unreachable` while it does not run."""
        url = (await self._bot()).get("url")
        if not url:
            raise Unreachable("bot")
        return str(url)

    async def _not_there(self) -> Response:
        """What the person can do: while it starts there is no Start to press."""
        try:
            starting = (await self._bot()).get("state") == "starting"
        except Unreachable:
            starting = False
        if starting:
            return _refused(502, "starting", "The bot is just starting. Try again in a moment.")
        return _refused(502, "stopped", "The bot does not run. Press Start at the top, then try again.")

    async def _bot(self) -> dict[str, Any]:
        return (await self._upstreams["supervisor"].get("/state")).get("bot", {})

    async def _cookie(self, request: Request) -> str:
        """The cookie of this person, whose account says who they are in Slack. Raises `Unreachable`."""
        user = request.path_params["user"]
        handle = next((person.handle for person in PEOPLE if person.user_id == user), user)
        claims = {"slack_team_id": TEAM_ID, "slack_user_id": user}
        wish = {"person": handle, "claims": claims}
        status, answer = await self._upstreams["google"].request("POST", "/__admin/firebase", body=wish)
        if status != 200:
            raise Unreachable("google")
        return f"{COOKIE}={answer['cookie']}"


async def _pieces(answer: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """What comes, as it comes; it ends where the agent ends, killed or not."""
    try:
        async for piece in answer.content.iter_any():
            yield piece
    except aiohttp.ClientError:
        return
    finally:
        answer.close()


def _refused(status: int, code: str, message: str) -> Response:
    return JSONResponse({"ok": False, "error": {"code": code, "message": message}}, status)
