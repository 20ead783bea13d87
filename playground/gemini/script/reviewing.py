"""The shipped `week_review`: the meetings of a week, the mails that wait for an answer, and what comes next."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from datetime import date, timedelta
from typing import cast

from playground.gemini.answers import Call
from playground.gemini.schema import Json
from playground.gemini.script.briefing import guests_of
from playground.gemini.script.dates import local, respoken, spoken_day
from playground.gemini.script.doing import Calls, Doing, Outcomes, Stuck, one
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import ENDING_TOOL, Outcome, Reading
from playground.gemini.script.wording import counted, listed, person, plain, questions_in

AGENT = "week_review"
MOST_EVENTS = 50
MOST_THREADS = 25
READ = 8
"""Threads that are read, to see whether they ask something."""
DAYS = timedelta(days=7)

_ASKED = re.compile(
    r"^Review my week that began on “(?P<day>[^”]*)”.*?Only these projects or people count, if any are named:"
    r"\s*(?P<projects>\[.*\])?",
    re.S,
)
_WEEKS = {"": 0, "this week": 0, "last week": -1, "the last week": -1, "next week": 1}
_PROGRAM = re.compile(r"no-?reply|do-?not-?reply|newsletter|notifications?@|mailer", re.I)


def understood(text: str, reading: Reading) -> Doing | None:
    """The task of the agent's query."""
    match = _ASKED.match(text)
    if match is None:
        return None
    return _reviewing(_first(match["day"], reading), json.loads(match["projects"] or "[]"), reading)


def _first(said: str, reading: Reading) -> date | None:
    """The first day of the week: as it was given, Monday of last week, or of this one; None for what is no day."""
    words = said.strip().lower()
    monday = reading.now.today - timedelta(days=reading.now.today.weekday())
    if words in _WEEKS:
        return monday + _WEEKS[words] * DAYS
    try:
        return date.fromisoformat(words)
    except ValueError:
        return None


def _reviewing(first: date | None, projects: Sequence[str], reading: Reading) -> Doing:
    if first is None:
        told = "I looked at no week, as I cannot read its first day. Write it as in 2026-11-23, or “last week”."
        yield from one(ENDING_TOOL, review={"summary": told, "meetings": [], "waiting": [], "next_week": []})
        return told
    looked = yield (_events(first), _events(first + DAYS), _mails(first))
    if lost := [outcome for outcome in looked if outcome.error]:
        raise Stuck(failed(lost[0]))
    week, ahead = (_counted(outcome.rows("events"), projects, reading) for outcome in looked[:2])
    waiting = yield from _waiting(looked[2], projects, reading)
    meetings = [row for row in week if guests_of(row, reading)]
    review = {
        "summary": _summary(first, meetings, waiting, ahead),
        "meetings": [_line(row, reading) for row in meetings],
        "waiting": waiting,
        "next_week": [_line(row, reading) for row in ahead],
    }
    yield from one(ENDING_TOOL, review=review)
    return str(review["summary"])


def _events(first: date) -> Call:
    last = first + DAYS - timedelta(days=1)
    return Call("calendar_search", {"start": local(first), "end": local(last), "limit": MOST_EVENTS})


def _mails(first: date) -> Call:
    query = f"in:inbox after:{first:%Y/%m/%d} before:{first + DAYS:%Y/%m/%d}"
    return Call("gmail_search", {"query": query, "limit": MOST_THREADS})


def _counted(events: Sequence[Json], projects: Sequence[str], reading: Reading) -> list[Json]:
    """Those that the person did not decline, and that are about one of the projects where any are named."""
    return [row for row in events if row.get("my_status") != "declined" and _is_about(_said(row), projects)]


def _said(event: Json) -> str:
    guests = [str(guest.get("email")) for guest in cast("list[Json]", event.get("guests") or [])]
    return " ".join([str(event.get("title")), str(event.get("description")), *guests])


def _is_about(text: str, projects: Sequence[str]) -> bool:
    return not projects or any(project.lower() in text.lower() for project in projects)


def _waiting(found: Outcome, projects: Sequence[str], reading: Reading) -> Generator[Calls, Outcomes, list[str]]:
    """Mails that ask something, and were not answered since, the newest first; what programs send asks nothing."""
    rows = [
        row
        for row in found.rows("threads")
        if not reading.is_own(str(row.get("from", "")))
        and not _PROGRAM.search(str(row.get("from", "")))
        and _is_about(f"{row.get('subject')} {row.get('from')} {row.get('snippet')}", projects)
    ][:READ]
    read: Sequence[Outcome] = ()
    if rows:
        read = yield tuple(Call("gmail_thread_read", {"thread_id": row["thread_id"]}) for row in rows)
    asking = [row for row, thread in zip(rows, read, strict=True) if _asks(thread)]
    return [
        f"“{plain(str(row.get('subject', '')))}” from {person(str(row.get('from', '')))}, "
        f"{respoken(str(row.get('date', ''))).partition(',')[0]}"
        for row in asking
    ]


def _asks(thread: Outcome) -> bool:
    """Whether its newest mail asks something; drafts were not sent."""
    sent = [row for row in thread.rows("messages") if not row.get("draft_id")]
    return bool(sent and questions_in(str(sent[-1].get("body", ""))))


# The review -------------------------------------------------------------------------------------------------------


def _summary(first: date, meetings: Sequence[Json], waiting: Sequence[str], ahead: Sequence[Json]) -> str:
    planned = f"{counted(len(meetings), 'meeting')} {_be(len(meetings))} planned in the week of {spoken_day(first)}."
    mails = f"{counted(len(waiting), 'mail')} of that week {'waits' if len(waiting) == 1 else 'wait'} for your answer."
    coming = f"{counted(len(ahead), 'event')} {'is' if len(ahead) == 1 else 'are'} on your calendar for the next week."
    return " ".join([planned, mails, coming])


def _be(count: int) -> str:
    return "was" if count == 1 else "were"


def _line(event: Json, reading: Reading) -> str:
    """`Wed 25 Nov 2026, 14:00–15:30: “Delivery planning” with Jonas`."""
    names = [person(str(guest.get("email"))) for guest in guests_of(event, reading)]
    when = str(event.get("when", "")).partition(f" {reading.now.zone} (")[0]
    return f"{when}: “{plain(str(event.get('title', '')))}”{f' with {listed(names)}' if names else ''}"
