"""Whether words name something: addresses whole, names of people and things word by word.

Nothing here knows where the words come from; `policies.guards.tracing` gives only those of the owner.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase

_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(r"[^\s@<>()\[\]{},;:\"'`|\\]+@[^\s@<>()\[\]{},;:\"'`|\\/?#]+")
_MENTION = re.compile(r"<([@#])([A-Z0-9]+)(?:\|[^<>]*)?>")
_ENDS = ".!?…"
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_FILLERS = frozenset(
    {
        *("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with", "about", "re"),
        *("my", "our", "your", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "und", "oder", "mit"),
        *("von", "vom", "zu", "zum", "zur", "im", "am", "für", "über", "mein", "meine", "unser", "unsere"),
        *("fw", "fwd", "aw", "wg"),
    }
)
"""Words of a title that people leave out."""


def plain(text: str) -> str:
    """The text as words are compared: in one width and case, without characters that nobody sees."""
    return _seen(text).casefold()


def _seen(text: str) -> str:
    if text.isascii():
        return text
    return "".join(each for each in unicodedata.normalize("NFKC", text) if unicodedata.category(each) != "Cf")


def address(text: str) -> str:
    """An address as addresses are compared: the letters A to Z in one case, and nothing else.

    Whatever more is folded makes a stranger's address one that was named: ß becomes ss, the Kelvin sign a k, and where
    a character goes that nobody sees, only the mail server knows.
    """
    return text.translate(_SMALL)


def words_of(text: str) -> list[str]:
    """The words of a text: letters and digits."""
    return _WORD.findall(plain(text).replace("_", " "))


def addresses_in(text: str) -> frozenset[str]:
    """The mail addresses that stand in a text, each whole, in the width that people type."""
    seen = _seen(text)
    return frozenset(address(match.rstrip(_ENDS)) for match in _ADDRESS.findall(seen)) if "@" in seen else frozenset()


def mentioned_in(text: str) -> frozenset[str]:
    """The ids of people and conversations that a text mentions, as Slack writes mentions."""
    return frozenset(match[2] for match in _MENTION.finditer(text))


def holds(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the wanted words stand in these, one after the other."""
    size = len(wanted)
    return 0 < size <= len(words) and any(
        words[at] == wanted[0] and list(words[at : at + size]) == list(wanted) for at in range(len(words) - size + 1)
    )


def calls(words: Sequence[str], title: Sequence[str]) -> bool:
    """Whether these words call a thing by the words of its title: all of them in their order, or in any order those
    that say something.
    """
    telling = {word for word in title if word not in _FILLERS}
    return holds(words, title) or (len(telling) > 1 and telling.issubset(words))


def names_in(words: Sequence[str], *names: str) -> Iterator[str]:
    """The words of a person's names that stand in these words, each once."""
    wanted = dict.fromkeys(word for name in names for word in words_of(name) if len(word) > 1)
    said = set(words)
    return (word for word in wanted if word in said)


def quotes(text: str, quoted: str) -> bool:
    """Whether a text holds another one, whatever the space between its words."""
    return bool(quoted.strip()) and " ".join(plain(quoted).split()) in " ".join(plain(text).split())
