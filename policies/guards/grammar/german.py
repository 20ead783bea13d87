"""What asks in German with a verb that stands last: “kannst du es verschieben?”, “bitte den Termin verschieben”."""

from __future__ import annotations

import re

from policies.guards.grammar.clauses import BESIDE, BREAK, COLON, HIDDEN, JOINING, REFUSING, Clause, Verb, one_of, tells

_ARTICLES = frozenset(
    {
        *("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "kein", "keine"),
        *("keinen", "beim", "zum", "vom", "im", "am", "mein", "meine", "dein", "deine", "unser", "unsere", "ihr"),
        *("ihre", "ich"),
    }
)
_IN_BETWEEN = (
    _ARTICLES
    | BESIDE
    | {
        *("meinen", "unseren", "zur", "an", "auf", "aus", "bei", "bis", "für", "in", "ins", "mit", "nach", "ohne"),
        *("um", "und", "von", "vor", "zu", "uhr", "nächste", "nächsten", "nächster", "kommende", "kommenden"),
        *(HIDDEN, BREAK, COLON),
    }
) - {"ich"}
"""Words of German that are no verbs, and may stand in “den Termin mit Dana auf Freitag verschieben”."""

_GERMAN = one_of(
    r"\b(?:kannst|könntest|würdest|willst|magst|wirst) du\b",
    r"\b(?:können|könnten|würden) sie\b",
    r"\bkönnt(?:et)? ihr\b",
    r"\bdu (?:kannst|könntest|solltest|sollst|musst)\b",
    r"\bwenn du\b",
    r"\b(?:lass|lasst) uns\b",
    r"(?<!ich )\bbitte\b",
)
_GERMAN_TOGETHER = one_of(r"\bkönnt?en wir\b")
_GERMAN_NEED = one_of(
    r"\bich (?:möchte|will|würde|muss)\b",
    r"\bwir (?:müssen|möchten|wollen|sollten|würden)\b",
    r"(?<!^)\b(?:muss|möchte|würde) ich\b",
    r"(?<!^)\b(?:müssen|möchten|wollen) wir\b",
)
_GERMAN_ZU = one_of(
    r"\bvergiss(?: bitte)? nicht\b",
    r"\bdenk(?: bitte)? (?:daran|dran)\b",
    r"\bsei(?:en sie)? so (?:gut|nett|lieb)\b",
    r"\bich (?:bitte|möchte|würde) dich\b",
    r"\b(?:wäre|ist) es möglich\b",
)
_FINITE = re.compile(
    r"(?:dürf|könn|kann|muss|müss|möcht|woll|will|soll|werd|wird|würd|lass|lässt|hilf|fass|schreib|sag|nenn|zeig)"
)
"""Verbs that a German sentence may begin with, where any word has a capital letter."""

_ZU = re.compile(r"(?:ab|an|auf|ein|hinzu|mit|nach|um|vor|vorver|weiter|zu)zu\w+n")
_RELATIVE = re.compile(rf"{BREAK} (?:der|die|das|den|dem|deren|dessen|denen)\b")


def asks(clause: Clause, verb: Verb) -> bool:
    """Whether an infinitive at the end of a clause is behind words that ask, or stands for a command."""
    before = clause.before
    if before and (clause.is_capital or before[-1] in _ARTICLES):
        return False
    whole = [*clause.earlier, *before]
    said = " ".join(whole)
    if before[-1:] == ["zu"] or _ZU.fullmatch(verb.first):
        return bool(_GERMAN_ZU.search(said))
    if not REFUSING.isdisjoint(before):
        return False
    found = _GERMAN.search(said)
    if not found and not verb.destroys:
        found = _GERMAN_TOGETHER.search(said)
    if not found and not clause.is_question:
        found = _GERMAN_NEED.search(said)
    if found:
        after = said[found.end() :]
        begun = said[: found.start()].replace(COLON, BREAK).rpartition(BREAK)[2]
        is_led = not (tells(after.split()) or tells(begun.split()) or _RELATIVE.search(after))
        if found[0] == "wenn du":
            return is_led and not {"kannst", "könntest", "würdest"}.isdisjoint(clause.rest[:1])
        return is_led
    if "bitte" in clause.rest:
        return not tells(before) and not clause.earlier
    return not clause.is_question and _is_short(clause)


def _is_short(clause: Clause) -> bool:
    """Whether nothing but a noun phrase stands beside an infinitive: “den Termin mit Dana verschieben”."""
    if not (_IN_BETWEEN | JOINING).issuperset(clause.earlier):
        return False
    return all(
        word in _IN_BETWEEN or word.isdecimal() or is_capital
        for word, is_capital in zip((*clause.before, *clause.rest), clause.capitals, strict=True)
    ) and not (clause.before and _FINITE.match(clause.before[0]))
