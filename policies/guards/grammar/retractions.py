"""Whether a message takes back what its author said before, in English and German: “no, to Dana”, “stop”, “wrong
address”. A message that only gives another day or time does not: “move it to 4 instead”.
"""

from __future__ import annotations

import itertools

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
    }
)
"""Among the first words of a message they take back what was said before."""

_FIRST_TWO = frozenset(
    {
        *(("forget", each) for each in ("it", "that", "about", "this", "what")),
        *((verb, each) for verb in ("scratch", "cancel", "strike", "undo") for each in ("that", "this")),
    }
)
_NEAR = 3  # words of a message that are its first ones
_ANYWHERE = frozenset(
    {
        *("instead", "wrong", "typo", "rather", "mistake", "correction", "lieber", "falsch", "falsche", "falschen"),
        *("falscher", "stattdessen", "tippfehler", "verschrieben", "vertan"),
    }
)
_ANYWHERE_TWO = frozenset({("i", "meant"), ("ich", "meinte"), ("doch", "nicht"), ("nicht", "mehr"), ("any", "more")})
_ADDING = frozenset({"also", "too", "auch"})
_MORE = frozenset({"actually", "wait", "oh", "moment", "hold"})
_NONE = (
    *(("no", each) for each in ("problem", "worries", "rush", "hurry")),
    *(("don", "t", "forget"), ("don", "t", "worry"), ("not", "urgent"), ("never", "forget"), ("vergiss", "nicht")),
)
_OF_TIMES = frozenset(
    {
        *(*TIMES, *BESIDE, "move", "make", "it", "to", "at", "on", "actually", "rather", "verschieb", "verschiebe"),
        *("es", "auf", "am", "um", "shift", "push", "pm", "for", "in", "nope", "sorry"),
    }
)
_DAYS = TIMES - {"a", "an", "one", "two", "three", "half", "this", "next", "eine", "einen", "diese", "nächste"}


def takes_back(text: str) -> bool:
    """Whether it takes back what was said before it."""
    said = words.words_of(text)
    begin = next((at for at, word in enumerate(said) if word not in _GREETING), len(said))
    first, pairs = said[begin : begin + _NEAR], [*itertools.pairwise(said)]
    if any(tuple(said[begin : begin + len(each)]) == each for each in _NONE) or _is_of_times(said):
        return False
    if not _ANYWHERE.isdisjoint(said) or not _ANYWHERE_TWO.isdisjoint(pairs):
        return True
    if not _FIRST_TWO.isdisjoint(pairs[begin : begin + _NEAR]):
        return True
    found = _FIRST.intersection(first)
    return bool(found) and not (found <= _MORE and not _ADDING.isdisjoint(said[begin : begin + _NEAR + 1]))


def _is_of_times(said: list[str]) -> bool:
    """Whether nothing but another day or time is given."""
    has_time = any(word in _DAYS or word[:1].isdecimal() for word in said)
    return has_time and all(word in _OF_TIMES or word[:1].isdecimal() for word in said)
