"""gmail_search: threads that match, as rows."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from integrations.base import Call, ObjectRef, Requester, Result, ToolArgs
from integrations.gmail.heads import local_time, people, without_drafts
from integrations.gmail.results import thread_object, thread_subject
from integrations.gmail.text import beginning
from integrations.gmail.tools.mail_tool import MailTool
from integrations.gmail.wire import GmailMessage, GmailThread
from integrations.items import NOT_READ, each_read
from integrations.text import counted
from policies.characters import quoted, unescaped
from policies.types import EffectClass, Label, Role

SNIPPET_LENGTH = 90
MOST = 25
_IN_WORDS = {
    "": "Look at the newest mail",
    "in:inbox": "Look into the inbox",
    "is:unread": "Look for unread mail",
    "in:inbox is:unread": "Look for unread mail in the inbox",
    "is:unread in:inbox": "Look for unread mail in the inbox",
}
"""The commonest searches, said without Gmail's operators."""
_DATED = re.compile(
    r'(?P<quoted>"[^"]*")|(?P<word>\b(?:after|before|newer|older)):(?:(?P<y>\d{4})[/-](?P<m>\d{1,2})[/-](?P<d>\d{1,2})'
    r"|(?P<american>\d{1,2}/\d{1,2}/\d{4}))\b",
    re.IGNORECASE,
)


class SearchArgs(ToolArgs):
    """Arguments of `gmail_search`."""

    query: Annotated[str, Role.NONE, Field(max_length=1_500)]
    limit: Annotated[int, Role.NONE, Field(ge=1, le=MOST)] = 10
    page: Annotated[str | None, Role.NONE] = None


class GmailSearch(MailTool[SearchArgs]):
    """Two round trips whatever the number of rows: the list, then one batch for heads and snippets."""

    name = "gmail_search"
    effect = EffectClass.READ
    args = SearchArgs

    def caption(self, args: SearchArgs) -> str:
        """Names what is looked for."""
        query = args.query.strip()
        return _IN_WORDS.get(query.casefold(), f"Search mail for {quoted(query)}")

    async def execute(self, args: SearchArgs, call: Call) -> Result:
        """Rows, and `next_page` when there are more."""
        mailbox = await self._approved(call)
        query = localised(args.query, call.requester.zone)
        found = await mailbox.find_threads(query, limit=args.limit, page=args.page)
        read = await mailbox.rows([stub.id for stub in found.threads])
        rows = [thread for thread in read.threads if thread.messages]
        if read.failed and not rows:
            raise read.failed[0]
        data: dict[str, object] = {"threads": each_read(rows, lambda each: row(each, call.requester), unread=_unread)}
        if found.next_page_token:
            data["next_page"] = found.next_page_token
        if read.failed:
            data["not_shown"] = read.failures()
        return Result(
            data=data,
            summary=counted(len(rows), "thread") + (" or more" if found.next_page_token else ""),
            label=Label.EXTERNAL,
            objects=[_shown(thread) for thread in rows],
        )


def localised(query: str, zone: str) -> str:
    """The query with its dates as midnight in the person's zone. What is quoted, and no date, stays as it is.

    `after:2026/11/01` means midnight in California to the API (guide "Searching for messages"); epoch seconds are
    exact. Gmail's help also has the form "after:04/16/2004" ("Search operators you can use with Gmail").
    """

    def replaced(match: re.Match[str]) -> str:
        if match["quoted"]:
            return match[0]
        american = match["american"]
        month, day, year = american.split("/") if american else (match["m"], match["d"], match["y"])
        try:
            midnight = datetime(int(year), int(month), int(day), tzinfo=ZoneInfo(zone))
        except ValueError:
            return match[0]
        word = {"newer": "after", "older": "before"}.get(match["word"].lower(), match["word"].lower())
        return f"{word}:{int(midnight.timestamp())}"

    return _DATED.sub(replaced, query)


def row(thread: GmailThread, requester: Requester) -> dict[str, object]:
    """What the model sees of a thread; `unread_from` only where something in it is unread."""
    newest, unread = _newest(thread), _unread_from(thread)
    return {
        "thread_id": thread.id,
        "from": next(map(str, people(newest, "From")), "?"),
        "subject": thread_subject(thread),
        "date": local_time(newest, requester.zone),
        "snippet": beginning(unescaped(newest.snippet), SNIPPET_LENGTH),
        "unread": bool(unread),
        **({"unread_from": unread} if unread else {}),
        "messages": len(thread.messages),
    }


def _unread(thread: GmailThread) -> dict[str, object]:
    return {"thread_id": thread.id, "error": f"This thread {NOT_READ}."}


def _shown(thread: GmailThread) -> ObjectRef:
    emails = dict.fromkeys(address.email for address in people(_newest(thread), "From", "To"))
    return thread_object(thread, people=tuple(emails)[:10])


def _newest(thread: GmailThread) -> GmailMessage:
    """The newest message that is no draft, else the newest."""
    return (without_drafts(thread) or thread.messages)[-1]


def _unread_from(thread: GmailThread) -> list[str]:
    """Who wrote what is unread, each once, the newest first; the newest mail of the thread may be one's own."""
    unread = [message for message in reversed(thread.messages) if "UNREAD" in message.label_ids]
    return list(dict.fromkeys(str(person) for message in unread for person in people(message, "From")[:1]))
