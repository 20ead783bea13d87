"""Work for an agent: “have the mail clerk …” gives it what follows, as it was said; a meeting to prepare for and a week
to look back on are for the shipped agents.
"""

from __future__ import annotations

import re

from playground.gemini.schema import Json
from playground.gemini.script import briefing, reviewing, structured
from playground.gemini.script.doing import Doing, one
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import Reading
from playground.gemini.script.wording import plain

_GIVES = r"^(?:have|let|ask|get|tell)\s+(?:the\s+)?"
_PREPARES = re.compile(
    r"^(?:prepare|brief)\s+me\s+(?:for|on|about)\s+(?:the\s+)?(?P<meeting>\S.*?)[\s.!?]*$", re.I | re.S
)
_REVIEWS = re.compile(r"^(?:review|look\s+back\s+(?:on|at))\s+my\s+(?P<last>last\s+)?week[\s.!?]*$", re.I)


def understood(clause: str, reading: Reading) -> Doing | None:
    """The task of a clause that names an agent among the tools."""
    for declaration in reading.declared:
        words = str(declaration["name"]).replace("_", r"[\s_-]+")
        if match := re.match(rf"{_GIVES}{words}(?:\s+agent)?\s+(?:to\s+)?(?P<task>\S.*)", clause, re.I | re.S):
            return _giving(declaration, match["task"])
    if (match := _PREPARES.match(clause)) and briefing.AGENT in reading.tools:
        return _having(briefing.AGENT, meeting=match["meeting"])
    if (match := _REVIEWS.match(clause)) and reviewing.AGENT in reading.tools:
        return _having(reviewing.AGENT, **({"first_day": "last week"} if match["last"] else {}))
    return None


def _giving(declaration: Json, task: str) -> Doing:
    """Give it the work, then tell what it handed over."""
    call = structured.called(declaration, task)
    outcome = yield from one(call.name, **call.args)
    name = call.name.replace("_", " ")
    return failed(outcome) if outcome.error else f"The {name} reports: {plain(str(outcome.output))}"


def _having(agent: str, **inputs: str) -> Doing:
    """The same for an agent whose result is the answer."""
    outcome = yield from one(agent, **inputs)
    return failed(outcome) if outcome.error else plain(str(outcome.output))
