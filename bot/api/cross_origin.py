"""Pages of other origins at the API (Fetch standard, "CORS protocol"): those of listed origins may read every answer of
it, also a refusal that comes before any route.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.api.refusals import HttpRefusal, is_api

_LEAVE: Mapping[str, str] = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "content-type, idempotency-key",
    "access-control-max-age": "600",
}
_SHARED: Mapping[str, str] = {
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "allow, countersign-first-line, retry-after",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedAnswers:
    """`app`, whose answers below /api/ pages of these `origins` may read, whatever the answer is."""

    app: ASGIApp
    origins: Set[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does."""
        if not self.origins or not is_api(scope["path"]):
            await self.app(scope, receive, send)
            return
        origin = Headers(scope=scope).get("origin", "")
        shared = {"access-control-allow-origin": origin, **_SHARED} if origin in self.origins else {}

        async def send_shared(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(shared)
                headers.add_vary_header("Origin")
            await send(message)

        await self.app(scope, receive, send_shared)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preflights:
    """`app` behind the question that a browser asks before a page sends what no form could send. Where no `origins` are
    listed it is a request as others are.
    """

    app: ASGIApp
    origins: Set[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer such a question; hand on all else."""
        answer: ASGIApp = self.app
        headers = Headers(scope=scope)
        is_asked = scope["method"] == "OPTIONS" and {"origin", "access-control-request-method"} <= {*headers}
        if self.origins and is_asked and is_api(scope["path"]):
            answer = _leave() if headers["origin"] in self.origins or _is_own(headers) else _not_listed()
        await answer(scope, receive, send)


def _leave() -> Response:
    """The browser compares what the page wants with what is listed here."""
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=_LEAVE)


def _is_own(headers: Headers) -> bool:
    """A page of this address needs no leave; nothing is shared with it that it could not read."""
    return urlsplit(headers["origin"]).netloc == headers.get("host")


def _not_listed() -> Response:
    words = "Pages of this origin may not use the API: it is none of those in HTTP_ORIGINS."
    return HttpRefusal(HTTPStatus.FORBIDDEN, "wrong_origin", words).response()
