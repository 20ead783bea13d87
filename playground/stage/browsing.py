"""A small browser for connecting an account: cookies, forms, redirects."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import aiohttp

from playground.errors import EmulatorRefused
from playground.people import Person

LINK = re.compile(r"http://127\.0\.0\.1:\d+/oauth/google/start\?t=[\w-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A server's answer, with its address."""

    url: str
    text: str

    @property
    def words(self) -> str:
        """The text that a person reads."""
        said = html.unescape(re.sub(r"<[^>]+>", " ", self.text.split("<body>")[-1]))
        return " ".join(said.split())

    def inputs(self, name: str) -> list[str]:
        """The values of the form's inputs with this name; with an empty name, of all hidden inputs."""
        found = re.findall(rf'name="{re.escape(name)}"[^>]*value="([^"]*)"', self.text)
        return [html.unescape(value) for value in found]

    def hidden(self) -> Mapping[str, str]:
        found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', self.text)
        return {html.unescape(name): html.unescape(value) for name, value in found}


async def connect(link: str, person: Person, want: str) -> Page:
    """Follows the link, chooses what to connect, and allows all of it on Google's page; the last page."""
    jar = aiohttp.CookieJar(unsafe=True)  # the addresses are of the loopback
    async with aiohttp.ClientSession(cookie_jar=jar, trust_env=False) as http:
        first = await _page(http, "GET", link)
        fields = [*first.hidden().items(), ("want", want)]
        consent = await _page(http, "POST", urljoin(first.url, "/oauth/google/start"), fields, came_from=first.url)
        allowed = [("scope", scope) for scope in consent.inputs("scope")]
        answer = f"{consent.url}&authuser={person.handle}"
        return await _page(http, "POST", answer, [*allowed, ("decision", "allow")], came_from=consent.url)


async def _page(
    http: aiohttp.ClientSession, method: str, url: str, fields: Sequence[tuple[str, str]] = (), *, came_from: str = ""
) -> Page:
    parts = urlsplit(came_from)
    headers = {"origin": f"{parts.scheme}://{parts.netloc}"} if came_from else {}
    async with http.request(method, url, data=list(fields) if fields else None, headers=headers) as response:
        if response.status != 200:
            raise EmulatorRefused(f"{method} {url.partition('?')[0]}", response.status)
        return Page(url=str(response.url), text=await response.text())
