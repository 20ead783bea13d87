"""Whether a verb asks for something where it stands in its clause, told by form: by what stands before it.

People ask with a command at the beginning of a clause (“Move it”), with a polite request (“could you move it?”), or
with a need of their own (“we need to move it”). In German a verb may stand last: “kannst du es verschieben?”. All else
tells of something, or asks about it: “any need to move it?”, “the reasons to move it”, “ask Dana to move it”.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from policies.guards.grammar import english, german
from policies.guards.grammar.clauses import COLON, REFUSING, Clause, Verb

_WRITING = frozenset(
    {
        *("write", "tell", "mail", "email", "message", "text", "reply", "answer", "respond", "draft", "say", "remind"),
        *("ask", "subject", "schreib", "schreibe", "sag", "sage", "antworte", "maile", "frag", "frage", "betreff"),
    }
)
"""What stands behind a colon after them is a text for somebody: “write to Dana: please move it”."""

_TO_ME = frozenset({"me", "us", "mir", "mich", "uns"})
_HERE = frozenset({"here", "hier"})
_FOR_ME = frozenset({"for", "für"})
_GOES_ON = frozenset(
    {
        *("that", "if", "whether", "when", "what", "how", "who", "why", "because", "she", "he", "they", "i", "we"),
        *("you", "dass", "ob", "wann", "was", "wie", "wer", "weil"),
    }
)
"""What somebody is told, and no more whom it reaches: “ask Dana if she can meet me”."""

_FOR_OTHERS = frozenset(
    {
        *("send", "mail", "email", "message", "answer", "tell", "remind", "ask", "ping", "let", "forward", "inform"),
        *("reply", "respond", "notify", "post", "share", "follow", "get", "write", "contact", "give", "show", "warn"),
        *("keep", "update", "bring", "schick", "schicke", "sende", "sag", "sage", "erinnere", "erinner", "gib", "frag"),
        *("frage", "antworte", "beantworte", "informiere", "informier", "maile", "leite", "leit", "teile", "setz"),
        *("setze", "schreib", "schreibe", "schicken", "senden", "mitteilen", "sagen", "schreiben", "weiterleiten"),
    }
)
"""Verbs that reach nobody else where they have “me” or “here” with them."""

_DRAFTS = frozenset(
    {("a", "draft"), ("as", "draft"), ("in", "draft"), ("ein", "entwurf"), ("einen", "entwurf"), ("als", "entwurf")}
)


def is_wish(clause: Clause, verb: Verb) -> bool:
    """Whether the verb asks for something where it stands."""
    if _is_for_owner(clause, verb) or _is_dictated(clause.earlier) or not REFUSING.isdisjoint(clause.rest):
        return False
    return german.asks(clause, verb) if verb.is_infinitive else english.asks(clause, verb)


def _is_for_owner(clause: Clause, verb: Verb) -> bool:
    """Whether it reaches its owner alone: “send it to me”, “post it here”, “answer it with a draft”."""
    if verb.first not in _FOR_OTHERS:
        return False
    led = len(clause.before) if verb.is_infinitive else 0
    said = ["", *(clause.before if led else ()), *clause.rest]
    ends = next((at for at in range(led + 1, len(said)) if said[at] in _GOES_ON or _is_to_do(said[at:])), len(said))
    return any(
        word in _HERE or (word in _TO_ME and before not in _FOR_ME) or (before, word) in _DRAFTS
        for before, word in itertools.pairwise(said[:ends])
    )


def _is_dictated(earlier: Sequence[str]) -> bool:
    """Whether it stands in a text for somebody, which the sentence gives behind a colon."""
    return COLON in earlier and not _WRITING.isdisjoint(earlier[: list(earlier).index(COLON)])


def _is_to_do(said: Sequence[str]) -> bool:
    """Whether “to” leads to a verb rather than to somebody: “ask Dana to meet me”."""
    return said[0] == "to" and len(said) > 1 and said[1] not in _TO_ME | english.OBJECTS
