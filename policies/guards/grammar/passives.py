"""What asks with the form of a verb that says what becomes of a thing: “it needs to be moved”, “could it be moved?”,
“I need it moved to 3”, “would you mind moving it?”, in German “es muss verschoben werden”.

Who does it is not said, so what is done to something else, by somebody else, or under a condition, is told and not
asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from policies.guards.grammar.clauses import BESIDE, BREAK, HIDDEN, TIMES, Clause, Verb, one_of

_POLITE = frozenset({"please", "pls", "plz", "kindly", "bitte"})
_THING = TIMES | {
    *("the", "my", "our", "this", "that", "it", "s", "meeting", "event", "appointment", "call", "invitation", HIDDEN),
    *("on", "at", "das", "der", "die", "den", "mein", "meine", "meinen", "unser", "unsere", "unseren", "es"),
    *("sie", "ihn", "termin", "besprechung", "am", "um"),
}
"""Words with which a thing is called that has a title: nothing else is, such as “the agenda of it”."""

_DOUBTING = frozenset(
    {
        *("still", "even", "ever", "really", "actually", "easily", "possibly", "if", "unless", "without", "whether"),
        *("because", "who", "when", "how", "or", "free", "yet", "anymore", "all", "noch", "überhaupt", "einfach"),
        *("ohne", "wenn", "falls", "ob", "oder", "eigentlich"),
    }
)
"""With them a question is one."""

_TAGS = frozenset({"right", "correct", "no", "isn", "doesn", "hasn", "huh", "yes", "richtig", "stimmt", "ja", "gell"})

_BEFORE_TIMES = frozenset({"on", "at", "in", "by", "for"})
_PLACING = frozenset({"to", "into", "until", "forward", "back", "up", "ahead", "instead"})
_NEARLY = frozenset({"about", "around", "roughly", "exactly", "least"})

_WANTS = frozenset({"need", "want", "like", "prefer"})
_WOULD = frozenset({"d", "would"})
_CAN, _COULD = frozenset({"can"}), frozenset({"could"})
_KANN, _KÖNNTE = frozenset({"kann", "können"}), frozenset({"könnte", "könnten"})
_MUSS = frozenset({"muss", "müssen", "müsste", "müssten"})
_DAHIN = frozenset({"auf", "um", "nach", "in", "ins"})

_SAID_FIRST = f"(?:(?:{'|'.join(sorted(BESIDE))}|for|on|in|to|about|regarding|the|my|our|{HIDDEN}) )*"
_NEEDED = one_of(rf"^{_SAID_FIRST}(?:(?:this|that|it|they) )*(?:(?:needs?|has|have|ought) to|must|should) be$")
_GERUND = one_of(
    rf"\b(?:would|do) you(?: (?:{'|'.join(sorted(BESIDE))}))* mind$",
    rf"^{_SAID_FIRST}(?:how|what) about$",
    r"\bif you (?:don t|would not) mind$",
    rf"^{_SAID_FIRST}(?:(?:this|that|it) )*needs$",
)


def asks(clause: Clause, verb: Verb) -> bool:
    """Whether a form asks in English for what its verb says. That nothing tells before it has been seen."""
    said = " ".join(clause.before)
    if verb.first.endswith("ing"):
        return bool(_GERUND.search(said))
    if tuple(clause.rest[: len(verb.more)]) == verb.more:
        clause = replace(clause, rest=clause.rest[len(verb.more) :])
    if _is_by_others(clause.rest):
        return False
    if _NEEDED.search(said):
        return (not clause.is_question or _is_polite(clause)) and not _is_doubted(clause)
    if _wants_it_done(clause.before):
        return not clause.is_question and _is_placed(clause.rest)
    return _may_it_be_done(clause, verb)


def asks_in_german(clause: Clause, verb: Verb) -> bool:
    """Whether a participle asks: “das muss verschoben werden”, “ich hätte es gern verschoben”."""
    before, rest = clause.before, [word for word in clause.rest if word not in BESIDE]
    if not clause.is_question and before[:2] == ["ich", "hätte"] and not {"gern", "gerne"}.isdisjoint(before):
        return not rest and _are_of_thing(before[2:])
    if rest != ["werden"]:
        return False
    first = next((at for at, word in enumerate(before) if word in _MUSS | _KANN | _KÖNNTE), None)
    if first is None or not _are_of_thing([*before[:first], *before[first + 1 :]]):
        return False
    if before[first] in _MUSS:
        return not clause.is_question and not _is_doubted(clause)
    is_firm = before[first] in _KÖNNTE or not _DAHIN.isdisjoint(before[first:])
    is_wish = clause.is_question and first == 0 and is_firm and not verb.destroys
    return (is_wish or (first == 0 and _is_polite(clause))) and not _is_doubted(clause)


def _wants_it_done(before: Sequence[str]) -> bool:
    """“I need the review …”, “we’d like it …”, “get the review …”."""
    said = [word for word in before if word not in BESIDE]
    if said[:1] == ["get"]:
        return _are_of_thing(said[1:])
    if said[:1] not in (["i"], ["we"]):
        return False
    verb = next((at for at, word in enumerate(said) if word in _WANTS), 0)
    would = set(said[1:verb])
    is_wanted = said[verb] in {"need", "want"} or bool(would)
    return _WOULD.issuperset(would) and is_wanted and _are_of_thing(said[verb + 1 :])


def _may_it_be_done(clause: Clause, verb: Verb) -> bool:
    """“Could the review be …?”; after “can” only where it says to when, or “please”: else it may want to know."""
    said = [word for word in clause.before if word not in BESIDE]
    if said[-1:] != ["be"] or said[0] not in _CAN | _COULD or not _are_of_thing(said[1:-1]):
        return False
    if _is_doubted(clause) or not _is_placed(clause.rest):
        return False
    if _is_polite(clause):
        return True
    rest = [word for word in clause.rest if word not in BESIDE]
    return not verb.destroys and clause.is_question and (said[0] in _COULD or bool(rest))


def _is_polite(clause: Clause) -> bool:
    ends_so = len(clause.later) == 2 or clause.later[2:3] == [BREAK]
    return not _POLITE.isdisjoint((*clause.before, *clause.rest, *([clause.later[1]] if ends_so else ())))


def _is_doubted(clause: Clause) -> bool:
    is_tagged = clause.later[:1] == [BREAK] and not _TAGS.isdisjoint(clause.later[1:2])
    return is_tagged or not _DOUBTING.isdisjoint((*clause.before, *clause.rest, *clause.later))


def _are_of_thing(said: Sequence[str]) -> bool:
    """Whether these words call one thing, and nothing that belongs to it."""
    left = [word for word in said if not (word in _THING | BESIDE | _DAHIN or word[:1].isdecimal())]
    return not left and (HIDDEN in said or not {"it", "this", "that", "es"}.isdisjoint(said))


def _is_placed(rest: Sequence[str]) -> bool:
    """Whether nothing follows but to where or when."""
    said = [word for word in rest if word not in BESIDE | _NEARLY]
    if not said or said[0] in _PLACING | TIMES:
        return True
    return said[0] in _BEFORE_TIMES and (said[1:2] == [HIDDEN] or _is_time(said[1:]))


def _is_by_others(rest: Sequence[str]) -> bool:
    """Whether somebody does it: “by Dana”, and not “by an hour”."""
    if "by" not in rest:
        return False
    return not _is_time([word for word in rest[rest.index("by") + 1 :] if word not in _NEARLY | {"the"}])


def _is_time(said: Sequence[str]) -> bool:
    return bool(said) and (said[0] in TIMES or said[0][:1].isdecimal())
