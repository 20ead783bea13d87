"""gmail_search: threads that match, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape
from typing import Annotated

from pydantic import Field

from integrations.base import Call, ObjectRef, Requester, Result, Tool, ToolArgs
from integrations.counting import counted
from integrations.errors import ToolError
from integrations.gmail.client import Mailbox
from integrations.gmail.dates import local_time
from integrations.gmail.incoming.search_query import localised
from integrations.gmail.mime.addresses import Address, decoded_text, read_addresses
from integrations.gmail.text import beginning, shortened
from integrations.gmail.wire import Message, Thread
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_READ
from integrations.prose import prose
from policies.types import EffectClass, Label, Role

SNIPPET_LENGTH = 90
SUBJECT_LENGTH = 160
MOST = 25
_IN_WORDS = {
    "": "Look at the newest mail",
    "in:inbox": "Look into the inbox",
    "is:unread": "Look for unread mail",
    "in:inbox is:unread": "Look for unread mail in the inbox",
    "is:unread in:inbox": "Look for unread mail in the inbox",
}
"""The commonest searches, said without Gmail's operators."""


class SearchArgs(ToolArgs):
    """Arguments of `gmail_search`."""

    query: Annotated[str, Role.NONE, Field(max_length=1_500, description="Gmail search words.")]
    limit: Annotated[int, Role.NONE, Field(ge=1, le=MOST, description="How many threads.")] = 10
    page: Annotated[str | None, Role.NONE, Field(description="`next_page` of the page before.")] = None


class GmailSearch(Tool[SearchArgs]):
    """Two round trips whatever the number of rows: the list, then one batch for heads and snippets."""

    name = "gmail_search"
    effect = EffectClass.READ
    provider = "google"
    scopes = frozenset({MAIL_READ})
    args = SearchArgs

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        self.description = prose(__name__, "search.md")

    def caption(self, args: SearchArgs) -> str:
        """Names what is looked for."""
        query = args.query.strip()
        return _IN_WORDS.get(query.casefold(), f"Search mail for “{shortened(query, 80)}”")

    async def execute(self, args: SearchArgs, call: Call) -> Result:
        """Rows, and `next_page` when there are more."""
        mailbox = Mailbox(await self._google.account(call.requester, self.scopes, approved=call.account))
        query = localised(args.query, call.requester.zone)
        found = await mailbox.find_threads(query, limit=args.limit, page=args.page)
        threads = await mailbox.rows([stub.id for stub in found.threads])
        rows = [thread for thread in threads if isinstance(thread, Thread) and thread.messages]
        data: dict[str, object] = {"threads": [row(thread, call.requester) for thread in rows]}
        if found.next_page_token:
            data["next_page"] = found.next_page_token
        failed = [thread for thread in threads if isinstance(thread, ToolError)]
        if failed and not rows:
            raise failed[0]
        if failed:
            data["not_shown"] = f"{counted(len(failed), 'thread')} could not be read: {failed[0].message}"
        return Result(
            data=data,
            summary=counted(len(rows), "thread") + (" or more" if found.next_page_token else ""),
            label=Label.EXTERNAL,
            objects=[_shown(thread) for thread in rows],
        )


def row(thread: Thread, requester: Requester) -> dict[str, object]:
    """What the model sees of a thread; `unread_from` only where something in it is unread."""
    newest, unread = _newest(thread), _unread_from(thread)
    return {
        "thread_id": thread.id,
        "from": ", ".join(str(a) for a in _people(newest, "From")[:1]) or "?",
        "subject": _subject(thread),
        "date": local_time(newest.internal_date, requester.zone),
        "snippet": beginning(unescape(newest.snippet), SNIPPET_LENGTH),
        "unread": bool(unread),
        **({"unread_from": unread} if unread else {}),
        "messages": len(thread.messages),
    }


def _shown(thread: Thread) -> ObjectRef:
    newest = _newest(thread)
    people = dict.fromkeys(a.email for name in ("From", "To") for a in _people(newest, name))
    return ObjectRef(kind="mail_thread", id=thread.id, title=_subject(thread), people=tuple(people)[:10])


def _newest(thread: Thread) -> Message:
    """The newest message that is no draft, else the newest."""
    sent = [message for message in thread.messages if "DRAFT" not in message.label_ids]
    return (sent or thread.messages)[-1]


def _unread_from(thread: Thread) -> list[str]:
    """Who wrote what is unread, each once, the newest first; the newest mail of the thread may be one's own."""
    unread = [message for message in reversed(thread.messages) if "UNREAD" in message.label_ids]
    return list(dict.fromkeys(str(person) for message in unread for person in _people(message, "From")[:1]))


def _subject(thread: Thread) -> str:
    return shortened(decoded_text(thread.messages[0].payload.header("Subject")), SUBJECT_LENGTH) or "(no subject)"


def _people(message: Message, name: str) -> Sequence[Address]:
    return read_addresses(message.payload.all_headers(name))
