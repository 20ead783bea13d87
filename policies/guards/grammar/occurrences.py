"""Whether a text is about more than one occurrence of a thing that repeats. Pure."""

from __future__ import annotations

import re

from policies.guards import words

_MANY = re.compile(
    r"\b(?:all|every|each|any|both|series|recurring|recurrent|repeating|recurrence|occurrences|permanently|forever"
    r"|always|whole|entire|entirely|altogether|weekly|biweekly|fortnightly|daily|monthly|yearly|annual|following|future"
    r"|remaining|rest|from now on|going forward|from then on|onwards|onward|starting|until further notice|for good"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|alle|allen|aller|jede|jeden|jeder|jedes|serie|termine|reihe|ganze|ganzen|gesamte|gesamten|komplett|immer"
    r"|from (?:next|this) \w+ on(?= and| please| thanks|$)"
    r"|ab (?:nächster|kommender|dieser) woche|ab (?:nächstem|kommendem|diesem) (?:monat|jahr)"
    r"|dauerhaft|künftig|künftige|künftigen|zukünftig|zukünftige|zukünftigen|wöchentlich|wöchentliche|wöchentlichen"
    r"|täglich|tägliche|täglichen|monatlich|monatliche|monatlichen|jährlich|jährliche|jährlichen|folgende|folgenden"
    r"|weiteren|restlichen|übrigen|ab sofort|ab jetzt|ab dann|regelmäßig"
    r"|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs)\b"
)
_ONE = re.compile(
    r"\b(?:today|todays|tonight|tomorrow|next|this|coming|upcoming|once|one|just|only|single|occurrence|instance|noon"
    r"|midnight|morning|afternoon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec"
    r"|heute|heutige|heutigen|morgen|morgige|morgigen|übermorgen|nächste|nächsten|nächster|nächstes|diese|diesen"
    r"|dieser|dieses|diesmal|kommende|kommenden|einmal|nur|mittag|mitternacht|vormittag|nachmittag|abend"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch"
    r"|januar|februar|märz|mai|juni|juli|oktober|dezember)\b|\d"
)
_END = re.compile(
    r"\b(?:until|till|through|end(?:e|en|et|s|ing)?|stop|stops|finish|times|shorten|shorter|the last|last one"
    r"|for \w+ (?:more )?(?:weeks|months)|\d+ mal|bis|beende|beenden|kürze|kürzen|verkürze|verkürzen|letzte[nrs]?)\b"
)
"""Words with which a text says how long something goes on. What it wants to be there no more may be something else."""


def are_many(text: str, title: str) -> bool:
    """Whether the text has a word for many of what has this title, or names no day or time at all. The title says
    neither.
    """
    plain = _besides(text, title)
    return bool(_MANY.search(plain)) or not _ONE.search(plain)


def are_to_end(text: str, title: str) -> bool:
    """Whether the text has a word that lets what has this title end, besides those of the title."""
    return bool(_END.search(_besides(text, title)))


def _besides(text: str, title: str) -> str:
    """The words of the text that are not the title's."""
    said, own = words.words_of(words.without_addresses(text)), words.words_of(title)
    at = words.place_of(said, own)
    rest = [word for word in said if word not in own] if at is None else [*said[:at], *said[at + len(own) :]]
    return " ".join(rest)
