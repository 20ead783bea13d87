"""The patterns by which everyday requests about mail and calendar are understood, in verbose form.

Names of groups: `who` and `whose` are people, `rest` what follows, `topic` what a mail is about, `body` what to say.
"""

from __future__ import annotations

import re

from playground.gemini.script.wording import ADDRESS, MENTION, NAME

_KNOWN = rf"{ADDRESS.pattern}|{MENTION}|{NAME}"
_ONE = rf"(?:{_KNOWN}|[a-z]+)"
_MORE = rf"(?:(?:\s*,\s*|\s+and\s+)(?:{_KNOWN}))*"

MAIL = r"(?:e-?mails?|mails?|messages?|notes?|letters?)"
WHO = rf"(?P<who>{_ONE}{_MORE})"
WHOSE = r"(?P<whose>[A-Za-z][\w-]*)(?:['’]s|s['’])"
SAYING = (
    r"(?:\s*[,;]?\s*(?:saying|that\ says|to\ say|telling\ (?:her|him|them)|and\ (?:say|tell\ (?:her|him|them))"
    r"|with|that)\b(?:\s+that\b)?\s*:?|\s*:)"
)
_ANSWER_TO = r"(?i:answer|reply(?:\ to)?|respond(?:\ to)?)"
_LATEST = r"(?i:last\ |latest\ |newest\ )?"
_QUICK = r"(?i:short\ |quick\ |new\ )?"
_STOPS = r"(?:with|on|at|tomorrow|today|next|for|from)"


def _verbose(pattern: str, flags: re.RegexFlag = re.S) -> re.Pattern[str]:
    return re.compile(pattern, flags | re.X)


# Mail -------------------------------------------------------------------------------------------------------------

SEND = (
    _verbose(rf"(?i:send|write|drop)\s+{WHO}\s+(?i:an?|the|this)\s+{_QUICK}(?i:{MAIL})\b(?P<rest>.*)"),
    _verbose(rf"(?i:send|write|compose)\s+(?i:an?|the)\s+{_QUICK}(?i:{MAIL})\s+(?i:to)\s+{WHO}(?P<rest>.*)"),
    _verbose(
        rf"(?i:e-?mail|mail|write(?:\ to)?|tell|let)\s+{WHO}(?i:\s+know)?(?P<rest>\s*(?i:{SAYING}|,|\babout\b).*)"
    ),
)
ANSWER = (
    _verbose(rf"{_ANSWER_TO}\s+(?:(?i:to)\s+)?{WHOSE}\s+{_LATEST}(?i:{MAIL})\b(?P<rest>.*)"),
    _verbose(
        rf"{_ANSWER_TO}\s+(?i:to\s+)?(?i:the|that|this)\s+{_LATEST}(?i:{MAIL})\s+(?i:from|of|by)\s+"
        r"(?P<whose>[A-Za-z][\w-]*)\b(?P<rest>.*)"
    ),
    _verbose(r"(?i:answer|reply\ to|respond\ to|write\ back\ to)\s+(?P<whose>[A-Z][\w-]*)\b(?P<rest>.*)"),
)
DRAFT = _verbose(r"^(?:draft|prepare|make|create)\s+(?:me\s+)?(?:a\s+)?(?:draft\s+(?:of\s+)?)?(?:an?\s+)?", re.I)
ABOUT = _verbose(rf"^\s*(?:about|regarding|on|concerning)\s+(?P<topic>.+?)(?={SAYING}\s|\s*$)", re.I | re.S)
SAID_FIRST = _verbose(rf"^{SAYING}\s*(?P<body>.+)$", re.I | re.S)
SAID = _verbose(rf"{SAYING}\s*(?P<body>.+)$", re.I | re.S)
SUBJECT = _verbose(
    r"""\bsubject(?:\ line)?\s*(?:[:=]\s*|\s+)["“']?(?P<subject>[^"”'\n;,]+?)["”']?
    (?=\s*(?:[;,]|\band\b|\bbody\b|\bsaying\b|\n|$))""",
    re.I,
)
BODY = _verbose(r"""\b(?:body|text)\s*(?:[:=]\s*|\s+)["“]?(?P<body>.+?)["”]?\s*$""", re.I | re.S)
WROTE = _verbose(
    r"""(?i:what\ did|what\ has|what\ does|did|has)\s+(?P<whose>[A-Za-z][\w-]*)\s+
    (?i:write|wrote|written|say|send|sent|want|answer|reply|replied)"""
)
SEARCH = _verbose(
    rf"""\b(?i:search|find|look\ for|show|list|check|read|open|any|summari[sz]e|what)\b.*\b(?i:{MAIL}|inbox|gmail)\b
    |(?i:\bunread\b|\binbox\b|\bnew\ mail)"""
)
ENDLESS = _verbose(rf"\bin\ my\ {MAIL}\b.*\bfor\ ever\b", re.I)
FROM = _verbose(r"\b(?i:from|by)\s+(?P<whose>[A-Z][\w-]*|[\w.]+@[\w.-]+)")
TOPIC = _verbose(r"""\b(?:for|about|regarding|mentioning|with)\s+["“']?(?P<topic>[^?.!"”']+)""", re.I)

# Calendar ---------------------------------------------------------------------------------------------------------

EVENT = (
    r"(?:call|meeting|lunch|dinner|coffee|breakfast|appointment|event|chat|review|catch-?up|workshop|interview|visit"
    r"|slot|reminder)"
)
MOVE = _verbose(
    r"""\b(?:move|reschedule|shift|push|postpone|bring\ forward|put)\s+(?:(?:the|my|our|this|that)\s+)?
    (?P<what>.+?)\s+(?:to|until|till|for|back\ to)\s+(?P<when>.+)$""",
    re.I | re.S,
)
CREATE = _verbose(
    rf"\b(?:schedule|book|set\ up|arrange|create|plan|organi[sz]e|add|put|make)\b.*?\b(?P<kind>{EVENT})\b", re.I | re.S
)
INVITE = _verbose(
    rf"""\b(?:invite|add)\s+(?P<who>(?:{ADDRESS.pattern}|\w+)(?:\s+and\s+\w+)?)\s+to\s+(?:the\s+|my\s+|our\s+)?
    (?P<what>.+)$""",
    re.I,
)
AGENDA = _verbose(
    r"""\b(?:calendar|agenda|schedule|meetings?|appointments?|events?)\b|\bam\ i\ (?:free|busy)\b|\bwhat\ do\ i\ have\b
    |\bdo\ i\ have\ (?:time|anything)\b|\bwhat(?:'s|’s|\ is)\ (?:on|up|planned)\b""",
    re.I,
)
WHEN_IS = _verbose(r"\bwhen(?:'s|’s|\ is|\ are)\s+(?:the|my|our)?\s*(?P<what>[^?]+)", re.I)
WITH = _verbose(rf"\bwith\s+{WHO}")
TITLED = _verbose(rf"""\b(?:called|titled|named)\s+["“']?(?P<title>[^"”'\n]+?)["”']?(?=\s+{_STOPS}\b|$)""", re.I)
EVENT_ABOUT = _verbose(rf"\babout\s+(?P<topic>[^,.?!]+?)(?=\s+{_STOPS}\b|[,.?!]|$)", re.I)
PLACE = _verbose(
    rf"""\b(?:in|at)\s+(?:the\s+)?(?P<place>(?:room|office|workshop|(?:cafe|café)|meeting\ room)\b[^,.?!]*?)
    (?=\s+{_STOPS}\b|[,.?!]|$)""",
    re.I,
)

# Follow-ups -------------------------------------------------------------------------------------------------------

ORDINAL = _verbose(
    r"""\b(?:the\s+)?(?:(?:number|no\.?)\s*(?P<digit>\d+)
    |(?P<word>first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th))\b
    (?:\s+(?:one|mail|email|message|event|meeting|thread))?""",
    re.I,
)
GREETING = _verbose(
    r"""^(?:hi|hello|hey|good\ (?:morning|afternoon|evening)|hallo|hej|greetings|yo)\b[\s!.,]*
    (?:there|you|all)?[\s!.]*$""",
    re.I,
)
CONTEXT = _verbose(
    r"""\b(?:summari[sz]e|summary|explain|what\ is|tell\ me\ about|read)\b.*
    \b(?:this|that|context|attached|attachment|it|these|above)\b""",
    re.I | re.S,
)
