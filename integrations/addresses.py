"""Addresses as a model writes them (of a recipient, a guest, a colleague), and whether a typed name is a person's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from integrations.errors import ModelRetry
from integrations.text import itemized

_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*\Z")
_LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")
_PUNYCODE = "xn--"
_NAMED = re.compile(r"(?P<name>[^<>]*)<(?P<email>[^<>]+)>\Z")
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>|@?([UW](?=[A-Z]*\d)[A-Z0-9]{5,})")
_ADDRESSED = re.compile(r"[^\s<]@")
_SHOWN = re.compile(
    r"(?:\"(?:[^\"\\]|\\.){0,1000}+\"|\([^()]*+\)|[^\s<>(),;:@\"])++(?P<domain>@[^\s<>(),;:@]+)?", re.DOTALL
)
"""An address in a text, its first part in quotation marks or with a comment, too (RFC 5322 §3.4.1); or another word."""
_SLACK_LINK = re.compile(r"<mailto:(?P<email>[^|<>]+)(\|[^<>]*)?>\Z")


def words_of(text: str) -> list[str]:
    """The words of a name, without case and accents: "Åsa Lindqvist-Berg" has three."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.findall(r"\w+", plain.replace("_", " ").casefold())


def has_words(name: str, email: str, wanted: str) -> bool:
    """Whether every wanted word begins a word of the name or of the address's first part; or it is the address."""
    if "@" in wanted:
        return wanted.strip().lower() == email.lower()
    known = [*words_of(name), *words_of(email.partition("@")[0])]
    typed = words_of(wanted)
    return bool(typed) and all(any(word.startswith(each) for word in known) for each in typed)


def is_whole(name: str, wanted: str) -> bool:
    """Whether the wanted words are words of the name, not only beginnings."""
    return set(words_of(wanted)) <= set(words_of(name))


def is_same(name: str, wanted: str) -> bool:
    """Whether it is the whole name."""
    return words_of(name) == words_of(wanted)


def mentioned(text: str) -> str:
    """The id of the person that a Slack mention names, "<@U024BE7LH>"; "" where it is none."""
    match = _MENTION.fullmatch(text.strip())
    return (match[1] or match[2]) if match else ""


def typed_recipient(text: str) -> tuple[str, str]:
    """Name and address of "a@x.com", "Jane Doe <a@x.com>", the name with or without a comma, or Slack's own link.

    Domains become IDNA. Raises `ModelRetry` for anything that is not exactly one deliverable address.
    """
    stripped = text.strip()
    if any(not character.isprintable() and not character.isspace() for character in stripped) or "\n" in stripped:
        raise not_a_recipient(text, "it has line breaks or invisible characters")
    if mentioned(stripped) or stripped.startswith("@"):
        raise not_a_recipient(text, "it is a mention; write an address, like jane@example.com")
    link = _SLACK_LINK.match(stripped)
    if link:
        return "", deliverable_address(link["email"].strip(), text)
    named = _NAMED.match(stripped)
    if not named:
        return "", deliverable_address(stripped, text)
    name = " ".join(named["name"].split()).strip('"').strip()
    if "@" in name:
        raise not_a_recipient(text, "the name looks like another address")
    return name, deliverable_address(named["email"].strip(), text)


def deliverable_address(email: str, text: str) -> str:
    """The address with its domain in ASCII; raises `ModelRetry`, in words about `text`, where mail cannot go there."""
    local, at, domain = email.rpartition("@")
    if not at or "@" in local or re.search(r"[\s,;]", email):
        raise not_a_recipient(text, "write each address by itself, like jane@example.com")
    if not _LOCAL.match(local) or len(local) > 64:
        raise not_a_recipient(text, "the part before the @ has characters that mail cannot carry")
    ascii_domain = _idna(domain, text)
    labels = ascii_domain.split(".")
    if len(labels) < 2 or not all(_LABEL.match(label) for label in labels) or len(ascii_domain) > 253:
        raise not_a_recipient(text, "the domain is not valid")
    return f"{local}@{ascii_domain}"


def script_warnings(destinations: Iterable[str]) -> list[str]:
    """What a card says of addresses in these texts that may look like others: letters of other scripts stand in
    them, in the domain as Punycode (RFC 5891 §4.4).
    """
    shown = dict.fromkeys(word[0] for text in destinations for word in _SHOWN.finditer(text) if word["domain"])
    odd = [email for email in shown if not email.isascii() or _PUNYCODE in email.partition("@")[2].lower()]
    return [itemized("Written in another script, look twice", odd)] if odd else []


def not_a_recipient(text: str, why: str) -> ModelRetry:
    """The refusal of a text, with the reason."""
    shown = " ".join("".join(each for each in text if each.isprintable() or each.isspace()).split())[:120]
    is_name = bool(shown) and _ADDRESSED.search(text) is None
    hint = f'A name is no address: call find_person(name="{shown}") first.' if is_name else ""
    return ModelRetry("invalid_recipient", f"“{shown}” cannot be a recipient: {why}.", hint=hint, private=False)


def _idna(domain: str, text: str) -> str:
    """The domain in ASCII. A name that IDNA 2003 would turn into another one (ß into ss) is refused."""
    if domain.isascii():
        return domain.lower()
    try:
        encoded = domain.encode("idna").decode("ascii")
    except UnicodeError:
        raise not_a_recipient(text, "the domain is not valid") from None
    if encoded.encode("ascii").decode("idna") != domain.lower():
        raise not_a_recipient(text, "write the domain in its xn-- form")
    return encoded
