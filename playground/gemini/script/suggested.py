"""What the manifest suggests: mails that wait for an answer, a week with its clashes, and an answer to the newest mail
that asks something.
"""

from __future__ import annotations

import re

from playground.gemini.schema import Json
from playground.gemini.script import agenda, mail
from playground.gemini.script.doing import Doing, need
from playground.gemini.script.patterns import MAIL
from playground.gemini.script.reading import Reading
from playground.gemini.script.wording import gist, person, plain

DAYS = 2
LOOKED_AT = 10
READ = 5
"""Mails that are read, newest first, until one asks something."""

_WAITING = re.compile(
    rf"\b(?:{MAIL})\b(?:.*\b(?:last|past)\s+(?P<days>\w+)\s+days\b)?.*\bwait(?:s|ing)?\s+for\s+an?\s+(?:answer|reply)\b",
    re.I | re.S,
)
_NEWEST = re.compile(
    rf"\b(?:newest|latest|last)\s+(?:{MAIL})\s+that\s+asks\b.*\b(?:draft|write)\s+an?\s+(?:answer|reply)", re.I | re.S
)
_CLASHES = re.compile(r"^(?:what(?:['’]s|\s+is)|show)\b.*\bcalendar\b.*\b(?:clash|overlap|conflict)", re.I | re.S)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "seven": 7}


def understood(text: str, reading: Reading) -> Doing | None:
    """The task of such a request."""
    if match := _WAITING.search(text):
        said = (match["days"] or "").lower()
        return waiting(int(said) if said.isdecimal() else _NUMBERS.get(said, DAYS), reading)
    if _CLASHES.search(text):
        return agenda.listing(text, reading)
    return answering_newest(reading) if _NEWEST.search(text) else None


def waiting(days: int, reading: Reading) -> Doing:
    """List the threads of these days whose newest mail is somebody else's."""
    found = yield from need("gmail_search", query=f"in:inbox newer_than:{days}d", limit=LOOKED_AT)
    rows = _of_others(found.rows("threads"), reading)
    if not rows:
        return f"No mail of the last {days} days waits for an answer from you."
    lines = [
        f"{number}. **{plain(str(row.get('subject', '')))}** from {person(str(row.get('from', '')))}: "
        f"{gist(str(row.get('snippet', '')), characters=120)}"
        for number, row in enumerate(rows, start=1)
    ]
    return f"Mails of the last {days} days that you have not answered:\n" + "\n".join(lines)


def answering_newest(reading: Reading) -> Doing:
    """Read the newest mails until one asks something, then draft an answer to it."""
    found = yield from need("gmail_search", query="in:inbox", limit=LOOKED_AT)
    for row in _of_others(found.rows("threads"), reading)[:READ]:
        read = yield from need("gmail_thread_read", thread_id=row["thread_id"])
        if any("?" in str(message.get("body", "")) for message in _of_others(read.rows("messages"), reading)[-1:]):
            return (yield from mail.replying(reading, str(row["thread_id"]), "", as_draft=True))
    return "None of your newest mails asks you something, so I drafted nothing."


def _of_others(rows: list[Json], reading: Reading) -> list[Json]:
    return [row for row in rows if not reading.sender or reading.sender.lower() not in str(row.get("from", "")).lower()]
