"""Clauses, and what in them asks about something, tells of it or refuses it, in English and German."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

BREAK: Final = ","
COLON: Final = ":"
GAP: Final = "…"
HIDDEN: Final = '"'
"""What stands for a mark between clauses, for a colon there, and for what says nothing, such as a word of the thing's
own title.
"""

JOINING: Final = frozenset({"and", "or", "but", "then", "so", "und", "oder", "aber", "dann", "sondern"})

BESIDE: Final = frozenset(
    {
        *("please", "pls", "plz", "just", "also", "now", "kindly", "quickly", "simply", "maybe", "perhaps", "possibly"),
        *("again", "first", "second", "third", "finally", "instead", "do", "still", "hi", "hey", "hello", "ok", "okay"),
        *("yes", "no", "sure", "thanks", "great", "today", "tomorrow", "tonight", "bitte", "mal", "doch", "jetzt"),
        *("auch", "gleich", "noch", "kurz", "danke", "hallo", "ja", "nein", "heute", "morgen", "einfach", "lieber"),
        *("really", "urgently", "afterwards", "meanwhile", "next", "gern", "gerne", "leider", "unfortunately"),
    }
)
"""Words between which and a verb nothing else need stand."""

TELLING = frozenset(
    {
        *("did", "didn", "does", "doesn", "was", "were", "wasn", "had", "has", "hasn", "who", "whose", "why", "when"),
        *("where", "what", "which", "how", "whether", "if", "is", "are", "isn", "shall", "may", "might", "he", "she"),
        *("they", "wants", "wanted", "asked", "plans", "planned", "decided", "tried", "going", "reason", "remind"),
        *("not", "never", "don", "won", "cannot", "without", "wer", "wann", "warum", "wieso", "weshalb", "wie", "wo"),
        *("was", "welche", "welcher", "welches", "welchen", "ob", "dass", "wenn", "falls", "weil", "laut", "bevor"),
        *("hat", "hatte", "hatten", "wurde", "wurden", "wird", "soll", "sollen", "sollte", "sollten", "will", "wollte"),
        *("nicht", "nie", "erinnere", "erinner"),
    }
)
"""Before a verb in its clause they make it a question, a report or a refusal."""

TELLING_PAIRS = frozenset(
    {
        *(("do", each) for each in ("i", "we", "you", "they", "people")),
        *(("have", each) for each in ("i", "we", "you", "they")),
        *(("should", each) for each in ("i", "we", "he", "she", "they")),
        *(("can", "i"), ("could", "i"), ("can", "they"), ("could", "they")),
    }
)
_STILL_ASKING = (
    *(("has", "to", "be"), ("how", "about"), ("what", "about"), ("is", "it", "possible"), ("if", "possible")),
    *(("if", "you", "could"), ("if", "we", "could"), ("will", "you"), ("will", "u"), ("will", "we"), ("ich", "will")),
    *(("don", "t", "forget"), ("not", "forget"), ("vergiss", "nicht"), ("wir", "sollten"), ("wenn", "du")),
    *(("do", "you", "mind"), ("won", "t", "you"), ("i", "was", "hoping"), ("i", "was", "wondering")),
)
"""What only begins as those do."""

SAYING = frozenset(
    {
        *("say", "says", "said", "tells", "told", "wrote", "writes", "written", "asks", "asked", "wants", "replied"),
        *("answered", "suggests", "suggested", "sagt", "sagte", "gesagt", "schreibt", "schrieb"),
        *("geschrieben", "meint"),
        *("meinte", "fragt", "fragte", "antwortet", "antwortete"),
    }
)
"""What follows after them is what somebody says."""

TIMES = frozenset(
    {
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today", "tomorrow", "tonight"),
        *("morning", "noon", "lunch", "afternoon", "evening", "midnight", "week", "weeks", "month", "day", "days"),
        *("hour", "hours", "minute", "minutes", "half", "quarter", "an", "a", "one", "two", "three", "next", "this"),
        *("am", "pm", "earlier", "later", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag"),
        *("sonntag", "heute", "morgen", "übermorgen", "früh", "vormittag", "mittag", "nachmittag", "abend", "woche"),
        *("wochen", "monat", "tag", "tage", "stunde", "stunden", "minuten", "halbe", "halb", "viertel", "uhr", "eine"),
        *("einen", "zwei", "drei", "nächste", "nächsten", "nächster", "kommende", "kommenden", "diese", "früher"),
        *("später",),
    }
)
"""Words of a day, a time, or how long something takes."""

REFUSING = frozenset({"nicht", "nie", "niemals", "keinesfalls", "keineswegs", "kein", "keine", "keinen", "keiner"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A verb that was found: its first word and those behind it, with `GAP` where others stand between; whether it is
    an infinitive at the end of its clause, or a form such as “moved”; `destroys`: there is no way back from what it
    asks for.
    """

    first: str
    more: Sequence[str] = ()
    is_infinitive: bool = False
    is_form: bool = False
    destroys: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Of a clause, what stands before a verb in it and behind it; what its sentence said before it, with the mark or
    word between, and says after it. `is_capital` tells of the verb, `capitals` of each word before and behind it.
    `has_speaker`: a name with a colon behind it says whose words they are, as in “Dana: cancel it”. `has_title`: titles
    of things are hidden in it, so that a verb which is done to something else can be told.
    """

    before: Sequence[str]
    rest: Sequence[str]
    earlier: Sequence[str]
    later: Sequence[str]
    is_capital: bool
    capitals: Sequence[bool]
    is_question: bool
    has_speaker: bool = False
    has_title: bool = False


def one_of(*forms: str) -> re.Pattern[str]:
    """What finds any of these forms."""
    return re.compile("|".join(f"(?:{form})" for form in forms))


def tells(before: Sequence[str]) -> bool:
    """Whether words ask about something, tell of it, or refuse it."""
    said = tuple(before)
    return any(
        (word in TELLING or said[place : place + 2] in TELLING_PAIRS) and not _still_asks(said, place)
        for place, word in enumerate(said)
    )


def _still_asks(said: Sequence[str], place: int) -> bool:
    """Whether the word here is one of something that only begins as a question or a refusal does."""
    return any(
        said[place - at : place - at + len(asking)] == asking
        for asking in _STILL_ASKING
        for at in range(min(len(asking), place + 1))
    )
