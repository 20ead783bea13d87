"""Requests about time: reminders, the briefing, and the buttons on its items."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from datetime import datetime, time, timedelta
from typing import cast

from playground.gemini.schema import Json
from playground.gemini.script import mail
from playground.gemini.script.dates import WEEKDAYS, day_in, local, time_in, without_times
from playground.gemini.script.doing import Calls, Doing, Outcomes, Stuck, Told, need, one
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import Reading
from playground.gemini.script.wording import plain

MORNING = time(9)

_REMIND = re.compile(r"^(?:set\s+(?:me\s+)?(?:up\s+)?a\s+reminder|remind\s+me)\b\s*(?P<rest>.*)$", re.I | re.S)
_UNANSWERED = re.compile(
    r"\b(?:if|unless|when)\s+(?:nobody|no\s*one|no-one|somebody|anybody|someone|anyone|(?P<whose>[A-Z]\w+))\s+"
    r"(?:has\s+|have\s+|hasn['’]t\s+|doesn['’]t\s+)?(?:not\s+)?(?:answer|repl|respond|writ)\w*"
    r"(?P<rest>.*?)\s*\bby\s+(?P<when>.+)$",
    re.I | re.S,
)
_OF = re.compile(r"\b(?P<whose>[A-Z]\w+)['’]s\s+(?:mail|e-?mail|message)")
_EVERY = re.compile(
    rf"\b(?:every|each)\s+(?P<days>weekday|working\s+day|workday|day|morning|(?:{'|'.join(WEEKDAYS)})"
    rf"(?:\s*(?:,|and)\s*(?:{'|'.join(WEEKDAYS)}))*)s?\b|\b(?P<daily>daily)\b",
    re.I,
)
_SOON = re.compile(r"\bin\s+(?P<count>\d+|an?|half\s+an|two|three)\s*(?P<unit>minutes?|mins?|hours?|h)\b", re.I)
_NUMBERS = {"a": 1, "an": 1, "two": 2, "three": 3}
_BRIEFING = re.compile(
    r"^(?:brief\s+me|(?:send|give|make|get)\s+me\s+(?:my|a|the)\s+(?:daily\s+)?briefing|my\s+(?:daily\s+)?briefing)\b"
    r"|\b(?:daily|morning)\s+briefing\b|\bwhat\s+does\s+my\s+(?:day|morning)\s+look\s+like|\bhow\s+does\s+my\s+day\s+look",
    re.I,
)
_LIST = re.compile(
    r"\b(?:what|which|show|list|any|do i have)\b.*\breminders?\b|^(?:my\s+)?reminders?[?.!\s]*$", re.I | re.S
)
_REMOVE = re.compile(
    r"^(?:remove|delete|cancel|forget)\s+(?:the|my)\s+(?:reminder|briefing)\b(?P<rest>.*)$", re.I | re.S
)
_ITEM = re.compile(
    r"^(?:(?P<answer>answer\s+this\s+mail\s+for\s+me)|(?P<open>show\s+me\s+this\s+mail)"
    r"|(?P<prepare>help\s+me\s+to\s+prepare\s+this\s+meeting))\b",
    re.I,
)
_LEAD = re.compile(r"^(?:to|that|about|of|:)\s+", re.I)
_TOWARDS = re.compile(r"^(?P<when>.*?)\b(?:to|that|about)\s+(?P<what>.+)$", re.I | re.S)


def understood(clause: str, reading: Reading) -> Doing | None:
    """The task of a clause about time, if it is one."""
    if (match := _ITEM.match(clause)) and (item := _attached(reading)):
        return _on_item(match, item, reading)
    if match := _REMOVE.match(clause):
        return removing(match["rest"])
    if match := _REMIND.match(clause):
        waits = _UNANSWERED.search(match["rest"])
        return waiting(waits, match["rest"], reading) if waits else reminding(match["rest"], reading)
    if _BRIEFING.search(clause):
        return briefing(clause)
    return listing() if _LIST.search(clause) else None


# Reminders --------------------------------------------------------------------------------------------------------


def reminding(rest: str, reading: Reading) -> Doing:
    """Set a reminder, once or repeatedly."""
    when, what = _halves(rest)
    days = _EVERY.search(when)
    if days:
        clock = time_in(when) or MORNING
        made = yield from one("reminder_set", text=what, at=f"{clock:%H:%M}", weekdays=_weekdays(days))
    else:
        made = yield from one("reminder_set", text=what, at=local(_moment(when, reading)))
    if made.error:
        return failed(made)
    if days:
        return Told(f"I will remind you {made.get('when')}: {what}. The first time is {made.get('next')}.")
    return Told(f"I will remind you on {made.get('next')}: {what}.")


def waiting(match: re.Match[str], rest: str, reading: Reading) -> Doing:
    """Set a reminder unless an answer comes: to the mail at hand, the named one, or the last one sent."""
    day, clock = day_in(match["when"], reading.now.today), time_in(match["when"]) or MORNING
    if day is None:
        raise Stuck("By when? Tell me the day, and I will watch for an answer until then. Nothing was set.")
    thread_id, subject = yield from _thread(rest, match["whose"], reading)
    text = f"nobody has answered “{subject}”" if subject else "nobody has answered your mail"
    at = local(datetime.combine(day, clock))
    made = yield from one("reminder_set", text=text, at=at, unless_answered=thread_id)
    if made.error:
        return failed(made)
    return Told(
        f"If nobody has answered “{subject}” by {made.get('next')}, I remind you then; otherwise I say nothing."
    )


def _thread(rest: str, whose: str | None, reading: Reading) -> Generator[Calls, Outcomes, tuple[str, str]]:
    item = _attached(reading)
    if item.get("type") == "email":
        return str(item["id"]), str(item.get("title", ""))
    named = _OF.search(rest)
    known = [seen for seen in reading.objects if seen.kind == "mail_thread"]
    if not (named or whose) and known:
        return known[0].id, known[0].title
    if named or whose:
        row = yield from mail.found_thread(named["whose"] if named else str(whose), "")
    else:
        found = yield from need("gmail_search", query="in:sent", limit=1)
        if not found.rows("threads"):
            raise Stuck("Which mail do you mean? I found none that you sent. Nothing was set.")
        row = found.rows("threads")[0]
    return str(row["thread_id"]), plain(str(row.get("subject", "")))


def listing() -> Doing:
    found = yield from need("reminders")
    rows = found.rows("reminders")
    lines = [f"- {_title(row)}: {row.get('next') or 'paused'}{_rule(row)}" for row in rows]
    return "This is planned:\n" + "\n".join(lines) if lines else "No reminder is set."


def _rule(row: Json) -> str:
    """Of one that comes again; the moment says it of one that comes once."""
    when = str(row.get("when", ""))
    return "" if when.startswith("once") and row.get("next") else f" ({when})"


def removing(rest: str) -> Doing:
    """Remove the only reminder that has the words."""
    found = yield from need("reminders")
    words = _LEAD.sub("", rest.strip(" .?!")).lower()
    rows = [row for row in found.rows("reminders") if words in _title(row).lower()]
    if len(rows) != 1:
        named = ", ".join(f"“{_title(row)}”" for row in rows)
        raise Stuck(f"Which one do you mean: {named}? Nothing was removed." if rows else "I found no such reminder.")
    gone = yield from one("reminder_remove", reminder_id=rows[0]["id"])
    return failed(gone) if gone.error else Told(f"Removed: “{_title(rows[0])}”.")


def _title(row: Json) -> str:
    return plain(str(row.get("title", "")))


def _halves(rest: str) -> tuple[str, str]:
    """When and what: `at 4 to call Dana` as well as `to call Dana at 4`."""
    rest = rest.strip(" .!")
    match = _TOWARDS.match(rest)
    if match and match["when"].strip():
        return match["when"], match["what"].strip()
    said = _LEAD.sub("", rest)
    what = without_times(_SOON.sub("", _EVERY.sub("", said)))
    if not what:
        raise Stuck("What shall I remind you of? Tell me, with the time, and I will set it.")
    return said, what


def _moment(when: str, reading: Reading) -> datetime:
    """The next such moment; a day alone means its morning."""
    now = reading.now.at.replace(tzinfo=None)
    if soon := _SOON.search(when):
        word = soon["count"].lower()
        count = 0.5 if word.startswith("half") else float(_NUMBERS.get(word) or int(word))
        return now + (timedelta(hours=count) if soon["unit"].lower().startswith("h") else timedelta(minutes=count))
    day, clock = day_in(when, reading.now.today), time_in(when)
    if day is None and clock is None:
        raise Stuck("When shall I remind you? Tell me the day or the time, and I will set it.")
    at = datetime.combine(day or reading.now.today, clock or MORNING)
    return at + timedelta(days=1) if day is None and at <= now else at


def _weekdays(match: re.Match[str]) -> Sequence[str]:
    said = (match["days"] or "day").lower()
    short = [name[:3] for name in WEEKDAYS]
    if said.startswith(("weekday", "work")):
        return short[:5]
    named = [name[:3] for name in WEEKDAYS if name in said]
    return named or short


# The briefing -----------------------------------------------------------------------------------------------------


def briefing(clause: str) -> Doing:
    """Send a briefing now, or schedule it."""
    days = _EVERY.search(clause)
    if days and (days["days"] or time_in(clause)):
        at = f"{time_in(clause) or time(8):%H:%M}"
        made = yield from one("briefing_schedule", at=at, weekdays=_weekdays(days))
        if made.error:
            return failed(made)
        return Told(f"I will brief you {made.get('when')} in your direct messages, first on {made.get('next')}.")
    sent = yield from one("briefing_send")
    if sent.error:
        return failed(sent)
    holds = [str(line) for line in cast("list[object]", sent.get("holds") or [])]
    return Told(f"Your briefing stands in our direct messages: {'; '.join(holds)}.")


def _on_item(match: re.Match[str], item: dict[str, object], reading: Reading) -> Doing | None:
    name = str(item.get("id", ""))
    if match["prepare"]:
        return preparing(item) if item.get("type") == "calendar_event" else None
    if item.get("type") != "email":
        return None
    return mail.replying(reading, name, "") if match["answer"] else mail.summarising(name)


def preparing(item: dict[str, object]) -> Doing:
    """Say what the meeting is, and which mails are about it."""
    title, meta = str(item.get("title", "")), cast("dict[str, object]", item.get("meta") or {})
    words = [word for word in re.findall(r"\w+", title) if len(word) > 3][:2]
    found = yield from need("gmail_search", query=" ".join(words) or title, limit=3)
    about = [f"- **{plain(str(row.get('subject', '')))}**: {row.get('from', '')}" for row in found.rows("threads")]
    when = ", ".join(str(meta[name]) for name in ("when", "where", "people") if meta.get(name))
    mails = "\nMails about it:\n" + "\n".join(about) if about else "\nI found no mail about it."
    return f"**{title}**{f' ({when})' if when else ''}{mails}"


def _attached(reading: Reading) -> dict[str, object]:
    """The first mail or event that is attached."""
    for line in reading.attached.splitlines():
        try:
            value: object = json.loads(line)
        except ValueError:
            continue
        item = cast("dict[str, object]", value) if isinstance(value, dict) else {}
        if item.get("type") in {"email", "calendar_event"}:
            return item
    return {}
