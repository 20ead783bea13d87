"""Whether a verb asks for something where it stands in its clause, told by form: by what stands before it.

People ask with a command at the beginning of a clause (“Move it”), with a polite request (“could you move it?”), or
with a need of their own (“we need to move it”). In German a verb may stand last: “kannst du es verschieben?”. All else
tells of something, or asks about it: “any need to move it?”, “the reasons to move it”, “ask Dana to move it”.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

BREAK: Final = ","
COLON: Final = ":"
HIDDEN: Final = '"'
"""What stands for a mark between clauses, for a colon there, and for what says nothing, such as a word of the thing's
own title.
"""

JOINING: Final = frozenset({"and", "or", "but", "then", "so", "und", "oder", "aber", "dann", "sondern"})

BESIDE: Final = frozenset(
    {
        *("please", "pls", "plz", "just", "also", "now", "kindly", "quickly", "simply", "maybe", "perhaps", "possibly"),
        *("again", "first", "second", "third", "finally", "instead", "do", "still", "hi", "hey", "hello", "ok", "okay"),
        *("yes", "no", "sure", "thanks", "great", "today", "tomorrow", "tonight", "bitte", "mal", "doch", "jetzt"),
        *("auch", "gleich", "noch", "kurz", "danke", "hallo", "ja", "nein", "heute", "morgen", "einfach", "lieber"),
        *("really", "urgently", "afterwards", "meanwhile", "next", "gern", "gerne", "leider", "unfortunately"),
    }
)
"""Words between which and a verb nothing else need stand."""

_POLITE = frozenset({"please", "pls", "plz", "kindly", "bitte"})
_TOPIC = BESIDE | {*("for", "on", "in", "to", "about", "regarding", "the", "my", "our"), HIDDEN}
"""Words with which people say what they are about to ask about: “for the review, please …”."""

_ARTICLES = frozenset(
    {
        *("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "kein", "keine"),
        *("keinen", "beim", "zum", "vom", "im", "am", "mein", "meine", "dein", "deine", "unser", "unsere", "ihr"),
        *("ihre", "ich"),
    }
)
_IN_BETWEEN = (
    _ARTICLES
    | BESIDE
    | {
        *("meinen", "unseren", "zur", "an", "auf", "aus", "bei", "bis", "für", "in", "ins", "mit", "nach", "ohne"),
        *("um", "und", "von", "vor", "zu", "uhr", "nächste", "nächsten", "nächster", "kommende", "kommenden"),
        *(HIDDEN, BREAK, COLON),
    }
) - {"ich"}
"""Words of German that are no verbs, and may stand in “den Termin mit Dana auf Freitag verschieben”."""

_TELLING = frozenset(
    {
        *("did", "didn", "does", "doesn", "was", "were", "wasn", "had", "has", "hasn", "who", "whose", "why", "when"),
        *("where", "what", "which", "how", "whether", "if", "is", "are", "isn", "shall", "may", "might", "he", "she"),
        *("they", "wants", "wanted", "asked", "plans", "planned", "decided", "tried", "going", "reason", "remind"),
        *("not", "never", "don", "won", "cannot", "without", "wer", "wann", "warum", "wieso", "weshalb", "wie", "wo"),
        *("was", "welche", "welcher", "welches", "welchen", "ob", "dass", "wenn", "falls", "weil", "laut", "bevor"),
        *("hat", "hatte", "hatten", "wurde", "wurden", "wird", "soll", "sollen", "sollte", "sollten", "will", "wollte"),
        *("nicht", "nie", "erinnere", "erinner"),
    }
)
"""Before a verb in its clause they make it a question, a report or a refusal."""

_TELLING_PAIRS = frozenset(
    {
        *(("do", each) for each in ("i", "we", "you", "they", "people")),
        *(("have", each) for each in ("i", "we", "you", "they")),
        *(("should", each) for each in ("i", "we", "he", "she", "they")),
        *(("can", "i"), ("could", "i"), ("can", "they"), ("could", "they")),
    }
)
_STILL_ASKING = (
    *(("has", "to", "be"), ("how", "about"), ("what", "about"), ("is", "it", "possible"), ("if", "possible")),
    *(("if", "you", "could"), ("if", "we", "could"), ("will", "you"), ("will", "u"), ("will", "we"), ("ich", "will")),
    *(("don", "t", "forget"), ("not", "forget"), ("vergiss", "nicht"), ("wir", "sollten"), ("wenn", "du")),
    *(("do", "you", "mind"), ("won", "t", "you"), ("i", "was", "hoping"), ("i", "was", "wondering")),
)
"""What only begins as those do."""

_PAST = frozenset({"did", "does", "hat", "hatte", "hatten"})
"""They tell of the next verb, too."""

_SUBJECTS = frozenset({"i", "we", "they", "he", "she", "it", "you", "nobody", "ich", "wir", "er", "sie", "es", "man"})
_OF_SUBJECTS = frozenset({"will", "would", "can", "could", "has", "had", "is", "was", "may", "might", "should"})
"""Who does what follows, and words behind whoever that is: “Dana will call and move it”."""

_SAYING = frozenset(
    {
        *("say", "says", "said", "tells", "told", "wrote", "writes", "asks", "asked", "sagt", "sagte", "schreibt"),
        *("schrieb", "meint", "meinte", "fragt", "fragte"),
    }
)
_WRITING = frozenset(
    {
        *("write", "tell", "mail", "email", "message", "text", "reply", "answer", "respond", "draft", "say", "remind"),
        *("ask", "subject", "schreib", "schreibe", "sag", "sage", "antworte", "maile", "frag", "frage", "betreff"),
    }
)
"""What stands behind a colon after them is a text for somebody: “write to Dana: please move it”."""

_REFUSING = frozenset({"nicht", "nie", "niemals", "keinesfalls", "keineswegs", "kein", "keine", "keinen", "keiner"})
_NOUNS = frozenset(
    {
        *("answer", "book", "cancel", "change", "contact", "delay", "email", "invite", "mail", "message", "order"),
        *("plan", "post", "reply", "schedule", "set", "share", "shift", "transfer", "turn", "update", "refund"),
    }
)
"""Verbs that are nouns as well, where what they are done to does not follow: “the budget and change requests”."""

_OBJECTS = frozenset(
    {
        *("the", "a", "an", "my", "our", "your", "this", "that", "these", "those", "it", "its", "them", "him", "her"),
        *("everyone", "everybody", "all", "both", "to", "back", "there", "by", "with", "us", "me", HIDDEN),
    }
)
_AFTER_NOUNS = frozenset({"on", "of", "from", "about", "regarding", "for", "von", "für", "zum", "zur", "über"})
"""After them a word that begins a clause is no verb: “Update on the review?”"""

_IDIOMS = (
    *(("pull", "up"), ("put", "together"), ("bring", "up"), ("plan", "my", "day"), ("plan", "my", "week")),
    *(("share", "your"), ("extend", "my", "thanks"), ("include", "in", "your"), ("include", "in", "my")),
)
_REMINDER = frozenset({"a", "reminder"})
_MINE = frozenset(
    {
        *("list", "lists", "summary", "memory", "todo", "todos", "tasks", "notes", "plate", "reminders", "briefing"),
        *("digest", "overview", "answer", "draft", "liste", "zusammenfassung", "notizen", "antwort"),
    }
)
"""What is their owner's alone: “add it to my list”, “put it in a draft”."""

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
_THANKING = frozenset({"thank", "danke"})
_THANKED = frozenset({"everyone", "everybody", "all", "him", "her", "them", "the", "my", "our", "allen", HIDDEN})


def _asking(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{form})" for form in forms))


_THEN = rf"(?: (?:{'|'.join(sorted(BESIDE))}))*"
_AT_FIRST = rf"^(?:(?:{'|'.join(sorted(_TOPIC))}) )*"
_POLITELY = re.compile(r"\b(?:can|could|would|will)(?: t)? (?:you|u|we)\b|\b(?:kannst|könntest|würdest) du\b")
_FOR_YOU = r"(?: for)?(?: you)?"
_YOU = r"\b(?:can|could|would|will)(?: t)? (?:you|u)\b"
_REQUEST = _asking(
    rf"{_YOU}{_THEN}$",
    rf"{_YOU}{_THEN} (?:be able|be willing|be so kind as|be kind enough|try|remember|go ahead)(?: to)?$",
    rf"{_YOU}{_THEN} help (?:me|us)(?: to)?$",
    rf"{_AT_FIRST}(?:you|u) (?:can|could|should|must|may)(?: t)?{_THEN}$",
    rf"\bif (?:you|we) (?:can|could|would){_THEN}$",
    rf"\bi (?:was|am|m) hoping (?:you|we) (?:can|could|would){_THEN}$",
    rf"\b(?:let s|lets){_THEN}$",
    rf"{_AT_FIRST}(?:let us|help me|help us)(?: to)?{_THEN}$",
    r"\b(?:is it|would it be) possible(?: for you)? to$",
    rf"{_AT_FIRST}it (?:would|d) be (?:great|good|nice|best|better)(?: for you)? to$",
    rf"{_AT_FIRST}(?:don t forget|remember|be sure|make sure|go ahead|feel free|try) to{_THEN}$",
)
_LEADING_ON = _asking(_YOU, r"\b(?:let s|lets|please|bitte|about|(?:need|want|like)(?: you)? to)\b")
_TOGETHER = _asking(rf"\b(?:can|could|would|will)(?: t)? we\b{_THEN}$")
"""“Could we move it?” asks; “could we cancel it?” may want to know."""

_NEED = _asking(
    rf"{_AT_FIRST}(?:i|we)(?: d| would| do| ll| will)?{_THEN} (?:need|want|like|love|wish|prefer){_FOR_YOU} to{_THEN}$",
    rf"{_AT_FIRST}we(?: ll| will)? (?:have|ought) to{_THEN}$",
    rf"{_AT_FIRST}(?:i think )?(?:you|we) (?:need|have|should|must){_THEN}(?: to)?{_THEN}$",
    rf"{_AT_FIRST}it (?:is|s) time to$",
)
_PASSIVE = _asking(rf"{_AT_FIRST}(?:(?:this|that|it|they)\b *)*(?:(?:needs?|has|have|ought) to|must|should) be$")
_GERUND = _asking(
    rf"\b(?:would|do) you{_THEN} mind$", rf"{_AT_FIRST}(?:how|what) about$", r"\bif you (?:don t|would not) mind$"
)
_GERMAN = _asking(
    r"\b(?:kannst|könntest|würdest|willst|magst|wirst) du\b",
    r"\b(?:können|könnten|würden) sie\b",
    r"\bkönnt(?:et)? ihr\b",
    r"\bdu (?:kannst|könntest|solltest|sollst|musst)\b",
    r"\bwenn du\b",
    r"\b(?:lass|lasst) uns\b",
    r"(?<!ich )\bbitte\b",
)
_GERMAN_TOGETHER = _asking(r"\bkönnt?en wir\b")
_GERMAN_NEED = _asking(
    r"\bich (?:möchte|will|würde|muss)\b",
    r"\bwir (?:müssen|möchten|wollen|sollten|würden)\b",
    r"(?<!^)\b(?:muss|möchte|würde) ich\b",
    r"(?<!^)\b(?:müssen|möchten|wollen) wir\b",
)
_GERMAN_ZU = _asking(
    r"\bvergiss(?: bitte)? nicht\b",
    r"\bdenk(?: bitte)? (?:daran|dran)\b",
    r"\bsei(?:en sie)? so (?:gut|nett|lieb)\b",
    r"\bich (?:bitte|möchte|würde) dich\b",
    r"\b(?:wäre|ist) es möglich\b",
)
_FINITE = re.compile(
    r"(?:dürf|könn|kann|muss|müss|möcht|woll|will|soll|werd|wird|würd|lass|lässt|hilf|fass|schreib|sag|nenn|zeig)"
)
"""Verbs that a German sentence may begin with, where any word has a capital letter."""

_ZU = re.compile(r"(?:ab|an|auf|ein|hinzu|mit|nach|um|vor|vorver|weiter|zu)zu\w+n")
_RELATIVE = re.compile(rf"{BREAK} (?:der|die|das|den|dem|deren|dessen|denen)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A verb that was found: its first word, whether it is an infinitive at its end, whether it has more words, or is a
    form such as “moved”; `destroys`: there is no way back from what it asks for.
    """

    first: str
    is_infinitive: bool = False
    has_more: bool = False
    is_form: bool = False
    destroys: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Of a clause, what stands before a verb in it and behind it; what its sentence said before it, with the mark or
    word between, and says after it. `is_capital` tells of the verb, `capitals` of each word before and behind it.
    """

    before: Sequence[str]
    rest: Sequence[str]
    earlier: Sequence[str]
    later: Sequence[str]
    is_capital: bool
    capitals: Sequence[bool]
    is_question: bool


def is_wish(clause: Clause, verb: Verb) -> bool:
    """Whether the verb asks for something where it stands."""
    if _is_for_owner(clause, verb) or _is_dictated(clause.earlier) or not _REFUSING.isdisjoint(clause.rest):
        return False
    if verb.is_infinitive:
        return _is_german_wish(clause, verb)
    said = " ".join(clause.before)
    if _tells(clause.before):
        return False
    if verb.is_form:
        return bool((_GERUND if verb.first.endswith("ing") else _PASSIVE).search(said))
    if _TOPIC.issuperset(clause.before) and (
        BESIDE.issuperset(clause.before) or not _POLITE.isdisjoint(clause.before[-1:])
    ):
        return _commands(clause, verb)
    if _REQUEST.search(said):
        return True
    if _TOGETHER.search(said):
        return not verb.destroys and "still" not in clause.before
    return bool(_NEED.search(said)) and (not clause.is_question or "you" in clause.later)


# Commands -------------------------------------------------------------------------------------------------------------


def _commands(clause: Clause, verb: Verb) -> bool:
    """Whether a verb that begins its clause is a command, and neither a noun nor a part of what came before it."""
    rest, is_polite = clause.rest, not _POLITE.isdisjoint((*clause.before, *clause.rest))
    if clause.is_question and not (clause.later or is_polite or _POLITELY.search(" ".join(clause.earlier))):
        return False
    if not verb.has_more and (not _AFTER_NOUNS.isdisjoint(rest[:1]) or _is_noun(clause, verb)):
        return False
    if verb.first in _THANKING:
        return bool(rest) and (rest[0] in _THANKED or _is_next_capital(clause))
    if _is_idiom(verb, rest):
        return False
    return not clause.earlier or is_polite or _follows(clause.earlier)


def _is_noun(clause: Clause, verb: Verb) -> bool:
    """Whether it can be a noun: in a question, behind something else, or before a colon, where nothing follows that it
    is done to.
    """
    if verb.first not in _NOUNS or _is_next_capital(clause) or not _OBJECTS.isdisjoint(clause.rest[:1]):
        return False
    said = {*clause.earlier} - {*BESIDE, BREAK, COLON, HIDDEN}
    return bool(said) or clause.is_question or (not clause.rest and clause.later[:1] == [COLON])


def _is_next_capital(clause: Clause) -> bool:
    return any(clause.capitals[len(clause.before) :][:1])


def _is_idiom(verb: Verb, rest: Sequence[str]) -> bool:
    """Whether it is done for its owner alone, or is another verb."""
    said = (verb.first, *rest)
    return (
        any(said[: len(idiom)] == idiom for idiom in _IDIOMS)
        or _REMINDER.issubset(rest[:3])
        or any(
            each in _MINE and rest[at - 1] in {"my", "your", "a", "meine", "meiner", "deiner", "deine"} and at > 1
            for at, each in enumerate(rest)
        )
    )


def _follows(before: Sequence[str]) -> bool:
    """Whether a command may stand behind what the sentence said before."""
    *earlier, divider = before
    if {*BESIDE, BREAK, COLON, HIDDEN}.issuperset(earlier):
        return True
    if not _PAST.isdisjoint(earlier) or earlier[-1] in _SAYING:
        return False
    return divider in {BREAK, COLON} or _leads_on(_last_part(earlier))


def _last_part(said: Sequence[str]) -> Sequence[str]:
    at = next((place + 1 for place in range(len(said) - 1, -1, -1) if said[place] in {BREAK, COLON}), 0)
    return said[at:]


def _leads_on(part: Sequence[str]) -> bool:
    """Whether a command may follow “and” after this: not if somebody else does what follows, or it is a question."""
    said = " ".join(part)
    if _LEADING_ON.search(said):
        return True
    begins = [word for word in part if word not in BESIDE][:2]
    return not (
        not begins
        or begins[0] in _TELLING | _SUBJECTS
        or tuple(begins) in _TELLING_PAIRS
        or not _OF_SUBJECTS.isdisjoint(begins[1:])
    )


# German infinitives ---------------------------------------------------------------------------------------------------


def _is_german_wish(clause: Clause, verb: Verb) -> bool:
    """Whether an infinitive at the end of a clause is behind words that ask, or stands for a command."""
    before = clause.before
    if before and (clause.is_capital or before[-1] in _ARTICLES):
        return False
    whole = [*clause.earlier, *before]
    said = " ".join(whole)
    if before[-1:] == ["zu"] or _ZU.fullmatch(verb.first):
        return bool(_GERMAN_ZU.search(said))
    if not _REFUSING.isdisjoint(before):
        return False
    found = _GERMAN.search(said)
    if not found and not verb.destroys:
        found = _GERMAN_TOGETHER.search(said)
    if not found and not clause.is_question:
        found = _GERMAN_NEED.search(said)
    if found:
        after = said[found.end() :]
        begun = said[: found.start()].replace(COLON, BREAK).rpartition(BREAK)[2]
        is_led = not (_tells(after.split()) or _tells(begun.split()) or _RELATIVE.search(after))
        if found[0] == "wenn du":
            return is_led and not {"kannst", "könntest", "würdest"}.isdisjoint(clause.rest[:1])
        return is_led
    if "bitte" in clause.rest:
        return not _tells(before) and not clause.earlier
    return not clause.is_question and _is_short(clause)


def _is_short(clause: Clause) -> bool:
    """Whether nothing but a noun phrase stands beside an infinitive: “den Termin mit Dana verschieben”."""
    if not (_IN_BETWEEN | JOINING).issuperset(clause.earlier):
        return False
    return all(
        word in _IN_BETWEEN or word.isdecimal() or is_capital
        for word, is_capital in zip((*clause.before, *clause.rest), clause.capitals, strict=True)
    ) and not (clause.before and _FINITE.match(clause.before[0]))


# What both have -------------------------------------------------------------------------------------------------------


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
    return said[0] == "to" and len(said) > 1 and said[1] not in _TO_ME | _OBJECTS


def _tells(before: Sequence[str]) -> bool:
    """Whether words ask about something, tell of it, or refuse it."""
    said = tuple(before)
    return any(
        (word in _TELLING or said[place : place + 2] in _TELLING_PAIRS) and not _still_asks(said, place)
        for place, word in enumerate(said)
    )


def _still_asks(said: Sequence[str], place: int) -> bool:
    """Whether the word here is one of something that only begins as a question or a refusal does."""
    return any(
        said[place - at : place - at + len(asking)] == asking
        for asking in _STILL_ASKING
        for at in range(min(len(asking), place + 1))
    )
