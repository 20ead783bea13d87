"""What of a text is affirmed, in English and German: what is negated, excepted or taken back names nothing, and a
sentence with a condition asks for nothing now.

Titles, names and addresses are looked for in what is left. From a negation or an exception to the end of its sentence
all is left out, or to where another request plainly begins: “I can't come, tell Helen”. Words that negate are few in
both languages, so they are all here; sayings that negate nothing (“don't forget to …”) are known as well. Where it is
not plain, more is left out than would have to be: that leads to a card. Pure, and linear in the length of a text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from policies.characters import as_read
from policies.guards import words
from policies.guards.grammar import conditions
from policies.guards.grammar.clauses import BESIDE
from policies.guards.grammar.negations import (
    ABLE,
    ALL,
    ATTEND,
    BE_THERE,
    BUT,
    DIALECT,
    EXCEPT,
    EXCEPT_BY_TWO,
    GERMAN,
    KOMMEN,
    NOT,
    SAYINGS_BY_WORD,
    TYPOS,
    UNABLE,
)
from policies.guards.grammar.retractions import gives_time
from policies.guards.refusals import corrections, delays, omissions
from policies.guards.verbs import ANY, DESTROY, REACH

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\s\w]")
_REFUSING = frozenset({"don't", "dont", "not", "never", "nicht", "nie", "niemals"})
"""They refuse what a verb asks for, and with “and” what the next one does."""

_INTERJECTED = frozenset({"no", "nope", "nein"})
_DEONTIC = frozenset(
    {
        *("must", "should", "may", "shall", "ought", "mustn't", "shouldn't", "needn't", "shan't", "mustnt", "shouldnt"),
        *("darf", "dürfen", "soll", "sollen", "sollte", "sollten", "muss", "müssen", "braucht", "brauchen"),
    }
)
_LASTING = frozenset({"never", "nothing", "nie", "niemals", "nichts", "none", "neither"})
_GERMAN = frozenset({"nicht", "nie", "niemals", "keinesfalls", "keineswegs"})
_OWN = (["i"], ["we"], ["you"])
_PARTICLES = frozenset({"ab", "an", "auf", "aus", "ein", "vor", "zu", "um", "nach", "weiter", "mit", "hinzu", "raus"})
_JOINING = frozenset({"and", "but", "und", "aber", "instead", "stattdessen", "so", "also"})
_MARKS = frozenset(",;–—-)")
_OR = frozenset({"or", "nor", "oder", "noch"})
_LIST = frozenset("-*•–")
_LEADING = frozenset(
    {
        *BESIDE,
        *("and", "but", "und", "aber", "sondern", "instead", "rather", "only", "so", "you", "can", "could", "would"),
        *("will", "to", "du", "kannst", "könntest", "stattdessen", "nur"),
    }
) - {"then", "dann", "afterwards", "meanwhile", "today", "tomorrow"}
_POLITE = frozenset({"please", "pls", "plz", "bitte", "kannst", "könntest"})
_ASKING = frozenset(
    {
        *(verb.split()[0] for verb in (*ANY, *DESTROY, *REACH) if not verb.startswith("…")),
        *("let", "keep", "leave", "use", "check", "find", "show", "give", "make", "put", "get", "look", "read", "try"),
        *("lass", "nimm", "lies", "such", "suche", "finde", "mach", "mache", "behalte", "prüf", "prüfe", "archive"),
    }
)
_NOUNS = frozenset(
    {
        *("answer", "block", "book", "call", "change", "check", "confirm", "contact", "copy", "delay"),
        *("draft", "email"),
        *("invite", "look", "mail", "meet", "message", "offer", "order", "pass", "plan", "post", "refund", "reply"),
        *("report", "schedule", "set", "share", "shift", "show", "transfer", "turn", "update", "use", "wish"),
        *("buche", "danke", "frage", "kürze", "leg", "lege", "plane", "sage", "setz", "teile"),
    }
)
"""Verbs that are other words as well, unless what they are done to follows."""

_OBJECTS = frozenset(
    {
        *("the", "a", "an", "my", "our", "your", "this", "that", "these", "those", "it", "them", "him", "her", "all"),
        *("everyone", "everybody", "both", "to", "us", "me", "der", "die", "das", "den", "dem", "es", "ihn", "sie"),
        *("mir", "uns", "ihm", "ihr", "mein", "meine", "meinen"),
    }
)
_PRONOUNS = frozenset({"it", "them", "that", "es", "ihn", "sie"})
_THE = frozenset({"the", "my", "our", "this", "den", "das", "die", "meinen", "unseren"})
_BOUND = frozenset({"to", "with", "from", "for", "by", "an", "mit", "von", "für", "bei", "about", "über", "and", "und"})
_ABBREVIATED = frozenset(
    {"dr", "mr", "mrs", "ms", "prof", "st", "g", "e", "i", "z", "b", "bzw", "ca", "vs", "hr", "fr", "etc", "nr", "no"}
)
_ENDS = frozenset(".!?")
_NEAR, _FAR = 8, 60  # words that are looked at before or behind one
_QUOTE = re.compile(r"[\"“„«]([^\"“”„«»\n@]{1,80})[\"”“»]")
_OPENS_LINE = re.compile(r"\n[^\S\n]*\n")
_NOT_SENT = re.compile(
    r"\b(?:do not|don['’]?t|never|without)"
    r" (?:(?:answer|contact|email|forward|mail|message|post|reply|send|tell)(?:ing)?|(?:invit|shar|writ)(?:e|ing))"
    r"(?: (?:it|this|that|them|her|him|any\w+|yet|now))+(?! ?(?:[\w\"“„«@<]))"
    r"|\bnicht (?:ab|ver)?(?:schicken|senden)\b|\bnicht (?:beantworten|einladen|weiterleiten)\b"
    r"|\b(?:schick|schicke|sende|lad|lade) (?:es|sie|ihn|das|die)(?: noch)? nicht\b(?! ?an\b)",
    re.IGNORECASE,
)
"""Nothing of what the message is about is to reach anybody."""

_CUES = NOT | DIALECT | EXCEPT | BUT | omissions.CUES | {"stop", *(each[0] for each in EXCEPT_BY_TWO)}
_MAY_NEGATE = re.compile(
    r"(?<![^\W_])(?:"
    + "|".join(sorted({*NOT, *TYPOS, *DIALECT, *EXCEPT, *BUT, *(each[1] for each in EXCEPT_BY_TWO)}))
    + r")(?![^\W_])|n['’]t|(?<![^\W_])stop ",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Part:
    """From one character of a text up to another one."""

    begin: int
    end: int


def affirmed(text: str, *, is_message: bool = True) -> str:
    """What of a text can name something: without sentences that a condition is on, and without what is negated or
    excepted. What negates stays, so that no two words stand together that did not. A text that says of “it” that it is
    not to be sent names nothing. What is no message corrects nothing, and holds nothing back.
    """
    said = as_read(text)
    if _NOT_SENT.search(said):
        return ""
    found = standing = corrections.standing(said, gives_time) if is_message else said
    read = _Words(standing) if conditions.MAY_BE.search(standing) else None
    if read:
        found = _without(standing, read.conditional())
    if _MAY_NEGATE.search(found) or omissions.MAY_KEEP.search(found):
        read = read if read and found is standing else _Words(found)
        found = _without(found, read.negated())
    return text if found == said else found


def included(text: str) -> str:
    """Of what is affirmed, what something is to go to, or along with: without what a verb leaves out, as in “leave Eve
    out”, and without what somebody else sends.
    """
    text = _without(text, (_Part(*span) for span in delays.reported(text)))
    text = omissions.OWNED.sub(" … ", text) if "@" in text else text
    return _without(text, _Words(text).omitted()) if omissions.MAY_OMIT.search(text) else text


def prompt(text: str) -> str:
    """The text without the sentences that ask for something to be sent at a time to come."""
    return _without(text, (_Part(*span) for span in delays.put_off(text)))


def unconditional(text: str) -> str:
    """The text without what is to be done under a condition, or later: that asks for nothing now."""
    text = as_read(text)
    return _without(text, _Words(text).conditional()) if conditions.MAY_BE.search(text) else text


def _without(text: str, parts: Iterator[_Part]) -> str:
    kept, place = list[str](), 0
    for part in parts:
        kept += [text[place : part.begin], " … "]
        place = part.end
    return "".join([*kept, text[place:]]) if kept else text


class _Words:
    """The words and signs of a text in their order, in one case, and where each stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found = list(_TOKEN.finditer(text))
        said = (words.folded(one[0]).replace("’", "'") for one in self._found)
        self._words = [TYPOS.get(word, word) for word in said]
        self._nots = NOT if GERMAN.isdisjoint(self._words) else NOT | DIALECT
        self._quoted = self._in_quotes()
        self._next_or, self._next_bracket = self._next(_OR), self._next(frozenset(")"))

    def conditional(self) -> Iterator[_Part]:
        """What a condition is on, or what is put off."""
        was = False
        for first, last in self._sentences():
            said = self._words[first:last]
            goes_on = was and said[:1] in (["then"], ["dann"], ["danach"], ["afterwards"])
            at = 0 if goes_on else conditions.begins(said, self._capitals(first, last))
            was = at is not None and at >= 0
            if at is not None and at < len(said):
                until = last - 1 if self._words[last - 1] in _ENDS else last
                if first + at < until:
                    yield _Part(self._found[first + at].start(), self._found[until - 1].end())

    def negated(self) -> Iterator[_Part]:
        """What is negated or excepted."""
        for first, last in self._sentences():
            at = clause = first
            has_all = False
            while at < last:
                has_all = has_all or self._words[at] in ALL
                size = self._saying(at)
                if size:
                    at += size
                elif at not in self._quoted and (size := self._cue(at, has_all=has_all)):
                    begin, at = at + size, self._end(at, at + size, last)
                    if self._is_all_negated(clause, begin - size, at):
                        begin = clause
                    kept = self._object(begin, at)
                    if kept < at:
                        yield _Part(self._found[kept].start(), self._found[at - 1].end())
                else:
                    at += 1
                if self._divides(at - 1):
                    clause = at

    def omitted(self) -> Iterator[_Part]:
        """What a verb leaves out, or is said to be for nobody else."""
        for first, last in self._sentences():
            at = clause = first
            while at < last:
                begin = at
                if at not in self._quoted and omissions.omits(self._words, at, last):
                    at = self._end_or_then(at, last)
                elif omissions.is_kept_apart(self._words, at) and not self._is_told(clause, at):
                    begin, at = clause, self._end(at, at + 1, last)
                if at > begin:
                    yield _Part(self._found[begin].start(), self._found[at - 1].end())
                else:
                    at += 1
                if self._divides(at - 1):
                    clause = at

    def _end_or_then(self, cue: int, last: int) -> int:
        """The same as `_end`; “then” begins another request, too."""
        end = self._end(cue, cue + 1, last)
        then = (at for at in range(cue + 1, end) if self._words[at] in {"then", "dann"} and self._asks(at + 1))
        return next(then, end)

    def _is_told(self, clause: int, at: int) -> bool:
        """Whether somebody is told what stands here."""
        return any(self._asks(place) for place in range(max(clause, at - _FAR), at))

    def _next(self, wanted: frozenset[str]) -> Sequence[int]:
        """For each word where the next of these stands."""
        found, place = [len(self._words)], len(self._words)
        for at in range(len(self._words) - 1, -1, -1):
            place = at if self._words[at] in wanted else place
            found.append(place)
        return found[::-1]

    def _capitals(self, first: int, last: int) -> Sequence[bool]:
        return [one[0][0].isupper() for one in self._found[first:last]]

    def _sentences(self) -> Iterator[tuple[int, int]]:
        first = 0
        for at in range(1, len(self._words)):
            if self._ends(at):
                yield first, at
                first = at
        yield first, len(self._words)

    def _ends(self, at: int) -> bool:
        """Whether a sentence ends before the word here."""
        last = self._words[at - 1]
        between = self._text[self._found[at - 1].end() : self._found[at].start()]
        if not between.strip(" \t") and last in _ENDS and between:
            return last != "." or not self._is_short(at - 2)
        if "\n" not in between:
            return False
        begin = at
        while begin < len(self._words) and self._words[begin] in _LIST:
            begin += 1
        is_new = _OPENS_LINE.search(between) is not None or last in _ENDS or self._asks(begin)
        return is_new or (begin == at and last not in {",", ":"} and self._found[at][0][0].isupper())

    def _is_short(self, at: int) -> bool:
        """Whether a dot behind this word ends no sentence."""
        return self._at(at) in _ABBREVIATED or self._at(at) == "."

    def _in_quotes(self) -> frozenset[int]:
        """The words that stand between quotation marks, as a title does."""
        spans = [found.span(1) for found in _QUOTE.finditer(self._text)]
        begins = [one.start() for one in self._found] if spans else []
        return frozenset(
            at for begin, end in spans for at in range(bisect_left(begins, begin), bisect_left(begins, end))
        )

    def _saying(self, at: int) -> int:
        """How many words a saying has here that negates nothing; 0 where there is none."""
        for saying in SAYINGS_BY_WORD.get(self._words[at], ()):
            if tuple(self._words[at : at + len(saying)]) == saying:
                return len(saying)
        if self._words[at] == "nicht" and self._at(at + 1) in KOMMEN:
            return 2
        is_unable = self._words[at] in UNABLE or (self._words[at] == "not" and self._at(at - 1) in ABLE)
        return 1 if is_unable and self._attends(at + 1) else 0

    def _attends(self, at: int) -> bool:
        if tuple(self._words[at : at + 3]) == ("be", "able", "to"):
            at += 3
        return self._at(at) in ATTEND or (self._at(at) == "be" and self._at(at + 1) in BE_THERE)

    def _is_not(self, at: int) -> bool:
        return self._words[at] in self._nots or self._words[at].endswith("n't")

    def _cue(self, at: int, *, has_all: bool) -> int:
        """How many words negate or except something here."""
        word = self._words[at]
        if word not in _CUES and not word.endswith("n't"):
            return 0
        if (word, self._at(at + 1)) in EXCEPT_BY_TWO:
            return 2
        if omissions.keeps(self._words, at, len(self._words)) or omissions.stays(self._words, at):
            return 1
        if word == "stop" and self._at(at + 1).endswith("ing"):
            return 1
        if word in _INTERJECTED | {"besides"} and not self._at(at + 1)[:1].isalnum():
            return 0
        if word in BUT:
            return 1 if has_all and self._at(at - 1) not in {"to", "and", ","} | _ENDS and not self._asks(at + 1) else 0
        return 1 if word in EXCEPT or self._is_not(at) else 0

    def _end(self, cue: int, begin: int, last: int) -> int:
        """Where what is negated ends: with its sentence, or where another request begins."""
        is_refusal = self._words[cue] in _REFUSING or self._words[cue].endswith("n't")
        is_inside = "(" in self._words[max(0, cue - _NEAR) : cue] and self._next_bracket[begin] < last
        lists = is_refusal and self._next_or[begin] < last
        for at in range(begin, last):
            word = self._words[at]
            if word == ")" and is_inside:
                return at
            if word == "sondern":
                return at
            if word in _MARKS and not lists and not (is_refusal and at - begin < 2):
                if self._asks(at + 1):
                    return at
            elif word in _JOINING and (not is_refusal or word in {"but", "aber", "instead"}) and self._asks(at + 1):
                return at
        return last

    def _is_all_negated(self, clause: int, cue: int, end: int) -> bool:
        """Whether the whole clause is refused: “Helen must not get it”, “sag den Termin nicht ab”."""
        before = self._words[max(clause, cue - _FAR) : cue]
        rest = [word for word in self._words[cue + 1 : min(end, cue + _NEAR)] if word[:1].isalnum()]
        is_told = self._is_told(clause, cue)
        if self._words[cue] in _GERMAN and len(rest) <= 1:
            is_infinitive = len(rest) == 1 and rest[0].endswith("n") and len(rest[0]) > len("tun")
            is_last = not rest or rest[0] in _PARTICLES
            return is_infinitive or (is_last and (is_told or not _DEONTIC.isdisjoint(before)))
        is_refused = self._words[cue] in _LASTING | _DEONTIC or not _DEONTIC.isdisjoint(before[-1:])
        is_to = rest[:1] == ["to"] and before[-1:] in (["is"], ["are"])
        is_to = is_to or (rest[:1] == ["need"] and before[-1:] not in _OWN) or omissions.stays(self._words, cue)
        return not is_told and (is_refused or is_to)

    def _object(self, begin: int, end: int) -> int:
        """Where what is negated begins behind a thing that the next request is about: “don't cancel the review, move
        it”.
        """
        at = end + 1
        while self._at(at) in _LEADING and at - end < _NEAR:
            at += 1
        if self._at(at + 1) not in _PRONOUNS or self._at(begin + 1) not in _THE or not self._asks(at):
            return begin
        bound = (place for place in range(begin + 1, end) if self._words[place] in _BOUND | _MARKS)
        return next(bound, end)

    def _divides(self, at: int) -> bool:
        return self._at(at) in _MARKS or self._at(at) in {":", "and", "but", "und", "aber", "sondern", "dass", "that"}

    def _asks(self, at: int) -> bool:
        """Whether a request begins here."""
        is_polite, first = False, at
        while self._at(at) in _LEADING and at - first < _NEAR:
            is_polite = is_polite or self._words[at] in _POLITE
            at += 1
        word, after = self._at(at), self._at(at + 1)
        if word not in _ASKING:
            return False
        if word not in _NOUNS or is_polite:
            return True
        is_capital = at + 1 < len(self._found) and self._found[at + 1][0][0].isupper()
        return after in _OBJECTS or is_capital or self._at(at + 2) == "@"

    def _at(self, at: int) -> str:
        return self._words[at] if 0 <= at < len(self._words) else ""
