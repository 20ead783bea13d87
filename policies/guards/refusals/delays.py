"""Sendings that are put off, and those of other people, in English and German: “on Friday, send it to Helen”, “Luis
will send it to Helen”. A mail that leaves at once is not what such a sentence asks for.

The time has to be that of the sending: at the beginning of the sentence, or at the end of what is sent to whom. What
somebody is told may be about another time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_DAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_TAG = r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
_PART_NAME = r"(?:early )?(?:morning|noon|afternoon|evening|night|früh|vormittag|mittag|nachmittag|abend)"
_PART = rf"(?: {_PART_NAME})?"
_HOUR = r"(?:at|um|gegen|around) \d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm|uhr|o'clock))?"
_WHEN = (
    rf"(?:(?:erst |only |first thing )*(?:(?:(?:on|next|am|nächsten|kommenden) (?:next )?(?:{_DAY}|{_TAG})"
    rf"|(?:the )?(?:day after )?tomorrow|übermorgen|morgen){_PART}(?: {_HOUR})?"
    r"|(?:next|nächste|kommende) (?:week|month|woche)|nächsten monat"
    r"|(?:after|nach) (?!that\b|all\b)[^\s.,;!?]+(?: [^\s.,;!?]+){0,3}"
    r"|in (?:about |etwa )?(?:a|an|one|two|three|half an|a few|\d+|einer|einem|zwei|drei|ein paar) "
    r"(?:minutes?|hours?|days?|weeks?|months?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?)"
    rf"|{_HOUR}|at noon|later(?: today| on)?|später|tonight|heute {_PART_NAME}|this (?:afternoon|evening)"
    r"|on (?:the )?\d{1,2}(?:st|nd|rd|th)?\b|am \d{1,2}\.(?:\d{1,2}\.?)?))"
)
_PASSES = (
    r"(?:send|forward|mail|email|e-mail|post|share|reply|respond|answer|write|message|schick|schicke|sende|leite|leit"
    r"|schreib|schreibe|antworte|beantworte|maile|publish|deliver|submit)"
)
_TELLS = r"(?:tell|ask|remind|notify|inform|ping|warn|thank|let|sag|sage|frag|frage|erinnere|erinner|informiere)"
_MAY = r"(?:(?:and|then|please|bitte|also|und|dann|can you|could you|kannst du|you can|to)\b,?\s*)*"
_ASKS = r"(?:^|(?<=[,;:(–—-])|\b(?:please|pls|bitte|and|then|to|you|also|just|now|und|dann|du)\b)\s*"
_ENDS = r"(?=\s*(?:$|[.,!?;)]|(?:and|und|then|please|bitte|to|an|cc)\b))"
_CONTENT = re.compile(
    r"[:\"“„]|\b(?:that|about|if|whether|for|dass|ob|über|für|wegen|regarding|re|when|why|how|what|who|which|i"
    r"|i'm|i'll|we"
    r"|we're|we'll|she|he|they|you|ich|wir|er|due|by|until|till|bis|from|since|starting|ab|before|latest|spätestens)\b"
    r"|\b(?:meetings?|call|lunch|dinner|review|sync|visit|trip|event|appointment|available|free|termin|besprechung) $",
    re.IGNORECASE,
)
_LEADS = re.compile(rf"^\W*{_MAY}{_WHEN},?\s+{_MAY}(?:{_PASSES}|{_TELLS})\b", re.IGNORECASE)
_TRAILS = re.compile(rf"{_ASKS}{_PASSES}\b(?P<what>[^\n]{{1,200}}?)\b{_WHEN}{_ENDS}", re.IGNORECASE)
_TOLD = re.compile(rf"\b{_TELLS}\s+[\w@.]+(?:\s+know)?\s+{_WHEN}\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
_MAY_WAIT = re.compile(
    rf"\b(?:{_DAY}|{_TAG}|tomorrow|morgen|übermorgen|next|nächste\w*|kommende\w*|later|später|tonight|heute"
    rf"|this|noon|after|nach"
    r"|(?:at|um|gegen|around|am|on the|on|in) (?:\d|an?\b|one|two|three|half|about|eine?[rm]?\b|zwei|drei|ein paar))",
    re.IGNORECASE,
)

_NAME = r"(?-i:[A-ZÄÖÜ]\w+(?: [A-ZÄÖÜ]\w+)?)"
_SENT = (
    r"(?:send|sent|forward|forwarded|mail|mailed|email|emailed|write|wrote|tell|told|answer|answered|reply"
    r"|replied|inform)"
)
_REPORTED = re.compile(
    r"(?:^|(?<=[.!?;\n])[^\S\n]{0,3})(?:and |but |und |aber )?(?:"
    rf"(?:i|we)(?:'ll| will|'m going to| am going to| are going to|'ve| have|)\s+(?:already |just |then )?{_SENT}\b"
    rf"|(?:he|she|they|{_NAME})(?:'ll| will| has to| have to| must| should| is going to| wants to"
    rf"| has)\s+(?:then )?{_SENT}\b"
    rf"|(?:he|she|they|{_NAME})\s+(?:already )?(?:sent|forwarded|mailed|emailed|wrote|told|answered|replied"
    rf"|sends|writes)\b"
    r"|(?:ich|wir|er|sie)\s+(?:schick\w*|sende\w*|schreib\w*|antwort\w*|werde\w*|wird|habe?n?|hat)\b"
    rf"|{_NAME}\s+(?:schickt|sendet|schreibt|antwortet|wird|hat)\b"
    r")[^.!?;\n,]*",
    re.IGNORECASE,
)


def put_off(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences begin and end that ask for something to be sent at a time to come."""
    if not _MAY_WAIT.search(text):
        return
    begin = 0
    for end, after in (*(found.span() for found in _SENTENCE.finditer(text)), (len(text), len(text))):
        if _waits(text[begin:end]):
            yield begin, end
        begin = after


def reported(text: str) -> Iterator[tuple[int, int]]:
    """Where it tells of what somebody else sends, or its author does themselves."""
    return (found.span() for found in _REPORTED.finditer(text))


def _waits(sentence: str) -> bool:
    if _LEADS.search(sentence) or _TOLD.search(sentence):
        return True
    return any(not _CONTENT.search(found["what"]) for found in _TRAILS.finditer(sentence))
