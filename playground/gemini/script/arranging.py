"""Requests that arrange meetings: a time for several, an answer, a cancellation, a whole series, a Meet link."""

from __future__ import annotations

import re
from collections.abc import Generator
from datetime import datetime, timedelta
from typing import cast

from playground.gemini.schema import Json
from playground.gemini.script import agenda, patterns
from playground.gemini.script.dates import day_in, duration_in, local, span_in, time_in, without_times
from playground.gemini.script.doing import Calls, Doing, Outcomes, Stuck, Told, need, one
from playground.gemini.script.mail import addresses_of, names_in
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import Outcome, Reading
from playground.gemini.script.wording import listed, plain, sentence

_MAIL_WORDS = re.compile(rf"\b(?:{patterns.MAIL}|inbox|gmail|reminders?|briefings?|schedules)\b", re.I)
_FIND = re.compile(
    rf"\b(?i:find|look\s+for|suggest|propose)\b.*?\b(?i:time|times|slot|slots)\b(?:.*?\b(?i:with|for)\s+{patterns.WHO})?"
)
_WHEN_CAN = re.compile(
    rf"(?i:\bwhen\s+(?:can|could)\s+(?:i|we)\s+(?:meet|see|call|(?:talk|speak)\s+(?:to|with))\s+){patterns.WHO}"
)
_IS_FREE = re.compile(rf"^(?i:is|are)\s+{patterns.WHO}\s+(?i:free|available|busy)\b(?P<when>.*)$")
_ANSWER = re.compile(
    r"^(?P<how>accept|decline|turn\s+down|tentatively\s+accept|(?:say|answer)\s+maybe\s+to)\s+"
    r"(?:(?:the|my|this)\s+)?(?:(?:invitation|invite)\s+)?(?:(?:to|for)\s+)?(?:(?:the|my|our)\s+)?"
    rf"(?P<what>.+?)(?:{patterns.SAYING}\s*(?P<said>.+))?[.!?\s]*$",
    re.I | re.X,
)
_CANCEL = re.compile(r"^(?:cancel|call\s+off)\s+(?:(?:the|my|our)\s+)?(?P<what>.+?)[.!?\s]*$", re.I)
_MEET = re.compile(
    r"^(?:add|put|attach)\s+(?:an?\s+)?(?:google\s+)?(?:meet|video)(?:\s+(?:link|call))?\s+(?:to|into)\s+"
    r"(?:(?:the|my|our)\s+)?(?P<what>.+?)[.!?\s]*$",
    re.I,
)
_FOLLOWING = re.compile(
    r"[\s,]*\b(?:from\s+(?:then|now|there)\s+on|(?:this\s+)?and\s+all\s+(?:the\s+)?following(?:\s+ones)?"
    r"|all\s+(?:the\s+)?following(?:\s+ones)?)\b",
    re.I,
)
_SERIES = re.compile(
    r"\b(?:(?:whole|entire)\s+(?:series\s+(?:of\s+)?)?|series\s+of\s+|all\s+(?:the\s+)?occurrences\s+of\s+)|\s+series\b",
    re.I,
)
_NUMBERED = re.compile(r"\b(\d+)\s*(?:-\s*)?(min(?:ute)?s?|hours?|h)\b", re.I)
_ANSWERS = {"accept": "accept", "decline": "decline", "turn down": "decline"}
_DONE = {"accept": "accepted", "decline": "declined", "tentative": "answered with maybe"}
_AN_HOUR = timedelta(hours=1)


def understood(clause: str, reading: Reading) -> Doing | None:
    """The task of a clause that arranges a meeting, if it is one."""
    if match := _ANSWER.search(clause):
        return answering(match["how"], match["what"], match["said"], reading)
    if _MAIL_WORDS.search(clause):
        return None
    if match := _MEET.search(clause):
        return adding_meet(match["what"], reading)
    if (match := _CANCEL.search(clause)) and not re.fullmatch(r"(?i)(?:it|that|this|everything|all)", match["what"]):
        return cancelling(match["what"], reading)
    if match := _IS_FREE.search(clause):
        return looking(match["who"], match["when"], reading)
    if match := _WHEN_CAN.search(clause) or _FIND.search(clause):
        return finding(match["who"] or "", clause, reading)
    scope, rest = _scope(clause)
    if scope and (match := patterns.MOVE.search(rest)):
        return moving(match["what"].strip(), match["when"], scope, reading)
    return None


def finding(who: str, clause: str, reading: Reading) -> Doing:
    """Propose times that suit everybody."""
    people = (yield from addresses_of(names_in(_people(who)), reading.tools)) if _people(who) else []
    start, end, _ = span_in(clause, reading.now.today)
    found = yield from need(
        "calendar_find_time",
        people=people or None,
        minutes=_minutes(clause),
        start=local(max(start, reading.now.today)),
        end=local(end - timedelta(days=1)),
    )
    rows = found.rows("slots")
    company = f" with {listed(people)}" if people else ""
    if not rows:
        return f"I found no time{company}.{_unseen(found)}"
    suiting = [row for row in rows if not _remarks(row)]
    everybody = listed(["you", *people])
    lead = f"These times suit {everybody}" if suiting else f"No time suits {everybody}. These come nearest"
    lines = [f"- {row.get('when', '')}{_remarks(row)}" for row in suiting or rows]
    return f"{lead}:\n" + "\n".join(lines) + _unseen(found)


def looking(who: str, when: str, reading: Reading) -> Doing:
    """Say whether a person is free at a time, or when they are free on that day."""
    people = yield from addresses_of(names_in(who), reading.tools)
    day, clock = day_in(when, reading.now.today) or reading.now.today, time_in(when)
    if clock is None:
        return (yield from finding(who, when or "today", reading))
    start = datetime.combine(day, clock)
    end = start + (duration_in(when) or _AN_HOUR)
    minutes = int((end - start).total_seconds()) // 60
    found = yield from need("calendar_find_time", people=people, minutes=minutes, start=local(start), end=local(end))
    [row, *_] = found.rows("slots") or [{}]
    busy = [address for address in people if address in (row.get("busy") or [])]
    unseen = [address for address in people if address in (row.get("unknown") or [])]
    free = [address for address in people if address in (row.get("free") or [])]
    said = [
        *([f"{listed(free)} {'are' if len(free) > 1 else 'is'} free"] if free else []),
        *([f"{listed(busy)} {'are' if len(busy) > 1 else 'is'} busy"] if busy else []),
        *([f"I cannot see the calendar of {listed(unseen)}"] if unseen else []),
    ]
    return f"{row.get('when', '')}: {'; '.join(said) or 'nothing is known'}."


def answering(how: str, what: str, said: str | None, reading: Reading) -> Doing:
    """Find an invitation, then answer it."""
    scope, name = _scope(what)
    event = yield from _event(name, reading)
    answer = _ANSWERS.get(" ".join(how.lower().split()), "tentative")
    comment = sentence(said) if said else None
    outcome = yield from one(
        "calendar_event_answer",
        event_id=event["event_id"],
        answer=answer,
        comment=comment,
        scope="series" if scope == "series" else None,
    )
    told = Told(f"You have {_DONE[answer]} “{_title(event)}”, {event.get('when', '')}.")
    return failed(outcome) if outcome.error else told


def cancelling(what: str, reading: Reading) -> Doing:
    """Find an event, then cancel it."""
    scope, name = _scope(what)
    event = yield from _event(name, reading)
    outcome = yield from one("calendar_event_cancel", event_id=event["event_id"], scope=scope)
    return failed(outcome) if outcome.error else Told(f"“{_title(event)}” is cancelled{_extent(scope)}.")


def adding_meet(what: str, reading: Reading) -> Doing:
    """Find an event, then give it a Meet link."""
    scope, name = _scope(what)
    event = yield from _event(name, reading)
    outcome = yield from one("calendar_event_update", event_id=event["event_id"], scope=scope, meet=True)
    if outcome.error:
        return failed(outcome)
    return f"“{_title(event)}” has a Meet link: {outcome.get('meet') or 'see the event'}."


def moving(what: str, when: str, scope: str, reading: Reading) -> Doing:
    """Move a whole series, or this and the following events."""
    event = yield from _event(what, reading)
    start, end = agenda.moved(event, when, reading)
    outcome = yield from one(
        "calendar_event_update", event_id=event["event_id"], scope=scope, start=local(start), end=local(end)
    )
    if outcome.error:
        return failed(outcome)
    return Told(f"“{_title(event)}” is moved{_extent(scope)}: {outcome.get('when') or local(start)}.")


def _event(what: str, reading: Reading) -> Generator[Calls, Outcomes, Json]:
    """The next event of exactly that name, including a weekday; else as other requests find one."""
    name = re.sub(r"(?i)^(?:the|my|our)\s+|\s+(?:meeting|event|appointment|invitation)$", "", what.strip(" .?!"))
    if re.fullmatch(r"(?i)next(?:\s+(?:one|call))?", name):
        return (yield from agenda.next_event(reading))
    if not without_times(name) and time_in(name):
        return (yield from agenda.event_at(name, reading))
    found = yield from need(
        "calendar_search", query=name, start=local(datetime.combine(reading.now.today, datetime.min.time()))
    )
    if rows := found.rows("events"):
        return rows[0]
    if without_times(name) in {"", name}:
        raise Stuck(f"I found no event “{name}” in your calendar. Nothing was changed.")
    return (yield from agenda.found_event(name, reading))


def _scope(text: str) -> tuple[str | None, str]:
    """The part of a repeating event that is meant, and the text without it."""
    for scope, pattern in (("following", _FOLLOWING), ("series", _SERIES)):
        if pattern.search(text):
            return scope, " ".join(pattern.sub(" ", text).split())
    return None, text


def _extent(scope: str | None) -> str:
    return {"series": ", the whole series", "following": ", with all that follow"}.get(scope or "", "")


def _people(who: str) -> str:
    """The people who are meant, if any: `for 30 minutes` names nobody."""
    return "" if not who or re.match(r"(?i)(?:an?|the|half|me|us|\d+)\b", who) else who


def _minutes(clause: str) -> int | None:
    if length := duration_in(clause):
        return int(length.total_seconds()) // 60
    match = _NUMBERED.search(clause)
    return int(match[1]) * (1 if match[2].lower().startswith("m") else 60) if match else None


def _remarks(row: Json) -> str:
    busy = cast("list[str]", row.get("busy") or [])
    away = cast("dict[str, str]", row.get("outside_working_hours") or {})
    said = [
        *([f"{listed(busy)} busy"] if busy else []),
        *(f"outside the hours of {address}: {clock}" for address, clock in away.items()),
    ]
    return f" ({'; '.join(said)})" if said else ""


def _unseen(found: Outcome) -> str:
    hidden = cast("list[str]", found.get("cannot_see") or [])
    return f"\nI cannot see the calendar of {listed(hidden)}." if hidden else ""


def _title(event: Json) -> str:
    return plain(str(event.get("title", "")))
