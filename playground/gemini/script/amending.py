"""A reply instead of a decision on a card: the same calls once more, with the change."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from datetime import date
from typing import Any

from playground.gemini.answers import Call
from playground.gemini.schema import Json
from playground.gemini.script import agenda
from playground.gemini.script.dates import day_in, duration_in, local, time_in, times_in, without_times
from playground.gemini.script.doing import Calls, Doing, Outcomes, Told, saying
from playground.gemini.script.mail import addresses_of, names_in
from playground.gemini.script.patterns import SAYING, WHO
from playground.gemini.script.phrases import done, failed, todo
from playground.gemini.script.reading import MISSED, Reading
from playground.gemini.script.wording import ADDRESS, listed, quoted, sentence, subject_for

MAILS = frozenset({"gmail_send", "gmail_reply", "gmail_draft_create"})
EVENTS = frozenset({"calendar_event_create", "calendar_event_update"})

_HESITATION = re.compile(
    r"^(?:(?:no|nah|wait|actually|sorry|hm+|oh|well|better|rather|please|but|and|instead|(?:can|could) you)\b"
    r"[\s,.;:!]*)+",
    re.I,
)
_NOT_BUT = re.compile(
    r"^(?:it(?:['’]s| is)\s+)?not\s+(?P<old>.+?)\s*(?:,\s*(?:but\s+)?|;\s*|\bbut\s+)(?P<new>.+)$", re.I
)
_BUT_NOT = re.compile(r"^(?P<new>.+?),?\s+(?:(?:and\s+)?not|instead\s+of|rather\s+than)\s+(?P<old>.+)$", re.I)
_REPLACE = re.compile(r"^(?:replace|change)\s+(?P<old>.+?)\s+(?:with|by|to|into)\s+(?P<new>.+)$", re.I)
_SUBJECT = re.compile(
    r"^(?:(?:make|change|set|call)\s+)?(?:the\s+)?(?:subject|title)(?:\s+line)?\s*"
    r"(?:to|is|should be|:|=)\s*(?P<new>.+)$",
    re.I | re.S,
)
_SAY = re.compile(
    rf"^(?:(?:just\s+)?(?:say|write)(?:\s+to\s+(?:her|him|them))?|tell\s+(?:her|him|them)|let\s+(?:her|him|them)\s+know|"
    rf"it\s+should\s+say|(?:make|have)\s+it\s+say)\b{SAYING}?\s*(?P<body>.+)$",
    re.I | re.S,
)
_SAY_THAT = re.compile(r"^(?:just\s+)?(?:say|write|tell\s+(?:her|him|them))\s+that\b", re.I)
"""What follows is a text, whatever stands in it."""
_ADD = re.compile(
    r"^(?:also\s+)?(?:add|mention|append|also\s+(?:say|tell\s+\w+|write))\s*:?\s*(?:that\s+)?(?P<body>.+)$", re.I | re.S
)
_TO = re.compile(rf"^(?:(?:send|mail|address)\s+(?:it|that|this)\s+)?to\s+{WHO}(?:\s+instead)?[.!?]*$")
_BECOMES = re.compile(
    r"^(?:(?:make|do|have|move|put|set|shift|change|take|try)\s+(?:it|that|this)\s+)?"
    r"(?:(?:is|be|to|say|it(?:['’]s| is)|should be|must be)\s+)*"
    r"(?P<when>.+?)(?:\s+(?:instead|please|then|rather))*[\s.!?]*$",
    re.I,
)
_GREETING = re.compile(r"^(?:Hi|Hello)\b[^\n]*")
_LETTER = re.compile(r"^(?P<hello>(?:Hi|Hello)\b[^\n]*\n\n)(?P<body>.*?)(?P<bye>\n\nBest regards.*)?$", re.S)
_FILLERS = re.compile(r"(?:\b(?:the|on|at|in|of|by|for|and|to|next|this)\b|\W)+", re.I)
_NO_PREPOSITION = re.compile(r"today|tomorrow|tonight|next|in\b|noon|midday|the day", re.I)
_ANY_DAY = date(2000, 1, 1)


def understood(reading: Reading) -> Doing | None:
    """The superseded calls with the change that the person's words ask for; None if they ask for none."""
    if not reading.superseded:
        return None
    said = _HESITATION.sub("", reading.asked.strip()).strip()
    if re.match(r"(?:never\s?mind|forget it|leave it|skip it|cancel)\b", said, re.I):
        return saying("All right, I leave it. Nothing was done.")
    if re.match(r"(?:to|send|mail|address)\b", said, re.I) and (match := _TO.match(said)):
        return _addressed(reading, match["who"])
    changed = tuple(Call(call.name, _changed(call, said, reading)) for call in reading.superseded)
    if all(new.args == old.args for new, old in zip(changed, reading.superseded, strict=True)):
        return None
    return _anew(changed)


def not_understood(reading: Reading) -> Doing:
    """The answer to words that are not understood: it names what was withdrawn, and how to change it."""
    withdrawn = listed([todo(call) for call in reading.superseded])
    return saying(
        f"{MISSED}{quoted(reading.asked)}, so I did not {withdrawn}. As a script I know changes like "
        "“make it Tuesday”, “not Friday, Thursday”, “at 4pm instead”, “say that …”, “add that …”, “to Jonas instead”, "
        "“never mind”. Ask me again for the whole, and I prepare it anew."
    )


def _anew(calls: Calls) -> Doing:
    outcomes = yield calls
    said = " ".join(failed(outcome) if outcome.error else done(outcome) for outcome in outcomes)
    return said if any(outcome.error for outcome in outcomes) else Told(said)


def _addressed(reading: Reading, who: str) -> Doing:
    to: list[str] = yield from _known(who, reading.tools)
    first = names_in(who)[0]
    hello = "Hello," if len(to) > 1 or ADDRESS.fullmatch(first) else f"Hi {first.split()[0].capitalize()},"
    calls = tuple(
        Call(call.name, {**call.args, "to": to, "body": _GREETING.sub(hello, str(call.args.get("body", "")))})
        if "to" in call.args
        else call
        for call in reading.superseded
    )
    return (yield from _anew(calls))


def _known(who: str, tools: frozenset[str]) -> Generator[Calls, Outcomes, list[str]]:
    return (yield from addresses_of(names_in(who), tools))


def _changed(call: Call, said: str, reading: Reading) -> Json:
    args: Json = dict(call.args)
    if match := _SUBJECT.match(said):
        field = "title" if call.name in EVENTS else "subject"
        return {**args, field: match["new"].strip(" .\"“”'")}
    match = _NOT_BUT.match(said) or _BUT_NOT.match(_bare(said)) or _REPLACE.match(said)
    if match and not (call.name in MAILS and _SAY_THAT.match(said)):
        return _replaced(call, _bare(match["old"]), _bare(match["new"]), reading)
    if call.name in MAILS and (match := _ADD.match(said)):
        return {**args, "body": _added(str(args.get("body", "")), sentence(match["body"]))}
    if call.name in MAILS and (match := _SAY.match(said)) and not _is_only_time(match["body"]):
        return _said(args, sentence(match["body"]))
    match = _BECOMES.match(said)
    return _timed(call, match["when"], reading) if match and _is_only_time(match["when"]) else args


def _bare(text: str) -> str:
    match = _BECOMES.match(text.strip())
    return match["when"].strip(" .\"“”'") if match else text.strip()


def _is_only_time(text: str) -> bool:
    """Whether the words are only days and times: `Tuesday`, `on Friday at 4pm`."""
    return bool(times_in(text) or duration_in(text)) and not _FILLERS.sub("", without_times(text))


def _replaced(call: Call, old: str, new: str, reading: Reading) -> Json:
    """Replaces one piece of the texts by another, or moves an event's day or time."""
    args: Json = dict(call.args)
    if call.name in EVENTS and _is_only_time(new):
        return _timed(call, new, reading)
    found = re.compile(rf"\b{re.escape(old)}\b", re.I)
    for field in ("subject", "body", "title", "location"):
        if isinstance(args.get(field), str):
            args[field] = found.sub(lambda _: new, str(args[field]))
    return args if args != call.args or not _is_only_time(new) else _retold(args, new)


def _timed(call: Call, when: str, reading: Reading) -> Json:
    return _moved(call.args, when, reading) if call.name in EVENTS else _retold(call.args, when.strip())


def _moved(args: Mapping[str, Any], when: str, reading: Reading) -> Json:
    if "start" not in args:
        return dict(args)
    start, end = agenda.moved(dict(args), when, reading)
    return {**args, "start": local(start), "end": local(end)}


def _retold(args: Mapping[str, Any], when: str) -> Json:
    """Puts a day or a time into a mail: in place of the first one there, else behind the last sentence."""
    told = dict(args)
    behind: list[str] = []
    for kind in (_is_day, _is_clock):
        new = next((_bare_time(found) for found in times_in(when) if kind(found)), "")
        fields = {field: _with_time(str(args[field]), new, kind) for field in ("subject", "body") if field in args}
        if new and fields["body"] == args["body"]:
            behind.append(new if _NO_PREPOSITION.match(new) else f"{'on' if kind is _is_day else 'at'} {new}")
        elif new:
            told |= fields
            args = told
    if behind:
        letter = _LETTER.match(str(told["body"]))
        sentences = (letter["body"] if letter else str(told["body"])).rstrip(".!? \n")
        told = _said(told, f"{sentences} {' '.join(behind)}.")
    return told


def _with_time(text: str, new: str, kind: Callable[[str], bool]) -> str:
    old = next((found for found in times_in(text) if kind(found)), "")
    if not old or not new:
        return text
    preposition = r"(?:\b(?:on|at)\s+)?" if _NO_PREPOSITION.match(new) else ""
    return re.sub(rf"{preposition}{re.escape(_bare_time(old))}", lambda _: new, text, count=1)


def _bare_time(found: str) -> str:
    return re.sub(r"(?i)^(?:on|at|this)\s+|^@\s*", "", found)


def _is_day(found: str) -> bool:
    return day_in(found, _ANY_DAY) is not None


def _is_clock(found: str) -> bool:
    return time_in(found) is not None


def _added(body: str, more: str) -> str:
    letter = _LETTER.match(body)
    return f"{letter['hello']}{letter['body']} {more}{letter['bye'] or ''}" if letter else f"{body} {more}"


def _said(args: Json, told: str) -> Json:
    """The letter with other words between greeting and farewell, and a new subject if it came from the old words."""
    letter = _LETTER.match(str(args.get("body", "")))
    if letter is None:
        return {**args, "body": told}
    whole = f"{letter['hello']}{told}{letter['bye'] or ''}"
    is_made_of_it = "subject" in args and args["subject"] == subject_for(letter["body"])
    return {**args, **({"subject": subject_for(told)} if is_made_of_it else {}), "body": whole}
