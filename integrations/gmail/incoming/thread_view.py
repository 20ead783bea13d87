"""A thread within a budget of characters: the newest messages nearly whole, older ones as a line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from integrations.errors import ModelRetry
from integrations.fences import untrusted
from integrations.gmail.client import Mailbox
from integrations.gmail.heads import local_time, people, subject_of
from integrations.gmail.incoming.quotes import may_quote, trim_quotes
from integrations.gmail.isolated.html_budget import HtmlBudget
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.mime.bodies import attachments, body_text, is_own_text, name_of, size_in_words, text_parts
from integrations.gmail.text import shortened, visible
from integrations.gmail.wire import GmailMessage, GmailThread, Part
from integrations.items import NOT_READ, each_read, read_or
from integrations.text import counted
from policies.characters import unescaped

BUDGET = 12_000
NEWEST = 3
SUBJECT_LENGTH = 300
PER_MESSAGE = 4_000
LINES = 40
LINE_LENGTH = 120
PEOPLE = 20
PEOPLE_ON_A_LINE = 3
ATTACHMENTS = 30
NO_DRAFT_ID = "Its draft_id was not found among the newest drafts: it can be changed in Gmail only."
UNREADABLE = f"[This message {NOT_READ}. It can be read in Gmail.]"
FETCHED_BYTES = 10_000_000
TEXT_LENGTH = 200_000


@dataclass(frozen=True, kw_only=True)
class ThreadView:
    """One look at a thread. Messages are numbered from 1, oldest first; drafts are marked."""

    thread: GmailThread
    texts: Sequence[str]
    """What each message says, quotes included; "" for one that is not needed."""
    zone: str
    include_quoted: bool = False
    drafts: Mapping[str, str] = field(default_factory=dict[str, str])
    """The ids of drafts, by the ids of their messages."""

    @property
    def subject(self) -> str:
        """The subject of its first message; "" where there is none."""
        return subject_of(self.thread.messages[0], SUBJECT_LENGTH)

    @property
    def people(self) -> Sequence[str]:
        """The addresses of those who wrote and those who got it, each once."""
        return list(dict.fromkeys(a.email for m in self.thread.messages for a in people(m, "From", "To", "Cc")))

    def shown(self, only: int | None, *, offset: int) -> list[dict[str, object]]:
        """One message from `offset`, or with none named the overview; raises `ModelRetry` when there is no such."""
        if only is None:
            return self.overview()
        if only > len(self.thread.messages):
            message = f"The thread has {counted(len(self.thread.messages), 'message')}; there is no message {only}."
            raise ModelRetry("message_not_found", message)
        return [self._whole(only, offset, BUDGET)]

    def overview(self) -> list[dict[str, object]]:
        """The newest messages up to 4,000 characters each, the others as a line."""
        last = len(self.thread.messages)
        older = range(max(1, last - NEWEST - LINES + 1), max(1, last - NEWEST + 1))
        lines = each_read(older, self._line, unread=self._unread)
        newest = range(max(1, last - NEWEST + 1), last + 1)
        return [*lines, *each_read(newest, lambda n: self._whole(n, 0, PER_MESSAGE), unread=self._unread)]

    def left_out(self, only: int | None) -> dict[str, object]:
        """How many of the oldest messages are not shown at all."""
        missing = len(self.thread.messages) - NEWEST - LINES
        if only is not None or missing <= 0:
            return {}
        return {"not_shown": f"messages 1 to {missing}; read one with message=n"}

    def _whole(self, n: int, offset: int, length: int) -> dict[str, object]:
        text, removed = self._text(n)
        if offset and offset >= len(text):
            raise ModelRetry("offset_too_large", f"Message {n} has {len(text):,} characters.")
        shown, rest = text[offset : offset + length], len(text) - offset - length
        body = untrusted(shown, source="mail")
        if rest > 0:
            again = f'gmail_thread_read(thread_id="{self.thread.id}", message={n}, offset={offset + length}'
            body += f"\n… {rest:,} characters cut; {again}{', include_quoted=true' if self.include_quoted else ''})"
        said: dict[str, object] = {"body": body, "attachments": self._attachments(n), "quoted_removed": removed}
        return self._head(n) | said | _note(self.thread.messages[n - 1])

    def _line(self, n: int) -> dict[str, object]:
        message = self.thread.messages[n - 1]
        line = untrusted(shortened(unescaped(message.snippet) or self.texts[n - 1], LINE_LENGTH), source="mail")
        said: dict[str, object] = {"body": line, "attachments": self._attachments(n), "only_beginning": True}
        return self._head(n, PEOPLE_ON_A_LINE) | said

    def _unread(self, n: int) -> dict[str, object]:
        return {"n": n, "id": self.thread.messages[n - 1].id, "note": UNREADABLE}

    def _text(self, n: int) -> tuple[str, bool]:
        text = self.texts[n - 1]
        return (text, False) if self.include_quoted else trim_quotes(text, self.texts[: n - 1])

    def _head(self, n: int, most: int = PEOPLE) -> dict[str, object]:
        message = self.thread.messages[n - 1]
        named = {field: [str(each) for each in people(message, field)[:most]] for field in ("From", "To", "Cc")}
        head: dict[str, object] = {
            "n": n,
            "id": message.id,
            "from": ", ".join(named["From"]) or "?",
            "to": named["To"],
            "cc": named["Cc"],
            "date": local_time(message, self.zone),
        }
        if "DRAFT" not in message.label_ids:
            return head
        if message.id not in self.drafts:
            return head | {"draft": True, "draft_id": None, "draft_note": NO_DRAFT_ID}
        return head | {"draft": True, "draft_id": self.drafts[message.id]}

    def _attachments(self, n: int) -> list[dict[str, object]]:
        return [
            {"id": f"m{n}.a{place}", "name": name_of(part), "type": part.mime_type, "size": part.body.size}
            for place, part in enumerate(attachments(self.thread.messages[n - 1])[:ATTACHMENTS], start=1)
        ]


async def view_of(
    mailbox: Mailbox, thread_id: str, html: HtmlReader, *, zone: str, only: int | None, include_quoted: bool
) -> ThreadView:
    """The thread as Gmail has it now, read as far as `ThreadView.shown` needs it for this message, or with none for the
    overview; raises `ModelRetry` when there is no such thread.
    """
    found = await mailbox.thread(thread_id)
    if not found.messages:
        message = "There are no messages in this thread."
        raise ModelRetry("thread_not_found", message, hint="Look it up again with gmail_search.")
    reading = _Reading(mailbox, found, HtmlBudget(html))
    last = len(found.messages)
    whole = range(max(1, last - NEWEST + 1), last + 1) if only is None else range(only, min(only, last) + 1)
    await reading.read(whole)
    if not include_quoted and any(may_quote(reading.texts[n - 1]) for n in whole):
        await reading.read(range(1, whole.stop - 1))
    if only is None:
        await reading.read(n for n in range(1, whole.start) if not found.messages[n - 1].snippet)
    drafts = [message.id for message in found.messages if "DRAFT" in message.label_ids]
    return ThreadView(
        thread=found.model_copy(update={"messages": reading.messages}),
        texts=reading.texts,
        zone=zone,
        include_quoted=include_quoted,
        drafts=await mailbox.drafts_of(found.id, drafts) if drafts else {},
    )


class _Reading:
    """The messages of a thread, of which some are read, all within one budget."""

    def __init__(self, mailbox: Mailbox, thread: GmailThread, html: HtmlBudget) -> None:
        self.messages = list(thread.messages)
        self.texts = [""] * len(self.messages)
        self._mailbox = mailbox
        self._html = html
        self._done: set[int] = set()

    async def read(self, numbers: Iterable[int]) -> None:
        """Read these, the newest first, unless they were read before."""
        for n in sorted({*numbers} - self._done, reverse=True):
            message = self.messages[n - 1]
            payload = await _filled(self._mailbox, message.id, message.payload)
            message = self.messages[n - 1] = message.model_copy(update={"payload": payload})
            self.texts[n - 1] = await read_or(UNREADABLE, _message_text(message, self._html))
            self._done.add(n)


async def _filled(mailbox: Mailbox, message_id: str, part: Part) -> Part:
    """The part with those text bodies fetched that Gmail keeps apart because they are large."""
    body = part.body
    if is_own_text(part) and body.attachment_id and not body.data and body.size <= FETCHED_BYTES:
        fetched = await mailbox.attachment(message_id, body.attachment_id)
        body = body.model_copy(update={"data": fetched.data})
    inside = () if part.mime_type == "message/rfc822" else part.parts
    parts = [await _filled(mailbox, message_id, inner) for inner in inside] or part.parts
    return part.model_copy(update={"body": body, "parts": parts})


async def _message_text(message: GmailMessage, html: HtmlBudget) -> str:
    """What a message says, quotes included; its beginning where Gmail keeps the text apart, and it is too large."""
    if message.unreadable:
        return UNREADABLE
    text = (await body_text(message, html))[:TEXT_LENGTH]
    return text or (visible(unescaped(message.snippet)) if _missing(message) else "")


def _missing(message: GmailMessage) -> int:
    """How many bytes of the message's own text were not fetched."""
    return sum(part.body.size for part in text_parts(message) if part.body.attachment_id and not part.body.data)


def _note(message: GmailMessage) -> dict[str, object]:
    size = _missing(message)
    if not size:
        return {}
    return {"note": f"Only the beginning: the text of {size_in_words(size)} is too large to be read here; see Gmail."}
