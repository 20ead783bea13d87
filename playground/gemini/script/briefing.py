"""The shipped `meeting_brief`: the meeting out of the calendar, what its guests wrote lately, what is still open."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import cast

from playground.gemini.answers import Call
from playground.gemini.schema import Json
from playground.gemini.script.dates import day_in, local, respoken, spoken_day, time_in, without_times
from playground.gemini.script.doing import Calls, Doing, Outcomes, need, one
from playground.gemini.script.postbox import attached_to
from playground.gemini.script.reading import ENDING_TOOL, Outcome, Reading
from playground.gemini.script.wording import address, gist, listed, person, plain, questions_in, quoted

AGENT = "meeting_brief"
WEEKS = 4
SEARCHED = 10
READ = 3
"""Threads that are read."""
MOST_GUESTS = 6
MOST_WORDS = 4

_ASKED = re.compile(
    r"^Prepare me for this meeting:\s*<meeting>\s*(?P<meeting>.*?)\s*</meeting>\s*"
    r"Above all I want to know:\s*(?P<focus>.*)",
    re.S,
)
_NEXT = re.compile(r"^(?:my\s+|the\s+)?next\s+(?:meeting|event|appointment)\b", re.I)
_WORD = re.compile(r"\w[\w'’-]{2,}")
_ANSWERS = {"accepted": "comes", "declined": "does not come", "tentative": "may come"}
_COMMON = frozenset({"the", "and", "with", "for", "call", "meeting", "visit", "about", "our", "from", "what"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mail:
    """The newest mail of somebody else in a thread; `is_answered` where the person wrote after it."""

    subject: str
    sender: str
    day: str
    body: str
    is_answered: bool

    @property
    def source(self) -> str:
        return f"mail “{self.subject}”, {self.day}"


def understood(text: str, reading: Reading) -> Doing | None:
    """The task of the agent's query."""
    match = _ASKED.match(text)
    return _briefing(match["meeting"], match["focus"].strip(), reading) if match else None


def _briefing(meeting: str, focus: str, reading: Reading) -> Doing:
    event = yield from _found(meeting, reading)
    if event is None:
        about = f"I found no meeting {quoted(meeting)} in your calendar, from today on."
        yield from one(ENDING_TOOL, brief={"about": about, "people": [], "lately": [], "open": [], "have_ready": []})
        return about
    guests = guests_of(event, reading)
    mails, files, notes = yield from _looked_up(event, guests, focus, reading)
    brief = {
        "about": _about(event, focus, [*(mail.body + mail.subject for mail in mails), *notes]),
        "people": [_guest(guest, mails) for guest in guests],
        "lately": [f"{person(mail.sender)}: {gist(mail.body)} ({mail.source})" for mail in mails] + notes,
        "open": [*_open(mails), *_unanswered(guests)],
        "have_ready": files,
    }
    yield from one(ENDING_TOOL, brief=brief)
    return str(brief["about"])


# The meeting ------------------------------------------------------------------------------------------------------


def _found(meeting: str, reading: Reading) -> Generator[Calls, Outcomes, Json | None]:
    """The next event that is meant: by its title or its guests, by its time, or the next one at all."""
    words = without_times(meeting)
    if _NEXT.match(meeting) or not words:
        return (yield from _at(meeting, reading))
    day, telling = day_in(meeting, reading.now.today), _telling(words)[:MOST_WORDS]
    for query in filter(None, dict.fromkeys([words, " ".join(telling), *telling])):
        found = yield from need("calendar_search", query=query, **_days(day, reading))
        if events := _of_people(found.rows("events"), reading):
            return events[0]
    return None


def _at(meeting: str, reading: Reading) -> Generator[Calls, Outcomes, Json | None]:
    """The first event with a guest on that day and at that time, as far as they are named."""
    clock = time_in(meeting)
    found = yield from need("calendar_search", **_days(day_in(meeting, reading.now.today), reading))
    events = _of_people(found.rows("events"), reading)
    timed = [event for event in events if clock is None or f"T{clock:%H:%M}" in str(event.get("start"))]
    return next((event for event in timed if guests_of(event, reading)), timed[0] if timed else None)


def _days(day: date | None, reading: Reading) -> Json:
    """The day that was named, else all from today on."""
    first = local(datetime.combine(day or reading.now.today, time()))
    return {"start": first, "end": local(day)} if day else {"start": first}


def _of_people(events: Sequence[Json], reading: Reading) -> list[Json]:
    """Those that are not over, and that the person did not decline; what lasts whole days comes last."""
    now = local(reading.now.at)
    ahead = [row for row in events if row.get("my_status") != "declined" and str(row.get("end", ""))[:16] > now[:16]]
    return sorted(ahead, key=lambda row: "T" not in str(row.get("start")))


# What is known about it -------------------------------------------------------------------------------------------


def _looked_up(
    event: Json, guests: Sequence[Json], focus: str, reading: Reading
) -> Generator[Calls, Outcomes, tuple[list[_Mail], list[str], list[str]]]:
    """Mails of its guests and about its subject, the files that they have, and what is remembered."""
    title, since = " ".join(_telling(plain(str(event["title"])))), f"newer_than:{WEEKS * 7}d"
    about = [f"{{{title.lower()}}} {since}"] if title else []
    queries = [f"from:{guest['email']} {since}" for guest in guests[:MOST_GUESTS]]
    searches = [Call("gmail_search", {"query": query, "limit": SEARCHED}) for query in [*about, *queries]]
    *found, remembered = yield (*searches, Call("search_memory", {"query": f"{title} {focus}".strip()}))
    threads = _ranked([row for outcome in found for row in outcome.rows("threads")], _telling(f"{title} {focus}"))
    read: Sequence[Outcome] = ()
    if threads:
        read = yield tuple(Call("gmail_thread_read", {"thread_id": row["thread_id"]}) for row in threads)
    mails = [mail for outcome in read if (mail := _newest(outcome, reading))]
    files = [text for outcome in read for text in _files(outcome)]
    return mails, files, [_note(row) for row in remembered.rows("memories")]


def _note(row: Json) -> str:
    saved = spoken_day(date.fromisoformat(str(row["saved_on"])))
    return f"{plain(str(row['text']))} (your note of {saved})"


def _ranked(rows: Sequence[Json], words: Sequence[str]) -> list[Json]:
    """Those whose subject, sender or beginning has most of these words, each once, the newest first among equals."""
    single = list({str(row["thread_id"]): row for row in rows if row.get("from")}.values())
    by_day = sorted(single, key=lambda row: str(row.get("date", ""))[4:], reverse=True)

    def hits(row: Json) -> int:
        said = f"{row.get('subject')} {row.get('from')} {row.get('snippet')}".lower()
        return sum(word.lower() in said for word in words)

    return sorted((row for row in by_day if hits(row)), key=hits, reverse=True)[:READ]


def _newest(read: Outcome, reading: Reading) -> _Mail | None:
    sent = [row for row in read.rows("messages") if not row.get("draft_id")]
    places = [place for place, row in enumerate(sent) if not reading.is_own(str(row.get("from", "")))]
    if not places:
        return None
    row = sent[places[-1]]
    return _Mail(
        subject=plain(str(read.get("subject") or "")),
        sender=str(row.get("from", "")),
        day=respoken(str(row.get("date", ""))).partition(",")[0],
        body=str(row.get("body", "")),
        is_answered=places[-1] < len(sent) - 1,
    )


def _files(read: Outcome) -> list[str]:
    subject = plain(str(read.get("subject") or ""))
    return [
        f"“{plain(str(file.get('name')))}” (attached to the mail “{subject}”)"
        for row in read.rows("messages")
        for file in attached_to(row)
    ]


# The brief --------------------------------------------------------------------------------------------------------


def _about(event: Json, focus: str, known: Sequence[str]) -> str:
    where, described = plain(str(event.get("where") or "")), gist(str(event.get("description") or ""))
    said = [f"“{plain(str(event['title']))}”, {event.get('when')}{f', {where}' if where else ''}."]
    said += [described if described[-1] in ".!?…" else f"{described}."] if described else []
    if focus and not any(word.lower() in text.lower() for word in _telling(focus) for text in known):
        said.append(f"I found nothing about {quoted(focus)}.")
    return " ".join(said)


def _guest(guest: Json, mails: Sequence[_Mail]) -> str:
    email = str(guest.get("email"))
    wrote = [mail for mail in mails if address(mail.sender).lower() == email.lower()]
    name = person(wrote[0].sender if wrote else email)
    comes = _ANSWERS.get(str(guest.get("status")), "has not answered the invitation")
    lately = f"; wrote about {listed([f'“{mail.subject}”' for mail in wrote])}" if wrote else ""
    return f"{name} ({email}) {comes}{lately}."


def _open(mails: Sequence[_Mail]) -> list[str]:
    return [
        f"{person(mail.sender)} asks: “{question}” ({mail.source})"
        for mail in mails
        if not mail.is_answered
        for question in questions_in(mail.body)
    ]


def _unanswered(guests: Sequence[Json]) -> list[str]:
    silent = [person(str(guest.get("email"))) for guest in guests if guest.get("status") == "needsAction"]
    return [f"Whether {listed(silent)} will come (the invitation)."] if silent else []


def guests_of(event: Json, reading: Reading) -> list[Json]:
    """Its guests without the person, as far as their address shows who they are."""
    guests = cast("list[Json]", event.get("guests") or [])
    return [guest for guest in guests if not reading.is_own(str(guest.get("email")))]


def _telling(text: str) -> list[str]:
    """The words of a text that say what it is about."""
    return [word for word in _WORD.findall(text) if word.lower() not in _COMMON]
