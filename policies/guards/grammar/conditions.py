"""Conditions that are on a request, and what puts it off, in English and German: “if Dana agrees, cancel it” asks for
nothing now, and neither does “add a todo: cancel it”. A polite “if you can” is none, and neither is what somebody is
asked: “ask Helen if she is free”.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_ALWAYS = frozenset(
    {
        *("if", "unless", "whenever", "provided", "providing", "assuming", "falls", "wenn", "sobald", "sofern"),
        *("bevor", "ehe", "nachdem", "solange", "vorausgesetzt", "pending"),
    }
)
_BY_TWO = frozenset(
    {
        *(
            ("only", "after"),
            ("only", "once"),
            ("not", "until"),
            ("not", "before"),
            ("nicht", "vor"),
            ("in", "case"),
            ("as", "soon"),
            ("as", "long"),
        ),
        *(("wait", "for"), ("wait", "until"), ("wait", "till"), ("hold", "off"), ("warte", "auf"), ("warte", "bis")),
        *(("warten", "auf"), ("to", "wait"), ("can", "wait"), ("must", "wait"), ("should", "wait"), ("muss", "warten")),
        *(("kann", "warten"), ("erst", "nach"), ("erst", "dann"), ("subject", "to"), ("depending", "on")),
        *(("es", "sei"), ("on", "condition"), ("wait", "till"), ("for", "later"), ("soll", "warten")),
    }
)
_WHO = frozenset(
    {
        *("i", "we", "you", "he", "she", "they", "it", "everyone", "everybody", "somebody", "someone", "nobody", "i'm"),
        *("i've", "we've", "you've", "she's", "he's", "they've", "ich", "du", "er", "sie", "wir", "the", "my", "that"),
        *("you're", "we're", "they're", "this", "no"),
    }
)
_APPROVALS = frozenset(
    {
        *("approval", "ok", "okay", "confirmation", "consent", "permission", "signature", "signoff", "blessing"),
        *("clearance", "authorisation", "authorization", "feedback", "agreement", "nod", "freigabe", "zustimmung"),
        *("rücksprache", "absprache", "abstimmung", "genehmigung", "bestätigung", "einverständnis", "erlaubnis"),
        *("durchsicht", "unterschrift", "abnahme", "rückmeldung"),
    }
)
_OWN_CHECKS = frozenset({"review", "check", "sign", "go", "prüfung", "answer", "reply"})
"""Behind “my” or “Dana’s”, or at the end: “after the review” is a time."""

_UPON = frozenset(
    {"after", "upon", "until", "till", "once", "when", "with", "on", "in", "nach", "mit", "bis", "pending"}
)
_JOINED: Mapping[str, frozenset[str]] = {
    "with": _APPROVALS - {"feedback", "confirmation", "signature", "agreement", "nod"},
    "mit": _APPROVALS - {"feedback", "bestätigung", "unterschrift", "rückmeldung"},
    "in": frozenset({"absprache", "abstimmung", "rücksprache"}),
    "on": frozenset({"approval", "confirmation", "signature"}),
}
"""What some words join to what is sent is no condition: “with feedback”."""

_WHOSE = frozenset(
    {
        *("my", "our", "your", "his", "her", "their", "the", "a", "an", "final", "written", "prior", "explicit"),
        *("mein", "meine", "meiner", "meinem", "deiner", "deinem", "ihrer", "ihrem", "seiner", "seinem", "der"),
        *("unserer", "unserem", "vorheriger", "schriftlicher", "erst"),
    }
)
_CHECKING = frozenset(
    {
        *("checking", "asking", "talking", "speaking", "consulting", "hearing", "getting", "clearing", "confirming"),
        *("reading", "reviewing"),
    }
)
_INSTANTS = frozenset({"moment", "minute", "second", "instant"})
_AT_INSTANTS = frozenset({"at", "for", "in", "of", "to"})
_BEFORE_CLAUSES = frozenset({"once", "when"})
_NO_CLAUSE = frozenset(
    {
        *("a", "per", "more", "again", "every", "in", "on", "or", "for", "possible", "needed", "necessary"),
        *("weekly", "monthly", "daily", "at", "to", "with", "shall", "would", "could", "might", "may", "must", "and"),
    }
)
"""After “once” and “when” they begin no clause."""

_BEFORE_PERSONS = frozenset({"after", "until", "till", "bis"})
_PERSONS = _WHO - {"the", "my", "that", "this", "it", "no", "sie"}
_QUESTIONS = frozenset({"is", "are", "was", "were", "do", "does", "did", "will", "can", "should", "has", "have", "am"})
_NOT_ONCE = frozenset({"at", "just", "all"})
_POLITE = (
    *(("if", "you", word) for word in ("can", "could", "like", "want", "wish", "please", "would", "may", "don't")),
    *(("if", "you", "have", word) for word in ("time", "a", "any")),
    *(("when", "you", word) for word in ("can", "could", "get", "like", "want")),
    *(("when", "you", "have", word) for word in ("time", "a", "any")),
    *(("if", word) for word in ("possible", "needed", "necessary", "need", "any", "not", "so", "applicable", "only")),
    *(("when", word) for word in ("possible", "needed", "necessary")),
    *(("if", it, word) for it in ("that's", "it's", "this", "that", "it") for word in ("ok", "okay", "fine", "works")),
    *(
        ("if", it, "is", word)
        for it in ("that", "it", "this")
        for word in ("ok", "okay", "fine", "possible", "alright")
    ),
    *(("if", "that's", "all"), ("if", "it's", "possible"), ("if", "it's", "not", "too"), ("if", "i'm", "not")),
    *(("as", "soon", "as", word) for word in ("possible", "you", "u")),
    *(("if", "we", word) for word in ("could",)),
    *(("would", "be", "great", "if"), ("be", "great", "if", "you"), ("be", "nice", "if", "you"), ("mind", "if")),
    *(("appreciate", "it", "if"), ("as", "if"), ("even", "if"), ("wenn", "möglich"), ("falls", "möglich")),
    *(("wenn", "nötig"), ("falls", "nötig"), ("sobald", "möglich"), ("sobald", "wie"), ("wenn", "es", "geht")),
    *((word, "du", "zeit") for word in ("wenn", "falls", "sobald")),
    *((word, "du", "mal", "zeit") for word in ("wenn", "falls", "sobald")),
    *((word, "du", each) for word in ("wenn", "falls", "sobald") for each in ("kannst", "könntest", "magst", "willst")),
    *(("wenn", "du", "so"), ("wenn's", "geht"), ("nice", "if", "you"), ("great", "if", "you"), ("good", "if", "you")),
    *(("if", "you", "would"), ("if", "i", "may"), ("if", "u", "can"), ("if", "you're", "able")),
)
_POLITE_BY_WORD = {each[0]: [other for other in _POLITE if other[0] == each[0]] for each in _POLITE}
_WANTING = frozenset({"könntest", "kannst", "würdest", "magst"})
_KNOWING = frozenset(
    {
        *("see", "check", "know", "knows", "wonder", "wondering", "figure", "verify", "sure", "unsure"),
        *("test", "decide"),
        *("understand", "out", "matter", "idea", "care", "tells", "told", "asked", "asks", "asking", "doubt"),
        *("me", "us"),
        *("find", "look", "confirm", "question", "says", "said", "saying", "explain"),
    }
)
"""What one knows or finds out follows them, and is no condition."""

_ASKS = frozenset({"ask", "frag", "frage"})
_TELLING = frozenset(
    {
        *("tell", "ask", "write", "mail", "email", "message", "reply", "answer", "respond", "say", "remind", "draft"),
        *("inform", "let", "explain", "warn", "know", "text", "ping", "thank", "sag", "sage", "schreib", "schreibe"),
        *("antworte", "frag", "frage", "erinnere", "maile", "gib", "notify", "confirm", "sagen", "schreiben"),
    }
)
_CONTENT = frozenset({"that", "dass", "saying", "how", "why", "what", "ob", "whether"})
_QUOTING = frozenset({":", '"', "“", "„"})
_BETWEEN = frozenset({"to", "for"})
_ME = frozenset({"me", "us", "mich", "mir", "uns"})
_TELLING_ME = frozenset(
    {"remind", "tell", "ping", "notify", "let", "message", "warn", "erinnere", "erinner", "sag", "gib"}
)
_WENN = frozenset({"wenn", "falls", "sobald"})  # always behind a comma
_DIVIDING = frozenset({",", ";", "and", "then", "und", "dann"})
"""“Remind me on Friday if she has not answered” is about the reminder alone."""

_NAMED = 6  # words between “ask” and what is asked at most
_FAR = 60  # words of a sentence that are looked at for how it is meant
_LISTING = frozenset({"reminder", "reminders", "todo", "todos", "task", "list", "note", "notes", "memo"})
_LISTING_DE = frozenset({"erinnerung", "aufgabe", "aufgaben", "liste", "notiz", "todo"})

MAY_BE = re.compile(
    r"(?<![^\W_])(?:"
    + "|".join(sorted({*_ALWAYS, *_BEFORE_CLAUSES, *_BEFORE_PERSONS, *(w for w, _ in _BY_TWO)}))
    + r"|"
    + "|".join(sorted({*frozenset[str]().union(*_JOINED.values()), *_INSTANTS, "upon", "permitting", "nach"}))
    + r"|"
    + "|".join(sorted(_LISTING | _LISTING_DE))
    + r"|to-do)(?![^\W_])",
    re.IGNORECASE,
)
"""What a text has that may have a condition."""


def begins(said: Sequence[str], capitals: Sequence[bool]) -> int | None:
    """Where in the words of a sentence begins what is not asked for now: at first where a condition is on it, behind
    the colon of a note for later; None where there is nothing of the kind.
    """
    polite, content = 0, _Content()
    for at, word in enumerate(said):
        polite = max(polite, at + _polite(said, at))
        if at >= polite and _is_condition(said, capitals, at) and not content.holds(said, at):
            return 0
        content.add(at, word)
    if ":" in said:
        colon = said.index(":")
        if not (_LISTING | _LISTING_DE).isdisjoint(said[:colon]) or said[max(0, colon - 3) : colon] == [
            "to",
            "-",
            "do",
        ]:
            return colon + 1
    return None


def _polite(said: Sequence[str], at: int) -> int:
    """How many words here are only polite."""
    for each in _POLITE_BY_WORD.get(said[at], ()):
        if tuple(said[at : at + len(each)]) == each:
            return len(each)
    if said[at] == "wenn" and said[at + 1 : at + 2] == ["du"] and not _WANTING.isdisjoint(said[at : at + _FAR]):
        return 2
    return 0


def _is_condition(said: Sequence[str], capitals: Sequence[bool], at: int) -> bool:
    word, after = said[at], said[at + 1] if at + 1 < len(said) else ""
    if word in _ALWAYS or (word, after) in _BY_TWO:
        return True
    is_capital = at + 1 < len(said) and capitals[at + 1]
    before = said[at - 1] if at else ""
    if word == "permitting" or _is_approval(said, capitals, at) or (word == "after" and after in _CHECKING):
        return True
    if word in _INSTANTS:
        is_clause = before == "the" and said[at - 2 : at - 1] != [] and said[at - 2] not in _AT_INSTANTS
        return is_clause and (is_capital or after in _WHO)
    if word in _BEFORE_CLAUSES:
        return after not in _QUESTIONS | _NO_CLAUSE and before not in _NOT_ONCE and after[:1].isalnum()
    if word not in _BEFORE_PERSONS:
        return False
    then = said[at + 2] if at + 2 < len(said) else ""
    return after in _PERSONS or (is_capital and then.endswith(("ed", "ms", "es")) and then[:1].isalnum())


def _is_approval(said: Sequence[str], capitals: Sequence[bool], at: int) -> bool:
    """Whether it waits for an approval here: “after Dana’s approval”, “upon approval”, “nach Freigabe”."""
    if said[at] not in _UPON:
        return False
    for place in range(at + 1, min(at + 4, len(said))):
        word, before = said[place], said[place - 1]
        if word in _APPROVALS:
            return word in _JOINED.get(said[at], _APPROVALS)
        if word in _OWN_CHECKS:
            last = said[place + 1 : place + 2] in ([], ["."], ["!"], [","]) and place == at + 1
            return said[at] in {"after", "upon", "nach"} and (before in {"my", "our"} or before.endswith("'s") or last)
        if not (word in _WHOSE or word.endswith("'s") or word == "'" or (capitals[place] and word.endswith("s"))):
            return False
    return False


class _Content:
    """Whether what comes next in a sentence is what somebody is told or asked, and not under which condition."""

    def __init__(self) -> None:
        self._asks: int | None = None
        self._since_asks = set[str]()
        self._tells = self._is_told = self._is_for_me = self._was_for_me = False
        self._last = ""

    def add(self, at: int, word: str) -> None:
        """One more word of the sentence."""
        self._is_told = self._is_told or word in _QUOTING or (self._tells and word in _CONTENT)
        self._tells = self._tells or word in _TELLING
        is_for_me = self._is_for_me or (word in _ME and self._last in _TELLING_ME)
        self._was_for_me, self._is_for_me, self._last = is_for_me, is_for_me and word not in _DIVIDING, word
        if word in _ASKS:
            self._asks, self._since_asks = at, set[str]()
        elif word in _BETWEEN:
            self._since_asks.add(word)

    def holds(self, said: Sequence[str], at: int) -> bool:
        """Whether a condition at this place, behind all that was added, would be no condition."""
        asks = self._asks is not None and (
            "to" in self._since_asks or (at - self._asks - 1 <= _NAMED and "for" not in self._since_asks)
        )
        is_for_me = self._is_for_me or (self._was_for_me and said[at] in _WENN)
        return asks or self._is_told or is_for_me or (at > 0 and said[at - 1] in _KNOWING)
