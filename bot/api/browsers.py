"""People's browsers at our pages: which cookies they keep, and which forms are our own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from bot.api.pages import HtmlPage, shown
from bot.request_body import BodyTooLong, read_body
from bot.store.errors import NotRead, NotSaved

_MOST_BYTES = 8_192

Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Browsers:
    """Browsers that come to `public_url`."""

    public_url: str

    @property
    def is_https(self) -> bool:
        """Whether they come over https; over http only from this machine."""
        return urlsplit(self.public_url).scheme == "https"

    def cookie(self, name: str) -> str:
        """`__Host-` keeps every other host from setting it; it exists over https only (RFC 6265bis §4.1.3.2), so a
        bot that is tried on one machine over http has the bare name.
        """
        return f"__Host-{name}" if self.is_https else name

    def keep(
        self, response: Response, name: str, value: str, *, life: timedelta, same_site: Literal["lax", "strict"]
    ) -> None:
        """Give the browser a cookie that no script reads; a lax one comes along when another site leads back to us."""
        response.set_cookie(
            self.cookie(name),
            value,
            max_age=int(life.total_seconds()),
            path="/",
            secure=self.is_https,
            httponly=True,
            samesite=same_site,
        )

    def drop(self, response: Response, name: str) -> None:
        """Have the browser forget a cookie of ours."""
        response.delete_cookie(self.cookie(name), path="/", secure=self.is_https, httponly=True)

    async def form(self, request: Request) -> dict[str, str] | None:
        """What a form of our own pages sent; None for one that stands on somebody else's page, or came in part."""
        ours = urlsplit(self.public_url)
        if request.headers.get("origin") != f"{ours.scheme}://{ours.netloc}":
            return None
        try:
            body = await read_body(request, limit=_MOST_BYTES)
        except (BodyTooLong, ClientDisconnect):
            return None
        return {name: values[0] for name, values in parse_qs(body.decode("ascii", "replace")).items()}


def leads_to(url: str) -> str:
    """Browsers hold a form's redirects against the policy too, and a provider may lead on to an organisation's own
    sign-in, which may be anywhere.
    """
    parts = urlsplit(url)
    return "https:" if parts.scheme == "https" else f"{parts.scheme}://{parts.netloc}"


def saved(answer: Answer, *paragraphs: str) -> Answer:
    """The same, or "not now" with these words where the database cannot be read or written."""

    async def tried(request: Request) -> Response:
        try:
            return await answer(request)
        except (NotSaved, NotRead):
            return not_now(paragraphs)

    return tried


def not_now(paragraphs: Sequence[str]) -> Response:
    """Something of ours does not work at the moment."""
    return shown(HtmlPage(title="Not now", paragraphs=paragraphs), status=503)
