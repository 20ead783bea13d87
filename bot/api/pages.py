"""Plain pages for people's browsers: no scripts, nothing from elsewhere, nothing kept, in nobody's frame."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from starlette.responses import HTMLResponse

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2a27; --paper: #fbfaf7; --accent: #1f5d4f; --line: #8a948f }
@media (prefers-color-scheme: dark) { :root { --ink: #eceee9; --paper: #17201d; --accent: #8fd3c0; --line: #66716c } }
body { font: 1.05rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 }
main { max-width: 34rem; margin: 12vh auto; padding: 0 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25 }
strong { overflow-wrap: anywhere }
main > div { margin: 1.5rem 0 }
main > div, form { display: flex; flex-wrap: wrap; gap: .75rem }
a, button { font: inherit; padding: .6rem 1.1rem; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer;
  color: var(--ink); background: transparent; text-decoration: none }
a, form:not(.ends) button:first-of-type { color: var(--paper); background: var(--accent); border-color: var(--accent) }
a:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    """A title, paragraphs (text between `**` is emphasised, the rest of it is text), and perhaps a form.

    Its buttons are `choices`, the value and the label of each, for the field that the form `asks` for. The first stands
    out, unless the form `ends` something. `link` is a path of ours that leads on, and its label: a button, too.
    """

    title: str
    paragraphs: Sequence[str]
    action: str = ""
    hidden: Sequence[tuple[str, str]] = ()
    asks: str = ""
    choices: Sequence[tuple[str, str]] = ()
    ends: bool = False
    link: tuple[str, str] = ("", "")
    small: str = ""

    def as_html(self) -> str:
        """The document; every text in it is escaped here."""
        said = "".join(f"<p>{_emphasised(text)}</p>" for text in self.paragraphs)
        small = f"<p><small>{_emphasised(self.small)}</small></p>" if self.small else ""
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(self.title)}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="robots" content="noindex"><link rel="icon" href="data:,">'
            f"<style>{_STYLE}</style></head><body><main>"
            f"<h1>{escape(self.title)}</h1>{said}{self._ways_on()}{small}</main></body></html>"
        )

    def _ways_on(self) -> str:
        ways = f"{self._link()}{self._form()}"
        return f"<div>{ways}</div>" if ways else ""

    def _link(self) -> str:
        path, label = self.link
        return f'<a href="{escape(path)}">{escape(label)}</a>' if path else ""

    def _form(self) -> str:
        if not self.choices:
            return ""
        hidden = "".join(
            f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">' for name, value in self.hidden
        )
        buttons = "".join(
            f'<button name="{escape(self.asks)}" value="{escape(value)}">{escape(label)}</button>'
            for value, label in self.choices
        )
        kind = ' class="ends"' if self.ends else ""
        return f'<form method="post" action="{escape(self.action)}"{kind}>{hidden}{buttons}</form>'


def shown(page: HtmlPage, *, status: int = 200, leads_to: str = "") -> HTMLResponse:
    """The page as a response. `leads_to` is where its form may lead besides to us."""
    return HTMLResponse(page.as_html(), status_code=status, headers=headers(leads_to=leads_to))


def headers(*, leads_to: str = "") -> dict[str, str]:
    """What every answer to a browser says.

    The referrer stays with us, and is not suppressed altogether: then a form's Origin would be `null` (Fetch standard,
    "append a request Origin header").
    """
    style = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = [
        "default-src 'none'",
        f"style-src 'sha256-{style}'",
        "img-src data:",
        f"form-action 'self' {leads_to}".strip(),
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
    return {
        "content-security-policy": "; ".join(policy),
        "referrer-policy": "same-origin",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
    }


def _emphasised(text: str) -> str:
    parts = text.split("**")
    return "".join(f"<strong>{escape(part)}</strong>" if n % 2 else escape(part) for n, part in enumerate(parts))


def plain(text: str) -> str:
    """What somebody else wrote, for a paragraph: on one line, and no emphasis of its own."""
    return " ".join(text.replace("*", "∗").split())
