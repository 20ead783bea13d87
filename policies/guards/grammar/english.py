"""What asks in English: a command that begins its clause (“Move it”), a polite request (“could you move it?”), a need
(“we need to move it”). Some words of German stand in it, as people command in it the same way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from policies.guards.grammar import passives
from policies.guards.grammar.clauses import (
    BESIDE,
    BREAK,
    COLON,
    HIDDEN,
    SAYING,
    TELLING,
    TELLING_PAIRS,
    Clause,
    Verb,
    one_of,
    tells,
)

_POLITE = frozenset({"please", "pls", "plz", "kindly", "bitte"})
_TOPIC = BESIDE | {*("for", "on", "in", "to", "about", "regarding", "the", "my", "our"), HIDDEN}
"""Words with which people say what they are about to ask about: “for the review, please …”."""

_PAST = frozenset({"did", "does", "hat", "hatte", "hatten"})
"""They tell of the next verb, too."""

_SUBJECTS = frozenset({"i", "we", "they", "he", "she", "it", "you", "nobody", "ich", "wir", "er", "sie", "es", "man"})
_OF_SUBJECTS = frozenset({"will", "would", "can", "could", "has", "had", "is", "was", "may", "might", "should"})
"""Who does what follows, and words behind that person: “Dana will call and move it”."""

_NOUNS = frozenset(
    {
        *("answer", "book", "cancel", "change", "contact", "delay", "email", "invite", "mail", "message", "order"),
        *("plan", "post", "reply", "schedule", "set", "share", "shift", "transfer", "turn", "update", "refund"),
    }
)
"""Verbs that are nouns as well, where what they are done to does not follow: “the budget and change requests”."""

OBJECTS = frozenset(
    {
        *("the", "a", "an", "my", "our", "your", "this", "that", "these", "those", "it", "its", "them", "him", "her"),
        *("everyone", "everybody", "all", "both", "to", "back", "there", "by", "with", "us", "me", HIDDEN),
    }
)
_AFTER_NOUNS = frozenset(
    {
        *("on", "of", "from", "about", "regarding", "for", "is", "are", "was", "were", "has", "von", "für", "zum"),
        *("zur", "über", "ist", "war"),
    }
)
"""After them a word that begins a clause is no verb: “Update on the review?”, “Update is due for the review”."""

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

_THANKING = frozenset({"thank", "danke"})
_THANKED = frozenset({"everyone", "everybody", "all", "him", "her", "them", "the", "my", "our", "allen", HIDDEN})

_THEN = rf"(?: (?:{'|'.join(sorted(BESIDE))}))*"
_AT_FIRST = rf"^(?:(?:{'|'.join(sorted(_TOPIC))}) )*"
_POLITELY = re.compile(r"\b(?:can|could|would|will)(?: t)? (?:you|u|we)\b|\b(?:kannst|könntest|würdest) du\b")
_FOR_YOU = r"(?: for)?(?: you)?"
_YOU = r"\b(?:can|could|would|will)(?: t)? (?:you|u)\b"
_REQUEST = one_of(
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
_LEADING_ON = one_of(_YOU, r"\b(?:let s|lets|please|bitte|about|(?:need|want|like)(?: you)? to)\b")
_TOGETHER = one_of(rf"\b(?:can|could|would|will)(?: t)? we\b{_THEN}$")
"""“Could we move it?” asks; “could we cancel it?” may want to know."""

_NEED = one_of(
    rf"{_AT_FIRST}(?:i|we)(?: d| would| do| ll| will)?{_THEN} (?:need|want|like|love|wish|prefer){_FOR_YOU} to{_THEN}$",
    rf"{_AT_FIRST}we(?: ll| will)? (?:have|ought) to{_THEN}$",
    rf"{_AT_FIRST}(?:i think )?(?:you|we) (?:need|have|should|must){_THEN}(?: to)?{_THEN}$",
    rf"{_AT_FIRST}it (?:is|s) time to$",
)
_MOVING = frozenset({"move", "shift"})
_HAS_TO_MOVE = one_of(rf"{_AT_FIRST}(?:(?:this|that|it) )*(?:needs|has) to$")
"""What a thing does of itself: “the review needs to move to Friday”."""


def asks(clause: Clause, verb: Verb) -> bool:
    """Whether the verb asks for something where it stands."""
    said = " ".join(clause.before)
    if tells(clause.before):
        return False
    if verb.is_form:
        return passives.asks(clause, verb)
    if _TOPIC.issuperset(clause.before) and (
        BESIDE.issuperset(clause.before) or not _POLITE.isdisjoint(clause.before[-1:])
    ):
        return _commands(clause, verb)
    if _REQUEST.search(said):
        return True
    if _TOGETHER.search(said):
        return not verb.destroys and "still" not in clause.before
    needs = _NEED.search(said) or (verb.first in _MOVING and _HAS_TO_MOVE.search(said))
    return bool(needs) and (not clause.is_question or "you" in clause.later)


def _commands(clause: Clause, verb: Verb) -> bool:
    """Whether a verb that begins its clause is a command, and neither a noun nor a part of what came before it."""
    rest, is_polite = clause.rest, not _POLITE.isdisjoint((*clause.before, *clause.rest))
    if clause.is_question and not (clause.later or is_polite or _POLITELY.search(" ".join(clause.earlier))):
        return False
    if not verb.more and (not _AFTER_NOUNS.isdisjoint(rest[:1]) or _is_noun(clause, verb)):
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
    if verb.first not in _NOUNS or _is_next_capital(clause) or not OBJECTS.isdisjoint(clause.rest[:1]):
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
    if not _PAST.isdisjoint(earlier) or earlier[-1] in SAYING:
        return False
    return divider in {BREAK, COLON} or _leads_on(_last_part(earlier))


def _last_part(said: Sequence[str]) -> Sequence[str]:
    """What stands behind the last mark that something follows: the one of “…, and add it” belongs to what comes."""
    end = next((place for place in range(len(said), 0, -1) if said[place - 1] not in {BREAK, COLON}), 0)
    at = next((place for place in range(end, 0, -1) if said[place - 1] in {BREAK, COLON}), 0)
    return said[at:end]


def _leads_on(part: Sequence[str]) -> bool:
    """Whether a command may follow “and” after this: not if somebody else does what follows, or it is a question."""
    said = " ".join(part)
    if _LEADING_ON.search(said):
        return True
    begins = [word for word in part if word not in BESIDE][:2]
    return not (
        not begins
        or begins[0] in TELLING | _SUBJECTS
        or tuple(begins) in TELLING_PAIRS
        or not _OF_SUBJECTS.isdisjoint(begins[1:])
    )
