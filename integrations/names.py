"""Whether a name that somebody typed is a person's."""

from __future__ import annotations

import re
import unicodedata


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
