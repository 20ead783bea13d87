"""Requests about mail: send, answer, draft, search, read."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import cast

from playground.gemini.schema import Json
from playground.gemini.script import patterns
from playground.gemini.script.dates import day_in, local, respoken, time_in, without_times
from playground.gemini.script.doing import Calls, Doing, Outcomes, Stuck, Told, need, one
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import Outcome, Reading
from playground.gemini.script.wording import (
    ADDRESS,
    address,
    counted,
    first_name,
    gist,
    letter,
    listed,
    person,
    plain,
    sentence,
    subject_for,
)

_STOP_WORDS = frozenset(
    {"the", "a", "an", "my", "our", "his", "her", "their", "of", "me", "all", "any", "mail", "mails"}
)
_NOBODY = frozenset(
    {"me", "us", "him", "her", "them", "it", "a", "an", "the", "my", "back", "to", "that", "this", "everyone"}
)
_TO_ALL = re.compile(
    r"\b(answer|reply|respond)(?:[- ](?:to )?)(?:all|everyone|everybody)\b(?:\s+(?:on|in|to|of)\b)?", re.I
)
_FROM_ADDRESS = re.compile(rf"\s*\bfrom\s+(?P<address>{ADDRESS.pattern})", re.I)
_WHEN = re.compile(
    rf"\s*(?P<when>(?:[^,;:]|(?<=\d):(?=\d)){{3,40}}?)(?={patterns.SAYING}\s)".replace("\\ ", "[ ]"), re.I | re.S | re.X
)

_BEFORE_SUBJECT = re.compile(r"[\s,;]*(?:\b(?:with|and)\b)?(?:\s*\b(?:the|a)\b)?\s*$", re.I)
_AFTER_SUBJECT = re.compile(r"^\s*and\s+(?!say\b|tell\b)", re.I)
"""The words around “subject …”, which belong neither to the subject nor to the text."""


def understood(clause: str, reading: Reading) -> Doing | None:
    """The task of a clause about mail, if it is one."""
    is_draft = re.search(r"\bdraft\b", clause, re.I) is not None
    text = patterns.DRAFT.sub("write a ", clause) if is_draft else clause
    text = re.sub(r"(?i)^write a (reply|answer)\b", "reply", text)
    text, to_all = _TO_ALL.subn(r"\1 to", text)
    for pattern in patterns.ANSWER:
        if match := pattern.search(text):
            return answering(reading, match["whose"], match["rest"], as_draft=is_draft, to_all=bool(to_all))
    for pattern in patterns.SEND:
        match = pattern.search(text)
        if match and match["who"].lower() not in _NOBODY:
            return sending(reading, match["who"], match["rest"], as_draft=is_draft)
    if patterns.ENDLESS.search(clause):
        return searching_for_ever()
    if match := patterns.WROTE.search(clause):
        return telling(reading, match["whose"], _topic(clause))
    if patterns.SEARCH.search(clause):
        return searching(reading, clause)
    return None


# Sending ----------------------------------------------------------------------------------------------------------


def sending(reading: Reading, who: str, rest: str, *, as_draft: bool) -> Doing:
    """Find the addresses, then send or save one mail."""
    names = names_in(who)
    to = yield from addresses_of(names, reading.tools)
    rest, how = manner(rest, reading)
    subject, body = _subject_and_body(rest)
    if not body:
        raise Stuck(f"What shall I write to {listed(names)}? Tell me the text, and I will prepare the mail.")
    nameless = len(names) > 1 or ADDRESS.fullmatch(names[0]) or names[0].startswith("<@")
    greeted = "" if nameless else names[0].split()[0].capitalize()
    text = letter(to=greeted, body=body)
    if as_draft:
        sender = {key: value for key, value in how.items() if key != "send_at"}
        saved = yield from one("gmail_draft_create", to=to, subject=subject, body=text, **sender)
        told = Told(f"The draft “{subject}” to {listed(to)} is saved. Nothing was sent.")
        return failed(saved) if saved.error else told
    sent = yield from one("gmail_send", to=to, subject=subject, body=text, **how)
    return failed(sent) if sent.error else _left(sent, f"the mail “{subject}” to {listed(to)}", how)


def manner(rest: str, reading: Reading) -> tuple[str, dict[str, str]]:
    """The part of the clause about time and sender address, and the rest."""
    how: dict[str, str] = {}
    if sender := _FROM_ADDRESS.match(rest):
        how["from_address"], rest = sender["address"], rest[sender.end() :]
    later = _WHEN.match(rest)
    if later and (clock := time_in(later["when"])) and not without_times(later["when"]):
        day = day_in(later["when"], reading.now.today) or reading.now.today
        how["send_at"], rest = local(datetime.combine(day, clock)), rest[later.end() :]
    return rest, how


def _left(sent: Outcome, what: str, how: Mapping[str, str]) -> str:
    """Said only as far as the result says it."""
    if sent.get("sent") is False:
        return Told(f"As you chose, {what} is saved as a draft. Nothing was sent.")
    if sent.get("status") == "scheduled" and sent.get("local_time"):
        return Told(f"Planned: {what} leaves on {sent.get('local_time')}, unless it is undone before.")
    if sent.get("status") == "not_scheduled_any_more":
        return f"About what was planned, {what}: {sent.get('outcome')}"
    if sent.get("sent") or "send_at" not in how:
        return Told(f"Sent: {what}.")
    return Told(f"Planned: {what} leaves at {how['send_at'].replace('T', ' ')}, unless it is undone before.")


def names_in(who: str) -> list[str]:
    """`Helen, Bruno and x@y.example` as three."""
    return re.split(r"\s*,\s*|\s+and\s+", who.strip())


def addresses_of(names: Sequence[str], tools: frozenset[str] = frozenset()) -> Generator[Calls, Outcomes, list[str]]:
    """The addresses of people, each known by address or by name."""
    found: dict[str, str] = {}
    for name in names:
        found[name] = name if ADDRESS.fullmatch(name) else (yield from address_of(name, tools))
    return list(found.values())


def address_of(name: str, tools: frozenset[str] = frozenset()) -> Generator[Calls, Outcomes, str]:
    """The address of a person, as find_person knows it; without that tool from mails that they wrote or got."""
    if "find_person" in tools:
        known_as = yield from one("find_person", name=name)
        if known_as.error:
            raise Stuck(f"{failed(known_as)} Nothing was done.")
        if not known_as.get("email"):  # the person said that it is none of those
            raise Stuck(f"I know no other {name}. Give me the address, and I will go on. Nothing was done.")
        return str(known_as.get("email"))
    for query in (f"from:{name.lower()}", name.lower()):
        found = yield from need("gmail_search", query=query, limit=5)
        rows = found.rows("threads")
        known = _of(name, [_field(row, "from") for row in rows])
        if not known and rows:
            read = yield from need("gmail_thread_read", thread_id=rows[0]["thread_id"])
            known = _of(name, [person for message in read.rows("messages") for person in _people(message)])
        if len(known) > 1:
            raise Stuck(f"Which {name} do you mean: {listed(known)}? Nothing was done.")
        if known:
            return known[0]
    raise Stuck(f"I found no address for {name} in your mail. Give me the address, and I will go on. Nothing was done.")


def _of(name: str, people: Sequence[str]) -> list[str]:
    """The different addresses among these that belong to the name."""
    of_name = [address(each) for each in people if name.split()[0].lower() in each.lower() and address(each)]
    return list({each.lower(): each for each in of_name}.values())


def _people(message: Json) -> list[str]:
    listed_people = [*cast("list[object]", message.get("to") or []), *cast("list[object]", message.get("cc") or [])]
    return [_field(message, "from"), *map(str, listed_people)]


def _subject_and_body(rest: str) -> tuple[str, str]:
    subject = patterns.SUBJECT.search(rest)
    body = patterns.BODY.search(rest)
    if subject and not body:
        rest = _BEFORE_SUBJECT.sub("", rest[: subject.start()]) + _AFTER_SUBJECT.sub(" ", rest[subject.end() :])
    about = patterns.ABOUT.match(rest)
    said = patterns.SAID_FIRST.match(rest[about.end() :] if about else rest)
    text = sentence(body["body"]) if body else sentence(said["body"]) if said else ""
    if not text and about:
        text = sentence(f"I am writing to you about {about['topic'].strip()}")
    topic = about["topic"].strip() if about else ""
    title = subject["subject"].strip() if subject else topic[:1].upper() + topic[1:] if topic else subject_for(text)
    return title, text


# Answering --------------------------------------------------------------------------------------------------------


def answering(reading: Reading, whose: str, rest: str, *, as_draft: bool = False, to_all: bool = False) -> Doing:
    """Find the mail, read it, then reply in its thread."""
    rest, how = manner(rest, reading)
    about = patterns.ABOUT.match(rest)
    said = patterns.SAID_FIRST.match(rest[about.end() :] if about else rest)
    topic = keywords(about["topic"]) if about else ""
    thread = yield from found_thread(whose, topic)
    thread_id, body = str(thread["thread_id"]), said["body"] if said else ""
    more = {**how, **({"reply_all": True} if to_all else {})}
    return (yield from replying(reading, thread_id, body, as_draft=as_draft, more=more))


def replying(
    reading: Reading, thread_id: str, said: str, *, as_draft: bool = False, more: Mapping[str, object] | None = None
) -> Doing:
    """Read a thread and reply in it; `more` are further arguments of the reply."""
    read, sender = yield from read_thread(thread_id, reading)
    subject = plain(str(read.get("subject") or ""))
    about = f" “{subject}”" if subject else ""
    own = own_newest(read.rows("messages"), reading)
    if own and not said:
        return _answered(own, sender, about)
    body = sentence(said) or f"Thank you for your mail{about}. I have read it and will come back to you."
    text = letter(to=first_name(sender), body=body)
    if as_draft:
        to = [address(sender)] if address(sender) else []
        saved = yield from one("gmail_draft_create", to=to, subject=f"Re: {subject}", body=text, thread_id=thread_id)
        told = Told(f"The draft of a reply to {person(sender)} is saved. Nothing was sent.")
        return failed(saved) if saved.error else _after(own, told)
    sent = yield from one("gmail_reply", thread_id=thread_id, body=text, **(more or {}))
    how = {"send_at": str(more["send_at"])} if more and "send_at" in more else {}
    if sent.error:
        return failed(sent)
    return _after(own, _left(sent, f"the reply to {person(sender)} about “{subject}”", how))


def own_newest(messages: Sequence[Json], reading: Reading) -> Json:
    """The newest mail of a thread where it is the person's own; else nothing."""
    newest = messages[-1] if messages else {}
    return newest if reading.is_own(_field(newest, "from")) else {}


def _answered(own: Json, sender: str, about: str) -> str:
    """What is said instead of a reply where the newest mail is the person's own."""
    return (
        f"{person(sender)}'s mail{about} is answered already: the newest one there is yours, of "
        f"{respoken(_field(own, 'date'))}. Nothing is left to answer, and nothing was sent. To write once more, "
        "tell me what to say."
    )


def _after(own: Json, told: str) -> str:
    """What is told, and that it follows a mail of the person's own, which no card says."""
    return f"{told} {follows(own)}" if own else told


def follows(own: Json) -> str:
    """That the newest mail of the thread was the person's own."""
    return f"It follows your own mail of {respoken(_field(own, 'date'))}, the newest in that thread."


def read_thread(thread_id: str, reading: Reading) -> Generator[Calls, Outcomes, tuple[Outcome, str]]:
    """A thread, and who of the others wrote last in it."""
    read = yield from need("gmail_thread_read", thread_id=thread_id)
    return read, _last_sender(read.rows("messages"), reading.sender)


def found_thread(whose: str, topic: str) -> Generator[Calls, Outcomes, Json]:
    """The thread that is meant: by sender and topic, else by one of them."""
    queries = [f"from:{whose.lower()} {topic}".strip(), *([f"from:{whose.lower()}"] if topic else []), whose.lower()]
    for query in queries:
        found = yield from need("gmail_search", query=query, limit=5)
        rows = found.rows("threads")
        if best := [row for row in rows if _is_of(row, whose)] or rows:
            return best[0]
    raise Stuck(f"I found no mail of {whose} in your mailbox. Nothing was done.")


def _last_sender(messages: Sequence[Json], me: str) -> str:
    senders = [str(message.get("from", "")) for message in messages]
    others = [sender for sender in senders if not me or me.split()[0].lower() not in sender.lower()]
    return (others or senders or [""])[-1]


# Looking ----------------------------------------------------------------------------------------------------------


def telling(reading: Reading, whose: str, topic: str) -> Doing:
    """What a person wrote: their newest mail, in short."""
    thread = yield from found_thread(whose, topic)
    return (yield from summarising(str(thread["thread_id"])))


def summarising(thread_id: str) -> Doing:
    """Read a thread and say what it says."""
    read = yield from need("gmail_thread_read", thread_id=thread_id)
    lines = [_line(message) for message in read.rows("messages")[-4:]]
    return f"“{plain(str(read.get('subject') or ''))}”:\n" + "\n".join(lines)


def _line(message: Json) -> str:
    who, when = person(_field(message, "from")), respoken(_field(message, "date"))
    return f"- **{who}** ({when}): {gist(_field(message, 'body'))}"


def searching(reading: Reading, clause: str) -> Doing:
    """Search, and list what was found, numbered."""
    query = _query(clause)
    found = yield from need("gmail_search", query=query, limit=10)
    rows = found.rows("threads")
    if not rows:
        return f"I found no mail{_about(query)}."
    lines = [
        f"{number}. **{plain(str(row.get('subject', '')))}** {_wrote(row)}: "
        f"{gist(str(row.get('snippet', '')), characters=120)}"
        for number, row in enumerate(rows[:10], start=1)
    ]
    return f"{counted(len(rows), 'mail')}{_about(query)}:\n" + "\n".join(lines)


def searching_for_ever() -> Doing:
    """A task without an end, to see what becomes of one."""
    for number in count(1):
        yield from need("gmail_search", query=f"order {number}", limit=1)
    return ""


def _about(query: str) -> str:
    """What was searched, in words, if there are any."""
    return {"is:unread": " that you have not read yet", "in:inbox": " in your inbox"}.get(query, f" for “{query}”")


def _wrote(row: Mapping[str, object]) -> str:
    """Whose mail is unread, and whose is the newest: what follows is the beginning of that one."""
    unread, newest = (
        [str(name) for name in cast("Sequence[object]", row.get("unread_from") or ())],
        str(row.get("from")),
    )
    if not unread:
        return f"from {person(newest)}"
    said = f"unread from {' and '.join(map(person, unread[:2]))}"
    return said if unread[0] == newest else f"{said}; the newest is from {person(newest)}"


def _query(clause: str) -> str:
    words = ["is:unread"] if re.search(r"\b(unread|new)\b", clause, re.I) else []
    if match := patterns.FROM.search(clause):
        words.append(f"from:{match['whose'].lower()}")
    if topic := _topic(patterns.FROM.sub("", clause)):
        words.append(topic)
    return " ".join(words) or "in:inbox"


def _topic(clause: str) -> str:
    match = patterns.TOPIC.search(clause)
    return keywords(match["topic"]) if match else ""


def keywords(text: str) -> str:
    """The words to search for what a text is about."""
    words = [word for word in re.findall(r"[\w@.'’-]+", text) if word.lower() not in _STOP_WORDS]
    return " ".join(word.strip(".'") for word in words[:4])


def _field(row: Json, name: str) -> str:
    return str(row.get(name, ""))


def _is_of(row: Json, name: str) -> bool:
    return name.split()[0].lower() in str(row.get("from", "")).lower()
