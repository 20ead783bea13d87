"""Mail threads in which somebody waits for an answer. Implements `WaitingMails` of `integrations.ports`.

Mail from machines and lists does not wait for an answer. They say so in their headers (RFC 2369 and 2919 for lists,
RFC 3834 for automatic mail), or by an address that takes no answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from integrations.base import Requester
from integrations.gmail.client import Mailbox
from integrations.gmail.heads import came_at, people, subject_of
from integrations.gmail.mime.addresses import Address
from integrations.gmail.outgoing.identity import SenderIdentity, identity_of
from integrations.gmail.results import thread_link
from integrations.gmail.text import beginning, shortened
from integrations.gmail.wire import GmailMessage, GmailThread
from integrations.google.client import GoogleClient
from integrations.items import NOT_READ, all_read
from integrations.ports import WaitingMail, WaitingMailList
from integrations.text import counted
from policies.characters import unescaped

DAYS = 7
LOOKED_AT = 50
PAGES = 4
SUBJECT_LENGTH = 120
SNIPPET_LENGTH = 200
QUERY = f"in:inbox newer_than:{DAYS}d -category:promotions -category:social -category:forums"
HEADERS = (
    *("From", "Reply-To", "To", "Subject", "List-Id", "List-Unsubscribe", "List-Post"),
    *("Precedence", "Auto-Submitted"),
)

_LISTED = ("List-Id", "List-Unsubscribe", "List-Post")
_ASIDE = frozenset({"DRAFT", "TRASH", "SPAM"})


class WaitingInbox:
    """Two round trips for every fifty threads of the last days, and 200 threads at most: the list, then their heads."""

    def __init__(self, google: GoogleClient) -> None:
        self._google = google

    async def waiting(self, requester: Requester) -> WaitingMailList:
        """Threads whose newest message is somebody's, to the person directly, newest first. Raises `ToolError`."""
        mailbox = await Mailbox.to_read(self._google, requester)
        me = await identity_of(mailbox, requester.name)
        ids, is_cut = await _newest_threads(mailbox)
        rows = await mailbox.rows(ids, HEADERS)
        if rows.failed and not rows.threads:
            raise rows.failed[0]
        since = self._google.clock.now() - timedelta(days=DAYS)
        newest = [(thread, max(said, key=came_at)) for thread in rows.threads if (said := _said(thread))]
        newest.sort(key=lambda pair: pair[1].internal_date, reverse=True)
        looked, lost = all_read(newest, lambda pair: [_mail(*pair, me)] if _waits(pair[1], me, since) else [])
        cut = f"only the newest {len(ids)} threads of the last {DAYS} days were looked at." if is_cut else ""
        unread = f"{counted(lost, 'thread')} {NOT_READ}." if lost else ""
        unseen = " ".join(filter(None, [rows.failures(), unread, cut]))
        return WaitingMailList(mails=[mail for mails in looked for mail in mails], unseen=unseen)

    async def others_wrote(self, requester: Requester, thread_id: str, *, since: datetime) -> bool:
        """Whether anybody else wrote in the thread since. Raises `ToolError` when it cannot be looked at."""
        mailbox = await Mailbox.to_read(self._google, requester)
        thread = await mailbox.row(thread_id, HEADERS)
        me = await identity_of(mailbox, requester.name)
        later = [message for message in _said(thread) if came_at(message) > since]
        return any(not _is_mine(message, me) and not _is_automatic(message) for message in later)


async def _newest_threads(mailbox: Mailbox) -> tuple[Sequence[str], bool]:
    """The ids of the newest threads, each once, and whether there are more."""
    ids: dict[str, None] = {}
    is_cut = False
    async for page in mailbox.thread_pages(QUERY, limit=LOOKED_AT, most=PAGES):
        ids |= dict.fromkeys(stub.id for stub in page.threads)
        is_cut = page.next_page_token is not None
    return list(ids), is_cut


def _said(thread: GmailThread) -> Sequence[GmailMessage]:
    return [message for message in thread.messages if _ASIDE.isdisjoint(message.label_ids)]


def _waits(message: GmailMessage, me: SenderIdentity, since: datetime) -> bool:
    return (
        came_at(message) >= since
        and not _is_mine(message, me)
        and not _is_automatic(message)
        and not any(message.payload.header(name) for name in _LISTED)
        and any(me.is_me(address) for address in people(message, "To"))
    )


def _is_mine(message: GmailMessage, me: SenderIdentity) -> bool:
    """What the person sent, or a program in their name. A contact form's mail is the visitor's: Reply-To names them."""
    return "SENT" in message.label_ids or me.is_me(_author(message, me))


def _author(message: GmailMessage, me: SenderIdentity) -> Address:
    """Who wrote: From, or where that is the person's own address, the one who gets the answer."""
    wrote = people(message, "From")
    somebody = [address for address in wrote if not me.is_me(address)]
    visitors = [a for a in people(message, "Reply-To") if not me.is_me(a)]
    return next(iter(somebody or visitors or wrote), Address(email=""))


def _is_automatic(message: GmailMessage) -> bool:
    """A machine's own mail: an absence note is no answer either."""
    header = message.payload.header
    submitted = header("Auto-Submitted").strip().lower()
    bulk = header("Precedence").strip().lower() in {"bulk", "list", "junk", "auto_reply"}
    silent = any(address.is_silent for address in people(message, "From"))
    return bulk or silent or bool(submitted and not submitted.startswith("no"))


def _mail(thread: GmailThread, last: GmailMessage, me: SenderIdentity) -> WaitingMail:
    sender = _author(last, me)
    return WaitingMail(
        thread_id=thread.id,
        subject=subject_of(last, SUBJECT_LENGTH) or "(no subject)",
        sender=shortened(sender.name, 80) or sender.email,
        address=sender.email,
        snippet=beginning(unescaped(last.snippet), SNIPPET_LENGTH),
        sent_at=came_at(last),
        link=thread_link(thread.id, me.account),
    )
