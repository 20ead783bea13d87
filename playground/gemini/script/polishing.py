"""A reply that somebody wrote, polished: the request itself, and the three steps of the agent that does it."""

from __future__ import annotations

import re

from playground.gemini.schema import Json
from playground.gemini.script import mail
from playground.gemini.script.doing import Doing, one
from playground.gemini.script.patterns import MAIL
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import Reading
from playground.gemini.script.structured import ENDING_TOOL
from playground.gemini.script.wording import address, first_name, letter, plain, sentence

AGENT = "reply_polisher"

_ASKED = re.compile(
    rf"^polish\s+my\s+(?:reply|answer)\s+to\s+(?P<whose>\w+)['’]s\s+(?:{MAIL})(?:\s+about\s+(?P<topic>[^:]+))?:\s*(?P<reply>.+)",
    re.I | re.S,
)
_READ = re.compile(r"^Read the mail thread (?P<thread>\S+)\. Say who asks what")
_POLISH = re.compile(r"^Polish this reply\..*?<reply>\s*(?P<reply>.*?)\s*</reply>", re.S)
_SAVE = re.compile(
    r"^Read the mail thread (?P<thread>\S+)\. Then save this text.*?<reply>\s*(?P<reply>.*?)\s*</reply>", re.S
)


def understood(text: str, reading: Reading) -> Doing | None:
    """The task of such a text."""
    if (match := _ASKED.match(text)) and AGENT in reading.tools:
        return _giving(match["whose"], match["topic"] or "", match["reply"])
    if match := _READ.match(text):
        return mail.summarising(match["thread"])
    if match := _SAVE.match(text):
        return _saving(match["thread"], match["reply"], reading)
    if match := _POLISH.match(text):
        return _polishing(match["reply"])
    return None


def _giving(whose: str, topic: str, reply: str) -> Doing:
    thread = yield from mail.found_thread(whose, topic)
    polished = yield from one(AGENT, thread_id=str(thread["thread_id"]), reply=reply)
    return failed(polished) if polished.error else f"Polished:\n\n{plain(str(polished.output))}"


def _polishing(reply: str) -> Doing:
    yield from ()
    return sentence(" ".join(reply.split()))


def _saving(thread: str, reply: str, reading: Reading) -> Doing:
    """Whom it answers stands in the thread."""
    read, sender = yield from mail.read_thread(thread, reading)
    subject, to = plain(str(read.get("subject") or "")), address(sender)
    body = letter(to=first_name(sender), body=reply)
    saved = yield from one(
        "gmail_draft_create", to=[to] if to else [], subject=f"Re: {subject}", body=body, thread_id=thread
    )
    if saved.error:
        return failed(saved)
    result: Json = {"text": reply, "draft_id": str(saved.get("draft_id")), "changes": []}
    yield from one(ENDING_TOOL, result=result)
    return "Handed over."
