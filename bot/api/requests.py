"""What a request must be before any route sees it: of one length and one meaning, and meant for this host.

A page in somebody's browser can reach an address inside their network under a name of its own (DNS rebinding); its
requests then name that host. Such a name is always one of the public DNS, so an address in numbers, a name without a
dot (`localhost`, a service of Compose) and the names that are configured are let in. Starlette's own
`TrustedHostMiddleware` compares with a list of names, and under which address a probe comes is not known before.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.api.refusals import HttpRefusal, is_api

_OF_ONE_VALUE = ("origin", "content-type", "sec-fetch-site")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRequests:
    """`app` behind the checks. `hosts` are the configured names; a path in `signed` is proved by other means."""

    app: ASGIApp
    hosts: Set[str]
    signed: Set[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request in, or answer 400 or 421."""
        answer: ASGIApp = self.app
        headers = Headers(scope=scope)
        if _is_of_two_lengths(headers, scope["http_version"]):
            answer = _refused(scope["path"], _two_lengths())
        elif name := _said_twice(headers):
            answer = _refused(scope["path"], _two_values(name))
        elif scope["path"] not in self.signed and not is_known(headers.get("host", ""), self.hosts):
            answer = _refused(scope["path"], _another_host())
        await answer(scope, receive, send)


def _two_lengths() -> HttpRefusal:
    words = "Its headers name two lengths of its body."
    return HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_request", words, close=True)


def _two_values(name: str) -> HttpRefusal:
    words = f"Its headers have two values of {name}."
    return HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_request", words, close=True)


def _another_host() -> HttpRefusal:
    words = "This server has another name. Send it to the address under which you reach the agent."
    return HttpRefusal(HTTPStatus.MISDIRECTED_REQUEST, "wrong_host", words, close=True)


def _refused(path: str, refusal: HttpRefusal) -> Response:
    """For the API in its own form. The body is not read, so nothing after it can be: the connection ends."""
    if is_api(path):
        return refusal.response()
    return PlainTextResponse(refusal.message, refusal.status, headers={"connection": "close"})


def _is_of_two_lengths(headers: Headers, version: str) -> bool:
    """Where we and a proxy could read different requests (RFC 9112 §6.1, §11.2)."""
    lengths = headers.getlist("content-length")
    chunked = "transfer-encoding" in headers
    return (chunked and (bool(lengths) or version != "1.1")) or len({*lengths}) > 1


def _said_twice(headers: Headers) -> str:
    """A header that stands for one value and has two, so that whoever is before us may judge by the other one."""
    return next((name for name in _OF_ONE_VALUE if len({*headers.getlist(name)}) > 1), "")


def is_known(host: str, hosts: Set[str]) -> bool:
    """Whether this Host (RFC 9110 §7.2), port or not, is one that nobody outside can choose.

    None at all is what a probe over HTTP/1.0 sends; a browser always names one.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:  # half of a bracket
        return False
    return "." not in name or name in hosts or _is_numbers(name)


def _is_numbers(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
