"""Which clauses of a text order something to be destroyed: those that say nothing else. Pure, and linear in the text.

An order is one clause that has a verb of the tool and the title of the thing. Besides, it may have words that are
known (`order_words`): of courtesy, of asking, of days and times, and for all of a series. Any other word in it makes it
no order: “cancel the board meeting catering”, “cancel the board meeting only if Dana declines”. So does the rest of the
text where that speaks against it: a negation, a condition, an exception, or the title once more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from policies.guards import words
from policies.guards.grammar import order_words
from policies.guards.grammar.bounds import NAME, Clause, Title, clauses_in
from policies.guards.grammar.clauses import GAP
from policies.guards.grammar.days import time_end
from policies.guards.grammar.order_words import (
    AND,
    CONSENT,
    COURTESY,
    DAYS_WITH_S,
    DETERMINERS,
    HARMLESS,
    KINDS,
    ONLY,
    PHRASES,
    QUANTIFIERS,
    RECURRING,
    REGULAR,
    SERIES,
    WHOLE,
)
from policies.guards.verbs import PARTICIPLES

VERB = "\ue001"
"""What stands for a verb of the tool."""

_NAMED = frozenset({NAME, VERB})
_ALLOWED = DETERMINERS | ONLY | QUANTIFIERS | WHOLE | RECURRING | REGULAR | SERIES | order_words.LASTING | DAYS_WITH_S
_FOR_ALL = QUANTIFIERS | {"and", "und"}
"""With one of them “future” or “following” says how many: “this and all following”."""

_ASKING = frozenset({"please", "pls", "plz", "thanks", "thank", "you", "bitte", "danke"})
"""What stands in a question of an order beside it."""

_SOMEBODY = " Xmentioned "
"""A name that nobody has, for a mention."""


@lru_cache(maxsize=64)  # a call is judged when it is made, when it is claimed, and for its card
def orders(
    text: str,
    verbs: tuple[str, ...],
    named: tuple[Title, ...],
    kinds: frozenset[str],
    others: tuple[Title, ...] = (),
) -> Sequence[str]:
    """The clauses of the text that order with one of these verbs what has these titles, things of these kinds; each
    with the mark of a question where it is one. `others` are titles of other things that the text may call.
    """
    if order_words.LIST.search(text):
        return ()
    plain = order_words.MENTION.sub(_SOMEBODY, order_words.SMILES.sub(" ", text))
    clauses = list(clauses_in(plain, named))
    found = [at for at, clause in enumerate(clauses) if _is_closed(clause, verbs, named, kinds)]
    is_need = any(_is_need(clauses[at]) for at in found)
    polite = {clauses[at].sentence for at in found if _is_polite(clauses[at])}
    if not found or not all(
        _asks_nothing(clause, polite) and _is_beside(clause, others, is_before=at < found[-1], is_need=is_need)
        for at, clause in enumerate(clauses)
        if at not in found
    ):
        return ()
    return [_text(clauses, at) for at in found]


def _text(clauses: Sequence[Clause], at: int) -> str:
    """A clause with “please” behind it, and with the mark of a question if its sentence is one."""
    clause, rest = clauses[at], [each for each in clauses[at + 1 : at + 3] if each.sentence == clauses[at].sentence]
    is_polite = bool(rest) and not _unknown(rest[0].words, {})
    is_question = any(each.mark == "?" for each in (clause, *rest))
    return f"{clause.text}{f', {rest[0].text}' if is_polite else ''}{'?' if is_question else ''}"


def is_courtesy(text: str) -> bool:
    """Whether a text says nothing but “yes, please”, “thanks” and the like."""
    return all(not _unknown(clause.words, CONSENT) for clause in clauses_in(text, ()))


# What an order may have -----------------------------------------------------------------------------------------------


def _is_closed(clause: Clause, verbs: Sequence[str], titles: Sequence[Title], kinds: Iterable[str]) -> bool:
    """Whether a clause has a verb and a title, and nothing that is not known."""
    if clause.mark == ":":
        return False
    said = [word for word in clause.words if word not in COURTESY]
    said = _with_verb(said, verbs)
    if NAME not in said and len(titles) == 1:
        said = _with_part(said, titles[0])
    if VERB not in said or NAME not in said:
        return False
    known = _kinds(kinds)
    at, is_begun, is_list = 0, False, said.count(NAME) > 1
    while at < len(said):
        end = _part_end(said, at, known, is_list=is_list)
        is_for_then = not is_begun and time_end(said, at) == end and said[end - 1] != "s"
        if end == at or is_for_then:  # “tomorrow, cancel it” may be said for tomorrow
            return False
        is_begun |= not _NAMED.isdisjoint(said[at:end])
        at = end
    return True


def _is_need(clause: Clause) -> bool:
    """Whether an order states a need, or asks whether somebody would."""
    said = [word for word in clause.words if word not in COURTESY]
    return any(tuple(said[at : _phrase_end(said, at, PHRASES)]) in order_words.NEEDS for at in range(len(said)))


def _part_end(said: Sequence[str], at: int, kinds: frozenset[str], *, is_list: bool) -> int:
    """Where the part of an order ends that begins here; the same place if there is none."""
    if (end := _phrase_end(said, at, PHRASES)) > at:
        return end
    if (end := time_end(said, at)) > at:
        return end + (said[at] in {"from", "ab"} and _at(said, end) in order_words.ON)
    return at + _is_known(said, at, kinds, is_list=is_list)


def _is_known(said: Sequence[str], at: int, kinds: frozenset[str], *, is_list: bool) -> bool:
    word = said[at]
    if word in _NAMED or word in _ALLOWED or (is_list and word in AND):
        return True
    if word in order_words.LATER:
        return not _FOR_ALL.isdisjoint(said)
    if word in order_words.NEXT:
        return _at(said, at + 1) == NAME
    around = {*said[max(0, at - 1) : at + 2]}
    if word in order_words.CALLED:
        return NAME in said[at + 1 : at + 2]
    return word in kinds and bool(around & ({NAME} | order_words.CALLED))


def _kinds(kinds: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*(KINDS.get(kind) or words.words_of(kind) for kind in kinds))


def _with_verb(said: Sequence[str], verbs: Sequence[str]) -> list[str]:
    """The words with `VERB` for those of a verb of the tool, in whichever form."""
    parts = {word for verb in verbs for word in _parts(verb.split(), said)}
    return [VERB if word in parts else word for word in said]


def _parts(verb: Sequence[str], said: Sequence[str]) -> Iterator[str]:
    first, more = next(word for word in verb if word != GAP), [word for word in verb if word != GAP][1:]
    forms = {word for word in said if word == first or first in _bases(word)} if {*more} <= {*said} else set[str]()
    if forms:
        yield from (*forms, *more)


def _bases(word: str) -> Sequence[str]:
    """What a form of a verb can be one of."""
    if word in PARTICIPLES:
        return [PARTICIPLES[word]]
    if not word.endswith(("ing", "ed")):
        return []
    stem = word.removesuffix("ing").removesuffix("ed")
    return stem, f"{stem}e", stem[:-1]


def _with_part(said: Sequence[str], title: Title) -> list[str]:
    """The words with `NAME` for those of a title that stand there in part, or in another order."""
    own = title.calling - order_words.NEGATIONS - ONLY - order_words.WEEKDAYS - order_words.NEAR
    places = [at for at, word in enumerate(said) if word in own]
    if not places:
        return list(said)
    first, last = places[0], places[-1]
    between = [word for word in said[first:last] if not (word in own or (word in title.said and words.is_filler(word)))]
    return [*said[:first], NAME, *between, *said[last + 1 :]]


def _phrase_end(said: Sequence[str], at: int, phrases: order_words.Phrases) -> int:
    """Where the longest known phrase ends that begins here; the same place if none does."""
    found = (len(each) for each in phrases.get(said[at], ()) if list(said[at : at + len(each)]) == list(each))
    return at + next(found, 0)


def _at(said: Sequence[str], at: int) -> str:
    return said[at] if 0 <= at < len(said) else ""


# What may stand beside an order ---------------------------------------------------------------------------------------


def _unknown(said: Sequence[str], phrases: order_words.Phrases) -> list[str]:
    """The words that are none of courtesy, and of no such phrase."""
    said, at, found = [word for word in said if word not in COURTESY], 0, list[str]()
    while at < len(said):
        end = _phrase_end(said, at, phrases)
        if end == at:
            found.append(said[at])
        at = max(end, at + 1)
    return found


def _is_polite(clause: Clause) -> bool:
    """Whether an order is a question that goes on: “can you cancel it and tell Dana?”."""
    first = next(word for word in clause.words if word not in COURTESY)
    return clause.mark == "&" and first in order_words.POLITE


def _asks_nothing(clause: Clause, polite: Collection[int]) -> bool:
    """Whether a clause is no question, and leads to no text; `polite` are the sentences that may go on with it."""
    is_question = clause.mark == "?" and clause.sentence not in polite and not _ASKING.issuperset(clause.words)
    return clause.mark != ":" and not is_question


def _is_beside(clause: Clause, others: Sequence[Title], *, is_before: bool, is_need: bool) -> bool:
    """Whether a clause may stand beside an order: courtesy, a reason, and beside a command that somebody is told, or a
    request for something else.
    """
    if not _unknown(clause.words, HARMLESS) or (is_before and clause.words in order_words.OPENING):
        return True
    said = _marked(clause, others)
    if order_words.REASON.fullmatch(said):
        return True
    if is_need:
        return False
    return order_words.REQUEST.fullmatch(said) is not None or ((not is_before or clause.mark == "&") and _tells(said))


def _tells(said: str) -> bool:
    """Whether somebody is to be told something, and neither to do anything nor to decide it."""
    found = order_words.TELL.match(f"{said} ")
    if found is None:
        return False
    rest = said[found.end() :].split()
    told = " ".join(rest[rest[:1] in (["that"], ["dass"]) :])
    return rest[:1] != ["to"] and (order_words.TOLD.issuperset(rest) or order_words.REASON.fullmatch(told) is not None)


def _marked(clause: Clause, others: Sequence[Title]) -> str:
    """The words of a clause but for those of courtesy, with a mark for each name, day or time, and title of another
    thing.
    """
    said = [
        order_words.PERSON if at in clause.capitals and _is_name(word) else word for at, word in enumerate(clause.words)
    ]
    for other in others:
        if (at := words.place_of(clause.words, other.words)) is not None and len(said) == len(clause.words):
            said[at : at + len(other.words)] = [order_words.ANOTHER]
    said, found, at = [word for word in said if word not in COURTESY], list[str](), 0
    while at < len(said):
        end = time_end(said, at) - (said[time_end(said, at) - 1 : time_end(said, at)] == ["s"])
        word = order_words.WHEN if end > at else said[at]
        if word != order_words.PERSON or found[-1:] != [word]:
            found.append(word)
        at = max(end, at + 1)
    return " ".join(found)


def _is_name(word: str) -> bool:
    """Whether a word with a capital letter may be somebody's name, or that of a place."""
    return word not in order_words.VOCABULARY and not words.is_nobody(word)
