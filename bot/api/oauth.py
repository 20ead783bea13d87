"""Connecting an account in the browser: the page that names the person, the way to Google, and the way back.

Nothing happens by a GET of the first page: Slack and others fetch links to show what is behind them. The way back is a
GET by the provider's design; what it brings counts once, in the browser that left (RFC 6749 §10.12, RFC 9700 §4.7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from bot.api import pages
from bot.api.browsers import Browsers, leads_to, saved
from bot.api.pages import HtmlPage, plain, shown
from bot.domain.connections import OAUTH_ATTEMPT_LIFE
from bot.runtime.connections.consent_pages import CallbackOutcome, CallbackPage, ConsentPage
from bot.runtime.connections.oauth_flow import OAuthFlow

FOLDER = "/oauth/google"
_COOKIE = "goauth"
"""It ends by itself, for another tab may still need it."""

_AGAIN = (
    "To try again, get a new link in Slack: press the button of the card that asked for it once more, or type "
    "**/agent connect google**."
)

_OVER = "This link is not good any more"
_BY_THIS_PAGE = "Nothing was connected by this page."

_NOT_SAVED = "I could not save this just now. Nothing was connected."


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
    CallbackOutcome.USED: _End(f"It was used before. {_BY_THIS_PAGE}", status=410, title=_OVER),
    CallbackOutcome.EXPIRED: _End(
        f"It is good for ten minutes, and these are over. {_BY_THIS_PAGE}", status=410, title=_OVER
    ),
    CallbackOutcome.ELSEWHERE: _End(
        "It was begun again since, in another tab, where you can finish it; or you disconnected meanwhile, which ends "
        f"it. {_BY_THIS_PAGE}",
        status=410,
        title=_OVER,
    ),
    CallbackOutcome.STALE: _End(
        "I do not know it any more. When you disconnect, the links that you were given before end, and what was begun "
        f"with them. {_BY_THIS_PAGE}",
        status=410,
        title=_OVER,
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
    browsers: Browsers
    auth_url: str

    def routes(self) -> Sequence[Route]:
        """The first page, the choice, the way back, the confirmation."""
        return [
            Route(f"{FOLDER}/start", saved(self.start, _NOT_SAVED, _AGAIN), methods=["GET"]),
            Route(f"{FOLDER}/start", saved(self.leave, _NOT_SAVED, _AGAIN), methods=["POST"]),
            Route(f"{FOLDER}/callback", saved(self.came_back, _NOT_SAVED, _AGAIN), methods=["GET"]),
            Route(f"{FOLDER}/confirm", saved(self.confirm, _NOT_SAVED, _AGAIN), methods=["POST"]),
        ]

    async def start(self, request: Request) -> Response:
        """Who is connected with what, and a button for each choice."""
        token = request.query_params.get("t", "")
        consent = await self.connecting.consent_page(token)
        if isinstance(consent, CallbackOutcome):
            return _over(consent)
        return shown(_first_page(consent, token), leads_to=leads_to(self.auth_url))

    async def leave(self, request: Request) -> Response:
        """To Google, with the cookie that is asked for afterwards."""
        form = await self.browsers.form(request)
        if form is None:
            return _over(CallbackOutcome.OTHER_ADDRESS)
        cookie = request.cookies.get(self._cookie, "")
        redirect = await self.connecting.leave(form.get("t", ""), form.get("want", ""), cookie=cookie)
        if isinstance(redirect, CallbackOutcome):
            return _over(redirect)
        response = RedirectResponse(redirect.url, 303, headers=pages.headers())
        self.browsers.keep(response, _COOKIE, redirect.cookie, life=OAUTH_ATTEMPT_LIFE, same_site="lax")
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
        form = await self.browsers.form(request)
        if form is None:
            return _over(CallbackOutcome.OTHER_ADDRESS)
        cookie, yes = request.cookies.get(self._cookie, ""), form.get("answer") == "yes"
        visit = await self.connecting.confirmed(form.get("confirm", ""), cookie=cookie, yes=yes)
        return _ended(visit)

    @property
    def _cookie(self) -> str:
        return self.browsers.cookie(_COOKIE)


def _first_page(consent: ConsentPage, token: str) -> HtmlPage:
    workspace = f" in **{plain(consent.workspace)}**" if consent.workspace else ""
    return HtmlPage(
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
        else "What you choose for mail replaces what you allowed for mail, and likewise for the calendar. Where you "
        "choose nothing, it stays as it is."
    )
    return [f"So far you allowed me: {consent.allowed}. {after}"]


def _confirmation(visit: CallbackPage) -> HtmlPage:
    workspace = f" in **{plain(visit.workspace)}**" if visit.workspace else ""
    return HtmlPage(
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
    return shown(HtmlPage(title=end.title, paragraphs=_paragraphs(visit)), status=end.status)


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
