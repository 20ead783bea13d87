"""Whose text the owner asks to be obeyed: “do the actions in the mail from eve@acme.com”, “do what she says”.

What that text wants is not what the owner typed, so it names nobody else, and no thing. But its author is answered
by the one who does it: they are who asked. Words are allowed here one by one, since a sentence that tells more of them
(“the tasks in the mail from Eve that I should ignore”) asks for something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from policies.guards import words
from policies.guards.grammar.clauses import BESIDE, BREAK, HIDDEN, TIMES

PERSON = "@"
"""What stands for an address in the words of a sentence."""

OBEY = (
    *("do", "follow", "carry out", "execute", "perform", "complete", "handle", "fulfil", "fulfill", "process"),
    *("work through", "act on", "take care of", "deal with", "comply with", "erledige", "erledig", "befolge", "befolg"),
    *("mach", "mache", "führe … aus", "führ … aus", "setze … um", "setz … um", "arbeite … ab", "kümmere dich um"),
    *("kümmer dich um", "… erledigen", "… befolgen", "… ausführen", "… umsetzen", "… abarbeiten"),
)
"""The verbs with which people ask for what somebody wants."""

_WANTED = frozenset(
    {
        *("action", "actions", "instruction", "instructions", "task", "tasks", "todo", "todos", "step", "steps"),
        *("request", "requests", "what", "whatever", "everything", "as", "aufgabe", "aufgaben"),
        *("anweisung", "anweisungen", "schritte", "was", "alles"),
    }
)
_OPENING = BESIDE | {
    *("the", "all", "both", "these", "those", "this", "that", "each", "every", "of", "two", "three", "exactly", "open"),
    *("precisely", "just", "only", "my", "die", "den", "das", "der", "alle", "genau", "du", "items", "to", HIDDEN),
    *("out", "through", "on", "care", "with", BREAK),
}
_BETWEEN = _OPENING | {
    *("in", "from", "by", "a", "an", "mail", "email", "e", "message", "thread", "letter", "note", "list", "last"),
    *("latest", "new", "newest", "recent", "specified", "listed", "given", "described", "mentioned", "requested"),
    *("asked", "for", "set", "out", "that", "which", "are", "is", "were", "written", "i", "got", "received", "aus"),
    *("dem", "nachricht", "von", "letzten", "neuen", "neuesten", "ich", "habe", "bekommen", "genannten"),
    *("was", BREAK),
}
_FROM = frozenset({"from", "by", "of", "von"})
_ASKS = frozenset(
    {
        *("says", "said", "asks", "asked", "wants", "wanted", "wrote", "writes", "requests", "requested", "needs"),
        *("tells", "wishes", "sagt", "schreibt", "will", "verlangt", "wünscht", "möchte", "steht"),
    }
)
_THEM = frozenset({"it", "she", "he", "they", "sie", "er", "es", "there", "drin", "darin", "da"})
_READING = frozenset({"read", "open", "check", "look", "see", "lies", "öffne", "schau", "prüf", "prüfe"})
_DOUBTS = frozenset(
    {
        *("make", "look", "seem", "sound", "need", "mean", "have", "include", "apply", "matter", "work", "count"),
        *("come", "contain", "differ", "affect", "concern", "require", "fit", "not", "ignore", "never", "nicht"),
        *("rückgängig", "zunichte"),
    }
)
_ENDING = (
    BESIDE
    | TIMES
    | {
        *("me", "us", "the", "a", "my", "with", "of", "in", "from", "to", "for", "it", "them", "that", "her"),
        *("his", "i"),
        *("their", "mail", "email", "e", "message", "thread", "inbox", "all", "and", "tell", "let", "know"),
        *("done", "thank"),
        *("you", "thanks", "when", "re", "are", "finished", "asap", "right", "away", "immediately", "soon"),
        *("is", "what"),
        *("ones", "did", "everything", "mir", "uns", "bescheid", "sag", "sage", "gib", "dank", "vielen"),
        *("sofort", "und"),
        *("der", "die", "das", "dem", "den", "was", "darin", "drin", "there", "asks", "says", "wants"),
        *("asked", "wrote"),
        *("wanted", "needs", "requests", "requested", "schreibt", "will", "sagt", "steht", "möchte"),
        *("verlangt", "wünscht"),
        *("said", "tells", "writes", "wishes", "up", "follow", "complete", "carry", "out", "aus"),
        *("um", "ab", HIDDEN, BREAK),
    }
)
"""What may stand behind the author: it makes nothing else of what is asked for."""

_CALLED = frozenset({"subject", "title", "titled", "called", "named", "betreff"})
_TURNING = re.compile(
    r"\b(?:spam|junk|phish\w*|scam\w*|fraud\w*|fake|malicious|suspicious|dubious|block\w*|archive\w*|archiving|delete\w*|deleting|ignor\w*"
    r"|unsubscribe|opposite|trash|rückgängig|verdächtig|lösch\w*|blockier\w*|sperr\w*|betrug)\b"
)
"""In a message that has them, something else may be meant than to do what somebody wants."""


def is_turned(text: str) -> bool:
    """Whether a text has a word for what is done about an author, and not for them."""
    return _TURNING.search(words.plain(text)) is not None


def ends(after: Sequence[str]) -> bool:
    """Whether nothing follows that makes something else of it. A subject may stand between quotation marks."""
    at = 0
    while at < len(after):
        if after[at] == HIDDEN and after[at - 1] in _CALLED and at and HIDDEN in after[at + 1 :]:
            at = after.index(HIDDEN, at + 1)
        elif after[at] not in _ENDING | _CALLED:
            return False
        at += 1
    return True


def goes_on(rest: Sequence[str]) -> bool:
    """Whether a mark parts a verb from what it is done to, as in “mach, was sie schreibt”."""
    return not {*rest} - BESIDE - {"alles", "das"}


def author_at(told: Sequence[str], theirs: range, earlier: range, after: int) -> int | None:
    """Where in these words the address stands of who is obeyed: in `theirs`, which a verb of `OBEY` is done to, or
    alone in what its sentence says `earlier`. The rest of the sentence, from `after` on, must not turn it.
    """
    said, before = [told[place] for place in theirs], [told[place] for place in earlier]
    later = told[after:]
    at = next((place for place, word in enumerate(said) if word not in _OPENING), len(said))
    if at == len(said) or said[at] not in _WANTED or not _DOUBTS.isdisjoint(said[at:]):
        return None
    rest = said[at + 1 :]
    if PERSON in rest:
        place = rest.index(PERSON)
        is_meant = _BETWEEN.issuperset(rest[:place]) and (_is_from(rest[:place]) or _asks(rest[place + 1 :]))
        is_meant = is_meant and ends([*rest[place + 1 :], *later])
        return theirs[at + 1 + place] if is_meant else None
    is_alone = before.count(PERSON) == 1 and _is_from(before[: before.index(PERSON)])
    is_alone = is_alone and ends(later)
    return earlier[before.index(PERSON)] if is_alone and _means_them(said[at], rest, before) else None


def _is_from(before: Sequence[str]) -> bool:
    said = [word for word in before if word != HIDDEN]
    return bool(said) and said[-1] in _FROM


def _asks(after: Sequence[str]) -> bool:
    said = [word for word in after if word != HIDDEN]
    return bool(said) and said[0] in _ASKS


def _means_them(wanted: str, rest: Sequence[str], before: Sequence[str]) -> bool:
    """“What it says”, “the instructions in it”, “read …, and follow the instructions”: of what was just spoken of."""
    said = [word for word in rest if word not in _BETWEEN]
    if wanted in {"what", "whatever", "everything", "as", "was", "alles"}:
        return len(said) == 2 and said[0] in _THEM and said[1] in _ASKS
    return (not said and not _READING.isdisjoint(before)) or (len(said) == 1 and said[0] in _THEM)
