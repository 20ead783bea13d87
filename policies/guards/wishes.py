"""Whether a text asks for something to be done. Whoever asks when something is, who moved it, or whether there is an
update, uses the same words and asks for nothing of the kind.

So a verb counts only where one asks with it: at the beginning of a clause (“Move it”), after “please”, “to”, “can you”
or “let's”, and the infinitives of German anywhere in theirs. Clauses that tell or ask about something count for
nothing: “Did Dana move it?”, “Tell me who can move it”, “Don't move it”. What stands in the title of the thing itself
is no verb. Pure, and linear in the length of a text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from policies.guards import words

Pattern = Sequence[str]

_FAR = 60  # words to either side of a verb that are looked at

_GAP = "…"
_TOKEN = re.compile(r"[^\W_]+|[^\s\w]")
_ENDS = frozenset("!?;")
_BREAK = ","
_HIDDEN = '"'
"""What stands for a mark, or for a word of the thing's own title."""

_BREAKS = frozenset(",:()[]*•")
_DASHES = frozenset("-–—")
_JOINING = frozenset({"and", "or", "but", "then", "so", "und", "oder", "aber", "dann", "sondern"})

_BESIDE = frozenset(
    {
        *("please", "pls", "plz", "just", "also", "now", "kindly", "quickly", "simply", "maybe", "perhaps", "possibly"),
        *("again", "first", "second", "third", "finally", "instead", "do", "still", "hi", "hey", "hello", "ok", "okay"),
        *("yes", "no", "sure", "thanks", "great", "today", "tomorrow", "tonight", "bitte", "mal", "doch", "jetzt"),
        *("auch", "gleich", "noch", "kurz", "danke", "hallo", "ja", "nein", "heute", "morgen", "einfach", "lieber"),
    }
)
"""Words between which and a verb nothing else need stand."""

_MODAL = frozenset({"can", "could", "would", "will", "must", "should", "t"})
_ASKED = frozenset({"you", "u", "we"})
_ARTICLES = frozenset(
    {
        *("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "kein", "keine"),
        *("keinen", "beim", "zum", "vom", "im", "am", "mein", "meine", "dein", "deine", "unser", "unsere", "ihr"),
        *("ihre", "ich"),
    }
)
_TELLING = frozenset(
    {
        *("did", "didn", "does", "doesn", "was", "were", "wasn", "had", "has", "hasn", "who", "whose", "why", "when"),
        *("where", "what", "which", "how", "whether", "if", "is", "are", "isn", "shall", "may", "might", "he", "she"),
        *("they", "wants", "wanted", "asked", "plans", "planned", "decided", "tried", "going", "reason", "remind"),
        *("not", "never", "don", "won", "cannot", "without", "wer", "wann", "warum", "wieso", "weshalb", "wie", "wo"),
        *("welche", "welcher", "welches", "welchen", "ob", "hat", "hatte", "hatten", "wurde", "wurden", "wird", "soll"),
        *("sollen", "sollte", "sollten", "will", "wollte", "nicht", "nie", "erinnere", "erinner"),
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
    *(("has", "to"), ("how", "about"), ("what", "about"), ("is", "it", "possible"), ("if", "possible")),
    *(("if", "you", "could"), ("if", "we", "could"), ("will", "you"), ("will", "u"), ("will", "we"), ("ich", "will")),
    *(("don", "t", "forget"), ("not", "forget")),
)
"""What only begins as those do."""

_PAST = frozenset({"did", "does", "hat", "hatte", "hatten"})
"""They tell of the next verb, too."""

_REFUSING = frozenset({"nicht", "nie"})
_TO_ME = frozenset({"me", "mir", "mich"})
_FOR_OTHERS = frozenset(
    {
        *("send", "mail", "email", "message", "answer", "tell", "remind", "ask", "ping", "let", "schick", "schicke"),
        *("sende", "sag", "sage", "erinnere", "erinner", "gib", "frag", "frage", "antworte", "forward", "inform"),
    }
)
"""Verbs that reach nobody else where “me” follows."""

_AFTER_NOUNS = frozenset({"on", "of", "from", "about", "regarding", "for", "von", "für", "zum", "zur", "über"})
"""After them a word that begins a clause is no verb: “Update on the review?”"""

_LAST = frozenset({"ab", "an", "auf", "ein", "vor", "zu", "um", "nach", "weiter"})
"""Parts of German verbs that are other words, too, unless they end a clause."""


def asks(text: str, verbs: Sequence[str], titles: Sequence[Sequence[str]] = ()) -> bool:
    """Whether the text asks with one of these verbs for something; `titles` are those of the things it is about, as
    `words.words_of` has them.
    """
    return _asks(text, tuple(verbs), tuple(map(tuple, titles)))


@lru_cache(maxsize=256)  # a call is judged when it is made, when it is claimed, and for its card
def _asks(text: str, verbs: tuple[str, ...], titles: tuple[tuple[str, ...], ...]) -> bool:
    known = _by_first_word(verbs)
    return any(
        _is_wish(clause, verb)
        for sentence in _sentences(text, titles)
        for at in range(len(sentence.words))
        for verb in _verbs(sentence, at, known)
        for clause in [_clause(sentence, at)]
    )


@cache
def _by_first_word(verbs: tuple[str, ...]) -> Mapping[str, Sequence[Pattern]]:
    """The verbs by the word at which they are found: of “… verschieben” the one behind the gap."""
    found: dict[str, list[Pattern]] = {}
    for verb in verbs:
        parts = verb.split()
        found.setdefault(parts[parts[0] == _GAP], []).append(parts)
    return found


# Sentences ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Its words, folded, with `_BREAK` between clauses and `_HIDDEN` for what says nothing; `capitals` are the places
    of those that begin with one.
    """

    words: list[str] = field(default_factory=list[str])
    capitals: set[int] = field(default_factory=set[int])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clause:
    """Of a clause, what stands before a verb in it and from there on, and what the sentence said before the clause."""

    before: Sequence[str]
    rest: Sequence[str]
    earlier: Sequence[str]
    is_capital: bool


def _sentences(text: str, titles: Sequence[Sequence[str]]) -> Iterator[_Sentence]:
    seen = words.seen(text)
    found = list(_TOKEN.finditer(seen))
    folded = [one[0].casefold() for one in found]
    hidden = _hidden([at for at, word in enumerate(folded) if word.isalnum()], folded, titles)
    sentence = _Sentence()
    for at, one in enumerate(found):
        if at and (_is_end(found[at - 1], seen) or "\n" in seen[found[at - 1].end() : one.start()]):
            yield sentence
            sentence = _Sentence()
        if at in hidden or (not folded[at].isalnum() and not _is_apostrophe(one, seen)):
            sentence.words.append(_BREAK if at not in hidden and _breaks(one, seen) else _HIDDEN)
        elif folded[at].isalnum():
            if one[0][0].isupper():
                sentence.capitals.add(len(sentence.words))
            sentence.words.append(folded[at])
    yield sentence


def _hidden(places: Sequence[int], said: Sequence[str], titles: Sequence[Sequence[str]]) -> set[int]:
    """Where the words of these titles stand: each as a whole, or else any word of it."""
    spoken, hidden = [said[place] for place in places], set[int]()
    for title in map(list, titles):
        size = len(title)
        begins = [at for at in range(len(spoken) - size + 1) if size and spoken[at : at + size] == title]
        if begins:
            hidden.update(place for at in begins for place in places[at : at + size])
        else:
            hidden.update(place for place, word in zip(places, spoken, strict=True) if word in title)
    return hidden


def _is_end(token: re.Match[str], text: str) -> bool:
    return token[0] in _ENDS or (token[0] == "." and not text[token.end() : token.end() + 1].strip())


def _is_apostrophe(token: re.Match[str], text: str) -> bool:
    around = text[token.start() - 1 : token.start()] + text[token.end() : token.end() + 1]
    return token[0] in "'’" and len(around) > 1 and around.isalnum()


def _breaks(token: re.Match[str], text: str) -> bool:
    """Whether a mark begins a new clause; quotation marks do not, nor do those inside of words."""
    if token[0] in _DASHES:
        return not text[token.start() - 1 : token.start()].strip()
    return token[0] in _BREAKS or unicodedata.category(token[0]).startswith("S")


def _divides(word: str) -> bool:
    return word == _BREAK or word in _JOINING


def _clause(sentence: _Sentence, at: int) -> _Clause:
    """The clause around the word at this place."""
    said, first = sentence.words, max(0, at - _FAR)
    last = min(len(said), at + _FAR)
    begins = next((place + 1 for place in range(at - 1, first - 1, -1) if _divides(said[place])), first)
    ends = next((place for place in range(at, last) if _divides(said[place])), last)
    return _Clause(
        before=said[begins:at], rest=said[at + 1 : ends], earlier=said[first:begins], is_capital=at in sentence.capitals
    )


# Verbs ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verb:
    """A verb that was found: its first word, whether it is an infinitive at its end, whether it has more words, or is a
    form such as “moved”, which stands only where one asks with it.
    """

    first: str
    is_infinitive: bool = False
    has_more: bool = False
    is_form: bool = False


def _verbs(sentence: _Sentence, at: int, known: Mapping[str, Sequence[Pattern]]) -> Iterator[_Verb]:
    word, rest = sentence.words[at], sentence.words[at + 1 : at + _FAR]
    for pattern in known.get(word, ()):
        is_infinitive = pattern[0] == _GAP
        if _goes_on(rest, pattern[1 + is_infinitive :]):
            yield _Verb(first=word, is_infinitive=is_infinitive, has_more=len(pattern) > 1)
    before = sentence.words[max(0, at - 2) : at]
    is_gerund = word.endswith("ing") and before[-1:] in (["mind"], ["about"])
    is_passive = word.endswith("ed") and before[-1:] == ["be"] and before[0] in {"to", "must", "should"}
    if (is_gerund or is_passive) and any([base] in known.get(base, ()) for base in _bases(word)):
        yield _Verb(first=word, is_form=True)


def _bases(word: str) -> Sequence[str]:
    """What “moving”, “pushed” or “swapped” can be forms of."""
    stem = word.removesuffix("ing").removesuffix("ed")
    return stem, f"{stem}e", stem[:-1]


def _goes_on(rest: Sequence[str], more: Sequence[str]) -> bool:
    """Whether the rest of a verb follows, after a gap where it has one."""
    if not more or more[0] != _GAP:
        return list(rest[: len(more)]) == list(more)
    return any(
        word == more[1] and (word not in _LAST or place + 1 == len(rest) or _divides(rest[place + 1]))
        for place, word in enumerate(rest)
    )


def _is_wish(clause: _Clause, verb: _Verb) -> bool:
    """Whether the verb asks for something where it stands."""
    if verb.first in _FOR_OTHERS and not _TO_ME.isdisjoint(clause.rest[:1]):
        return False
    if verb.is_infinitive:
        stands = not clause.before or not (clause.is_capital or clause.before[-1] in _ARTICLES)
    elif clause.before:
        stands = verb.is_form or _is_said_to_somebody(clause.before)
    else:
        stands = verb.has_more or _AFTER_NOUNS.isdisjoint(clause.rest[:1])
    return stands and not _tells(clause)


def _tells(clause: _Clause) -> bool:
    """Whether the clause asks about something, tells of it, or refuses it; also where it goes on after a question
    about what somebody did: “Did Dana call and move it?”
    """
    if not _REFUSING.isdisjoint(clause.rest) or (not clause.before and not _PAST.isdisjoint(clause.earlier)):
        return True
    said = tuple(clause.before)
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


def _is_said_to_somebody(before: Sequence[str]) -> bool:
    """Whether a verb after these words is what one asks somebody to do."""
    said = list(before)
    while said and said[-1] in _BESIDE:
        said.pop()
    if not said or said[-1] in {"to", "lets"}:
        return True
    last, one_before = said[-1], said[-2] if len(said) > 1 else ""
    return (
        (last in _ASKED and one_before in _MODAL)
        or (last in _MODAL and one_before in _ASKED)
        or (one_before, last) in {("let", "s"), ("let", "us"), ("help", "me"), ("help", "us")}
    )
