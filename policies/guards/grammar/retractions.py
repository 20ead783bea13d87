"""Whether a message takes back what its author said before, in English and German: “no, to Dana”, “stop”, “wrong
address”. A message that only gives another day or time does not: “move it to 4 instead”.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from policies.guards import words
from policies.guards.grammar.clauses import BESIDE, TIMES

_GREETING = (BESIDE - {"no", "nein", "lieber", "instead", "doch"}) | {
    *("oh", "sorry", "um", "hm", "hmm", "and", "oops", "ah"),
}
_FIRST = frozenset(
    {
        *("no", "nope", "nah", "stop", "wait", "halt", "stopp", "nein", "nicht", "vergiss", "warte", "don"),
        *("dont", "not"),
        *("never", "nevermind", "actually", "undo", "oops", "hold", "leave", "keep", "lass", "moment", "doch", "nee"),
        *("abort", "revert", "abbruch", "abbrechen", "quatsch", "kommando", "ne", "nö", "dnt", "nciht", "unsend"),
    }
)
"""Among the first words of a message they take back what was said before."""

_FIRST_TWO = frozenset(
    {
        *(("forget", each) for each in ("it", "that", "about", "this", "what")),
        *((verb, each) for verb in ("scratch", "cancel", "strike", "undo", "delete") for each in ("that", "this")),
        *(
            (verb, each)
            for verb in ("scrap", "drop", "skip", "ignore", "disregard", "discard", "ignorier", "ignoriere", "streich")
            for each in ("that", "this", "it", "my", "everything", "das", "es", "alles")
        ),
        *(("brich", each) for each in ("das", "es", "alles")),
    }
)
_LONGEST = 80  # characters of a day and a time
_NEAR = 3  # words of a message that are its first ones
_ANYWHERE = frozenset(
    {
        *("instead", "wrong", "typo", "rather", "mistake", "correction", "lieber", "falsch", "falsche", "falschen"),
        *("falscher", "stattdessen", "tippfehler", "verschrieben", "vertan"),
    }
)
_ANYWHERE_TWO = frozenset(
    {
        *(("i", "meant"), ("ich", "meinte"), ("doch", "nicht"), ("nicht", "mehr"), ("any", "more"), ("i", "mean")),
        *(("ich", "meine"), ("second", "thought"), ("second", "thoughts"), ("changed", "my"), ("that", "back")),
        *(("it", "back"), ("es", "zurück"), ("das", "zurück"), ("meant", "for"), ("it", "stays"), ("es", "bleibt")),
        *(("bleibt", "es"), ("bleibt", "wie"), ("meeting", "stays"), ("let's", "not"), ("already", "done")),
        *(("done", "already"), ("sent", "already"), ("already", "sent"), ("schon", "gemacht"), ("schon", "erledigt")),
        *(("schon", "geschickt"), ("did", "it"), ("did", "that"), ("it", "already"), ("that", "already")),
        *((verb, each) for verb in ("skip", "stop", "scrap", "abort") for each in ("it", "that")),
    }
)
_ALONE = frozenset(
    {"cancel", "abort", "undo", "revert", "abbrechen", "abbruch", "zurück", "rückgängig", "storno", "stornieren"}
)
_REFUSED = re.compile(
    r"\blet s not\b|\b(?:shouldn t|should not|must not|mustn t|may not|should never|must never|need not|needn t) "
    r"|\b(?:doesn t|does not) need (?:to|it|this|that)\b|\b(?:darf|soll|sollte|braucht) (?:es |das |sie |ihn )?nicht\b"
    r"|\b(?:i|we) (?:ll|will|can|want to) \w+ (?:it|that|this) (?:myself|ourselves)\b|\blet me do (?:it|that|this)\b"
    r"|\b(?:myself|ourselves)$|\bich \w+ (?:es|das|sie|ihn)?\s?(?:selbst|selber)\b|\bmach(?:e)? (?:das|es) rückgängig\b"
)
"""That nobody is to get something, or its author does it themselves."""

_OTHERWISE = re.compile(
    r"\b(?:(?:Make|make) (?:that|it)|[Ii]t(?:['’]s| is)|[Dd]as ist) (?:to |for |an |für )?[A-ZÄÖÜ]\w+[.!]*\s*$"
    r"|\b(?:Make|make) (?:that|it) the\b"
    r"|^\W*(?:(?:[Ss]orry|[Bb]esser|[Nn]ee|[Aa]ch)\b\W*)?[Aa]n (?:Frau |Herrn? )?[A-ZÄÖÜ][a-zäöüß]+"
    r"(?: bitte| natürlich| doch)?\W*$"
)
"""It is somebody else."""

_ADDING = frozenset({"also", "too", "auch"})
_MORE = frozenset({"actually", "wait", "oh", "moment", "hold"})
_NONE = (
    *(("no", each) for each in ("problem", "worries", "rush", "hurry")),
    *(("don", "t", "forget"), ("don", "t", "worry"), ("not", "urgent"), ("never", "forget"), ("vergiss", "nicht")),
)
_OF_TIMES = frozenset(
    {
        *(*TIMES, *BESIDE, "move", "make", "it", "to", "at", "on", "actually", "rather", "verschieb", "verschiebe"),
        *("es", "auf", "am", "um", "shift", "push", "pm", "for", "in", "nope", "sorry", "s", "is", "ist", "das"),
    }
)
_DAYS = TIMES - {"a", "an", "one", "two", "three", "half", "this", "next", "eine", "einen", "diese", "nächste"}


def takes_back(text: str) -> bool:
    """Whether it takes back what was said before it."""
    said = words.words_of(text)
    if are_times(said):
        return False
    begin = _begin(said)
    first, pairs = said[begin : begin + _NEAR], [*itertools.pairwise(said)]
    if first and _ALONE.issuperset(word for word in said if word not in BESIDE) and not _ALONE.isdisjoint(first):
        return True
    if _REFUSED.search(" ".join(said)) or _OTHERWISE.search(text):
        return True
    if not _ANYWHERE.isdisjoint(said) or not _ANYWHERE_TWO.isdisjoint(pairs):
        return True
    if not _FIRST_TWO.isdisjoint(pairs[begin : begin + _NEAR]):
        return True
    found = _FIRST.intersection(first)
    return bool(found) and not (found <= _MORE and not _ADDING.isdisjoint(said[begin : begin + _NEAR + 1]))


def _begin(said: Sequence[str]) -> int:
    """Where a message begins, behind its greetings and behind what only sounds as if it took something back."""
    begin = 0
    while begin < len(said):
        saying = next((each for each in _NONE if tuple(said[begin : begin + len(each)]) == each), ())
        if not saying and said[begin] not in _GREETING:
            break
        begin += len(saying) or 1
    return begin


def gives_time(text: str) -> bool:
    """Whether it gives nothing but another day or time."""
    return len(text) <= _LONGEST and are_times(words.words_of(text))


def are_times(said: Sequence[str]) -> bool:
    """Whether nothing but another day or time is given."""
    has_time = any(word in _DAYS or word[:1].isdecimal() for word in said)
    return has_time and all(word in _OF_TIMES or word[:1].isdecimal() for word in said)
