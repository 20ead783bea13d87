"""A reply that somebody wrote, polished: the request itself, and the three steps of the agent that does it."""

from __future__ import annotations

import re

from playground.gemini.schema import Json
from playground.gemini.script import mail
from playground.gemini.script.doing import Doing, Stuck, need, one
from playground.gemini.script.patterns import MAIL
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import ENDING_TOOL, Reading
from playground.gemini.script.wording import address, first_name, framed, letter, person, plain, quoted, sentence

AGENT = "reply_polisher"

_WHOSE_MAIL = rf"(?P<whose>\w+)['’]s\s+(?:{MAIL})(?:\s+about\s+(?P<topic>[^:<]+))?"
_ASKED = re.compile(
    rf"^polish\s+my\s+(?:reply|answer)\s+to\s+(?P<mail>{_WHOSE_MAIL}):\s*(?P<reply>.+)",
    re.I | re.S,
)
_MEANT = re.compile(_WHOSE_MAIL, re.I)
_READ = re.compile(r"^Find the mail that I answer.*?<mail>\s*(?P<mail>.*?)\s*</mail>", re.S)
_POLISH = re.compile(
    r"^Polish this reply\..*?<reply>\s*(?P<reply>.*?)\s*</reply>.*?<thread>\s*(?P<thread>.*?)\s*</thread>", re.S
)
_SAVE = re.compile(
    r"^Read the mail thread that is named below\..*?<reply>\s*(?P<reply>.*?)\s*</reply>.*?"
    r"<thread>\s*(?P<thread>.*?)\s*</thread>",
    re.S,
)
_THREAD = re.compile(r"Thread (?P<id>\S+): ")
_WROTE = re.compile(r"^- \*\*(?P<who>[^*]+)\*\* \(", re.M)


def understood(text: str, reading: Reading) -> Doing | None:
    """The task of such a text."""
    if (match := _ASKED.match(text)) and AGENT in reading.tools:
        return _giving(match["mail"].strip(), match["reply"])
    if match := _READ.match(text):
        return _reading(match["mail"])
    if match := _SAVE.match(text):
        return _saving(match["thread"], match["reply"], reading)
    if match := _POLISH.match(text):
        return _polishing(match["reply"], match["thread"], reading)
    return None


def _giving(meant: str, reply: str) -> Doing:
    polished = yield from one(AGENT, mail=meant, reply=reply)
    return failed(polished) if polished.error else f"Polished:\n\n{plain(str(polished.output))}"


def _reading(meant: str) -> Doing:
    """Find the mail, and say what its thread says."""
    named = _MEANT.fullmatch(meant)
    if named:
        thread = yield from mail.found_thread(named["whose"], mail.keywords(named["topic"] or ""))
    else:
        found = yield from need("gmail_search", query=meant, limit=5)
        if not found.rows("threads"):
            raise Stuck(f"I found no mail for {quoted(meant)}.")
        thread = found.rows("threads")[0]
    said = yield from mail.summarising(str(thread["thread_id"]))
    return f"Thread {thread['thread_id']}: {said}"


def _polishing(reply: str, thread: str, reading: Reading) -> Doing:
    """The whole reply: with the greeting and the farewell that the person wrote, or with the usual ones."""
    yield from ()
    others = [who for who in _WROTE.findall(thread) if not reading.is_own(who)]
    greeting, body, farewell = framed(reply)
    whole = [greeting, sentence(" ".join(body.split())), farewell]
    return letter(to=first_name(others[-1]) if others else "", body="\n".join(filter(None, whole)))


def _saving(said: str, reply: str, reading: Reading) -> Doing:
    """Whom it answers stands in the thread."""
    named = _THREAD.match(said)
    if named is None:
        return (yield from _handing_over(reply, f"Not saved. {said}"))
    read, sender = yield from mail.read_thread(named["id"], reading)
    subject, to = f"Re: {plain(str(read.get('subject') or ''))}", address(sender)
    saved = yield from one(
        "gmail_draft_create", to=[to] if to else [], subject=subject, body=reply, thread_id=named["id"]
    )
    if saved.error:
        return (yield from _handing_over(reply, f"Not saved. {failed(saved)}"))
    own = mail.own_newest(read.rows("messages"), reading)
    followed = f" {mail.follows(own)}" if own else ""
    return (yield from _handing_over(reply, f"Saved for {person(sender)} under “{subject}”.{followed}"))


def _handing_over(reply: str, draft: str) -> Doing:
    result: Json = {"text": reply, "draft": draft, "changes": []}
    yield from one(ENDING_TOOL, result=result)
    return "Handed over."
