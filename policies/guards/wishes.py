"""Whether a text asks for something to be done. A person who asks when something is, who moved it, or whether there is
an update, uses the same words and asks for nothing of the kind.

So a verb counts only where one asks with it (`policies.guards.requests`). What stands in the title of the thing itself,
in an address or in a link is no verb. Pure, and linear in the length of a text.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from policies.guards import words
from policies.guards.grammar import delegations
from policies.guards.grammar.affirmed import unconditional
from policies.guards.grammar.clauses import BESIDE, BREAK, COLON, GAP, HIDDEN, JOINING, TIMES, Clause, Verb
from policies.guards.requests import GOES_ON, is_wish
from policies.guards.verbs import CHANGE, DESTROY, MAKE, PARTICIPLES, REACH, verbs_of
from policies.types import EffectClass

Pattern = Sequence[str]

_FAR = 60  # words to either side of a verb that are looked at

_LINK = re.compile(r"(?:https?://|www\.)\S+|(?<![\w-])(?<![\w-]\.)[\w-]++(?:\.[\w-]++)*\.[a-z]{2,}\b(?:/\S*)?")
"""Looked for once where a word begins, and not from each hyphen or dot anew to the word's end."""

_PLACE = "\ue000"  # for private use: no text means anything by it
_ENDS = frozenset("!?;")
_BREAKS = frozenset(",()[]*•")
_DASHES = frozenset("-–—")
_LAST = frozenset({"ab", "an", "auf", "ein", "vor", "zu", "um", "nach", "weiter"})
"""Parts of German verbs that are other words, too, unless they end a clause."""

_SHORT = 16  # words and marks of a sentence that gives an address and says nothing else
_GIVING = BESIDE | frozenset(
    {
        *("to", "cc", "bcc", "and", "also", "please", "with", "at", "the", "address", "addresses", "is", "are", "it"),
        *("s", "its", "her", "his", "their", "mail", "email", "e", "no", "yes", "sorry", "use", "i", "mean", "meant"),
        *("instead", "ok", "okay", "thanks", "as", "well", "too", "for", "you", "can", "reach", "she", "he", "they"),
        *("that", "one", "actually", "both", "plus", "then", "only", "just", "rather", "lunch", "coffee", "call"),
        *("meeting", "dinner", "breakfast", "on", "an", "auch", "bitte", "und", "mit", "adresse", "adressen", "ist"),
        *("lautet", "sind", "die", "seine", "ihre", "ja", "nein", "nimm", "ich", "meine", "meinte", "doch", "lieber"),
        *("noch", "über", "für", "er", "sie", "dann", "nur", "beide", "kopie", "in", "natürlich", HIDDEN, BREAK, COLON),
    }
)
"""Words with which people give an address that they were asked for, or one more."""

_HEADS = frozenset({"to", "cc", "bcc", "an", "attendees", "guests", "recipients", "gäste", "empfänger"})
_NAME = 4  # words before a colon that are more than somebody's name
_DESTROYING = [verb.split() for verb in DESTROY if verb not in CHANGE]
"""What is removed from a thing changes it."""

_THEM = frozenset({"them", "everyone", "everybody", "ihnen", "allen"})
_TO = frozenset({"to", "an"})
_PASSING = frozenset(
    {
        *("send", "mail", "email", "message", "forward", "post", "share", "schick", "schicke", "sende", "maile"),
        *("leite", "leit"),
    }
)
"""What they pass on can be told of before the person it is for: “send what it says to Dana”."""


def asks(text: str, verbs: Sequence[str], titles: Sequence[Sequence[str]] = (), *, destroys: bool = False) -> bool:
    """Whether the text asks with one of these verbs for something; `titles` are those of the things it is about, as
    `words.words_of` has them. `destroys`: there is no way back from what any of them asks for.
    """
    return _asks(text, tuple(verbs), tuple(map(tuple, titles)), destroys)


def asks_for(text: str, effect: EffectClass, named: Sequence[str], titles: Sequence[Sequence[str]] = ()) -> bool:
    """Whether the text asks for what a tool of this class does, which names these verbs or none."""
    return asks(text, verbs_of(effect, named), titles, destroys=effect is EffectClass.DESTRUCTIVE)


def addressees(
    text: str, effect: EffectClass, named: Sequence[str], titles: Sequence[Sequence[str]] = ()
) -> Sequence[str]:
    """The words with which the text says for whom it asks for what a tool of this class does, for each time that it
    asks: from the verb on, without what these are told.
    """
    verbs = tuple(verbs_of(effect, named))
    return [
        _whom(sentence, begin, end)
        for sentence in _sentences(text, titles)
        for wanted in [{*_wishes(sentence, verbs)}]
        for begin, end in itertools.pairwise([*sorted({*wanted, *_wishes(sentence, REACH)}), len(sentence.words)])
        if begin in wanted
    ]


def asks_to_write(text: str, titles: Sequence[Sequence[str]] = ()) -> bool:
    """Whether the text asks for something to be made or changed."""
    return asks(text, (*MAKE, *CHANGE), titles)


@lru_cache(maxsize=256)  # a call is judged when it is made, when it is claimed, and for its card
def _asks(text: str, verbs: tuple[str, ...], titles: tuple[tuple[str, ...], ...], destroys: bool) -> bool:
    return any(
        _has_wish(sentence, verbs, has_title=any(titles), destroys=destroys) for sentence in _sentences(text, titles)
    )


def _has_wish(sentence: _Sentence, verbs: tuple[str, ...], *, has_title: bool = False, destroys: bool = False) -> bool:
    return any(True for _ in _wishes(sentence, verbs, has_title=has_title, destroys=destroys))


def _wishes(
    sentence: _Sentence, verbs: tuple[str, ...], *, has_title: bool = False, destroys: bool = False
) -> Iterator[int]:
    """Where what asks begins: at its verb, or with the clause that one ends."""
    known = _by_first_word(verbs)
    for at in range(len(sentence.words)):
        for verb in _verbs(sentence, at, known):
            clause = _clause(sentence, at, has_title=has_title)
            if is_wish(clause, replace(verb, destroys=True) if destroys else verb):
                yield at - len(clause.before) if verb.is_infinitive else at


def _whom(sentence: _Sentence, begin: int, end: int) -> str:
    said = sentence.words
    told = next((at for at in range(begin + 1, end) if said[at] in GOES_ON or said[at] == COLON), end)
    for at in range(begin, told):
        if said[at] in _THEM and (at == begin + 1 or said[at - 1] in _TO):
            return sentence.written[at]
    if said[begin] in _PASSING:
        told = next((at for at in range(told, end) if said[at] == COLON), end)
    return "".join(sentence.written[begin:told])


def reaches(text: str, address: str) -> bool:
    """Whether the text asks for something that reaches the person it gives this address of, as `words.address` has it:
    in the same sentence, or elsewhere if this one is no question. So it does if the sentence says nothing else: “to
    eve@…”.
    """
    return address in reached(text)


def reaches_somebody(text: str) -> bool:
    """Whether the text asks for something that reaches anybody, or says nothing but who that is: “to Eve, please”."""
    found = list(_sentences(text, ()))
    return any(_has_wish(sentence, REACH) for sentence in found) or any(
        _is_answer(sentence) and max(sentence.capitals, default=0) > 0 for sentence in found
    )


def reached(text: str) -> frozenset[str]:
    """Those of the mail addresses in the text of which `reaches` is true."""
    found = list(_sentences(text, ()))
    if not any(sentence.addresses for sentence in found):
        return frozenset()
    asking = [_has_wish(sentence, REACH) for sentence in found]
    named = frozenset(
        address
        for sentence, asks_here in zip(found, asking, strict=True)
        if asks_here or _is_answer(sentence) or _is_headed(sentence) or (any(asking) and sentence.mark != "?")
        for address in sentence.addresses
    )
    return named if delegations.is_turned(text) else named.union(*map(_obeyed, found))


def _obeyed(sentence: _Sentence) -> Iterator[str]:
    """The addresses of those whose text the sentence asks to be obeyed."""
    known, said = _by_first_word(delegations.OBEY), list(sentence.words)
    addresses = dict(zip(sentence.places, sentence.addresses, strict=True))
    for place in addresses:
        said[place] = delegations.PERSON
    for at in range(len(said)) if addresses else ():
        for verb in _verbs(sentence, at, known):
            clause = _clause(sentence, at)
            begins = at - len(clause.before)
            ends = at + 1 + len(clause.rest)
            if delegations.goes_on(clause.rest):
                last = min(len(said), at + _FAR)
                ends = next((place for place in range(ends + 1, last) if _divides(said[place])), last)
            theirs = range(begins, at) if verb.is_infinitive else range(at + 1, ends)
            earlier = range(begins - len(clause.earlier), begins)
            place = (
                delegations.author_at(said, theirs, earlier, max(at + 1, theirs.stop))
                if is_wish(clause, verb)
                else None
            )
            if place is not None:
                yield addresses[place]


def _is_headed(sentence: _Sentence) -> bool:
    """Whether it has a line of a mail's head, or of a call, that says who something is for: “To: eve@acme.com”."""
    said = [word for word in sentence.words if word != HIDDEN]
    return "from" not in said and any(
        word in _HEADS and mark == COLON for word, mark in itertools.pairwise(said[: 2 * _FAR])
    )


def _is_answer(sentence: _Sentence) -> bool:
    """Whether it gives an address or a name, or both, and says nothing about them."""
    theirs = {word for address in sentence.addresses for word in words.words_of(address)}
    return (
        0 < len(sentence.words) <= _SHORT
        and sentence.mark != "?"
        and all(
            word in _GIVING or word in theirs or word in TIMES or word.isdecimal() or at in sentence.capitals
            for at, word in enumerate(sentence.words)
        )
        and sentence.words[0] in _GIVING | theirs
    )


@cache
def _by_first_word(verbs: tuple[str, ...]) -> Mapping[str, Sequence[Pattern]]:
    """The verbs by the word at which they are found: of “… verschieben” the one behind the gap."""
    found: dict[str, list[Pattern]] = {}
    for verb in verbs:
        parts = verb.split()
        found.setdefault(parts[parts[0] == GAP], []).append(parts)
    return found


# Sentences ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Sentence:
    """Its words, folded, with `BREAK` between clauses and `HIDDEN` for what says nothing; `written` is each of them as
    it stands in the text, with what parts it from the next. `capitals` are the places of those that begin with one.
    `addresses` are the mail addresses in it, with their `places`, `mark` is what ends it.
    """

    words: list[str] = field(default_factory=list[str])
    written: list[str] = field(default_factory=list[str])
    capitals: set[int] = field(default_factory=set[int])
    addresses: list[str] = field(default_factory=list[str])
    places: list[int] = field(default_factory=list[int])
    mark: str = ""

    def add(self, word: str, written: str) -> None:
        self.words.append(word)
        self.written.append(written)


def _sentences(text: str, titles: Sequence[Sequence[str]]) -> Iterator[_Sentence]:
    seen, addresses = words.apart(unconditional(text), _PLACE)
    seen, left = _LINK.sub(" … ", seen), iter(addresses)
    found = list(words.tokens_in(seen))
    folded = [words.folded(one[0]) for one in found]
    is_word = [one[0][0].isalnum() for one in found]
    hidden = _hidden([at for at in range(len(found)) if is_word[at]], folded, titles)
    sentence = _Sentence()
    for at, one in enumerate(found):
        written = seen[one.start() : found[at + 1].start() if at + 1 < len(found) else len(seen)]
        if "\n" in seen[found[at - 1].end() : one.start()]:
            yield sentence
            sentence = _Sentence()
        if _is_end(one, seen):
            sentence.mark = one[0]
            yield sentence
            sentence = _Sentence()
        elif one[0] == _PLACE:
            address = next(left)
            sentence.places.append(len(sentence.words))
            sentence.add(HIDDEN, f"{address} ")
            sentence.addresses.append(address)
        elif at in hidden or (not is_word[at] and not _is_apostrophe(one, seen)):
            sentence.add(HIDDEN if at in hidden else _mark(one, seen), written)
        elif is_word[at]:
            if one[0][0].isupper():
                sentence.capitals.add(len(sentence.words))
            sentence.add(folded[at], written)
        else:
            sentence.written[-1] += written
    yield sentence


def _hidden(places: Sequence[int], said: Sequence[str], titles: Sequence[Sequence[str]]) -> set[int]:
    """Where the words of these titles stand: each as a whole, or else any word of it."""
    spoken, hidden, single = [said[place] for place in places], set[int](), set[str]()
    if not titles:
        return hidden
    order = words.Told(spoken)
    for title in map(list, titles):
        found = list(order.begins(title)) if order.places.keys() >= set(title) else []
        hidden.update(place for at in found for place in places[at : at + len(title)])
        single.update(title if not found else ())
    hidden.update(place for place, word in zip(places, spoken, strict=True) if word in single)
    return hidden


def _is_end(token: re.Match[str], text: str) -> bool:
    return token[0] in _ENDS or (token[0] == "." and not text[token.end() : token.end() + 1].strip())


def _is_apostrophe(token: re.Match[str], text: str) -> bool:
    around = text[token.start() - 1 : token.start()] + text[token.end() : token.end() + 1]
    return token[0] in {"'", "’"} and len(around) > 1 and around.isalnum()


def _mark(token: re.Match[str], text: str) -> str:
    """What stands for a mark: quotation marks begin no new clause, nor do those inside of words."""
    if token[0] == COLON:
        is_time = (
            text[token.start() - 1 : token.start()].isdecimal() and text[token.end() : token.end() + 1].isdecimal()
        )
        return HIDDEN if is_time else COLON
    if token[0] in _DASHES:
        return HIDDEN if text[token.start() - 1 : token.start()].strip() else BREAK
    return BREAK if token[0] in _BREAKS or unicodedata.category(token[0]).startswith("S") else HIDDEN


def _divides(word: str) -> bool:
    return word in {BREAK, COLON} or word in JOINING


def _clause(sentence: _Sentence, at: int, *, has_title: bool = False) -> Clause:
    """The clause around the word at this place."""
    said, first = sentence.words, max(0, at - _FAR)
    last = min(len(said), at + _FAR)
    begins = next((place + 1 for place in range(at - 1, first - 1, -1) if _divides(said[place])), first)
    ends = next((place for place in range(at, last) if _divides(said[place])), last)
    return Clause(
        before=said[begins:at],
        rest=said[at + 1 : ends],
        earlier=said[first:begins],
        later=said[ends:last],
        is_capital=at in sentence.capitals,
        capitals=[place in sentence.capitals for place in range(begins, ends) if place != at],
        is_question=sentence.mark == "?",
        has_speaker=_has_speaker(sentence, first, begins),
        has_title=has_title,
    )


def _has_speaker(sentence: _Sentence, first: int, end: int) -> bool:
    """Whether a name stands before the last colon there, and nothing else: “Dana Okafor: …”."""
    said = sentence.words
    colon = next((at for at in range(end - 1, first - 1, -1) if said[at] == COLON), first)
    begins = colon
    while begins > first and not _divides(said[begins - 1]):
        begins -= 1
    return 0 < colon - begins < _NAME and all(
        at in sentence.capitals and not words.is_nobody(said[at]) for at in range(begins, colon)
    )


# Verbs ----------------------------------------------------------------------------------------------------------------


def _verbs(sentence: _Sentence, at: int, known: Mapping[str, Sequence[Pattern]]) -> Iterator[Verb]:
    word, rest = sentence.words[at], sentence.words[at + 1 : at + _FAR]
    for pattern in known.get(word, ()):
        is_infinitive = pattern[0] == GAP
        more = tuple(pattern[1 + is_infinitive :])
        if _goes_on(rest, more):
            destroys = pattern in _DESTROYING
            yield Verb(first=word, more=more, is_infinitive=is_infinitive, destroys=destroys)
    yield from _forms(word, rest, known)


def _forms(word: str, rest: Sequence[str], known: Mapping[str, Sequence[Pattern]]) -> Iterator[Verb]:
    """What is a form of a verb: “moving”, “called off”, and in German “verschoben”."""
    if word.endswith(("ing", "ed")):
        found = [each for base in _bases(word) for each in known.get(base, ()) if _goes_on(rest, each[1:])]
        if found:
            destroys = any(each in _DESTROYING for each in found)
            yield Verb(first=word, more=tuple(found[0][1:]), is_form=True, destroys=destroys)
    verb = PARTICIPLES.get(word)
    for pattern in known.get(verb, ()) if verb else ():
        if pattern[0] == GAP:
            yield Verb(first=word, is_infinitive=True, is_form=True, destroys=pattern in _DESTROYING)


def _bases(word: str) -> Sequence[str]:
    """What “moving”, “pushed” or “swapped” can be forms of."""
    stem = word.removesuffix("ing").removesuffix("ed")
    return stem, f"{stem}e", stem[:-1]


def _goes_on(rest: Sequence[str], more: Sequence[str]) -> bool:
    """Whether the rest of a verb follows, after a gap where it has one."""
    if not more or more[0] != GAP:
        return list(rest[: len(more)]) == list(more)
    return any(
        word == more[1] and (word not in _LAST or place + 1 == len(rest) or _divides(rest[place + 1]))
        for place, word in enumerate(rest)
    )
