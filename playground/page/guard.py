"""Who may talk to the page: this machine's browser, from the page itself, in JSON."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = frozenset({"127.0.0.1", "localhost"})
SAFE_METHODS = frozenset({"GET", "HEAD"})
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """ASGI middleware: refuses foreign hosts and origins and forms, and sets the security headers.

    The Host check keeps a rebound DNS name out, the Origin check another site's script, the content type a plain form.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = _refusal(scope["method"], Headers(scope=scope))
        app = JSONResponse({"error": refusal}, status_code=403) if refusal else self._app
        await app(scope, receive, _with_headers(send))


def _refusal(method: str, headers: Headers) -> str:
    host = headers.get("host", "")
    if host.rsplit(":", 1)[0] not in HOSTS:
        return "this page answers on the loopback address only"
    if headers.get("origin", f"http://{host}") != f"http://{host}":
        return "this origin may not talk to the playground"
    if headers.get("sec-fetch-site", "none") not in {"none", "same-origin"} and method not in SAFE_METHODS:
        return "only the page itself may act"
    if method not in SAFE_METHODS and headers.get("content-type", "").split(";")[0] != "application/json":
        return "the content type must be application/json"
    return ""


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(SECURITY_HEADERS)
        await send(message)

    return sent
