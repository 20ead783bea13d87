"""Clauses that marks bound, or “and” before a verb, with each title in them as one word. Pure, linear in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from policies.guards import words
from policies.guards.grammar import order_words
from policies.guards.grammar.clauses import GAP
from policies.guards.grammar.order_words import AND, COURTESY
from policies.guards.verbs import ANSWER, CHANGE, DESTROY, MAKE, REACH, SEND

NAME, ADDRESS, OTHER = "\ue000", "\ue002", "\ue003"
"""What stands for a title, for a mail address, and for a sign that is no part of a sentence about a thing."""

_ENDS, _COMMAS = frozenset("!?;…"), frozenset(",()[]*•·")
_DASHES, _QUOTES, _APOSTROPHES = frozenset("-–—"), frozenset("\"“”„«»‘‚’'"), frozenset("'’")
_SMILES = frozenset("🙏👍🙂😊😀😃👌✅🎉")
_ABBREVIATED = re.compile(r"\b([ap])\.m\.", re.IGNORECASE)
_VERBS = frozenset(
    verb.split()[0] for verb in (*CHANGE, *ANSWER, *SEND, *MAKE, *DESTROY, *REACH, *order_words.MORE_VERBS)
) - {GAP}


class Title(Protocol):
    """A title as it is read (`policies.guards.readings.Title`)."""

    text: str
    words: list[str]
    said: frozenset[str]

    @property
    def telling(self) -> frozenset[str]:
        """The words that nobody says but to call what has it."""
        ...

    @property
    def calling(self) -> frozenset[str]:
        """The words that people do not leave out."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Its words, folded, with `NAME` for a title that stands there as it is, `mark` behind it, and its text. `capitals`
    are the places of the words that begin with one, `sentence` is the number of its sentence.
    """

    words: tuple[str, ...]
    text: str
    mark: str
    sentence: int
    capitals: frozenset[int] = frozenset()


def clauses_in(text: str, titles: Sequence[Title]) -> Iterator[Clause]:
    """The clauses of a text; a mark in one of these titles bounds none."""
    seen, _ = words.apart(text, ADDRESS)
    seen = _ABBREVIATED.sub(r"\1m ", seen)
    tokens = list(_tokens(seen, titles))
    begin = sentence = 0
    for at, token in enumerate(tokens):
        mark = token.mark or (_joins(tokens, begin, at) and "&")
        if not mark:
            continue
        if begin < at:
            yield _clause(seen, tokens[begin:at], mark, sentence)
        sentence += mark in {".", "?", "\n"}
        begin = at + 1
    if begin < len(tokens):
        yield _clause(seen, tokens[begin:], "", sentence)


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, or the mark of a bound."""

    word: str
    begin: int
    end: int
    mark: str = ""
    is_capital: bool = False


def _clause(seen: str, tokens: Sequence[_Token], mark: str, sentence: int) -> Clause:
    return Clause(
        words=tuple(token.word for token in tokens),
        text=seen[tokens[0].begin : tokens[-1].end],
        mark=mark,
        sentence=sentence,
        capitals=frozenset(at for at, token in enumerate(tokens) if token.is_capital),
    )


def _tokens(seen: str, titles: Sequence[Title]) -> Iterator[_Token]:
    found = list(words.tokens_in(seen))
    names = _names(seen, found, titles)
    beside = {*names, *(last + 2 for last in names.values())}  # after a sign that stands beside a title
    at, since = 0, 0
    while at < len(found):
        begin, end = found[at].start(), found[at].end()
        if "\n" in seen[since:begin]:
            yield _Token("", since, begin, mark="\n")
        if at in names:
            at = names[at]
            end = found[at].end()
            yield _Token(NAME, begin, end)
        elif found[at][0][0].isalnum():
            if _is_clock(found, at):
                at += 2
                end = found[at].end()
            yield _Token(words.folded(seen[begin:end]), begin, end, is_capital=found[at][0][0].isupper())
        elif (token := _sign(seen, found, at, is_beside=at + 1 in beside)) is not None:
            yield token
        since, at = end, at + 1


def _is_clock(found: Sequence[re.Match[str]], at: int) -> bool:
    """Whether minutes follow hours here."""
    if at + 2 >= len(found) or found[at + 1][0] not in {":", "."} or found[at + 2].end() - found[at].start() > 5:
        return False
    return found[at][0].isdecimal() and found[at + 2][0].isdecimal() and len(found[at + 2][0]) == 2


def _names(seen: str, found: Sequence[re.Match[str]], titles: Sequence[Title]) -> dict[int, int]:
    """Where whole titles stand, from their first token to their last: the longest where several do."""
    places = [at for at, one in enumerate(found) if one[0][0].isalnum()]
    told, names, taken = words.Told([words.folded(found[at][0]) for at in places]), dict[int, int](), set[int]()
    for title in sorted(titles, key=lambda each: len(each.words), reverse=True):
        if not (title.words and told.places.keys() >= title.said):
            continue
        for begin in told.begins(title.words):
            first, last = places[begin], places[begin + len(title.words) - 1]
            whole = range(first, last + 1)
            if taken.isdisjoint(whole) and _is_whole(seen, found[first].start(), found[last].end(), title):
                names[first] = last
                taken.update(whole)
    return names


def _is_whole(seen: str, begin: int, end: int, title: Title) -> bool:
    """Whether a title has its own signs there, and no others between its words."""
    if not {each for each in seen[begin:end] if not each.isalnum()} <= {*title.text, *" -'’"}:
        return False
    while seen[end : end + 1] in {*words.SIGNS}:
        end += 1
    return words.signs_of(seen[begin:end]) == words.signs_of(title.text)


def _sign(seen: str, found: Sequence[re.Match[str]], at: int, *, is_beside: bool) -> _Token | None:
    """What a sign stands for: the bound of a clause, nothing, or something that no order has."""
    sign, begin, end = found[at][0], found[at].start(), found[at].end()
    before, after = seen[begin - 1 : begin] if begin else "", seen[end : end + 1]
    if sign == ADDRESS:
        return _Token(ADDRESS, begin, end)
    if sign in _APOSTROPHES and before.isalnum() and after.isalnum():
        return None
    if sign == ".":
        if after.strip():
            return _Token(OTHER, begin, end)
        is_date = before.isdecimal() and at + 1 < len(found) and words.folded(found[at + 1][0]) in order_words.MONTHS
        return None if is_date else _Token(sign, begin, end, mark=".")
    if sign in _ENDS:
        return _Token(sign, begin, end, mark="?" if sign == "?" else ".")
    if sign in _COMMAS:
        return _Token(sign, begin, end, mark=",")
    if sign == ":":
        return _Token(sign, begin, end, mark=":")
    if sign in _DASHES:
        return _Token(OTHER, begin, end) if before.strip() and after.strip() else _Token(sign, begin, end, mark=",")
    if sign in _QUOTES and is_beside:
        return None
    is_drawn = sign in _SMILES or (sign in words.SIGNS and before in {*words.SIGNS})
    return None if is_drawn or unicodedata.category(sign) in {"Sk", "Mn"} else _Token(OTHER, begin, end)


def _joins(tokens: Sequence[_Token], begin: int, at: int) -> bool:
    """Whether the word here begins a new clause: “and” before a verb, “because”."""
    word, before = tokens[at].word, [token.word for token in tokens[max(begin, at - 3) : at]]
    if word in order_words.REASONS:
        return True
    if word not in AND and word != "so":
        return False
    if before[-2:] in (["go", "ahead"], ["so", "kind"], ["so", "gut"], ["so", "nett"]):
        return False
    rest = [token for token in tokens[at + 1 : at + 9] if token.word not in COURTESY | AND][:2]
    if not rest:
        return word in {"and", "und"}
    first, then = rest[0], rest[1] if len(rest) > 1 else None
    if first.word in order_words.SUBJECTS:
        return True
    if word == "so" or first.word not in _VERBS or first.is_capital:
        return False
    if first.word in order_words.ONLY_VERBS:
        return True
    return then is None or bool(then.mark) or then.is_capital or then.word in order_words.OBJECTS | {NAME, ADDRESS}
