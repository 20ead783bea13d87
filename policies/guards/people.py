"""Where a text names people: after words that lead to a person, in English and German.

People choose their names themselves, and a name can be a word that stands in any request. So a word is somebody's name
only where one would name a person: “to Dana”, “with Dana and Tom”, “ask Dana”, “send Dana the plan”, “Dana’s mail”.
Whom no directory knows, but whom the owner wrote to once, has to be named more clearly (`Called`): with a capital
letter, where somebody gets something.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from policies.guards import words

_TOKEN = re.compile(r"[^\W_]+|[^\s\w]")
_TO_WHOM = frozenset(
    {"with", "cc", "bcc", "tell", "ask", "invite", "remind", "thank", "inform", "notify", "contact", "ping"}
)
_AN_WEN = frozenset({"an", "mit", "frag", "frage", "sag", "sage", "erinnere", "informiere"})
"""Words that the name of somebody follows who gets something, in English and German; and “to”, after some verbs."""

_OF_WHOM = frozenset({"from", "by", "between"})
_VON_WEM = frozenset({"von", "bei", "zwischen"})
_POLITE = frozenset({"mr", "mrs", "ms", "dr", "herr", "herrn", "frau"})
_LEADING = _TO_WHOM | _AN_WEN | _OF_WHOM | _VON_WEM | _POLITE | {"to"}
"""Words that a person's name follows."""

_GIVING = frozenset({"send", "give", "show", "forward", "mail", "email", "write", "answer", "message"})
_GEBEN = frozenset({"schick", "schicke", "schreib", "schreibe", "gib", "zeig", "zeige", "antworte", "maile"})
"""Words that a person's name follows if what they get comes next, or nothing: after others a thing may follow."""

_WRITING = frozenset({"mail", "email", "write", "answer", "message", "schreib", "schreibe", "antworte", "maile"})
_GIVEN = frozenset({"the", "a", "an", "my", "our", "your", "this", "that", "these", "all"})
_SAID = frozenset({"about", "if", "what", "when", "how", "that", "dass", "wann", "was"})
_GEGEBEN = frozenset({"der", "die", "das", "den", "dem", "ein", "eine", "einen", "mein", "meine", "meinen"})
_SENDING = _GIVING | {
    *("reply", "respond", "share", "introduce", "deliver", "pass", "speak", "talk", "say", "draft", "suggest"),
    *("propose", "explain", "confirm", "apologise", "apologize", "report", "post", "copy", "offer", "reach"),
}
"""Verbs after which “to” says who gets something: “a trip to Paris” does not."""

_ANSWERING = frozenset({"answer"})
_BEFORE_VERBS = frozenset(
    {
        *("", ".", "!", "?", ";", ",", ":", "-", "and", "please", "then", "to", "you", "also", "just", "me", "will"),
        *("now", "ll", "can", "should"),
    }
)
_ENDS = frozenset(".!?;")
_GERMAN = _GEBEN | {
    *("bitte", "der", "das", "dem", "ein", "eine", "einen", "mein", "meine", "meinen", "und", "für", "weiter", "leite"),
    *("sende", "es", "ihn", "sie"),
}
"""Words of German that are none of English, where “an” is an article."""

_PRONOUNS = frozenset({"me", "us", "him", "her", "them", "mir", "mich", "uns", "ihm", "ihr", "ihnen"})
_AND = frozenset({"and", "or", "und", "oder", ",", "&", "+"})
_AROUND = frozenset('<("“„*:-')


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """One name as a text says it: its words, folded as `words.words_of` does. `is_clear`: it is written as names are,
    where a noun would not be. `receives`: it stands where somebody gets something.
    """

    words: tuple[str, ...]
    is_clear: bool = False
    receives: bool = False


def named_in(text: str) -> Iterator[str]:
    """The words of a text that stand where a person is named. Addresses are none."""
    return (word for called in called_in(text) for word in called.words)


@functools.lru_cache(maxsize=256)  # what was typed is read again for each call that is judged
def called_in(text: str) -> Sequence[Called]:
    """The names in a text, in their order."""
    return _Reader(words.without_addresses(text).replace("\n", " . ")).names()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lead:
    """What leads to a name. `is_vague`: any noun has a capital letter there."""

    receives: bool
    is_vague: bool = False


class _Reader:
    """Reads a text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_TOKEN.finditer(text))
        self._words = [words.plain(token[0]) for token in self._tokens]
        self._is_german = not _GERMAN.isdisjoint(self._words)

    def names(self) -> Sequence[Called]:
        found = list[Called]()
        lead: _Lead | None = None  # what leads to the next word
        before, led = "", _Lead(receives=False)  # the name that the last word was, and what led to it
        is_sending = False
        for at, (token, word) in enumerate(zip(self._tokens, self._words, strict=True)):
            is_sending = word not in _ENDS and (is_sending or self._is_verb(at))
            is_name = self._is_name(at)
            owner = self._owner(at)
            if word in _PRONOUNS and lead:
                lead, before, led = None, word, lead
            elif is_name and lead and _is_alike(before, token[0]) and (lead.receives or token[0][0].isupper()):
                found.append(_called(token[0], lead))
                lead, before, led = None, token[0], lead
            elif self._goes_on(before, token) and (is_name or not token[0].isupper()):
                found[-1] = replace(_called(before, replace(led, is_vague=False)), words=(*found[-1].words, word))
                lead, before = None, token[0]
            elif is_name and owner:
                found.append(owner)
                lead, before, led = None, token[0], _Lead(receives=owner.receives)
            elif word in _AND and before:
                lead = replace(led, receives=led.receives and (word != "," or self._is_listed(at + 1)))
            elif word == "@":
                lead, before = self._mention(token), ""
            elif word not in _AROUND:
                lead, before = self._lead(at, lead, is_sending=is_sending), ""
        return found

    def _is_name(self, at: int) -> bool:
        """Whether it may be one; “Herr Weiß” is, though the word is one of any request."""
        word, written = self._words[at], self._written(at)
        is_addressed = self._word(at - 1) in _POLITE and written[0].isupper()
        return written[0].isalnum() and word not in _LEADING and (is_addressed or not words.is_nobody(word))

    def _lead(self, at: int, lead: _Lead | None, *, is_sending: bool) -> _Lead | None:
        """What this word leads with to a name."""
        word = self._words[at]
        if word in _POLITE:
            return _Lead(receives=lead is not None and lead.receives)
        if word == "an" and not (self._is_german and self._written(at + 1)[:1].isupper()):
            return None
        if word == "to":
            return _Lead(receives=is_sending)
        if word in _LEADING:
            return _Lead(receives=word in _TO_WHOM | _AN_WEN, is_vague=word in _AN_WEN | _VON_WEM)
        return self._gives(at)

    def _gives(self, at: int) -> _Lead | None:
        """Whether this word gives something to the next one, or says it."""
        word, given = self._words[at], self._word(at + 2)
        if word not in _GIVING | _GEBEN or not self._word(at + 1):
            return None
        things = _GIVEN if word in _GIVING else _GEGEBEN
        gives = given in things | _SAID or (word in _WRITING and not given.isalnum())
        return _Lead(receives=True, is_vague=word in _GEBEN) if gives else None

    def _goes_on(self, before: str, token: re.Match[str]) -> bool:
        """Whether it is the rest of a name, as in “Dana Okafor”, and in “Dana Young”: a surname may be any word."""
        until = self._text[: token.start()]
        return before[:1].isupper() and token[0][0].isupper() and until.endswith((f"{before} ", f"{before}-"))

    def _is_listed(self, at: int) -> bool:
        """Whether a name is one of a list, where after it nothing comes but more of the list."""
        while self._written(at)[:1].isupper():
            at += 1
        return not self._word(at).isalnum() or self._word(at) in _AND

    def _owner(self, at: int) -> Called | None:
        """Whose something is, as in “Dana’s mail”."""
        token = self._tokens[at]
        if not re.match(r"['’](s\b|\s|$)", self._text[token.end() : token.end() + 3]):
            return None
        begin = at
        while begin and self._is_first_name(begin - 1):
            begin -= 1
        last = self._word(begin - 1)
        if last in _GIVEN | _GEGEBEN | _SAID or not (token[0][0].isupper() or last in _GIVING):
            return None
        lead = _Lead(receives=last in _ANSWERING, is_vague=not last or last in _ENDS)
        return replace(_called(self._written(begin), lead), words=tuple(self._words[begin : at + 1]))

    def _is_first_name(self, at: int) -> bool:
        word = self._words[at]
        is_word = self._written(at)[0].isupper() and word not in _LEADING | _SENDING
        return is_word and not words.is_nobody(word)

    def _is_verb(self, at: int) -> bool:
        return self._words[at] in _SENDING and self._word(at - 1) in _BEFORE_VERBS

    def _mention(self, token: re.Match[str]) -> _Lead | None:
        return None if self._text[: token.start()][-1:].isalnum() else _Lead(receives=True)

    def _word(self, at: int) -> str:
        return self._words[at] if 0 <= at < len(self._words) else ""

    def _written(self, at: int) -> str:
        return self._tokens[at][0] if 0 <= at < len(self._tokens) else ""


def _called(name: str, lead: _Lead) -> Called:
    """A first name alone is no clearer than a noun where nouns have capital letters, too."""
    is_written = name.isalpha() and name[0].isupper() and not name.isupper()
    return Called(words=tuple(words.words_of(name)), is_clear=is_written and not lead.is_vague, receives=lead.receives)


def _is_alike(before: str, name: str) -> bool:
    """Whether a name in a list begins as the one before it: “to Dana and pay the bill” names one."""
    return not before[:1].isupper() or name[0].isupper()
