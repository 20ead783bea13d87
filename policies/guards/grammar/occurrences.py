"""How much of a thing that repeats a text is about, as the clause says that calls it. Pure.

More than one occurrence needs a word for that beside the title: a text that names no day is not about all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from policies.guards.grammar.bounds import NAME, Title, clauses_in
from policies.guards.grammar.order_words import (
    CLOCKS,
    DAYS_WITH_S,
    DETERMINERS,
    LASTING,
    LATER,
    MONTHS,
    NEAR,
    ONLY,
    PARTS_OF_DAYS,
    QUANTIFIERS,
    RECURRING,
    REGULAR,
    SERIES,
    WEEKDAYS,
    WHOLE,
)

_ADJECTIVES = WHOLE | RECURRING | REGULAR | LATER
_BESIDE = DETERMINERS | QUANTIFIERS | _ADJECTIVES | SERIES | {"of", "team", "von", "occurrence", "occurrences"}
_DAYS = WEEKDAYS | DAYS_WITH_S | NEAR | MONTHS | {"next", "this", "week", "nächste", "nächsten", "woche", "weekend"}
_TIMES = _DAYS | PARTS_OF_DAYS | CLOCKS
_DATE = re.compile(r"\d{1,2}(?:st|nd|rd|th)|\d{1,2}[./]\d{1,2}")
_LEADS_TO_DATE = frozenset({"on", "of", "the", "am", "vom", "den"})
_TARGET = re.compile(
    r"\b(?:to|auf|at|um) (?:the |den |next |nächsten )?(?:\w+day|\w+tag|mittwoch|\d\S*(?: (?:am|pm|uhr|h))?)\b"
)
"""When something is moved to says nothing of which occurrence is."""

_FROM_ON = re.compile(
    r"\b(?:from now on|from then on|going forward|for good|until further notice"
    r"|this and (?:all )?(?:the )?(?:following|future|later)"
    r"|from (?:(?:next|this) )?\w+(?: \w+)? on(?:wards?)?(?= and| please| thanks|$)"
    r"|ab (?:nächster|kommender|dieser) woche|ab (?:nächstem|kommendem|diesem) (?:monat|jahr)"
    r"|ab sofort|ab jetzt|ab dann|von jetzt an|bis auf weiteres|für immer)\b"
)
_OFTEN = "weekly|biweekly|fortnightly|daily|monthly|yearly|wöchentlich|täglich|monatlich"
_MAKE = re.compile(rf"^(?:\w+ ){{0,3}}(?:make|mach|mache) (?:\w+ )?{NAME} (?:{_OFTEN})\b")
_EVERY = re.compile(
    r"\b(?:every|each|jede[nrs]?|alle) (?:other |second |\d+ |two |three |four |zweite[nrs]? |zwei |drei |vier )?"
    rf"(?:days?|weeks?|months?|years?|tage?|wochen?|monate?|jahre?|{'|'.join(sorted(WEEKDAYS))})\b"
)
"""In which rhythm something is to repeat."""

_ON_EACH = re.compile(rf"\b(?:on|to|auf|immer) (?:{'|'.join(sorted(DAYS_WITH_S))})\b(?! {NAME})")
"""“On Fridays”. Right before a title it is one Friday’s."""

_MONTH = "|".join(sorted(MONTHS))
_DAY = (
    rf"(?:(?:next |this |the |nächsten |kommenden )?(?:{'|'.join(sorted(WEEKDAYS))}|{_MONTH})"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH})|20\d\d|next (?:week|month|year|summer|spring|autumn|winter)"
    rf"|the end of (?:the )?(?:year|month|quarter|{_MONTH})|(?:zum )?end[e] (?:des jahres|des monats|{_MONTH})"
    r"|christmas|easter|weihnachten|ostern)"
)
_SPAN = re.compile(rf"\b(?:ab|until|till|bis)(?: zum| zur)? (?:{_DAY}|heute|morgen|tomorrow|today)\b")
"""From when on, or for how long, says nothing of one day."""

_IT = rf"(?:it|them|ihn|es|sie|(?:(?:the|my|our|den|die|das) )?(?:whole )?(?:series|serie|{NAME})(?: series)?)"
_LATER = r"(?:in|on|after|with|next|this)"
_END = re.compile(
    rf"\b(?:until|till|bis)(?: zum| zur)? {_DAY}\b"
    rf"|{NAME}(?: series)?(?: (?:should|must|may|can|shall|has to|needs to|to))? ends? {_LATER} (?!time)"
    rf"|\b(?:end|finish|stop|beende) {_IT}(?: {_LATER}\b|$)|\b(?:shorten|kürze|verkürze) (?:the|die) seri(?:es|e)\b"
    rf"|{NAME}(?: \w+)? (?:enden|beenden)\b"
    r"|(?<!to )(?<!at )(?<!um )(?<!auf )\b\d+ (?:more )?times(?: more| only| in total)?(?= and|$)"
    r"|\b(?:noch )?\d+ mal\b|\bfor \w+ more (?:weeks|months|times)\b|\bfor \d+ (?:weeks|months)\b"
)
"""How a clause says that what it calls goes on no longer."""

_RUN = re.compile(
    rf"^(?:\w+ ){{0,2}}(?:let|lass|have) (?:it|them|ihn|es|sie|{NAME}) .*\b(?:run|go on|end|laufen|enden|gehen)\b"
)
_NOT = frozenset(
    {
        *("not", "no", "t", "never", "none", "nothing", "cannot", "dont", "except", "but"),
        *("nicht", "nie", "kein", "keine", "keinen", "außer"),
    }
)


def are_many(text: str, title: Title) -> bool:
    """Whether a clause that calls what has this title says that it is about more than one occurrence of it."""
    return any(
        _says_many(said)
        for sentence in _sentences(text, title)
        if (_NOT | ONLY).isdisjoint(word for clause in sentence for word in clause)
        for said in sentence
    )


def have_new_rhythm(text: str, title: Title) -> bool:
    """Whether a clause that calls what has this title, or one of its sentence about “it”, lets it end, or says how
    often it is to come.
    """
    return any(
        bool(_END.search(" ".join(said)) or _MAKE.search(" ".join(said)))
        for sentence in _sentences(text, title)
        if _NOT.isdisjoint(word for clause in sentence for word in clause)
        for said in sentence
        if NAME in said or _RUN.search(" ".join(said)) or _END.match(" ".join(said))
    )


def has_time(text: str) -> bool:
    """Whether a text names a day or a time."""
    return any(_has_time(clause.words) for clause in clauses_in(text, ()))


def _sentences(text: str, title: Title) -> Iterator[Sequence[Sequence[str]]]:
    """The sentences that call what has this title, as the words of their clauses."""
    found = dict[int, list[list[str]]]()
    for clause in clauses_in(text, [title]):
        found.setdefault(clause.sentence, []).append(_named(list(clause.words), title))
    return (sentence for sentence in found.values() if any(NAME in said for said in sentence))


def _named(said: list[str], title: Title) -> list[str]:
    """The words with one `NAME` for those of the title, where they do not stand there as a whole."""
    own = title.telling or title.calling
    if NAME in said or own.isdisjoint(said):
        return said
    first = last = next(at for at, word in enumerate(said) if word in own)
    while said[last + 1 : last + 2] and said[last + 1] in title.said:
        last += 1
    while first and said[first - 1] in title.calling:
        first -= 1
    return [*said[:first], NAME, *said[last + 1 :]]


def _says_many(said: Sequence[str]) -> bool:
    if NAME not in said:
        return False
    plain, at = " ".join(said), said.index(NAME)
    if _MAKE.search(plain) or _ON_EACH.search(plain):
        return True
    placed = plain
    for part in (_TARGET, _FROM_ON, _EVERY, _SPAN):
        placed = part.sub("", placed)
    if _has_day(placed.split()):
        return False
    first = at
    while first and said[first - 1] in _BESIDE:
        first -= 1
    beside = [*said[first:at], *(word for word in said[at + 1 : at + 2] if word in SERIES)]
    if _FROM_ON.search(plain) or _is_of_all(beside):
        return True
    return bool((SERIES | RECURRING) & {*beside} or LASTING & {*said} or _EVERY.search(plain))


def _is_of_all(beside: Sequence[str]) -> bool:
    """Whether all of them are meant: “all team sync”, and not “the all team sync”."""
    return any(
        word in QUANTIFIERS and DETERMINERS.isdisjoint(beside[max(0, at - 1) : at]) for at, word in enumerate(beside)
    )


def _has_day(said: Sequence[str]) -> bool:
    return any(
        word in _DAYS
        or _DATE.fullmatch(word) is not None
        or (word.isdecimal() and at > 0 and said[at - 1] in _LEADS_TO_DATE)
        for at, word in enumerate(said)
    )


def _has_time(said: Sequence[str]) -> bool:
    return any(word in _TIMES or word[:1].isdecimal() for word in said)
