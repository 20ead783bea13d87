"""A person at the sign-in pages, without a browser: follows links, ticks boxes, presses a button."""

from __future__ import annotations

import http.client
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.patience import PATIENCE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What came back: a page with its links and boxes, or the address somebody is sent to."""

    status: int
    text: str
    location: str
    links: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    action: str = ""

    @property
    def told(self) -> dict[str, str]:
        """The parameters of the address that the person is sent to."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.location).query).items()}


def look(url: str) -> Page:
    return _send("GET", url)


def decide(page: Page, base: str, decision: str, *, untick: tuple[str, ...] = ()) -> Page:
    """Presses Allow or Deny, with every box ticked but those named."""
    form = [("scope", box) for box in page.boxes if not box.endswith(untick or ("\0",))]
    return _send("POST", base + page.action, urlencode([*form, ("decision", decision)]))


def _send(method: str, url: str, body: str | None = None) -> Page:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)
    headers = {"content-type": "application/x-www-form-urlencoded"} if body else {}
    try:
        connection.request(method, f"{parts.path}?{parts.query}", body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
    finally:
        connection.close()
    reader = _Reader()
    reader.feed(text)
    return Page(
        status=answer.status,
        text=text,
        location=answer.headers.get("location", ""),
        links=tuple(reader.links),
        boxes=tuple(reader.boxes),
        action=reader.action,
    )


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.boxes: list[str] = []
        self.action = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(given["href"])
        if tag == "input" and "checked" in given:
            self.boxes.append(given["value"])
        if tag == "form":
            self.action = given["action"]
