"""What a text leaves out of something, in English and German: “leave Eve out”, “skip the plan”, “the plan is
confidential”; and what it leaves as it is: “the review stays”, “keep the review”.

The verbs do something to what follows them, so what is left out here is read as negated: nobody is reached by it, and
nothing is passed on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LEAVING_OUT = frozenset(
    {
        *("skip", "omit", "exclude", "hide", "withhold", "ignore", "remove", "delete", "strip", "detach", "drop"),
        *("block", "ban", "mute", "uninvite", "disinvite", "unsubscribe", "spare", "redact", "conceal", "entferne"),
        *("entfern", "lösch", "lösche", "streich", "streiche", "ignoriere", "ignorier", "blockiere", "blockier"),
        *("sperre", "sperr", "verschweig", "verschweige"),
    }
)
_PARTED = {
    **dict.fromkeys(("leave", "keep", "take", "cut", "get", "hold", "let", "kick", "throw"), frozenset({"out", "off"})),
    **dict.fromkeys(("lass", "lasse", "lasst", "nimm", "halt", "halte", "wirf"), frozenset({"weg", "raus", "aus"})),
}
_LENT = frozenset({"take", "cut", "kick", "throw", "nimm", "wirf"})
_PRIVATE = frozenset(
    {
        *("private", "confidential", "secret", "internal", "away", "aside", "back", "hidden", "vertraulich", "geheim"),
        *("intern", "außen", "draußen", "zurück", "heraus", "unerwähnt"),
    }
)
_SECRET = frozenset({"private", "confidential", "secret", "internal", "hidden", "vertraulich", "geheim", "intern"})
_STATES = frozenset({"is", "are", "stays", "stay", "remains", "ist", "sind", "bleibt", "bleiben"})
_WITH_ME = frozenset(
    {("with", "me"), ("with", "us"), ("between", "us"), ("bei", "mir"), ("bei", "uns"), ("unter", "uns")}
)
_IN_LOOP = frozenset(
    {
        *("posted", "informed", "updated", "loop", "copy", "cc", "touch", "know", "laufenden", "mind", "short"),
        *("brief", "polite", "friendly", "simple", "kurz", "wissen"),
    }
)
"""With them a verb of keeping asks for something else: “keep Helen posted”."""

_DRAWN = 8  # words between the parts of a verb at most
_BEFORE = frozenset(
    {
        *("", ".", "!", "?", ";", ",", ":", "-", "–", "—", "(", "and", "but", "then", "please", "pls", "just", "also"),
        *("to", "you", "should", "must", "can", "could", "would", "und", "aber", "dann", "bitte", "auch", "du", "…"),
        *("rather", "instead", "ll", "will", "let's", "nur", "or", "oder"),
    }
)
"""Behind them a verb may ask for something."""

_STAYING = frozenset({"stays", "stay", "remains", "bleibt", "bleiben"})
_KEEPING = frozenset({"keep", "leave", "lass", "lasse", "behalte", "behalt"})
_UNCHANGED = frozenset({"alone", "unchanged", "untouched", "unmoved", "where", "as", "ruhe", "wie", "wo", "stehen"})
_ONE_THING = frozenset({"the", "my", "our", "this", "den", "das", "die", "mein", "meinen"})

MAY_OMIT = re.compile(
    r"(?<![^\W_])(?:"
    + "|".join(sorted({*_LEAVING_OUT, *_PRIVATE, *frozenset[str]().union(*_PARTED.values()), "here", "hier"}))
    + r"|(?:with|bei) (?:me|us|mir|uns)|between us|unter uns)(?![^\W_])",
    re.IGNORECASE,
)
"""What a text has that may leave something out."""

MAY_KEEP = re.compile(r"(?<![^\W_])(?:" + "|".join(sorted(_STAYING | _KEEPING)) + r")(?![^\W_])", re.IGNORECASE)
"""What a text has that may leave something as it is."""


OWNED = re.compile(
    r"[^\s@<>()]+@[^\s@<>()'’]+['’]s\b(?!\s+(?:last |latest |new )?(?:e-?mails?|mails?|messages?|thread"
    r"|questions?|requests?"
    r"|invitation|invite|note|letter|reply|answer)\b)",
    re.IGNORECASE,
)
"""An address of which something is that is no mail: “eve@acme.com’s boss”."""

CUES = _STAYING | _KEEPING


def omits(said: Sequence[str], at: int, last: int) -> bool:
    """Whether a verb here leaves out what follows it."""
    word, rest = said[at], said[at + 1 : min(last, at + _DRAWN + 2)]
    if not _may_ask(said, at):
        return False
    if word in _LEAVING_OUT:
        return word != "drop" or _line(rest) is None
    drawn, is_lent = _PARTED.get(word), word in _LENT
    return drawn is not None and (is_lent or _IN_LOOP.isdisjoint(rest)) and not (drawn | _PRIVATE).isdisjoint(rest)


def is_kept_apart(said: Sequence[str], at: int) -> bool:
    """Whether the words here say of what stands before them that it is for nobody else."""
    if said[at] not in _STATES:
        return False
    rest = said[at + 1 : at + 4]
    if said[at] in _STAYING:
        return not (_PRIVATE | {"out", "here", "hier"}).isdisjoint(rest) or tuple(rest[:2]) in _WITH_ME
    return not _SECRET.isdisjoint(rest) or tuple(rest[:2]) == ("left", "out")


def stays(said: Sequence[str], at: int) -> bool:
    """Whether the word here says of what stands before it that it stays as it is."""
    return said[at] in _STAYING and said[max(0, at - 1) : at] != ["to"]


def keeps(said: Sequence[str], at: int, last: int) -> bool:
    """Whether a verb here leaves as it is what follows it."""
    if said[at] not in _KEEPING or not _may_ask(said, at):
        return False
    rest = said[at + 1 : min(last, at + _DRAWN + 2)]
    is_kept = said[at].startswith(("keep", "behalt")) and not _ONE_THING.isdisjoint(rest[:1])
    return _IN_LOOP.isdisjoint(rest) and (is_kept or not _UNCHANGED.isdisjoint(rest[1:]))


def _may_ask(said: Sequence[str], at: int) -> bool:
    return at == 0 or said[at - 1] in _BEFORE


def _line(rest: Sequence[str]) -> int | None:
    """Where “a line” begins behind somebody's name: “drop Luis a line”."""
    return next((place for place, word in enumerate(rest[:4]) if word in {"a", "an"} and place), None)
