"""The scripted model: one request in, one answer out, nothing kept.

It understands everyday requests by key words, and says that it is a script.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from playground.gemini.answers import Answer
from playground.gemini.schema import Json
from playground.gemini.script import (
    addressing,
    agenda,
    amending,
    arranging,
    attached_files,
    briefing,
    delegating,
    directives,
    mail,
    notes,
    planning,
    polishing,
    postbox,
    reminding,
    reviewing,
    rooms,
    structured,
    suggested,
    talk,
)
from playground.gemini.script.doing import Doing, Next, play, saying, together
from playground.gemini.script.phrases import stopped, todo
from playground.gemini.script.reading import Reading, read
from playground.gemini.script.rewording import reworded
from playground.gemini.script.wording import imperative, listed

_VERBS = (
    r"answer|reply|respond|send|e-?mail|mail|write|draft|tell|schedule|book|set up|arrange|move|reschedule|shift|push|"
    r"postpone|archive|mark|label|forward|invite|accept|decline|cancel|remember|note|let|inform|ask|thank|search|find|look|check|show|list|read|what|which|create|add|put"
)
_AND = re.compile(
    rf"\s*(?:[,;.]\s*)?\b(?:and then|and also|and|then)\s+(?=(?:please\s+)?(?:{_VERBS})\b)|(?<=[.;!?])\s+", re.I
)
_ASKS = r"(?:what|which|when|who|where|how|any|anything|is|are|am|do|does|did|has|have|was|were|can)\b"
_QUESTION = re.compile(rf"^(?:{_ASKS}|what['’]?s\b)", re.I)
_AND_ASKS = re.compile(rf"\s*,?\s*\b(?:and|or)\s+(?:also\s+)?(?={_ASKS})", re.I)
_UNDERSTOOD_AT_ONCE = 5
NOTHING_LEFT = "Nothing is left to do: all that you asked for is done."
"""Where it is asked once more for words, after it ended without."""


def answer(request: Json, *, now: datetime) -> Answer:
    """What the scripted model says to a checked request, in the form that this demands."""
    reading = read(request, now=now)
    directed = directives.answer(reading)
    if directed is not None:
        thinks = directed.thoughts or directed.finish != "STOP"
        return structured.formed(directed if thinks else _with_thoughts(directed), reading)
    if (planned := planning.answer(reading, _understood)) is not None:
        return structured.formed(planned, reading)
    return structured.told(_answer(reading, play(_understood(reading), reading.steps)), reading)


def _answer(reading: Reading, following: Next) -> Answer:
    if reading.again and not reading.tools_off:
        return Answer(calls=reading.again, thoughts=(_thought("going on", "A limit had no room for this before."),))
    if not following.calls and following.is_told and reading.briefly:
        return Answer(text=NOTHING_LEFT if reading.last else "")
    if not following.calls:
        return Answer(text=following.text, thoughts=(_thought("answering", "Everything needed is here, so I answer."),))
    if reading.tools_off:
        return Answer(text=stopped(reading.outcomes) if reading.outcomes else _cannot(following), thoughts=())
    missing = sorted({call.name for call in following.calls} - reading.tools)
    if missing:
        return Answer(text=f"For this I would need {listed(missing)}, which I do not have here. Nothing was done.")
    names = listed([call.name for call in following.calls])
    return Answer(calls=following.calls, thoughts=(_thought("choosing a tool", f"For this I call {names}."),))


def _understood(reading: Reading) -> Doing:
    amended = amending.understood(reading)
    if amended is not None:
        return amended
    if shown := attached_files.told(reading.asked, reading.files, with_request=reading.has_files):
        return saying(shown)
    reading = addressing.completed(reading)
    entire = reminding.understood(imperative(reading.asked) or reading.asked, reading)  # with any other contents
    entire = entire or suggested.understood(reading.asked, reading) or polishing.understood(reading.asked, reading)
    entire = entire or briefing.understood(reading.asked, reading) or reviewing.understood(reading.asked, reading)
    entire = entire or delegating.understood(imperative(reading.asked), reading)
    if entire is not None:
        return entire
    helped = talk.helped(reading.asked)
    missed = amending.not_understood if reading.superseded else talk.not_understood
    return _several(reading) or _clause(reading.asked, reading) or helped or missed(reading)


def _several(reading: Reading) -> Doing | None:
    """Several requests in one message, if all are understood; of several questions, those that are."""
    clauses = _clauses(reading.asked)
    if not 1 < len(clauses) <= _UNDERSTOOD_AT_ONCE:
        return None
    doings = [_clause(clause, reading) for clause in clauses]
    if None not in doings or (any(doings) and all(clause.endswith("?") for clause in clauses)):
        understood = [doing or talk.missed(clause) for clause, doing in zip(clauses, doings, strict=True)]
        return together(understood, briefly=reading.briefly)
    return None


def _clauses(text: str) -> list[str]:
    sentences = [clause for clause in _AND.split(text) if clause and clause.strip()]
    return [clause.strip() for sentence in sentences for clause in _questions(sentence) if clause.strip()]


def _questions(sentence: str) -> list[str]:
    """Questions that “and” joins: only a question is divided, since a mail may tell what somebody asks."""
    return _AND_ASKS.split(sentence) if _QUESTION.match(imperative(sentence)) else [sentence]


def _clause(text: str, reading: Reading) -> Doing | None:
    clause = reworded(imperative(text) or text.strip())
    return (
        talk.understood(text.strip(), reading)
        or notes.understood(clause)
        or postbox.understood(clause, reading)
        or rooms.understood(clause)
        or arranging.understood(clause, reading)
        or _mail_or_calendar(clause, reading)
    )


def _mail_or_calendar(clause: str, reading: Reading) -> Doing | None:
    """Mail or calendar: if both could be meant, the word that comes first decides."""
    if re.match(r"(?:send|write|e-?mail|mail|draft|answer|reply|respond|tell|compose|drop)\b", clause, re.I):
        return mail.understood(clause, reading) or agenda.understood(clause, reading)
    if re.search(r"\b(?:mails?|e-?mails?|inbox|unread|gmail)\b", clause, re.I):
        return mail.understood(clause, reading) or agenda.understood(clause, reading)
    return agenda.understood(clause, reading) or mail.understood(clause, reading)


def _cannot(following: Next) -> str:
    return f"I have no tools now, so I cannot {todo(following.calls[0])}. Nothing was done."


def _with_thoughts(given: Answer) -> Answer:
    return replace(given, thoughts=(_thought("following a directive", "The request carries a directive for tests."),))


def _thought(title: str, text: str) -> str:
    return f"**Scripted model: {title}**\n\n{text}\n\n\n"
