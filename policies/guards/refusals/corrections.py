"""What a message takes back of itself, and what it holds back, in English and German: “send it to Helen. No, to Dana”,
“send it to Helen, but show me first”.

What stands before a correction names nothing more. A message that is to wait for its owner names nothing at all. The
forms are listed: a form that is none leads to a card, and one that is missing lets stand what was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_BLANKS = r"[^\S\n]{0,3}"  # of any number, many of them would take quadratic time
_BEGINS = rf"(?:(?<=[.!?;,\n…–—(])|(?<= -)|(?<=--)){_BLANKS}"
_OPENING = (
    r"(?:(?:oh|ah|ach|uh|um|hm+|äh|sorry|and|but|und|aber|ok|okay|please|bitte|well|naja|then|dann)\b[,.!…]{0,3}\s)"
    r"{0,4}"
)
_CAPITAL = r"(?-i:[A-ZÄÖÜ])"
_WHOM = (
    rf"(?:(?:to|an|for|für)\s+(?:frau |herrn? )?{_CAPITAL}|{_CAPITAL}\w+(?: {_CAPITAL}\w+)?\s*(?:[.!]|$"
    rf"|please|instead|bitte))"
)
_CORRECTS = (
    r"(?:no|nope|nah|nein|nee|nö)\b(?=\s*(?:[,.!;:–—…-]|$)|\s+(?:wait|sorry|stop|to|i|not|don|do|make|send|use|it|an"
    r"|moment|warte|doch|lieber|besser|schick|nicht|tell|move|keep|leave|forget|scratch)\b)"
    r"|(?:hang|hold) on\b|wait\b(?!\s+(?:for|until|till|a)\b)"
    r"|(?:stopp?|halt)\b(?=\s*(?:[,.!;:–—…-]|$))"
    r"|(?:scratch|strike|scrap|forget|ignore|undo|drop|skip|disregard|discard|abort|revert|vergiss|ignorier\w*"
    r"|streich|verwirf)"
    r"\s+(?:that|it|this|everything|das|es|alles)\b"
    r"|(?:cancel|delete)\s+that\b"
    r"|never ?mind\b|on second thoughts?\b|better not\b|lieber nicht\b|doch nicht\b"
    r"|i mean(?:t)?\b(?!\s+(?:it|that|business)\b)|ich mein(?:e|te)\b|(?:i|ich) (?:take|nehme) (?:that|it|das|es)\b"
    r"|i(?:'ve| have)? changed my mind\b|changed my mind\b|my (?:mistake|bad)\b|correction\b|quatsch\b"
    r"|abbruch\b|kommando zurück\b"
    rf"|make (?:that|it)\s+(?:to\s+)?{_CAPITAL}"
    rf"|(?:or )?(?:sorry|oops|ups|pardon|entschuldigung|er|erm|um|hm+|äh|rather|ach"
    rf"|well)\b[,:.!…]*\s*(?={_WHOM}|i mean|it'?s|not\b|nicht\b|wrong|falsch"
    rf"|that|the other)"
    rf"|(?:rather|better|besser|lieber)\s+(?=(?:to|an)\s+(?:frau |herrn? )?{_CAPITAL})"
    r"|(?:please |bitte )?(?:don't|do not|dont|nicht)\s*[.!]*\s*(?:$|(?=\n))"
)
_CORRECTION = re.compile(
    rf"{_BEGINS}{_OPENING}(?:{_CORRECTS})[,.!:…]*"
    rf"|\b(?:oops|ups|whoops)\b(?=[^\w\n]*{_CAPITAL})"
    rf"|(?<=[.!?\n]){_BLANKS}(?:actually|eigentlich|doch)\b,?\s+(?!also\b|auch\b)"
    rf"|(?<=[.!?\n]){_BLANKS}(?=[^.!?\n]{{1,80}}\b(?:instead|stattdessen)\b(?!\s+of))",
    re.IGNORECASE,
)
_CORRECTING = frozenset(
    {
        *("no", "nope", "nah", "nein", "nee", "nö", "wait", "stop", "stopp", "halt", "scratch", "strike", "scrap"),
        *(
            "forget",
            "ignore",
            "undo",
            "drop",
            "skip",
            "disregard",
            "discard",
            "abort",
            "revert",
            "vergiss",
            "ignoriere",
        ),
        *("ignorier", "streich", "verwirf", "mind", "nevermind", "thought", "thoughts", "better", "lieber", "doch"),
        *("mean", "meant", "meine", "meinte", "mistake", "bad", "correction", "quatsch", "abbruch", "kommando"),
        *("sorry", "oops", "ups", "whoops", "pardon", "entschuldigung", "rather", "besser", "don't", "dont", "nicht"),
        *(
            "actually",
            "eigentlich",
            "instead",
            "stattdessen",
            "hang",
            "hold",
            "er",
            "erm",
            "um",
            "hm",
            "hmm",
            "äh",
            "ach",
        ),
        *("well",),
    }
)
_DOING, _THAT = (
    frozenset({"cancel", "delete", "make", "take", "nehme", "do"}),
    frozenset({"that", "it", "das", "es", "not"}),
)
"""A message without any of them corrects nothing; the latter together."""

_SOMEBODY = rf"(?:me|us|{_CAPITAL}\w+)"
_WAITS = re.compile(
    rf"(?:(?<=[.!?\n,;])|(?<= -)|(?<=[–—])){_BLANKS}(?:(?:but|and|please|bitte|then|aber|und|dann)\s){{0,4}}"
    r"(?:wait|hold|warte\w*|halte?)\s+(?:for|until|till|it|this|that|off|on|back|a|auf|bis|es|das|sie|ihn|damit|noch)\b"
    rf"|(?<=[.!?\n]){_BLANKS}(?:please |bitte )?(?:ask|check with|confirm with|consult|talk to|frage?|sprich mit)\s+"
    rf"{_SOMEBODY}[^.!?\n]{{0,60}}\b(?:(?:if|whether|ob)\s+(?:that|this|it|das|es|we|i|wir)\b"
    r"|what (?:she|he|they) thinks?\b|was (?:sie|er) (?:davon|dazu) )"
    rf"|(?<=[.!?\n,]){_BLANKS}(?:but |and )?(?:please )?(?:ask (?:me|us)|check with {_SOMEBODY}|get [\w']+ (?:ok|okay"
    rf"|approval))\b"
    rf"|(?<=[.!?\n]){_BLANKS}what do you think\b|(?<=[.!?\n]){_BLANKS}was (?:meinst|denkst|hältst) du\b",
    re.IGNORECASE,
)
"""A sentence that holds back what stands before it."""

_FIRST = r"(?:first|beforehand|vorher|zuerst|vorab)\b(?=\s*(?:[.,;!?)]|$|and\b|then\b|before\b|bevor\b))"
_DONE_BY_ME = r"(?:send|mail|email|forward|post|do|finish|deliver|submit)"
_AT_FIRST = rf"(?:^|(?<=[.!?;,\n–—:(])|(?<= -)|\b(?:and|but|then|please|und|aber|dann|bitte)\b){_BLANKS}"
_HELD = re.compile(
    rf"{_AT_FIRST}(?:"
    rf"(?:show|read|give|send|let|run|tell|zeige?|lies|schicke?|gib|lass)\b[^.!?\n]{{0,40}}\b(?:me|mir"
    rf"|mich)\b[^.!?\n]{{0,40}}{_FIRST}"
    r"|(?:show|ask|tell|check with|run it by|send) (?:it |this |that |them )?(?:to )?me first\b"
    rf"|(?:ask|check with|consult|talk to|call|frage?)\b [^.!?\n]{{1,40}}{_FIRST}"
    r"|first,? (?:show|let me|ask|check with|read me)\b"
    r"|(?:i|we|ich|wir)(?:'d)? (?:would )?(?:want|need|like|möchte|will|have)(?: to)? (?:see|read|check|review"
    r"|approve|have a look)\b"
    rf"[^.!?\n]{{0,40}}{_FIRST}"
    r"|(?:let me|i'll|i will) (?:first |just |quickly )?(?:check|review|read|approve|proofread|look at"
    r"|look over|edit|go over)"
    r" (?:it|them|this|that|the|your|what)\b"
    rf"|i(?:'ll| will|'m going to| am going to) (?:\w+ )?{_DONE_BY_ME} (?:it|them|this|that)\b"
    rf"|(?:i(?:'ll| will|'m going to| can| want to)|let me) (?:\w+ )?{_DONE_BY_ME}\b[^.!?\n]{{0,40}}\bmyself\b"
    r"|ich \w+ (?:es |sie |ihn |das |die |den )?(?:\w+ )?(?:selbst|selber)\b"
    r"|(?:only|just|nur|bloß)\b (?:as |als )?(?:a |an |the |ein |einen )?(?:draft|entwurf)\b)"
    r"|\bmir (?:erst|zuerst|vorher)\b"
    rf"|\b(?:sehen|lesen|prüfen|ansehen|anschauen)\b[^.!?\n]{{0,20}}{_FIRST}|\b(?:vorher|zuerst|erst) (?:sehen"
    rf"|lesen|prüfen|ansehen)\b"
    r"|\bbefore (?:(?:you|we|it|this) )?(?:(?:is|are) )?(?:send|sending|sent|goes|go out|leaves|mailing|post|posting)\b"
    r"|\bbevor du\b|\bbevor (?:es|sie|das)\b[^.!?\n]{0,20}\b(?:geht|rausgeht)\b"
    r"|\bfor (?:my|our) (?:review|approval|ok|okay|sign-?off)\b|\bzur (?:durchsicht|freigabe|prüfung)\b"
    r"|\b(?:draft|entwurf) (?:only|reicht|genügt)\b|\b(?:selbst|selber) (?:\w*schicken|\w*senden|machen)\b",
    re.IGNORECASE,
)
"""What a message is about waits for its owner, or they do it themselves."""

_HOLDING = frozenset(
    {
        *("first", "beforehand", "vorher", "zuerst", "vorab", "erst", "myself", "selbst", "selber", "draft", "entwurf"),
        *(
            "before",
            "bevor",
            "review",
            "approval",
            "ok",
            "okay",
            "signoff",
            "sign",
            "let",
            "i'll",
            "will",
            "i'm",
            "going",
        ),
        *("durchsicht", "freigabe", "prüfung"),
    }
)
_WAITING = frozenset(
    {
        *("wait", "hold", "warte", "warten", "wartet", "halt", "halte", "ask", "check", "confirm", "consult", "talk"),
        *("frag", "frage", "sprich", "get", "think", "meinst", "denkst", "hältst"),
    }
)
"""A message without any of these holds nothing back."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def standing(text: str, gives_time: Callable[[str], bool]) -> str:
    """What of the message counts: all behind the last place where it takes back, or holds back, what stands before;
    nothing where all of it waits for its owner. A correction that only `gives_time`, another day or hour, takes nothing
    back.
    """
    said = frozenset(_WORD.findall(text.lower()))
    if not _HOLDING.isdisjoint(said) and _HELD.search(text):
        return ""
    begin = 0
    if not _CORRECTING.isdisjoint(said) or not (_DOING.isdisjoint(said) or _THAT.isdisjoint(said)):
        begin = _end_of_corrected(text, gives_time)
    if not _WAITING.isdisjoint(said):
        begin = max(begin, _end_of_held(text))
    return f" … {text[begin:]}" if begin else text


def _end_of_corrected(text: str, gives_time: Callable[[str], bool]) -> int:
    begin = len(text) - len(text.lstrip())
    found = [one for one in _CORRECTION.finditer(text) if one.start() > begin]
    return next((one.end() for one in reversed(found) if not gives_time(text[one.start() :])), 0)


def _end_of_held(text: str) -> int:
    begin = len(text) - len(text.lstrip())
    return max((found.start() for found in _WAITS.finditer(text) if found.start() > begin), default=0)
