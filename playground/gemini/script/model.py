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
    directives,
    mail,
    notes,
    postbox,
    reminding,
    rooms,
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
_UNDERSTOOD_AT_ONCE = 3


def answer(request: Json, *, now: datetime) -> Answer:
    """What the scripted model says to a checked request."""
    reading = read(request, now=now)
    directed = directives.answer(reading)
    if directed is not None:
        return directed if directed.thoughts or directed.finish != "STOP" else _with_thoughts(directed)
    return _answer(reading, play(_understood(reading), reading.steps))


def _answer(reading: Reading, following: Next) -> Answer:
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
    timed = reminding.understood(imperative(reading.asked) or reading.asked, reading)  # with any other contents
    if timed is not None:
        return timed
    helped = talk.helped(reading.asked)
    whole = _clause(reading.asked, reading)
    clauses = [clause for clause in _AND.split(reading.asked) if clause and clause.strip()]
    if 1 < len(clauses) <= _UNDERSTOOD_AT_ONCE:
        doings = [_clause(clause, reading) for clause in clauses]
        understood = [doing for doing in doings if doing is not None]
        if len(understood) == len(doings):
            return together(understood)
    missed = amending.not_understood if reading.superseded else talk.not_understood
    return whole or helped or missed(reading)


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
