"""A person's browser, as far as connecting an account needs one: cookies of its own, forms, redirects by hand."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import aiohttp

from playground.people import Person
from tests.acceptance.world import World

LINK = re.compile(r"http://127\.0\.0\.1:\d+/oauth/google/start\?t=[\w-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One answer of a server."""

    url: str
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def leads_to(self) -> str:
        """Where it redirects."""
        return urljoin(self.url, self.headers["location"])

    @property
    def words(self) -> str:
        """What a person reads."""
        return html.unescape(re.sub(r"<[^>]+>", "", self.text.split("<body>")[-1]))

    def buttons(self) -> list[str]:
        return [html.unescape(label) for label in re.findall(r"<button[^>]*>([^<]*)</button>", self.text)]

    def hidden(self) -> dict[str, str]:
        found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', self.text)
        return {html.unescape(name): html.unescape(value) for name, value in found}


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """Follows no redirect unasked."""

    http: aiohttp.ClientSession

    async def get(self, url: str) -> Shown:
        async with self.http.get(url, allow_redirects=False) as answer:
            return await _shown(answer)

    async def head(self, url: str) -> int:
        async with self.http.head(url, allow_redirects=False) as answer:
            return answer.status

    async def submit(
        self, page: Shown, action: str, fields: Sequence[tuple[str, str]], *, origin: str | None = None
    ) -> Shown:
        """Send a form of this page, as a browser does: with where the page came from."""
        parts = urlsplit(page.url)
        headers = {"origin": origin or f"{parts.scheme}://{parts.netloc}"}
        async with self.http.post(
            urljoin(page.url, action), data=list(fields), headers=headers, allow_redirects=False
        ) as answer:
            return await _shown(answer)

    async def choose(self, page: Shown, want: str) -> Shown:
        """One of the choices of our first page: leads to Google."""
        return await self.submit(page, "/oauth/google/start", [*page.hidden().items(), ("want", want)])

    async def consent(self, left: Shown, *, person: str, untick: Sequence[str] = (), deny: bool = False) -> Shown:
        """Google's page, answered by this person: leads back to us."""
        page = await self.get(left.leads_to)
        assert page.status == 200, page.text
        scopes = [html.unescape(scope) for scope in re.findall(r'name="scope"[^>]*value="([^"]*)"', page.text)]
        fields = [("scope", scope) for scope in scopes if scope not in untick]
        decision = ("decision", "deny" if deny else "allow")
        back = await self.submit(page, f"{left.leads_to}&authuser={person}", [*fields, decision])
        assert back.status in {302, 303}, back.text
        return back

    async def through(self, url: str, want: str, *, person: str, untick: Sequence[str] = ()) -> Shown:
        """All the way, to the page that says what came of it."""
        left = await self.choose(await self.get(url), want)
        back = await self.consent(left, person=person, untick=untick)
        return await self.get(back.leads_to)


async def _shown(answer: aiohttp.ClientResponse) -> Shown:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Shown(url=str(answer.url), status=answer.status, headers=headers, text=await answer.text())


async def link_for(here: World, person: Person, rest: str = "") -> str:
    """The address that `/agent connect google` answers; typed again where Slack waited in vain."""

    async def answered() -> str:
        found = LINK.search(await here.command(person, f"connect google {rest}".strip()))
        return found.group() if found else ""

    return await here.until(answered, "the link")


@asynccontextmanager
async def browser() -> AsyncGenerator[Browser]:
    """A fresh one."""
    jar = aiohttp.CookieJar(unsafe=True)  # ours are of a loopback address
    async with aiohttp.ClientSession(cookie_jar=jar) as http:
        yield Browser(http=http)
