"""Connecting an account in the browser: the page that names the person, the way to Google, and the way back.

Nothing happens by a GET of the first page: Slack and others fetch links to show what is behind them. The way back is a
GET by the provider's design; what it brings counts once, in the browser that left (RFC 6749 §10.12, RFC 9700 §4.7).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from bot.api import pages
from bot.api.pages import Page, plain, shown
from bot.domain.connections import OAUTH_ATTEMPT_LIFE
from bot.runtime.connections.consent_pages import CallbackOutcome, CallbackPage, ConsentPage
from bot.runtime.connections.oauth_flow import OAuthFlow
from bot.store.errors import NotRead, NotSaved

FOLDER = "/oauth/google"
_MOST_BYTES = 8_192

_AGAIN = (
    "To try again, get a new link in Slack: **Connect Google** on the card that asked for it, or "
    "**/agent connect google**."
)


class _End(NamedTuple):
    """What a page says when it is over; `said` is empty where it depends on the visit."""

    said: str = ""
    status: int = 200
    title: str = "Not connected"


_ENDS = {
    CallbackOutcome.CONNECTED: _End(title="Connected"),
    CallbackOutcome.CONFIRM: _End(title="Is this your Slack account?"),
    CallbackOutcome.WRONG_ACCOUNT: _End(status=403, title="This is another account"),
    CallbackOutcome.DENIED: _End("You said no on Google's page, so nothing was connected."),
    CallbackOutcome.NOTHING: _End("You left out everything that I could use, so nothing was connected."),
    CallbackOutcome.DECLINED: _End(
        "Nothing was connected. The person who sent you the link cannot see anything of yours."
    ),
    CallbackOutcome.STALE: _End(
        "It was used before, it is older than ten minutes, or it was begun again in another tab, where you can finish "
        "it. Nothing was connected by this page.",
        status=410,
        title="This link is not good any more",
    ),
    CallbackOutcome.OTHER_BROWSER: _End(
        "This came back in another browser than it left, so nothing was connected. Open the link and finish it in the "
        "same browser, with cookies allowed.",
        status=403,
    ),
    CallbackOutcome.OTHER_ADDRESS: _End(
        "This page was not shown at its own address, so nothing was connected. If you came by the link in Slack, tell "
        "your administrator: **PUBLIC_URL** must begin as the address in your browser does, https included.",
        status=403,
    ),
    CallbackOutcome.UNAVAILABLE: _End(
        "Google did not answer in time, so nothing was connected.", status=502, title="Google could not be reached"
    ),
    CallbackOutcome.FAILED: _End(
        "What Google sent back could not be used, so nothing was connected. If it happens again, tell your "
        "administrator; **countersign doctor** says what is wrong with the Google project.",
        status=400,
    ),
    CallbackOutcome.GONE: _End("This Slack account is not active any more, so nothing was connected.", status=403),
}


def redirect_uri(public_url: str) -> str:
    """Where a provider sends browsers back to: what the OAuth client must have registered, letter by letter."""
    return f"{public_url.rstrip('/')}{FOLDER}/callback"


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthPages:
    """The routes. `auth_url` is where the provider asks people."""

    connecting: OAuthFlow
    public_url: str
    auth_url: str

    def routes(self) -> Sequence[Route]:
        """The first page, the choice, the way back, the confirmation."""
        return [
            Route(f"{FOLDER}/start", _saved(self.start), methods=["GET"]),
            Route(f"{FOLDER}/start", _saved(self.leave), methods=["POST"]),
            Route(f"{FOLDER}/callback", _saved(self.came_back), methods=["GET"]),
            Route(f"{FOLDER}/confirm", _saved(self.confirm), methods=["POST"]),
        ]

    async def start(self, request: Request) -> Response:
        """Who is connected with what, and a button for each choice."""
        token = request.query_params.get("t", "")
        consent = await self.connecting.consent_page(token)
        if consent is None:
            return _over(CallbackOutcome.STALE)
        return shown(_first_page(consent, token), leads_to=self._leads_to())

    async def leave(self, request: Request) -> Response:
        """To Google, with the cookie that is asked for afterwards."""
        form = await self._form(request)
        if form is None:
            return _over(CallbackOutcome.OTHER_ADDRESS)
        cookie = request.cookies.get(self._cookie, "")
        redirect = await self.connecting.leave(form.get("t", ""), form.get("want", ""), cookie=cookie)
        if redirect is None:
            return _over(CallbackOutcome.STALE)
        response = RedirectResponse(redirect.url, 303, headers=pages.headers())
        self._set_cookie(response, redirect.cookie)
        return response

    async def came_back(self, request: Request) -> Response:
        """From Google, with a code or a refusal."""
        query = request.query_params
        visit = await self.connecting.came_back(
            state=query.get("state", ""),
            code=query.get("code", ""),
            error=query.get("error", ""),
            cookie=request.cookies.get(self._cookie, ""),
        )
        return _ended(visit)

    async def confirm(self, request: Request) -> Response:
        """What the person said about an account with another address."""
        form = await self._form(request)
        if form is None:
            return _over(CallbackOutcome.OTHER_ADDRESS)
        cookie, yes = request.cookies.get(self._cookie, ""), form.get("answer") == "yes"
        visit = await self.connecting.confirmed(form.get("confirm", ""), cookie=cookie, yes=yes)
        return _ended(visit)

    # The browser ----------------------------------------------------------------------------------------------

    @property
    def _is_https(self) -> bool:
        return urlsplit(self.public_url).scheme == "https"

    @property
    def _cookie(self) -> str:
        """`__Host-` keeps every other host from setting it; it exists over https only (RFC 6265bis §4.1.3.2), so a
        bot that is tried on one machine over http has the bare name.
        """
        return "__Host-goauth" if self._is_https else "goauth"

    def _set_cookie(self, response: Response, value: str) -> None:
        """Lax: it comes along when Google leads back. It ends by itself, for another tab may still need it."""
        seconds = int(OAUTH_ATTEMPT_LIFE.total_seconds())
        response.set_cookie(
            self._cookie, value, max_age=seconds, path="/", secure=self._is_https, httponly=True, samesite="lax"
        )

    async def _form(self, request: Request) -> dict[str, str] | None:
        """What a form of our own pages sent; None for one that stands on somebody else's page."""
        ours = urlsplit(self.public_url)
        if request.headers.get("origin") != f"{ours.scheme}://{ours.netloc}":
            return None
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MOST_BYTES:
                return None
        return {name: values[0] for name, values in parse_qs(body.decode("ascii", "replace")).items()}

    def _leads_to(self) -> str:
        """Browsers hold a form's redirects against the policy too, and Google may lead on to an organisation's own
        sign-in, which may be anywhere.
        """
        parts = urlsplit(self.auth_url)
        return "https:" if parts.scheme == "https" else f"{parts.scheme}://{parts.netloc}"


def _first_page(consent: ConsentPage, token: str) -> Page:
    workspace = f" in **{plain(consent.workspace)}**" if consent.workspace else ""
    return Page(
        title="Connect Google",
        paragraphs=[
            (
                f"You are about to connect a Google account to the Slack account {_whose(consent.name, consent.email)}"
                f"{workspace}."
            ),
            *_allowed_before(consent),
            "Only go on if this is you, and if you asked for this link yourself. What I may use:",
        ],
        action=f"{FOLDER}/start",
        hidden=[("t", token)],
        asks="want",
        choices=[(choice.id, choice.label) for choice in consent.choices],
        small="Google asks you next, and you can leave out what you do not want. I ask you in Slack before I send or "
        "change anything, unless you chose otherwise there. Disconnect at any time: **/agent disconnect google**.",
    )


def _allowed_before(consent: ConsentPage) -> Sequence[str]:
    if not consent.allowed:
        return []
    after = (
        "That stays, and what you choose is added to it."
        if consent.adds
        else "What you choose takes the place of that for mail, or for the calendar; the other one stays as it is."
    )
    return [f"So far you allowed me: {consent.allowed}. {after}"]


def _confirmation(visit: CallbackPage) -> Page:
    workspace = f" in **{plain(visit.workspace)}**" if visit.workspace else ""
    return Page(
        title=_ENDS[CallbackOutcome.CONFIRM].title,
        paragraphs=[
            (
                f"You signed in to Google as **{plain(visit.account)}**. It would be connected to the Slack account "
                f"{_whose(visit.name, visit.slack_email)}{workspace}, and anyone who uses that Slack account "
                "could then read this mail and calendar through me."
            ),
            "If you are not that person, or if somebody else sent you this link, say no.",
        ],
        action=f"{FOLDER}/confirm",
        hidden=[("confirm", visit.confirm)],
        asks="answer",
        choices=[
            ("no", "No, do not connect"),
            ("yes", f"Yes, I am {plain(visit.name) or 'that person'} in Slack"),
        ],
    )


def _whose(name: str, email: str) -> str:
    shown_name = f"**{plain(name) or 'without a name'}**"
    return f"{shown_name} ({plain(email)})" if email else shown_name


def _ended(visit: CallbackPage) -> Response:
    if visit.end is CallbackOutcome.CONFIRM:
        return shown(_confirmation(visit))
    end = _ENDS[visit.end]
    return shown(Page(title=end.title, paragraphs=_paragraphs(visit)), status=end.status)


def _over(end: CallbackOutcome) -> Response:
    return _ended(CallbackPage(end=end))


def _paragraphs(visit: CallbackPage) -> Sequence[str]:
    if visit.end is CallbackOutcome.CONNECTED:
        left = [f"You left out: {visit.left_out}. I ask again when I need it."] if visit.left_out else []
        return [
            f"**{plain(visit.account)}** is connected to the Slack account {_whose(visit.name, visit.slack_email)}.",
            f"I may use it for {visit.allowed}.",
            *left,
            "You can close this page and go back to Slack; what waited for this goes on by itself.",
        ]
    if visit.end is CallbackOutcome.WRONG_ACCOUNT:
        return [
            (
                f"You signed in to Google as **{plain(visit.account)}**, and the Slack account is "
                f"{_whose(visit.name, visit.slack_email)}. "
                "Nothing was connected: here the two must have the same address."
            ),
            _AGAIN,
        ]
    return [_ENDS[visit.end].said, _AGAIN]


def _saved(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """The same, or "not now" where the database cannot be read or written."""

    async def saved(request: Request) -> Response:
        try:
            return await answer(request)
        except (NotSaved, NotRead):
            said = "I could not save this just now. Nothing was connected."
            return shown(Page(title="Not now", paragraphs=[said, _AGAIN]), status=503)

    return saved
