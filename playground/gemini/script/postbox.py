"""More requests about mail: addresses, attachments, labels, changed drafts."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import cast

from playground.gemini.schema import Json
from playground.gemini.script import mail
from playground.gemini.script.doing import Calls, Doing, Outcomes, Stuck, Told, need, one
from playground.gemini.script.patterns import MAIL, SAYING, WHO, WHOSE
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import Reading
from playground.gemini.script.wording import first_name, gist, letter, listed, plain, sentence, to_them

_MAIL_OF = rf"(?:{WHOSE}\s+(?i:last\s+|latest\s+|newest\s+)?(?i:{MAIL}))"
_WHOSE_OF_TWO = r"(?P<whose>[A-Za-z][\w-]*(?:\s+[A-Z][\w-]*)?)(?:['’]s|s['’])"
_ADDRESS_OF = re.compile(
    rf"^(?i:what(?:['’]s|\s+is)|find|look\s+up|who\s+is|show(?:\s+me)?|get)\s+(?:(?i:the)\s+)?"
    rf"(?:{_WHOSE_OF_TWO}\s+(?i:e-?mail\s+|mail\s+)?(?i:address)|(?i:(?:e-?mail\s+|mail\s+)?address\s+of)\s+{WHO})[\s?.!]*$"
)
_ATTACHMENT = re.compile(
    rf"^(?i:read|open|show|summari[sz]e|what(?:['’]s|\s+is)\s+in|what\s+does)\s+(?i:me\s+)?(?i:the\s+)?"
    rf"(?i:attachment|attached\s+file|file)s?\s+(?i:of|in|from|on|to|attached\s+to)\s+{_MAIL_OF}"
)
_FORWARD = re.compile(
    rf"^(?i:forward|send)\s+(?i:the\s+)?(?i:attachment|attached\s+file|file)s?\s+(?i:of|in|from|on)\s+{_MAIL_OF}"
    rf"\s+(?i:on\s+)?(?i:to)\s+{WHO}"
)
_OF_TOPIC = (
    rf"(?i:the|my|that)\s+(?i:last\s+|latest\s+|newest\s+)?(?:(?i:{MAIL})\s+(?i:about|from)\s+)?"
    rf"(?P<topic>[^\"“”.!?]+?)(?i:\s+{MAIL})?"
)
_MEANT = rf"(?:{_MAIL_OF}|{_OF_TOPIC})"
_ARCHIVE = re.compile(rf"^(?i:archive|file\s+away)\s+{_MEANT}[\s.!]*$")
_MARK = re.compile(rf"^(?i:mark)\s+{_MEANT}\s+(?i:as\s+)?(?P<how>(?i:read|unread))[\s.!]*$")
_LABEL = re.compile(
    rf"^(?i:label|tag)\s+(?:{_MAIL_OF}(?i:\s+as|\s+with)?|{_OF_TOPIC}\s+(?i:as|with))\s+"
    r"[\"“']?(?P<name>[^\"”'.!]+)[\"”']?[\s.!]*$"
)
_DRAFT = re.compile(
    rf"^(?i:change|update|edit|correct)\s+(?i:my|the)\s+(?i:draft)\s+(?i:to|for)\s+{WHO}\s*[:,;]?\s*"
    rf"(?:(?i:say|saying|to\s+say)\b(?:\s+(?i:that))?|(?:{SAYING}))\s*(?P<body>.+)$".replace("\\ ", "[ ]"),
    re.S,
)
_SEND_DRAFT = re.compile(rf"^(?i:send)\s+(?i:my|the)\s+(?i:draft)\s+(?i:to|for)\s+{WHO}[\s.!]*$")


def understood(clause: str, reading: Reading) -> Doing | None:
    """The task of a clause, if it is one of these."""
    if match := _ADDRESS_OF.match(clause):
        return telling_address(match["whose"] or match["who"])
    if match := _ATTACHMENT.match(clause):
        return reading_attachment(match["whose"])
    if match := _FORWARD.match(clause):
        return forwarding(reading, match["whose"], match["who"])
    if match := _ARCHIVE.match(clause):
        return sorting(match, {"archive": True}, "archived")
    if match := _MARK.match(clause):
        return sorting(match, {"read": match["how"].lower() == "read"}, f"marked as {match['how'].lower()}")
    if match := _LABEL.match(clause):
        return sorting(match, {"add": [match["name"].strip()]}, f"labelled “{match['name'].strip()}”")
    if match := _DRAFT.match(clause):
        return changing_draft(match["who"], match["body"])
    if match := _SEND_DRAFT.match(clause):
        return sending_draft(match["who"])
    return None


def telling_address(name: str) -> Doing:
    """Say a person's address, and where it is known from."""
    found = yield from need("find_person", name=name)
    if not found.get("email"):
        return f"I know no other {name}."
    return f"{found.get('name')}: {found.get('email')} ({to_them(str(found.get('known_from')))})."


def reading_attachment(whose: str) -> Doing:
    """Say what the newest attachment of a person's mail says."""
    thread_id, attached = yield from _attachment(whose)
    text = yield from need("gmail_attachment_read", thread_id=thread_id, attachment=attached["id"])
    name = plain(str(attached.get("name")))
    read = plain(str(text.get("text") or "")).removeprefix(name)  # which is named before what it says
    said = gist(read, characters=400) or str(text.get("note") or "There is no text in it.")
    return f"“{name}”: {said}"


def forwarding(reading: Reading, whose: str, who: str) -> Doing:
    """Send an attachment on, in a new mail."""
    names = mail.names_in(who)
    to = yield from mail.addresses_of(names, reading.tools)
    thread_id, attached = yield from _attachment(whose)
    name = plain(str(attached.get("name")))
    text = letter(to=first_name(names[0]), body=f"Please find attached “{name}” from {whose}.")
    file = f"{thread_id}/{attached['id']}"
    sent = yield from one("gmail_send", to=to, subject=name, body=text, attachments=[file])
    return failed(sent) if sent.error else Told(f"Sent: “{name}” to {listed(to)}.")


def sorting(meant: re.Match[str], change: Json, done: str) -> Doing:
    """Archive, mark or label the newest mail of a person, or about a word."""
    if meant["whose"]:
        thread = yield from mail.found_thread(meant["whose"], "")
    else:
        found = yield from need("gmail_search", query=f"in:inbox {meant['topic'].lower()}", limit=5)
        if not found.rows("threads"):
            raise Stuck(f"I found no mail in your inbox for “{meant['topic']}”. Nothing was done.")
        thread = found.rows("threads")[0]
    changed = yield from one("gmail_labels", thread_id=thread["thread_id"], **change)
    subject = plain(str(thread.get("subject") or ""))
    return failed(changed) if changed.error else Told(f"Done: “{subject}” is {done}.")


def changing_draft(who: str, said: str) -> Doing:
    """Give the draft to a person another text."""
    draft_id = yield from _draft(who)
    text = letter(to=first_name(who), body=sentence(said))
    changed = yield from one("gmail_draft_update", draft_id=draft_id, body=text)
    return failed(changed) if changed.error else Told(f"The draft to {who} is changed. Nothing was sent.")


def sending_draft(who: str) -> Doing:
    """Send the draft to a person, as it stands."""
    draft_id = yield from _draft(who)
    sent = yield from one("gmail_draft_send", draft_id=draft_id)
    return failed(sent) if sent.error else Told(f"Sent: the draft to {who}.")


def _draft(who: str) -> Generator[Calls, Outcomes, str]:
    """The newest draft to somebody."""
    found = yield from need("gmail_search", query=f"in:draft to:{who.lower()}", limit=5)
    for row in found.rows("threads"):
        read = yield from need("gmail_thread_read", thread_id=row["thread_id"])
        drafts = [str(message["draft_id"]) for message in read.rows("messages") if message.get("draft_id")]
        if drafts:
            return drafts[-1]
    raise Stuck(f"I found no draft to {who} in your mailbox. Nothing was done.")


def _attachment(whose: str) -> Generator[Calls, Outcomes, tuple[str, Json]]:
    """The thread and the newest attachment in it."""
    for query in (f"from:{whose.lower()} has:attachment", f"{whose.lower()} has:attachment"):
        found = yield from need("gmail_search", query=query, limit=5)
        for row in found.rows("threads")[:1]:
            read = yield from need("gmail_thread_read", thread_id=row["thread_id"])
            attached = [item for message in read.rows("messages") for item in attached_to(message)]
            if attached:
                return str(row["thread_id"]), attached[-1]
    raise Stuck(f"I found no mail of {whose} with an attachment. Nothing was done.")


def attached_to(message: Json) -> list[Json]:
    """The attachments of a mail that was read."""
    return cast("list[Json]", message.get("attachments") or [])
