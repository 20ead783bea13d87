"""Host names: which of them can be an address in a text without a scheme, and the one form of each.

Sources: IANA's root zone (tlds.txt); RFC 2606 and RFC 6761 (names for special use); the WHATWG URL standard, "IPv4
parser"; RFC 3492 (Punycode).
"""

from __future__ import annotations

import functools
import re
import unicodedata
from importlib.resources import files
from urllib.parse import unquote

SPECIAL_USE = frozenset({"example", "home", "internal", "invalid", "lan", "local", "localhost", "onion", "test"})
"""Nobody can register these; networks of one's own use them."""

LABEL = (
    "0-9A-Za-z_\\-\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u060b\u060d-\u061a\u061c-\u061e\u0620-\u06d3"
    "\u06d5-\u0963\u0966-\u1fff\u2c00-\u2dff\u3005-\u3007\u3021-\ud7ff\uf900-\ufdff\ufe20-\ufe2f\ufe70-\ufefe"
    "\uff66-\uffdc\U00010000-\U0001efff\U00020000-\U000dffff"
)
"""What stands between the brackets of a regular expression's class: letters, marks and digits, no signs, no emoji."""

DEGREES = frozenset({"B.Sc", "M.Sc"})
"""Written so they end names, and are no domain."""

_LONGEST_LABEL = 63  # RFC 1035 §2.3.4
_EDGE = "-_"
_ASCII_HOST = re.compile(r"(?<![0-9A-Za-z_.-])[0-9A-Za-z_-]++(?:\.[0-9A-Za-z_-]++)++")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_OCTAL = re.compile("[0-7]+")
_WORD = re.compile(rf"[{LABEL}]*")


@functools.cache
def top_level() -> frozenset[str]:
    """Every top-level domain, in lower case; those of other scripts in these."""
    lines = files("policies.guards.addresses").joinpath("tlds.txt").read_text(encoding="utf-8").splitlines()
    return SPECIAL_USE.union(_unicode(line) for line in lines if not line.startswith("#"))


def is_top_level(label: str) -> bool:
    """Whether names end so."""
    return _unicode(label.lower()) in top_level()


def domain_in(run: str) -> str:
    """The domain that a run of labels and dots begins with, or holds in ASCII; "" where there is none.

    What follows the last top-level domain is left out: a text goes on there ("see acme.com.Then", "acme.com-like").
    """
    return _domain(run) or next(filter(None, (_domain(part[0]) for part in _ASCII_HOST.finditer(run))), "")


def _domain(run: str) -> str:
    labels = run.lstrip(_EDGE).rstrip(".").split(".")
    if run in DEGREES:
        return ""
    if is_dotted_quad(labels):
        return ".".join(labels)
    for place in range(len(labels) - 1, 0, -1):
        end = _ending(labels[place])
        if end and labels[place - 1].strip(_EDGE):
            return ".".join([*labels[:place], end])
    return ""


def _ending(label: str) -> str:
    """The top-level domain that the label is, or begins with before a hyphen; "" for none."""
    if is_top_level(label):
        return label
    begin = re.split("[-_]", label)[0]
    return begin if is_top_level(begin) else ""


def is_dotted_quad(labels: list[str]) -> bool:
    """Whether they are an IPv4 address with all its dots, decimal, octal or hexadecimal."""
    return len(labels) == 4 and all(value is not None and value < 256 for value in map(_number, labels))


def one_form(host: str) -> str:
    """A host in the form in which equal ones are equal: lower case, no escapes, no Punycode, IPv4 in decimals."""
    plain = unicodedata.normalize("NFKC", unquote(host, errors="replace")).lower().rstrip(".")
    return _ipv4(plain) or ".".join(map(_unicode, plain.split(".")))


def in_letters(address: str) -> str:
    """A mail address with the letters of its domain, which travels in ASCII (RFC 5891 §4.4)."""
    name, at, domain = address.rpartition("@")
    return f"{name}{at}{'.'.join(map(_unicode, domain.split('.')))}"


def _ipv4(host: str) -> str:
    """The address that browsers read where the last label is a number: one to four numbers, the last one fills up."""
    labels = host.split(".")
    numbers = [number for label in labels if (number := _number(label)) is not None]
    if len(numbers) < len(labels) or len(labels) > 4:
        return ""
    *first, last = numbers
    if any(number >= 256 for number in first) or last >= 256 ** (4 - len(first)):
        return ""
    value = sum(number << (24 - 8 * place) for place, number in enumerate(first)) + last
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))


def _number(label: str) -> int | None:
    if len(label) > 12 or not _NUMBER.fullmatch(label.lower()):
        return None
    if label[:2].lower() == "0x":
        return int(label[2:] or "0", 16)
    if label[0] == "0":
        return int(label, 8) if _OCTAL.fullmatch(label) else None
    return int(label)


def _unicode(label: str) -> str:
    """A label of Punycode as it is read; any other, and one that no browser takes, as it is."""
    if not label.startswith("xn--") or len(label) > _LONGEST_LABEL:
        return label
    try:
        read = label[4:].encode("ascii").decode("punycode")
        again = "xn--" + read.encode("punycode").decode("ascii")
    except UnicodeError:
        return label
    is_sound = not read.isascii() and again == label and unicodedata.normalize("NFKC", read).lower() == read
    return read if is_sound and _WORD.fullmatch(read) else label
