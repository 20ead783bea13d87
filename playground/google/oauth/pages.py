"""The sign-in pages as HTML: choose an account, allow or deny, errors. No scripts, no outside files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import urlsplit

from playground.google.oauth.asking import Asking, Unacceptable
from playground.google.oauth.clients import APP_NAME
from playground.google.oauth.scopes import PROFILE, SIGN_IN
from playground.people import TEAM_NAME, Person

STYLE = """
:root{color-scheme:light dark;--ink:#1d2420;--soft:#5a655f;--line:#d5ddd8;--card:#fff;--back:#eef2ef;--leaf:#0b6e57;
--on-leaf:#fff;--wash:#f4f8f6;--bad:#a3251d}
@media(prefers-color-scheme:dark){:root{--ink:#e8eeea;--soft:#a5b1aa;--line:#37423d;--card:#1b211e;--back:#111513;
--leaf:#5fd0b0;--on-leaf:#06241c;--wash:#222a26;--bad:#ff9b91}}
*{box-sizing:border-box}
a{color:var(--leaf)}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--back);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif}
main{width:min(34rem,100%);background:var(--card);border:1px solid var(--line);border-radius:1.25rem;padding:2.25rem}
.mark{display:flex;gap:.6rem;align-items:center;color:var(--soft);font-size:.875rem;margin:0 0 1.5rem}
.mark::before{content:"";width:1.1rem;height:1.1rem;border-radius:50%;border:.3rem solid var(--leaf)}
h1{font-size:1.6rem;line-height:1.25;font-weight:600;margin:0 0 .5rem;text-wrap:balance}
p{margin:.5rem 0 1rem}.soft{color:var(--soft);font-size:.9rem}
ul{list-style:none;margin:1rem 0;padding:0;border:1px solid var(--line);border-radius:.9rem;overflow:hidden}
li+li{border-top:1px solid var(--line)}
li>a,li>label,li>span{display:flex;gap:.9rem;align-items:center;padding:.8rem 1rem;min-height:3.25rem;color:inherit;
text-decoration:none}
li>a:hover,li>label:hover{background:var(--wash)}
.face{flex:none;width:2.25rem;height:2.25rem;border-radius:50%;display:grid;place-items:center;background:var(--leaf);
color:var(--on-leaf);font-weight:600;font-size:.85rem}
.who{display:grid;overflow-wrap:anywhere}.who small{color:var(--soft)}
input[type=checkbox]{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--leaf)}
code{font-size:.78rem;color:var(--soft);overflow-wrap:anywhere}
.acts{display:flex;gap:.75rem;justify-content:flex-end;flex-wrap:wrap;margin-top:1.5rem}
button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.5rem;border-radius:1.4rem;cursor:pointer;
border:1px solid var(--line);background:none;color:var(--leaf)}
button[value=allow]{background:var(--leaf);border-color:var(--leaf);color:var(--on-leaf)}
:focus-visible{outline:3px solid var(--leaf);outline-offset:2px}
.bad{color:var(--bad)}
"""


def account_page(asking: Asking, people: Sequence[Person], links: Mapping[str, str]) -> str:
    """A link for each account; those of the app's domain come first."""
    first = sorted(people, key=lambda person: bool(asking.domain) and not person.email.endswith(f"@{asking.domain}"))
    rows = "".join(f'<li><a href="{escape(links[person.handle])}">{_face(person)}</a></li>' for person in first)
    body = (
        f"<h1>Choose an account</h1><p>to continue to <strong>{APP_NAME}</strong></p>"
        f'<ul aria-label="Accounts">{rows}</ul>'
        f'<p class="soft">Everybody here is made up: the accounts of {TEAM_NAME}, the playground’s company.</p>'
    )
    return _page("Choose an account", body)


def consent_page(
    asking: Asking, person: Person, words: Mapping[str, str], held: frozenset[str], *, action: str, other: str
) -> str:
    """The app's name, the account, a ticked checkbox for each scope, Allow and Deny."""
    wanted = [scope for scope in asking.scopes if scope not in SIGN_IN]
    boxes = "".join(_box(scope, words[scope]) for scope in wanted)
    asks = f'<ul aria-label="What {APP_NAME} asks for">{boxes}</ul>' if boxes else ""
    learns = "name and address" if PROFILE in asking.scopes else "address"
    identity = f"<p>It learns your {learns}, {escape(person.email)}.</p>" if SIGN_IN & {*asking.scopes} else ""
    earlier = [words[scope] for scope in sorted(held - SIGN_IN - {*wanted}) if scope in words]
    has = f'<p class="soft">It already has: {escape("; ".join(earlier))}.</p>' if asking.incremental and earlier else ""
    body = (
        f"<h1>{APP_NAME} wants access to your account</h1>"
        f'<ul aria-label="Account"><li><span>{_face(person)}</span></li></ul>'
        f'<p class="soft"><a href="{escape(other)}">Use another account</a></p>'
        f"{identity}<form method='post' action=\"{escape(action)}\">"
        f"<p id='ask'>Untick what {APP_NAME} should not be able to do.</p>{asks}{has}"
        f'<p class="soft">You will go back to {escape(urlsplit(asking.redirect_uri).netloc)}. '
        "You can take this back at any time.</p>"
        "<div class='acts'><button name='decision' value='deny'>Deny</button>"
        "<button name='decision' value='allow'>Allow</button></div></form>"
    )
    return _page(f"{APP_NAME} wants access", body)


def error_page(error: Unacceptable) -> str:
    """The error's name and description."""
    body = (
        "<h1>Access blocked</h1>"
        f"<p>{escape(error.description)}</p>"
        f'<p class="bad"><strong>Error {error.status}: {escape(error.error)}</strong></p>'
        f'<p class="soft">If you run {APP_NAME}, look at its OAuth client’s settings. Nothing was shared.</p>'
    )
    return _page(f"Error {error.status}: {error.error}", body)


def _box(scope: str, words: str) -> str:
    return (
        f'<li><label><input type="checkbox" name="scope" value="{escape(scope)}" checked>'
        f'<span class="who"><span>{escape(words)}</span><code>{escape(scope)}</code></span></label></li>'
    )


def _face(person: Person) -> str:
    initials = "".join(word[0] for word in person.name.split())
    return (
        f'<span class="face" aria-hidden="true">{escape(initials)}</span>'
        f'<span class="who"><span>{escape(person.name)}</span><small>{escape(person.email)}</small></span>'
    )


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · playground sign-in</title><style>{STYLE}</style></head>"
        f'<body><main><p class="mark">Sign in with the playground’s Google</p>{body}</main></body></html>'
    )
