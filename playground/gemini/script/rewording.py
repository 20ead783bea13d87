"""Other ways of asking, turned into words that the patterns know: a table, applied to a clause from top to bottom."""

from __future__ import annotations

import re
from collections.abc import Callable

from playground.gemini.script.patterns import MAIL, WHO, WHOSE
from playground.gemini.script.wording import addressed

Way = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

_BY_MAIL = rf"(?:\s+(?i:by|via|in)\s+(?i:an?\s+)?(?i:{MAIL}))?"
_NOT_ME = r"(?!(?i:me|us|it|him|her|them)\b)"
_WROTE = "what did"
_ANY_NEWS = r"(?i:(?:is\s+there\s+)?(?:any\s+)?(?:news|word)\s+from)"
_READ = r"(?i:read|open|show|summari[sz]e)"
_LATEST = r"(?i:(?:last|latest|newest)\s+)?"
_HAPPENING = r"(?i:(?:is\s+there\s+)?anything\s+(?:on|up|planned)|what(?:['’]s|\s+is)\s+happening)"
_CALENDAR = r"(?i:(?:my|the|our)\s+(?:calendar|agenda|diary))"


def _way(pattern: str, said: str | Callable[[re.Match[str]], str]) -> Way:
    return re.compile(pattern, re.S), said


def _whether(match: re.Match[str]) -> str:
    return f"mail {match['who']}: please let me know whether {addressed(match['what'])}"


WAYS: tuple[Way, ...] = (
    _way(r"^(?i:tell\s+me|let\s+me\s+know|show\s+me)\s+(?=(?i:what|when|which|who|if|whether)\b)", ""),
    # To somebody
    _way(rf"^(?i:shoot|drop)\s+{WHO}\s+(?i:an?\s+(?:line|{MAIL}))", r"send \g<who> a mail"),
    _way(rf"^(?i:let|inform|notify|tell)\s+{_NOT_ME}{WHO}(?i:\s+know)?{_BY_MAIL}(?=[\s:,])", r"tell \g<who>"),
    _way(rf"^tell\s+{_NOT_ME}(?>{WHO})\s+(?!(?i:that|about|to|saying)\b)(?=\w)", r"tell \g<who> that "),
    _way(rf"^(?i:ask)\s+{_NOT_ME}{WHO}{_BY_MAIL}\s+(?i:whether|if)\s+(?P<what>.+)$", _whether),
    _way(rf"^(?i:ask)\s+{_NOT_ME}{WHO}{_BY_MAIL}\s+(?i:to)\s+", r"mail \g<who>: please "),
    _way(rf"^(?i:ask)\s+{_NOT_ME}{WHO}{_BY_MAIL}\s+(?=(?i:about)\b)", r"mail \g<who> "),
    _way(rf"^(?i:thank)\s+{_NOT_ME}{WHO}{_BY_MAIL}\s+(?=(?i:for)\b)", r"mail \g<who>: thank you "),
    # From somebody
    _way(rf"^{_ANY_NEWS}\s+{WHO}", rf"{_WROTE} \g<who> write"),
    _way(rf"^{_READ}\s+(?i:me\s+)?{WHOSE}\s+{_LATEST}(?i:{MAIL})\b", rf"{_WROTE} \g<whose> write"),
    _way(rf"^{_READ}\s+(?i:the|my)\s+(?i:threads?)\s+(?i:with|from|of)\s+{WHO}", rf"{_WROTE} \g<who> write"),
    # The calendar
    _way(r"^(?i:what)(?=s\b)", "what'"),
    _way(rf"^{_HAPPENING}\b", "what is on my calendar"),
    _way(r"^(?i:how\s+(?:does|is))\s+(?P<when>.+?)\s+(?i:look(?:ing)?)\b", r"what is on my calendar \g<when>"),
    _way(rf"^(?i:put|add|enter)\s+(?P<what>.+?)\s+(?i:in|into|on|to)\s+{_CALENDAR}", r"schedule \g<what>"),
)


def reworded(clause: str) -> str:
    """The clause in known words, if possible; a message to another person stays as it was said."""
    for pattern, said in WAYS:
        clause = pattern.sub(said, clause, count=1)
    return clause
