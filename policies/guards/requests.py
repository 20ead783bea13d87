"""Whether a verb asks for something where it stands in its clause, told by form: by what stands before it.

People ask with a command at the beginning of a clause (“Move it”), with a polite request (“could you move it?”), or
with a need of their own (“we need to move it”). In German a verb may stand last: “kannst du es verschieben?”. All else
tells of something, or asks about it: “any need to move it?”, “the reasons to move it”, “ask Dana to move it”.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from policies.guards.grammar import english, german, passives
from policies.guards.grammar.clauses import (
    BESIDE,
    BREAK,
    COLON,
    HIDDEN,
    JOINING,
    REFUSING,
    SAYING,
    TIMES,
    Clause,
    Verb,
)

_WRITING = frozenset(
    {
        *("write", "tell", "mail", "email", "message", "text", "reply", "answer", "respond", "draft", "say", "remind"),
        *("ask", "subject", "schreib", "schreibe", "sag", "sage", "antworte", "maile", "frag", "frage", "betreff"),
    }
)
"""What stands behind a colon after them is a text for somebody: “write to Dana: please move it”."""

_OF_TEXTS = frozenset(
    {
        *("translate", "translation", "proofread", "rephrase", "reword", "rewrite", "paraphrase", "quote", "quoting"),
        *("spell", "interpret", "explain", "example", "sentence", "phrase", "title", "headline", "reads", "correct"),
        *("übersetze", "übersetz", "übersetzen", "übersetzung", "korrigiere", "korrigier", "formuliere", "zitat"),
        *("zitiere", "erkläre", "erklär", "beispiel", "satz", "titel", "lautet", "heißt", "steht"),
    }
)
"""What stands behind a colon after them is a text that something is done to, or that stands somewhere."""

_SELF = frozenset({"i", "ich"})

_DO_NOT = (("do", "not"), ("don", "t"), ("dont",))
_REFUSALS = (
    *((*do, "bother", "to") for do in _DO_NOT),
    *_DO_NOT,
    *(("never",), ("avoid",), ("not", "to"), ("no", "need", "to")),
    *((who, word, "not") for who in ("you", "we") for word in ("must", "should", "may", "can")),
    *((who, word, "t") for who in ("you", "we") for word in ("mustn", "shouldn", "can")),
    *((who, "must", "never") for who in ("you", "we")),
    *((who, *do, word, "to") for who in ("i", "we") for do in _DO_NOT for word in ("want", "need", "wish", "like")),
    *((who, *do, "want", "you", "to") for who in ("i", "we") for do in _DO_NOT),
)
"""What begins with them is refused, and so is what the sentence lists after it: “do not move, delete or cancel it”."""

_REFUSALS_BY_WORD = {each[0]: [other for other in _REFUSALS if other[0] == each[0]] for each in _REFUSALS}

_UNLIKE = frozenset({"forget", "worry", "hesitate", "mind", "bother"})
_INSTEAD = frozenset(
    {
        *("but", "instead", "rather", "just", "only", "then", "so", "please", "pls", "bitte", "sondern", "aber"),
        *("stattdessen", "lieber", "nur", "dann"),
    }
)
"""After them something else is asked for."""

_VERB_AND_THING = 2  # words that are refused at least, with the mark behind them
_OR = frozenset({"or", "nor", "oder", "noch"})
_SAME = frozenset({"it", "them", "that", "es", "ihn", "sie"})

_OF_OTHERS = frozenset(
    {
        *("from", "of", "about", "for", "after", "before", "at", "in", "with", "to", "on", "around", "between"),
        *("during", "within"),
        *("für", "von", "vom", "zu", "zum", "zur", "im", "bei", "beim", "aus", "nach", "vor", "über", "mit", "wegen"),
        *("fürs", "zwischen", "während", "statt"),
    }
)
"""Between a verb and a title they make it another thing that the verb is done to."""

_OF_THINGS = frozenset(
    {
        *("cancel", "cancelling", "canceling", "delete", "deleting", "scrap", "scrapping", "call", "calling", "get"),
        *("getting", "storniere", "stornier", "lösche", "lösch", "streiche", "streich", "sage", "sag", "absagen"),
        *("abzusagen", "canceln", "stornieren", "löschen", "streichen"),
    }
)
"""What they are done to is no person."""

_PEOPLE_TOO = frozenset({"them", "these", "those", "both", "all", "sie", "ihn", "beide", "me", "us"})
"""What stands for people as well, to whom other verbs may be done: “remove them”."""

_CALENDAR = frozenset(
    {
        *(("from", whose, "calendar") for whose in ("my", "the", "our")),
        *(("aus", whose, "kalender") for whose in ("meinem", "dem", "unserem")),
    }
)
_ABSAGEN = frozenset({"sag", "sage", "absagen", "abzusagen"})
_BEI = frozenset({"bei", "beim"})

_IT = frozenset(
    {
        *("it", "that", "this", "these", "those", "them", "both", "all", "the", "my", "our", "meeting", "meetings"),
        *("event", "events", "appointment", "appointments", "call", "off", "on", "at", "for", "me", "us"),
        *("es", "das", "den", "die", "ihn", "sie", "beide", "ab", "am", "um", "mir", "termin"),
        *("besprechung", "so", "completely", "altogether", "right", "away", "immediately", "asap", "sofort", "ganz"),
    }
)
"""What stands for a thing that was named before, and what stands beside it."""

_KANNST_DU = frozenset(
    {
        *("kannst", "könntest", "würdest", "willst", "magst", "wirst", "du", "können", "könnten", "würden", "könnt"),
        *("könntet", "ihr", "sollst", "solltest", "musst", "wenn", "lass", "lasst", "uns", "wir", "ich", "möchte"),
        *("will", "würde", "muss", "müssen", "möchten", "wollen", "sollten", "vergiss", "nicht", "denk", "daran"),
        *("dran", "sei", "so", "gut", "nett", "lieb", "dich", "wäre", "ist", "möglich", "zu", "für", "mich", "dann"),
    }
)
"""What stands beside the thing before a verb that is last in German."""

_TO_ME = frozenset({"me", "us", "mir", "mich", "uns"})
_HERE = frozenset({"here", "hier"})
_FOR_ME = frozenset({"for", "für"})
GOES_ON = frozenset(
    {
        *("that", "if", "whether", "when", "what", "how", "who", "why", "because", "she", "he", "they", "i", "we"),
        *("you", "dass", "ob", "wann", "was", "wie", "wer", "weil"),
    }
)
"""What somebody is told, and no more who it reaches: “ask Dana if she can meet me”."""

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
    if _is_for_owner(clause, verb) or clause.has_speaker or _is_dictated(clause.earlier) or _is_ascribed(clause.later):
        return False
    if not REFUSING.isdisjoint(clause.rest) or not _is_done_to_it(clause, verb):
        return False
    return _has_form(clause, verb) and not _is_refused(clause)


def _has_form(clause: Clause, verb: Verb) -> bool:
    if verb.is_form and verb.is_infinitive:
        return passives.asks_in_german(clause, verb)
    return german.asks(clause, verb) if verb.is_infinitive else english.asks(clause, verb)


def _is_for_owner(clause: Clause, verb: Verb) -> bool:
    """Whether it reaches its owner alone: “send it to me”, “post it here”, “answer it with a draft”."""
    if verb.first not in _FOR_OTHERS:
        return False
    rest = clause.rest
    told = next((at for at, word in enumerate(rest) if word in GOES_ON or _is_to_do(rest[at:])), len(rest))
    said = [HIDDEN, *(clause.before if verb.is_infinitive else ()), *rest[:told]]
    return any(
        word in _HERE or (word in _TO_ME and before not in _FOR_ME) or (before, word) in _DRAFTS
        for before, word in itertools.pairwise(said)
    )


def _is_dictated(earlier: Sequence[str]) -> bool:
    """Whether it stands in a text, which the sentence gives behind a colon: one for somebody, by somebody, or one that
    something is done to. What the owner said before is their own.
    """
    said = list(earlier)
    if COLON not in said:
        return said[-1:] == [BREAK] and (_is_said_by_others(said, len(said) - 2) or _tells_this(said))
    if not _WRITING.isdisjoint(said[: said.index(COLON)]):
        return True
    before = said[: len(said) - 1 - said[::-1].index(COLON)]
    return any(word in _OF_TEXTS or _is_said_by_others(before, at) for at, word in enumerate(before))


def _tells_this(said: Sequence[str]) -> bool:
    """Whether it is what somebody is told, who stands alone before it: “tell Dana, …”."""
    spoken = itertools.dropwhile(_divides, reversed(said))
    part = [word for word in itertools.takewhile(lambda word: not _divides(word), spoken) if word not in BESIDE]
    return 2 <= len(part) <= 3 and part[-1] in _WRITING and part[-2] not in english.OBJECTS


def _is_ascribed(later: Sequence[str]) -> bool:
    """Whether the sentence says after it whose words it is: “…, says Dana”."""
    if later[:1] != [BREAK]:
        return False
    part = list(itertools.takewhile(lambda word: not _divides(word), later[1:]))
    return (
        len(part) < 4
        and part[:1] not in (["was"], ["what"], ["as"], ["wie"])
        and any(_is_said_by_others(part, at) for at in range(len(part)))
    )


def _divides(word: str) -> bool:
    return word in {BREAK, COLON} or word in JOINING


def _is_said_by_others(said: Sequence[str], at: int) -> bool:
    return said[at] in SAYING and _SELF.isdisjoint(said[at - 1 : at])


def _is_refused(clause: Clause) -> bool:
    """Whether the sentence refuses something before, and goes on with more of it. “Don't cancel the review, move it”
    asks for something in its place.
    """
    said = [*clause.earlier, *clause.before]
    for begin in _beginnings(clause.earlier):
        begun = (
            each for each in _REFUSALS_BY_WORD.get(said[begin], ()) if tuple(said[begin : begin + len(each)]) == each
        )
        end = next((begin + len(each) for each in begun), None)
        if end is None or not _UNLIKE.isdisjoint(said[end : end + 1]) or not _INSTEAD.isdisjoint(said[end:]):
            continue
        return not _is_contrast(said[end:], clause)
    return False


def _is_contrast(refused: Sequence[str], clause: Clause) -> bool:
    """Whether all that is refused stands before one mark, and what comes then is done to the same thing."""
    is_whole = refused[-1:] == [BREAK] and refused.count(BREAK) == 1 and len(refused) > _VERB_AND_THING
    ends = _OR.isdisjoint((*refused, *clause.rest, *clause.later))
    return is_whole and ends and not _SAME.isdisjoint(clause.rest[:1])


def _beginnings(said: Sequence[str]) -> Iterator[int]:
    """Where something may begin: at first, behind a mark or “and”, and after what says nothing."""
    begins = True
    for at, word in enumerate(said):
        if begins:
            yield at
        begins = _divides(word) or (begins and word in BESIDE)


def _is_done_to_it(clause: Clause, verb: Verb) -> bool:
    """Whether what is destroyed is the thing, and nothing that has to do with it: “remove Dana from it”, “cancel the
    room for it”. The thing stands by its title, by “it”, or not at all: “board meeting: cancel”.
    """
    if not (verb.destroys and clause.has_title):
        return True
    said = list(clause.before if verb.is_infinitive else clause.rest)
    said = said[len(verb.more) :] if verb.more == tuple(said[: len(verb.more)]) else said
    said = said[:-3] if tuple(said[-3:]) in _CALENDAR else said
    if HIDDEN in said:
        others = _OF_OTHERS - (_BEI if verb.first in _ABSAGEN else frozenset[str]())
        return others.isdisjoint(said[: said.index(HIDDEN)])
    if verb.is_form and not verb.first.endswith("ing"):
        return True
    known = _IT - (frozenset[str]() if verb.first in _OF_THINGS else _PEOPLE_TOO)
    beside = BESIDE | TIMES | {*verb.more} | (_KANNST_DU if verb.is_infinitive else frozenset[str]())
    return all(word in known or word in beside or word.isdecimal() for word in said)


def _is_to_do(said: Sequence[str]) -> bool:
    """Whether “to” leads to a verb rather than to somebody: “ask Dana to meet me”."""
    return said[0] == "to" and (_TO_ME | english.OBJECTS).isdisjoint(said[1:2])
