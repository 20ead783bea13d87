"""Where a text names people: after words that lead to a person, in English and German.

People choose their names themselves, and a name can be a word that stands in any request. So a word is somebody's name
only where one would name a person: “to Dana”, “with Dana and Tom”, “ask Dana”, “send Dana the plan”, “Dana’s mail”.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from policies.guards import words

_TOKEN = re.compile(r"[^\W_]+|[^\s\w]")
_LEADING = frozenset(
    {
        *("to", "with", "from", "by", "between", "cc", "bcc", "tell", "ask", "invite", "remind", "thank", "inform"),
        *("notify", "contact", "ping", "mr", "mrs", "ms", "dr", "an", "mit", "von", "bei", "zwischen", "frag", "frage"),
        *("sag", "sage", "bitte", "erinnere", "informiere", "herr", "herrn", "frau"),
    }
)
"""Words that a person's name follows."""

_GIVING = frozenset(
    {
        *("send", "give", "show", "forward", "mail", "email", "write", "answer", "message", "schick", "schicke"),
        *("schreib", "schreibe", "gib", "zeig", "zeige", "antworte", "maile"),
    }
)
"""Words that a person's name follows if what they get comes next, or nothing: after others a thing may follow."""

_WRITING = frozenset({"mail", "email", "write", "answer", "message", "schreib", "schreibe", "antworte", "maile"})
_GIVEN = frozenset(
    {
        *("the", "a", "an", "my", "our", "your", "this", "that", "these", "all", "about", "if", "what", "when", "how"),
        *("der", "die", "das", "den", "dem", "ein", "eine", "einen", "mein", "meine", "meinen", "dass", "wann", "was"),
    }
)
_PRONOUNS = frozenset({"me", "us", "him", "her", "them", "mir", "mich", "uns", "ihm", "ihr", "ihnen"})
_AND = frozenset({"and", "or", "und", "oder", ",", "&", "+"})
_AROUND = frozenset('<("“„*:-')


def named_in(text: str) -> Iterator[str]:
    """The words of a text that stand where a person is named, folded as `words.words_of` does. Addresses are none."""
    seen = words.without_addresses(text)
    found = list(_TOKEN.finditer(seen))
    leads, before = False, ""  # the next word is a name; the name that the last word was
    for at, token in enumerate(found):
        word = words.plain(token[0])
        after = found[at + 1][0] if at + 1 < len(found) else ""
        is_name = token[0][0].isalnum() and not words.is_common(word) and word not in _LEADING
        if word in _PRONOUNS and leads:
            leads, before = False, word
        elif is_name and (
            (leads and _is_alike(before, token[0]))
            or _goes_on(before, token[0], seen[: token.start()])
            or _is_owner(token, found[:at], seen)
        ):
            yield word
            leads, before = False, token[0]
        elif word in _AND and before:
            leads = True
        elif word == "@":
            leads, before = not seen[: token.start()][-1:].isalnum(), ""
        elif word not in _AROUND:
            leads, before = word in _LEADING or _gives(word, after, found[at + 2 : at + 3]), ""


def _is_alike(before: str, name: str) -> bool:
    """Whether a name in a list begins as the one before it: “to Dana and pay the bill” names one."""
    return not before[:1].isupper() or name[0].isupper()


def _goes_on(before: str, name: str, until: str) -> bool:
    """Whether it is the rest of a name, as in “Dana Okafor”."""
    return before[:1].isupper() and name[0].isupper() and until.endswith((f"{before} ", f"{before}-"))


def _is_owner(token: re.Match[str], earlier: list[re.Match[str]], text: str) -> bool:
    """Whether something is theirs, as in “Dana’s mail”."""
    last = words.plain(earlier[-1][0]) if earlier else ""
    is_possessive = re.match(r"['’](s\b|\s|$)", text[token.end() : token.end() + 3]) is not None
    return is_possessive and last not in _GIVEN and (token[0][0].isupper() or last in _GIVING)


def _gives(word: str, name: str, given: list[re.Match[str]]) -> bool:
    """Whether this word gives something to the next one."""
    if word not in _GIVING or not name:
        return False
    what = words.plain(given[0][0]) if given else ""
    return what in _GIVEN or (word in _WRITING and not what.isalnum())
