"""Signing in with Slack in the browser: a page with a button, the way to Slack, the way back, and signing out.

Nothing happens by a GET of the first page, which other sites may lead to. The way back is a GET by Slack's design; what
it brings counts once, in the browser that left. The session's cookie is not sent along when another site leads to us
(SameSite=Strict), and so neither on a redirect at the end of that way: a page of ours leads on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from bot.api import pages
from bot.api.agent.access import SIGN_IN, AddressRate
from bot.api.browsers import Answer, Browsers, leads_to, saved
from bot.api.cookies import cookies_of
from bot.api.pages import HtmlPage, plain, shown
from bot.api.refusals import HttpRefusal
from bot.domain.sessions import SESSION_LIFE, SIGN_IN_LIFE
from bot.runtime.people.sessions import SessionService
from bot.runtime.people.sign_in import Arrival, SignIn, SignInOutcome

FOLDER = SIGN_IN
SESSION = "countersign"
_LEFT = "slack-sign-in"
"""The name of the cookie with which a browser comes back from Slack."""

_AGAIN = "To try again, go back to where you came from and sign in there."
_NOT_LED_BACK = (
    "The page that you come from cannot be opened from here afterwards: its address is not in **HTTP_ORIGINS**. Go "
    "back to it yourself then."
)
_GO_BACK = "Go back to the page that you came from, and load it again if it does not see that you are signed in."
_NOT_NOW = "I could not read or save this just now. Nothing was changed."


class _End(NamedTuple):
    """What a page says when it is over."""

    said: str
    status: int
    title: str = "Not signed in"


_ENDS = {
    SignInOutcome.DENIED: _End("You said no on Slack's page, so you are not signed in.", 200),
    SignInOutcome.OTHER_BROWSER: _End(
        "This came back in another browser than it left, or it was begun again in another tab. Begin and finish it in "
        "the same tab, with cookies allowed.",
        403,
    ),
    SignInOutcome.STALE: _End("You took longer than ten minutes.", 410, "This is not good any more"),
    SignInOutcome.UNAVAILABLE: _End("Slack did not answer in time.", 503, "Slack could not be reached"),
    SignInOutcome.FAILED: _End(
        "What Slack sent back could not be used. If it happens again, tell your administrator; **countersign doctor** "
        "says what is wrong with the Slack app.",
        400,
    ),
}
_NO_FORM = (
    "What came here was not sent by a button of this server's own pages, or only in part. Nothing was changed.",
    (
        "Open the page here and press its button. If you did, tell your administrator: **PUBLIC_URL** must begin as "
        "the address in your browser does, https included."
    ),
)


def redirect_uri(public_url: str) -> str:
    """Where Slack sends browsers back to: what the app must have registered."""
    return f"{public_url.rstrip('/')}{FOLDER}/callback"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInPages:
    """The routes. `authorize_url` is where Slack asks people; `application` is what they know the product as that they
    sign in to.
    """

    signing_in: SignIn
    sessions: SessionService
    browsers: Browsers
    authorize_url: str
    application: str
    rate: AddressRate

    def routes(self) -> Sequence[Route]:
        """The first page, to Slack, back, and out."""
        return [
            Route(FOLDER, saved(self.start, _NOT_NOW), methods=["GET"]),
            Route(FOLDER, self._counted(saved(self.leave, _NOT_NOW)), methods=["POST"]),
            Route(f"{FOLDER}/callback", self._counted(saved(self.came_back, _NOT_NOW, _AGAIN)), methods=["GET"]),
            Route(f"{FOLDER}/sign-out", saved(self.start, _NOT_NOW), methods=["GET"]),
            Route(f"{FOLDER}/sign-out", saved(self.sign_out, _NOT_NOW), methods=["POST"]),
        ]

    async def start(self, request: Request) -> Response:
        """A button that leads to Slack; whoever is signed in is led on instead, or signs out."""
        wanted = request.query_params.get("next", "")
        leads_on = self.signing_in.taken(wanted)
        if (page := await self._of_session(request, leads_on=leads_on)) is not None:
            return page
        page = HtmlPage(
            title="Sign in with Slack",
            paragraphs=[
                (
                    f"This lets **{plain(self.application)}** ask Countersign, the agent in your Slack, as you. What "
                    "needs your approval is still asked in Slack."
                ),
                "Slack says who you are, and nothing else is asked of it.",
                *([_NOT_LED_BACK] if wanted and not leads_on else []),
            ],
            action=FOLDER,
            hidden=[("next", leads_on)],
            asks="do",
            choices=[("sign_in", "Sign in with Slack")],
            small="It lasts for 12 hours in this browser. You can end it on the agent's Home tab in Slack.",
        )
        return shown(page, leads_to=leads_to(self.authorize_url))

    async def leave(self, request: Request) -> Response:
        """To Slack, with the cookie that is asked for afterwards."""
        form = await self.browsers.form(request)
        if form is None:
            return _no_form("Not signed in")
        departure = self.signing_in.leave(form.get("next", ""))
        response = RedirectResponse(departure.url, 303, headers=pages.headers())
        self.browsers.keep(response, _LEFT, departure.cookie, life=SIGN_IN_LIFE, same_site="lax")
        return response

    async def came_back(self, request: Request) -> Response:
        """From Slack, with a code or a refusal."""
        query = request.query_params
        arrival = await self.signing_in.came_back(
            state=query.get("state", ""),
            code=query.get("code", ""),
            error=query.get("error", ""),
            cookie=self._cookie(request, _LEFT),
            browser=browser_of(request.headers.get("user-agent", "")),
        )
        response = await self._used(request) if arrival.outcome is SignInOutcome.USED else _arrived(arrival)
        if arrival.over:
            self.browsers.drop(response, _LEFT)
        if arrival.token:
            self.browsers.keep(response, SESSION, arrival.token, life=SESSION_LIFE, same_site="strict")
        return response

    async def _used(self, request: Request) -> Response:
        """A page that was shown before. Where the browser does not send its session along, as it came from elsewhere,
        the first page can tell.
        """
        if (page := await self._of_session(request, already=" already")) is not None:
            return page
        said = "If you signed in with it in this browser, you are signed in, and there is nothing more to do here."
        page = HtmlPage(
            title="This was used already", paragraphs=[said, _AGAIN], link=(FOLDER, "See if you are signed in")
        )
        return shown(page, status=410)

    async def sign_out(self, request: Request) -> Response:
        """End the session of this browser. Whoever signs in again is led to the same place."""
        form = await self.browsers.form(request)
        if form is None:
            return _no_form("Not signed out")
        await self.sessions.sign_out(self._cookie(request, SESSION))
        said, again = "You are not signed in any more in this browser.", self.signing_in.taken(form.get("next", ""))
        response = shown(HtmlPage(title="Signed out", paragraphs=[said], link=(_first_page(again), "Sign in again")))
        self.browsers.drop(response, SESSION)
        return response

    async def _of_session(self, request: Request, *, leads_on: str = "", already: str = "") -> Response | None:
        """For whoever is signed in: as whom, and where they wanted to go."""
        session = await self.sessions.find(self._cookie(request, SESSION))
        if session is None:
            return None
        name = plain(await self.signing_in.name_of(session))
        as_whom = f" as **{name}**" if name else ""
        said = f"You are signed in{as_whom} with Slack in this browser{already}."
        return shown(_signed_in_page(said, leads_on=leads_on))

    def _counted(self, answer: Answer) -> Answer:
        """The same, as often as one address may: each way back has Slack asked."""

        async def counted(request: Request) -> Response:
            try:
                self.rate.count(request.client.host if request.client else "")
            except HttpRefusal as refusal:
                return _over(_End(refusal.message, 429, "Too many"))
            return await answer(request)

        return counted

    def _cookie(self, request: Request, name: str) -> str:
        return cookies_of(request.headers).get(self.browsers.cookie(name), "")


def _arrived(arrival: Arrival) -> Response:
    if arrival.outcome is SignInOutcome.NOT_ALLOWED:
        return _over(_End(arrival.said, 403), leads_on=arrival.next)
    if arrival.outcome is not SignInOutcome.SIGNED_IN or arrival.person is None:
        return _over(_ENDS[arrival.outcome], leads_on=arrival.next)
    said = f"You are signed in as **{plain(arrival.person.name) or 'a person without a name'}** with Slack."
    return shown(_signed_in_page(said, "If that is not you, sign out.", leads_on=arrival.next))


def _signed_in_page(*paragraphs: str, leads_on: str = "") -> HtmlPage:
    return HtmlPage(
        title="Signed in",
        paragraphs=[*paragraphs, *([] if leads_on else [_GO_BACK])],
        link=(leads_on, "Continue"),
        action=f"{FOLDER}/sign-out",
        hidden=[("next", leads_on)] if leads_on else (),
        asks="do",
        choices=[("sign_out", "Sign out")],
        ends=True,
    )


def _over(end: _End, *, leads_on: str = "") -> Response:
    """It can be tried again, on the way to the same place."""
    page = HtmlPage(title=end.title, paragraphs=[end.said], link=(_first_page(leads_on), "Try again"))
    return shown(page, status=end.status)


def _first_page(leads_on: str) -> str:
    """Its path, on the way to a place that `SignIn.taken` takes."""
    return f"{FOLDER}?{urlencode({'next': leads_on})}" if leads_on else FOLDER


def _no_form(title: str) -> Response:
    """A form of somebody else's page, or one that came in part or is too long."""
    return shown(HtmlPage(title=title, paragraphs=_NO_FORM, link=(FOLDER, "Open the page")), status=403)


_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


def browser_of(user_agent: str) -> str:
    """What a browser calls itself, in words; the first name that fits, since most name others besides their own."""
    browser = next((said for name, said in _BROWSERS.items() if name in user_agent), "a browser")
    system = next((said for name, said in _SYSTEMS.items() if name in user_agent), "")
    return f"{browser} on {system}" if system else browser
