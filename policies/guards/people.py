"""Where a text names people: after words that lead to a person, in English and German.

People choose their names themselves, and a name can be a word that stands in any request. So a word is somebody's name
only where one would name a person: “to Dana”, “with Dana and Tom”, “ask Dana”, “send Dana the plan”, “Dana’s mail”.
Somebody the owner wrote to once, and no directory knows, has to be named more clearly (`Called`): with a capital
letter, where somebody gets something. Somebody a directory has is named in more ways, as nobody there chose their name
for a request: “let Dana know”, “add Dana to it”, “lade Dana ein”. What these lead to is never clear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from policies.characters import as_read
from policies.guards import words

_OWNS = re.compile(r"['’](s\b|\s|$)")
_TO_WHOM = frozenset({"cc", "bcc", "tell", "ask", "invite", "remind", "thank", "inform", "notify", "contact", "ping"})
_AN_WEN = frozenset({"an", "mit", "frag", "frage", "sag", "sage", "erinnere", "informiere"})
"""Words that the name of somebody follows who gets something, in English and German; and “to”, after some verbs, and
“with”, after some nouns.
"""

_OF_WHOM = frozenset({"from", "by", "between"})
_VON_WEM = frozenset({"von", "bei", "zwischen"})
_POLITE = frozenset({"mr", "mrs", "ms", "dr", "herr", "herrn", "frau"})
_LEADING = _TO_WHOM | _AN_WEN | _OF_WHOM | _VON_WEM | _POLITE | {"to", "with"}
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
    *("sende", "es", "ihn", "sie", "ich", "du", "wir", "dass", "ob", "kannst", "ist", "nicht", "wegen", "bescheid"),
}
"""Words of German that are none of English, where “an” is an article."""

_PRONOUNS = frozenset({"me", "us", "him", "her", "them", "mir", "mich", "uns", "ihm", "ihr", "ihnen"})
_AND = frozenset({"and", "or", "und", "oder", ",", "&", "+"})
_AROUND = frozenset("<(*:-")
"""Signs that may stand between a name and what leads to it; in quotation marks stands what somebody is to read."""

_MEETINGS = frozenset(
    {
        *("call", "calls", "meeting", "meetings", "lunch", "coffee", "dinner", "breakfast", "drinks", "tea"),
        *("chat", "talk", "appointment", "sync", "session", "interview", "slot", "time", "hour", "hours", "minutes"),
        *("workshop", "visit", "demo", "event", "invite", "meet", "speak", "standup", "walk", "conversation", "up"),
    }
)
"""After them, “with” says who is met; “up” as in “catch up”."""

_WHEN = frozenset(
    {
        *("on", "at", "in", "the", "for", "today", "tomorrow", "tonight", "next", "this", "week", "month", "morning"),
        *("noon", "afternoon", "evening", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("am", "pm", "half", "an"),
    }
)
"""What may stand between such a noun and “with”."""

_NEAR = 40  # words of a sentence that are looked at for what a verb is about

_BESIDE = frozenset({"bitte", "mal", "doch", "kurz", "noch", "auch", "eben", "gleich", "schnell", "nur"})
"""Words of German that stand between a verb and a name."""

_PLACES = frozenset({"cc", "bcc", "copy", "kopie", "verteiler"})
_OBJECTS: Mapping[str, frozenset[str]] = {
    "let": frozenset({"know", "have", "see"}),
    "add": frozenset({"to", "as", "in", "into"}),
    "loop": frozenset({"in"}),
    "put": _PLACES,
    "update": frozenset({"on", "about", "that", "regarding"}),
    "drop": frozenset({"a", "an"}),
    **dict.fromkeys(
        ("wish", "congratulate", "nudge", "chase", "brief", "warn", "assure", "introduce"), frozenset({""})
    ),
}
"""Verbs whose object is a person where one of these words follows in the sentence; “” stands for any."""

_OBJEKTE: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("lade", "lad"), frozenset({"ein", "dazu"})),
    **dict.fromkeys(("füge", "füg", "nimm", "setz", "setze", "hol", "hole"), _PLACES | {"hinzu", "dazu"}),
    **dict.fromkeys(("gratuliere", "gratulier", "benachrichtige", "informier", "erinner", "danke"), frozenset({""})),
}
"""The same in German."""

_SEIN = frozenset({"ist", "hat", "kann", "will", "möchte"})
_BEING = frozenset({"can", "could", "is", "has", "wants", "will", "would", "might", "needs", "likes", "agrees"}) | _SEIN
"""What people want to know of somebody: “see if Dana can make Friday”."""

_WANTING = frozenset({"needs", "wants", "asked", "braucht", "will", "möchte"})
_BITTE = frozenset({"kannst", "könntest", "würdest", "magst", "können", "könnten", "würden"})
_TUN = frozenset(
    {
        *("schreiben", "fragen", "sagen", "antworten", "informieren", "erinnern", "einladen", "bescheid", "mailen"),
        *("benachrichtigen", "gratulieren", "danken", "ausrichten", "mitteilen", "hinzufügen", "einzuladen"),
    }
)
_WEGGEBEN = frozenset({"schicken", "senden", "geben", "zeigen", "weiterleiten"})
"""Infinitives of which the word right before them is what is given."""

_POST = frozenset({"mail", "email", "nachricht", "frage", "einladung", "anfrage", "vorschlag", "termin", "antwort"})
_LETTERS = frozenset(
    {
        *("mail", "mails", "email", "emails", "e", "message", "messages", "thread", "invitation", "invite", "question"),
        *("questions", "request", "requests", "note", "letter", "reply", "answer", "post", "comment", "last", "latest"),
    }
)
"""What is somebody’s and is answered: “reply to Dana’s mail” reaches Dana."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """One name as a text says it: its words, folded as `words.words_of` does. `is_clear`: it is written as names are,
    where a noun would not be. `receives`: it stands where somebody gets something. `owns`: what stands there is theirs,
    as in “Helen’s boss”, and it is no mail.
    """

    words: tuple[str, ...]
    is_clear: bool = False
    receives: bool = False
    owns: bool = False


def called_in(text: str) -> Sequence[Called]:
    """The names in a text, in their order."""
    return _Reader(words.without_addresses(as_read(text)).replace("\n", " . ")).names()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lead:
    """What leads to a name. `is_vague`: any noun has a capital letter there."""

    receives: bool
    is_vague: bool = False


_NOWHERE = _Lead(receives=False)


class _Reader:
    """Reads a text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(words.tokens_in(text))
        self._words = [words.plain(token[0]) for token in self._tokens]
        self._is_given = False  # whether its sentence said already who gets something
        self._is_german = not _GERMAN.isdisjoint(self._words)

    def names(self) -> Sequence[Called]:
        found = list[Called]()
        lead = self._opens(-1)  # what leads to the next word
        before, led = "", _NOWHERE  # the name that the last word was, and what led to it
        is_sending = False
        for at, word in enumerate(self._words):
            token = self._tokens[at]
            is_sending = word not in _ENDS and (is_sending or self._is_verb(at))
            is_name, owner = self._is_name(at), self._owner(at)
            self._is_given = self._is_given and not (word in _ENDS or word in _AND or self._is_verb(at))
            if word in _PRONOUNS and lead:
                lead, before, led = None, word, lead
            elif is_name and lead and _is_alike(before, token[0]) and (lead.receives or token[0][0].isupper()):
                found.append(replace(_called(token[0], lead), owns=self._owns(at)))
                self._is_given = self._is_given or self._word(at - 1) in _GIVING
                lead, before, led = None, token[0], lead
            elif self._goes_on(before, token) and (is_name or not token[0].isupper()):
                found[-1] = replace(
                    _called(before, replace(led, is_vague=False)), words=(*found[-1].words, word), owns=found[-1].owns
                )
                lead, before = None, token[0]
            elif is_name and owner:
                found.append(owner)
                lead, before, led = None, token[0], _NOWHERE
            elif word in _BESIDE and lead:
                before = ""
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
        if word == "with":
            return _Lead(receives=True) if self._meets(at) else _Lead(receives=False, is_vague=True)
        if word == "an" and not (self._is_german and self._written(at + 1)[:1].isupper()):
            return None
        if word == "to" and (self._is_given or self._is_passed_on(at)):
            return None
        if word == "to":
            return _Lead(receives=is_sending)
        if word in _LEADING:
            return _Lead(receives=word in _TO_WHOM | _AN_WEN, is_vague=word in _AN_WEN | _VON_WEM)
        if self._gives(at) or self._lets_know(at):
            return self._gives(at) or _Lead(receives=True)
        return _Lead(receives=True, is_vague=True) if self._means(at) else self._opens(at)

    def _lets_know(self, at: int) -> bool:
        """Whether it is “let Dana know”, or “let Dana Okafor know”: nobody lets a thing know."""
        is_let = self._words[at] == "let" and self._word(at - 1) in _BEFORE_VERBS
        return is_let and "know" in (self._word(at + 2), self._word(at + 3)) and self._written(at + 1)[:1].isupper()

    def _meets(self, at: int) -> bool:
        """Whether “with” says who is met here, or shares something with."""
        before = at - 1
        while at - before < _NEAR and (self._word(before) in _WHEN or self._word(before).isdecimal()):
            before -= 1
        first = max(0, at - _NEAR)
        return self._word(before) in _MEETINGS or any(
            self._words[place] == "share" and self._word(place - 1) in _BEFORE_VERBS for place in range(first, at)
        )

    def _means(self, at: int) -> bool:
        """Whether this word leads to somebody, if a directory has one of the name that follows."""
        word, before, name = self._words[at], self._word(at - 1), at + 1
        while self._word(name) in _BESIDE and name - at < _NEAR:
            name += 1
        if not self._written(name)[:1].isupper():
            return False
        rest = self._rest(name)
        if word in _GIVING | _OBJECTS.keys():
            return (before in _BEFORE_VERBS or before == "s") and _is_object(word, rest)
        if word in _OBJEKTE:
            return _is_object(word, rest)
        if word in _GEBEN:
            return _is_given(rest)
        if word in {"der", "dem"}:
            return before in _GEBEN | _AN_WEN | _BESIDE and (not rest or rest[0] in {",", ":", "dass", "bescheid"})
        if word in {"du", "sie", "bitte"}:
            does = not _TUN.isdisjoint(rest) or not _WEGGEBEN.isdisjoint(rest[1:])
            return (word == "bitte" or before in _BITTE) and does and _is_given(rest)
        if word in {"if", "whether", "ob"}:
            return not _BEING.isdisjoint(rest[:1] if word != "ob" else rest)
        return (word == "for" and before in _MEETINGS) or (word == "in" and before == "loop")

    def _opens(self, at: int) -> _Lead | None:
        """Whether a sentence begins here with somebody who wants something, and asks for it to be given to them."""
        if at >= 0 and self._words[at] not in _ENDS:
            return None
        rest = self._rest(at + 1)
        wants = not _WANTING.isdisjoint(rest[:1]) and not _PRONOUNS.isdisjoint(rest)
        return _Lead(receives=False, is_vague=True) if wants else None

    def _rest(self, at: int) -> Sequence[str]:
        """The words of the sentence after this one."""
        until = range(at + 1, min(at + _NEAR, len(self._words)))
        end = next((place for place in until if self._words[place] in _ENDS), at + _NEAR)
        return self._words[at + 1 : end]

    def _gives(self, at: int) -> _Lead | None:
        """Whether this word gives something to the next one, or says it."""
        word, given = self._words[at], self._word(at + 2)
        if word not in _GIVING and word not in _GEBEN:
            return None
        things = _GIVEN if word in _GIVING else _GEGEBEN
        gives = given in things | _SAID or (word in _WRITING and not given[:1].isalnum())
        return _Lead(receives=True, is_vague=word in _GEBEN) if gives else None

    def _goes_on(self, before: str, token: re.Match[str]) -> bool:
        """Whether it is the rest of a name, as in “Dana Okafor”, and in “Dana Young”: a surname may be any word."""
        until = self._text[max(0, token.start() - len(before) - 1) : token.start()]
        return before[:1].isupper() and token[0][0].isupper() and until in (f"{before} ", f"{before}-")

    def _is_listed(self, at: int) -> bool:
        """Whether a name is one of a list, where after it nothing comes but more of the list."""
        while self._written(at)[:1].isupper():
            at += 1
        return not self._word(at)[:1].isalnum() or self._word(at) in _AND

    def _owner(self, at: int) -> Called | None:
        """Whose something is, as in “Dana’s mail”."""
        token = self._tokens[at]
        if self._is_genitive(at):
            return Called(words=(self._words[at].removesuffix("s"),))
        if not _OWNS.match(self._text, token.end()):
            return None
        begin = at
        while begin and self._is_first_name(begin - 1):
            begin -= 1
        last = self._word(begin - 1)
        if last in _GIVEN | _GEGEBEN | _SAID or not (token[0][0].isupper() or last in _GIVING):
            return None
        lead = _Lead(receives=last in _ANSWERING, is_vague=not last or last in _ENDS)
        return replace(_called(self._written(begin), lead), words=tuple(self._words[begin : at + 1]))

    def _owns(self, at: int) -> bool:
        """Whether what stands here is theirs whose name begins here, and no mail of theirs: “Helen’s boss”."""
        end = self._name_end(at)
        owns = _OWNS.match(self._text, self._tokens[end].end())
        if not owns or (owns[1] != "s" and not self._words[end].endswith(("s", "x", "z"))):
            return False
        return self._word(end + (3 if owns[1] == "s" else 2)) not in _LETTERS

    def _is_passed_on(self, at: int) -> bool:
        """Whether a name behind this “to” says to whom that went which goes to somebody now: “my mail to Helen to
        Dana”.
        """
        if not self._written(at + 1)[:1].isupper():
            return False
        end = self._name_end(at + 1)
        return self._word(end + 1) == "to" and (
            self._written(end + 2)[:1].isupper() or self._word(end + 2) in _PRONOUNS
        )

    def _name_end(self, at: int) -> int:
        """The last word of a name that begins here."""
        while at + 1 < len(self._tokens) and self._goes_on(self._written(at), self._tokens[at + 1]):
            at += 1
        return at

    def _is_genitive(self, at: int) -> bool:
        """Whether something is somebody's as German says it: “Danas Mail”."""
        is_name = self._written(at)[0].isupper() and len(self._words[at]) > 3 and self._words[at].endswith("s")
        return is_name and self._word(at + 1) in _POST and self._written(at + 1)[0].isupper()

    def _is_first_name(self, at: int) -> bool:
        word = self._words[at]
        is_word = self._written(at)[0].isupper() and word not in _LEADING | _SENDING
        return is_word and not words.is_nobody(word)

    def _is_verb(self, at: int) -> bool:
        return self._words[at] in _SENDING and self._word(at - 1) in _BEFORE_VERBS

    def _mention(self, token: re.Match[str]) -> _Lead | None:
        return None if self._text[max(0, token.start() - 1) : token.start()].isalnum() else _Lead(receives=True)

    def _word(self, at: int) -> str:
        return self._words[at] if 0 <= at < len(self._words) else ""

    def _written(self, at: int) -> str:
        return self._tokens[at][0] if 0 <= at < len(self._tokens) else ""


def _called(name: str, lead: _Lead) -> Called:
    """A first name alone is no clearer than a noun where nouns have capital letters, too."""
    is_written = name.isalpha() and name[0].isupper() and not name.isupper()
    return Called(words=tuple(words.words_of(name)), is_clear=is_written and not lead.is_vague, receives=lead.receives)


def _is_object(verb: str, rest: Sequence[str]) -> bool:
    """Whether a name between this verb and these words is that of a person the verb is about."""
    if verb in _GIVING:
        return "to" not in rest and not (_GIVEN | _SAID).isdisjoint(rest)
    wanted = _OBJECTS.get(verb) or _OBJEKTE[verb]
    return "" in wanted or not wanted.isdisjoint(rest)


def _is_given(rest: Sequence[str]) -> bool:
    """Whether somebody gets what follows, in German; what is sent “an” somebody is a thing."""
    return bool(rest) and rest[0][0].isalnum() and not rest[0].isdecimal() and "an" not in rest


def _is_alike(before: str, name: str) -> bool:
    """Whether a name in a list begins as the one before it: “to Dana and pay the bill” names one."""
    return not before[:1].isupper() or name[0].isupper()
