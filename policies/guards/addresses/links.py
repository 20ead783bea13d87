"""Every address that a text contains, however it is written, so that it can be held against those that people named.

A program that shows the text may make a link of it, or a person may type it off. So what could be an address counts
as one: better a question too many. What is not found: a telephone number without `tel:`, an IPv6 address without a
scheme, an address in the words of a language ("acme, then a dot, then com"), and in a text behind a scheme that is not
listed here what could as well be words ("note:this").
Sources: RFC 3986; the WHATWG URL standard, "URL parsing"; RFC 5322 §3.4.1; RFC 6068 (mailto); RFC 3966 (tel).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from policies.guards.addresses.domains import LABEL, domain_in, one_form
from policies.guards.addresses.spelling import plain_spelling, without_markup

_WEB = re.compile(r"(https?|ftps?|wss?)\Z", re.IGNORECASE)
_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}
_NO_SLASHES = re.compile(
    "about|aim|bitcoin|blob|callto|data|discord|ethereum|facetime|facetime-audio|facetime-group|file|geo|gtalk|im"
    "|intent|irc|ircs|javascript|jar|lightning|magnet|mailto|maps|market|mms|ms-[a-z-]+|msteams|openpgp4fpr|sip|sips"
    "|skype|slack|sms|smsto|spotify|steam|tel|tg|urn|vbscript|view-source|viber|web[+][a-z]+|webcal|whatsapp|xmpp|ymsgr|zoommtg"
    "|zoomus"
)
"""Schemes whose addresses need no `//`."""

_ALSO_WORDS = {
    "about": re.compile(r"blank|srcdoc"),
    "data": re.compile(r"[\w/+.;=-]*+,"),
    "file": re.compile(r"[/\\]"),
    "geo": re.compile(r"-?[0-9]"),
    "im": re.compile(r"[^\s@:]*+@"),
    "intent": re.compile(r"[#/]"),
    "maps": re.compile(r"[?/]"),
    "market": re.compile(r"[?/]"),
    "sms": re.compile(r"[+(0-9?/]"),
    "tel": re.compile(r"[+(0-9]"),
}
"""What must follow those that are words as well."""

_RUN = re.compile(r"[^\s<>\"]+")
_SCHEME = re.compile(r"(?<![0-9A-Za-z+./?&#%-])[0-9+.-]*+(?P<word>[A-Za-z][0-9A-Za-z+.-]++):(?!:)")
_LEADS = re.compile(r"[\w/-]\?\w|\w=[\w%+-]|%[2-7][0-9A-F]|(?:%[89A-F][0-9A-F]){2}", re.IGNORECASE)
"""What stands in addresses alone: a query, a value of one, or an escape (RFC 3986 §2.1 and §3.4)."""
_HREF = re.compile(
    r"(?<![\w-])(?:href|action|formaction)[\x00-\x20]*=[\x00-\x20]*"
    r"(?:\"(?P<twice>[^\"]*)\"|'(?P<once>[^']*)'|(?P<bare>[^\s\"'<>]+))",
    re.IGNORECASE,
)
"""Where HTML leads; breaks in it count for nothing, and neither do blanks around it (URL §4.4)."""
_BREAKS = re.compile(r"[\t\r\n]")
_EDGES = "".join(map(chr, range(0x21)))
_ANY = re.compile(r"\s*(?P<scheme>[a-z][a-z0-9+.-]*):(?P<body>[^\s<>\"]+)\s*\Z", re.IGNORECASE)
_BACKSLASH = "%5C"

_NUMBERED = frozenset({"callto", "sms", "smsto", "tel"})
_NOT_IN_NUMBERS = re.compile(r"[^0-9a-z+?=&;,*#@]")
_MARKS = "*'~"  # of Markdown, before a mail address
_MAX_LENGTH = 4_096  # characters of an address that are told apart; without a bound, brackets take quadratic time

_REST = rf"[^\s<>\"]{{0,{_MAX_LENGTH}}}+"
_MAIL_OR_HOST = (
    rf"(?P<mail>(?<![\w!#$%'*+=^~.-])(?P<local>[\w!#$%'*+=^~.-]++)@(?P<domain>[{LABEL}]++(?:\.[{LABEL}]++)++))"
    rf"|(?P<host>(?<![{LABEL}])(?<![{LABEL}]\.)[{LABEL}]++(?:\.[{LABEL}]++)++)"
)
_ADDRESS = re.compile(
    r"(?P<word>(?<![0-9A-Za-z+.-])[0-9A-Za-z+.-]++):(?=[^\s<>\"])"
    rf"|{_MAIL_OR_HOST}"
    r"|(?P<network>\\\\(?=[\w.-]{1,255}\\)|(?<=[(\"'=])//(?=[\w\[]))"
)
_TO_A_HOST = re.compile(r"([\"'=])[\x00-\x20]*[/\\]{2}(?=[\w\[])")
"""What browsers take for `//` where an attribute begins: no blanks count there, and `\\` is a slash (URL §4.1)."""
_POSSIBLE = re.compile(r"[.:][^ \t\r\n]|\\\\|//")
"""Stands in every address, and is not in most texts: to see that is much faster than to look for an address."""
_BARE = re.compile(_MAIL_OR_HOST)
_BODY = re.compile(_REST)
_AFTER_HOST = re.compile(rf"(?::[0-9]{{1,5}}(?![0-9]))?(?:[/?#\\]{_REST})?")
_PARTS = re.compile(r"(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<more>.*)", re.DOTALL)
_PORT = re.compile(r"(?P<host>.*?)(?::(?P<port>[0-9]*))?\Z", re.DOTALL)

_CLOSERS = {"(": ")", "[": "]", "{": "}", "'": "'", "`": "`", "“": "”", "„": "“", "‘": "’", "«": "»", "<": "|"}
_PAIRS = {")": "(", "]": "[", "}": "{"}
_BRACKETS = "[]"  # around an IPv6 address
_AROUND_HOSTS = frozenset("@:")
_BEHIND_HOSTS = _AROUND_HOSTS | frozenset("/?#")
_NO_LETTERS = "+.-0123456789"  # which may stand in a scheme, and begin none
_ENDS = frozenset(".,;:!?'\"*_~`|“”‘’«»、")


def found(text: str) -> Sequence[str]:
    """Every address in the text, once each, in the order in which they stand there, each in one form.

    "acme.com/x" is a web address, whatever its scheme (http, https or none); "jane@acme.com" a mail address; others
    keep their scheme ("tel:+49301234", "slack://open"). A web address with a name before its host keeps that
    ("//bank.com@acme.com"), since it is read as another one.
    """
    plain = _TO_A_HOST.sub(r"\1//", plain_spelling(text))
    addresses = dict.fromkeys(_addresses(plain)) | dict.fromkeys(_unlisted(plain))
    if _BACKSLASH in plain:
        addresses |= dict.fromkeys(_addresses(plain.replace(_BACKSLASH, "\\")))
    shown = without_markup(plain)
    if shown != plain:
        addresses |= dict.fromkeys(address for address in _addresses(shown) if _BEHIND_HOSTS.isdisjoint(address))
    return list(addresses)


def linked(text: str) -> Sequence[str]:
    """The same for HTML, or for where one link leads: there an address counts whatever its scheme is."""
    addresses = dict.fromkeys(found(text))
    hrefs: Iterator[str] = (href["twice"] or href["once"] or href["bare"] or "" for href in _HREF.finditer(text))
    for value in (text, *(_BREAKS.sub("", href).strip(_EDGES).replace(" ", "%20") for href in hrefs)):
        given, any_scheme = found(value), _ANY.match(plain_spelling(value))
        if not given and any_scheme:
            given = [f"{any_scheme['scheme'].lower()}:{any_scheme['body']}"]
        addresses |= dict.fromkeys(given)
    return list(addresses)


def spellings(address: str) -> frozenset[str]:
    """A web address as `found` gives it, with “www.” before its host and without: people leave that out."""
    host = address.partition("/")[0]
    short = address.removeprefix("www.")
    is_web = "." in host.removeprefix("www.") and _AROUND_HOSTS.isdisjoint(host)
    return frozenset({short, f"www.{short}"} if is_web else {address})


def _addresses(text: str) -> Iterator[str]:
    if not _POSSIBLE.search(text):
        return
    place = 0
    while match := _ADDRESS.search(text, place):
        if match["word"] is not None:
            addresses, place = _of_scheme(text, match) or _of_word(text, match)
        elif match["network"] is not None:
            addresses, place = _of_network(text, match)
        else:
            addresses, place = _bare(text, match)
        yield from addresses


def _of_scheme(text: str, match: re.Match[str]) -> tuple[Sequence[str], int] | None:
    """What stands behind a scheme and its colon; None where the word is none."""
    web, scheme = _WEB.search(match["word"]), match["word"].lstrip(_NO_LETTERS).lower()
    has_host = web is not None or (scheme != "" and text.startswith(("//", "\\\\"), match.end()))
    if not has_host and not _is_scheme(scheme, text, match.end()):
        return None
    body = _body(text, match.start(), match.end())
    if not body.strip("/\\"):
        return None
    if web:
        scheme = web[1].lower()
        addresses = [_web(body, scheme=scheme) or f"{scheme}:{body}"]
    else:
        addresses = [_with_host(scheme, body)] if has_host else _without_host(scheme, body)
    return addresses, match.end() + len(body)


def _unlisted(text: str) -> Iterator[str]:
    """The addresses of schemes that are not listed, as far as they look like any: of each word without a gap one."""
    if ":" not in text or not _LEADS.search(text):
        return
    for run in _RUN.finditer(text):
        last = max((sign.start() for sign in _LEADS.finditer(run[0])), default=-1)
        for match in _SCHEME.finditer(run[0], 0, last + 1):
            begin, place = run.start() + match.start("word"), run.start() + match.end()
            if _WEB.search(match["word"]) or _is_scheme(match["word"].lower(), text, place):
                break
            if not _BARE.match(text, place) and (body := _body(text, begin, place)):
                yield f"{match['word'].lower()}:{body}"
                break


def _is_scheme(word: str, text: str, place: int) -> bool:
    if word in _ALSO_WORDS:
        return _ALSO_WORDS[word].match(text, place) is not None
    return _NO_SLASHES.fullmatch(word) is not None


def _of_word(text: str, match: re.Match[str]) -> tuple[Sequence[str], int]:
    """A word before a colon may be a domain before its port."""
    bare = _BARE.match(text, match.start())
    return _bare(text, bare) if bare else ([], match.end())


def _of_network(text: str, match: re.Match[str]) -> tuple[list[str], int]:
    """The scheme of the page that it stands on, or a folder in a network of Windows."""
    body = _body(text, match.start(), match.end())
    return [_web(body, scheme="") or f"//{body}"], match.end() + len(body)


def _bare(text: str, match: re.Match[str]) -> tuple[Sequence[str], int]:
    """A mail address or a domain; nothing where it is a number, a version or an abbreviation."""
    if match["mail"] is not None:
        return _known(_mail(match["local"], match["domain"])), match.end()
    domain = domain_in(match["host"])
    if not domain or not match["host"].endswith(domain):
        return _known(one_form(domain)), match.end()
    begin, rest = match.end() - len(domain), _AFTER_HOST.match(text, match.end())
    assert rest is not None, "it matches every text"
    whole = domain + _trimmed(rest[0], text[begin - 1 : begin])
    return [_web(whole, scheme="")], begin + len(whole)


def _known(address: str) -> Sequence[str]:
    return [address] if address else []


def _body(text: str, begin: int, place: int) -> str:
    """The rest of an address that begins at one place, from another one on, without what belongs to the text."""
    body = _BODY.match(text, place)
    assert body is not None, "it matches every text"
    return _trimmed(body[0], text[begin - 1 : begin] if begin else "")


def _trimmed(body: str, before: str) -> str:
    """Up to what closes the bracket or quote before it, and without the punctuation of a sentence behind it."""
    closer = _CLOSERS.get(before)
    if closer:
        body = body[: _closed_at(body, before, closer)]
    end = len(body)
    spare = {closing: body.count(closing) - body.count(opening) for closing, opening in _PAIRS.items()}
    while end and (body[end - 1] in _ENDS or spare.get(body[end - 1], 0) > 0):
        end -= 1
        if body[end] in spare:
            spare[body[end]] -= 1
    return body[:end]


def _closed_at(body: str, opener: str, closer: str) -> int:
    depth = 0
    for place, char in enumerate(body):
        if char == closer:
            if depth == 0:
                return place
            depth -= 1
        elif char == opener:
            depth += 1
    return len(body)


def _web(body: str, *, scheme: str) -> str:
    """A web address without its scheme; "" where no host follows."""
    parts = _PARTS.match(body.replace("\\", "/").lstrip("/"))
    assert parts is not None, "it matches every text"
    user, _, place = parts["authority"].rpartition("@")
    host = _with_port(place, scheme)
    if not host:
        return ""
    more = body[len(body) - len(parts["more"]) :]
    path = "" if parts["path"] == "/" and not more else parts["path"]
    named = f"//{user}@" if user else ""
    family = "" if scheme in {"", "http", "https"} else f"{scheme}://"
    return f"{family}{named}{host}{path}{more}"


def _with_port(place: str, scheme: str) -> str:
    parts = _PORT.match(place)
    assert parts is not None, "it matches every text"
    host = one_form(parts["host"])
    port = "" if parts["port"] in {None, "", _PORTS.get(scheme)} else f":{parts['port']}"
    return f"{host}{port}" if host.strip(_BRACKETS) else ""


def _with_host(scheme: str, body: str) -> str:
    parts = _PARTS.match(body.replace("\\", "/").lstrip("/"))
    assert parts is not None, "it matches every text"
    return f"{scheme}://{parts['authority'].lower()}{parts['path']}{parts['more']}"


def _without_host(scheme: str, body: str) -> Sequence[str]:
    if scheme == "mailto":
        to, _, fields = body.partition("?")
        return [*map(_mail_or_text, filter(None, to.split(","))), *([f"mailto:{body.lower()}"] if fields else [])]
    if scheme in _NUMBERED and any(char.isdigit() for char in body):
        return [f"{scheme}:{_NOT_IN_NUMBERS.sub('', body.lower())}"]
    return [f"{scheme}:{body}"]


def _mail_or_text(text: str) -> str:
    local, at, domain = text.rpartition("@")
    return _mail(local, domain) if at else f"mailto:{text.lower()}"


def _mail(local: str, domain: str) -> str:
    """A mail address; "" for what is none, as the version in "name@1.2.3"."""
    host = domain_in(domain) or domain.strip("-_.")
    is_version = not domain_in(domain) and not any(char.isalpha() for char in host.rpartition(".")[2])
    return "" if is_version else f"{local.lower().lstrip(_MARKS)}@{one_form(host)}"
