"""The wire to Gmail: the calls that the tools make, typed. `me` is the owner of the grant."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from integrations.base import Requester
from integrations.errors import Missing, ToolError, ToolFailed
from integrations.gmail import wire
from integrations.gmail.heads import people
from integrations.google.account import GoogleAccount
from integrations.google.calls import ApiCall
from integrations.google.client import GoogleClient
from integrations.google.scopes import MAIL_READ
from integrations.text import counted

ROW_HEADERS = ["From", "To", "Cc", "Subject", "Date"]
PEOPLE_HEADERS = ["From", "To", "Cc", "Bcc"]
MAILS_LOOKED_AT = 5
"""Mails that are looked at for an address. If more were found, and none has it, the answer is not known."""
SENT_LOOKED_AT = 20
"""Mails that are looked at for one that was sent lately."""
DRAFT_PAGES = 4
ROW_FIELDS = "id,messages(id,threadId,labelIds,internalDate,snippet,payload/headers)"
BIG_MAIL = 4_000_000
"""Characters of a mail in base64url. A bigger mail does not travel in JSON, where it would be encoded twice."""

DRAFT_AGAIN = "Take a draft_id from gmail_draft_create or gmail_thread_read; a sent draft is none any more."
SEARCH_AGAIN = "Take a thread_id from gmail_search; ids from Gmail's web address do not work."


@dataclass(frozen=True, slots=True)
class Rows:
    """Heads and snippets of the threads that could be read, and why others could not."""

    threads: Sequence[wire.GmailThread]
    failed: Sequence[ToolError]

    def failures(self, noun: str = "thread") -> str:
        """How many could not be read, and why; "" when all could."""
        if not self.failed:
            return ""
        return f"{counted(len(self.failed), noun)} could not be read: {self.failed[0].message}"


class Mailbox:
    """One person's mail during one tool call."""

    def __init__(self, account: GoogleAccount) -> None:
        self._account = account

    @classmethod
    async def to_read(cls, google: GoogleClient, requester: Requester) -> Mailbox:
        """The mailbox of the account that is connected now, with access to read; raises as `GoogleClient.account`."""
        return cls(await google.account(requester, frozenset({MAIL_READ})))

    @property
    def account_id(self) -> str:
        """The stable id of the Google account."""
        return self._account.grant.account

    @property
    def email(self) -> str:
        """The account's own address."""
        return self._account.grant.email

    async def find_threads(self, query: str, *, limit: int, page: str | None) -> wire.ThreadPage:
        """One page of the threads that match, newest first."""
        return await self._account.read(_search(query, limit).at_page(page), wire.ThreadPage)

    def thread_pages(self, query: str, *, limit: int, most: int) -> AsyncGenerator[wire.ThreadPage]:
        """The first pages of the threads that match, `most` of them at most."""
        return self._account.pages(_search(query, limit), wire.ThreadPage, most=most)

    async def rows(self, thread_ids: Sequence[str], headers: Sequence[str] = ROW_HEADERS) -> Rows:
        """Heads and snippets of many threads in one round trip."""
        found = await self._account.read_each([_row(thread_id, headers) for thread_id in thread_ids], wire.GmailThread)
        return Rows(
            [each for each in found if isinstance(each, wire.GmailThread)],
            [each for each in found if isinstance(each, ToolError)],
        )

    async def row(self, thread_id: str, headers: Sequence[str] = ROW_HEADERS) -> wire.GmailThread:
        """Heads and snippets of one thread."""
        return await self._account.read(_row(thread_id, headers), wire.GmailThread)

    async def wrote_to(self, emails: Sequence[str]) -> list[bool | None]:
        """Whether the person has written to each address; None where it could not be looked up. Only what Gmail sent
        for them counts: a mail that comes in may name anybody, and be from anybody. Two round trips.
        """
        queries = {email: f'in:sent {{to:"{email}" cc:"{email}" bcc:"{email}"}}' for email in emails}
        return await self._are_named(queries, ("To", "Cc", "Bcc"), label="SENT")

    async def heard_from(self, emails: Sequence[str]) -> list[bool | None]:
        """Whether a mail says that it is from each address; None where it could not be looked up. Two round trips."""
        queries = {email: f'from:"{email}" -in:drafts' for email in emails}
        return await self._are_named(queries, ("From",))

    async def _are_named(self, queries: Mapping[str, str], fields: Sequence[str], label: str = "") -> list[bool | None]:
        """Whether the mails that are found for each address name it in these fields. Gmail searches by words, so that a
        mail of john.smith@ is found for smith@, too; the heads say whose it is.
        """
        searches = [_call("messages", "list", {"q": q, "maxResults": MAILS_LOOKED_AT}) for q in queries.values()]
        lists = await self._account.read_each(searches, wire.MessagePage)
        ids = dict.fromkeys(stub.id for page in lists if isinstance(page, wire.MessagePage) for stub in page.messages)
        details = {"format": "metadata", "metadataHeaders": PEOPLE_HEADERS}
        looks = [_call("messages", "get", {"id": message_id, **details}) for message_id in ids]
        heads = [m for m in await self._account.read_each(looks, wire.GmailMessage) if isinstance(m, wire.GmailMessage)]
        named = {
            head.id: {address.email.lower() for address in people(head, *fields)}
            for head in heads
            if not label or label in head.label_ids
        }
        looked_at = {head.id for head in heads}
        return [_is_named(email, page, named, looked_at) for email, page in zip(queries, lists, strict=True)]

    async def heads(self, thread_id: str) -> wire.GmailThread:
        """Every header field of a thread's messages, without their bodies."""
        return await self._account.read(
            _call("threads", "get", {"id": thread_id, "format": "metadata"}), wire.GmailThread
        )

    async def thread(self, thread_id: str) -> wire.GmailThread:
        """A thread with everything in it but large bodies."""
        call = _call("threads", "get", {"id": thread_id, "format": "full"}, noun="thread", hint=SEARCH_AGAIN)
        return await self._account.read(call, wire.GmailThread)

    async def attachment(self, message_id: str, attachment_id: str) -> wire.PartBody:
        """A body that Gmail keeps apart. The id is good for this fetch only."""
        params = {"messageId": message_id, "id": attachment_id}
        call = _call("messages.attachments", "get", params, noun="attachment")
        return await self._account.read(call, wire.PartBody)

    async def senders(self) -> Sequence[wire.SendAs]:
        """The addresses that the person may send from, confirmed or not."""
        return (await self._account.read(_call("settings.sendAs", "list", {}), wire.SendAsPage)).send_as

    async def create_draft(self, raw: str, thread_id: str | None, *, deadline: datetime) -> wire.Draft:
        """Save a draft: sent once, `Ambiguous` when nobody can tell."""
        call = _written(_call("drafts", "create", {}, noun="thread", hint=SEARCH_AGAIN), raw, thread_id)
        return await self._account.once(call, wire.Draft, what="saving the draft", deadline=deadline)

    async def replace_draft(self, draft_id: str, raw: str, thread_id: str | None) -> wire.Draft:
        """Put exactly this mail into a draft that exists; twice is the same as once."""
        call = _written(_call("drafts", "update", {"id": draft_id}, noun="draft"), raw, thread_id)
        return await self._account.repeat(call, wire.Draft, what="saving the draft")

    async def send_draft(self, draft_id: str, *, deadline: datetime) -> wire.GmailMessage:
        """Send a draft, which is gone afterwards: sent once, `Ambiguous` when nobody can tell."""
        call = _call("drafts", "send", {"body": {"id": draft_id}}, noun="draft")
        return await self._account.once(call, wire.GmailMessage, what="sending the mail", deadline=deadline)

    async def delete_draft(self, draft_id: str, *, deadline: datetime) -> None:
        """Remove a draft for good; `Missing` when it is gone, `Ambiguous` when nobody can tell."""
        call = _call("drafts", "delete", {"id": draft_id}, noun="draft")
        await self._account.once(call, wire.Nothing, what="removing the draft", deadline=deadline)

    async def draft(self, draft_id: str) -> wire.Draft:
        """A draft with its heads; `Missing` when it was sent or deleted."""
        call = _call("drafts", "get", {"id": draft_id, "format": "metadata"}, noun="draft")
        return await self._account.read(call, wire.Draft)

    async def whole_draft(self, draft_id: str) -> wire.Draft:
        """A draft with the bytes of its mail."""
        call = _call("drafts", "get", {"id": draft_id, "format": "raw"}, noun="draft", hint=DRAFT_AGAIN)
        return await self._account.read(call, wire.Draft)

    async def drafts_of(self, thread_id: str, message_ids: Collection[str]) -> Mapping[str, str]:
        """The ids of the thread's drafts, by the ids of their messages: as far as the newest two thousand hold them."""
        found: dict[str, str] = {}
        newest = _call("drafts", "list", {"maxResults": 500})
        async for page in self._account.pages(newest, wire.DraftPage, most=DRAFT_PAGES):
            found |= {d.message.id: d.id for d in page.drafts if d.message.thread_id == thread_id}
            if found.keys() >= set(message_ids):
                break
        return found

    async def drafts_about(self, subject: Sequence[str], *, known: Collection[str], most: int) -> Sequence[wire.Draft]:
        """The drafts whose subjects have all of these words, with their heads, but for those that are known; as far as
        search knows them. Raises `ToolError` where there are more, or one cannot be read.
        """
        query = {"q": f"subject:({' '.join(subject)})", "maxResults": most}
        page = await self._account.read(_call("drafts", "list", query), wire.DraftPage)
        others = [each.id for each in page.drafts if each.id not in known]
        calls = [_call("drafts", "get", {"id": draft_id, "format": "metadata"}) for draft_id in others]
        drafts = await self._account.read_each(calls, wire.Draft)
        read = [each for each in drafts if isinstance(each, wire.Draft)]
        if page.next_page_token or len(read) < len(calls):
            raise ToolFailed("drafts_not_read", "Not all drafts with this subject could be looked at.")
        return read

    async def labels(self) -> Sequence[wire.MailLabel]:
        """All labels of the mailbox, Gmail's own and the person's."""
        return (await self._account.read(_call("labels", "list", {}, noun="label"), wire.LabelPage)).labels

    async def relabel(self, thread_id: str, *, add: Sequence[str], remove: Sequence[str]) -> None:
        """Put labels on every message of a thread and take others off; twice is the same as once."""
        body = {"addLabelIds": list(add), "removeLabelIds": list(remove)}
        call = _call("threads", "modify", {"id": thread_id, "body": body}, noun="thread", hint=SEARCH_AGAIN)
        await self._account.repeat(call, wire.Nothing, what="changing the labels")

    async def find_draft(self, message_id: str) -> wire.Draft | None:
        """The draft that has this Message-ID: by search first, then, as search lags behind, among the newest."""
        query = {"q": f"rfc822msgid:{message_id.strip('<>')}", "maxResults": 2}
        found = await self._account.read(_call("drafts", "list", query), wire.DraftPage)
        if not found.drafts:
            found = await self._account.read(_call("drafts", "list", {"maxResults": 20}), wire.DraftPage)
        calls = [_call("drafts", "get", {"id": draft.id, "format": "metadata"}) for draft in found.drafts]
        drafts = await self._account.read_each(calls, wire.Draft)
        read = [draft for draft in drafts if isinstance(draft, wire.Draft)]
        return next((d for d in read if d.message.payload.header("Message-ID").strip() == message_id), None)

    async def find_sent(self, message_id: str) -> wire.GmailMessage | None:
        """The sent message that has this Message-ID, as far as search knows; raises what hides one that it names."""
        query = {"q": f"in:sent rfc822msgid:{message_id.strip('<>')}", "maxResults": 2}
        page = await self._account.read(_call("messages", "list", query), wire.MessagePage)
        calls = [_call("messages", "get", {"id": stub.id, "format": "metadata"}) for stub in page.messages]
        messages = await self._account.read_each(calls, wire.GmailMessage)
        found = next((m for m in messages if isinstance(m, wire.GmailMessage) and "SENT" in m.label_ids), None)
        hidden = [m for m in messages if isinstance(m, ToolError) and not isinstance(m, Missing)]
        if found is None and hidden:
            raise hidden[0]
        return found

    async def sent_since(self, moment: datetime) -> Sequence[wire.GmailMessage]:
        """The newest mails that were sent since then, whole, as far as search knows them and they can be read."""
        query = {"q": f"in:sent after:{int(moment.timestamp())}", "maxResults": SENT_LOOKED_AT}
        page = await self._account.read(_call("messages", "list", query), wire.MessagePage)
        calls = [_call("messages", "get", {"id": stub.id, "format": "full"}) for stub in page.messages]
        return [m for m in await self._account.read_each(calls, wire.GmailMessage) if isinstance(m, wire.GmailMessage)]


def _search(query: str, limit: int) -> ApiCall:
    params = {"q": query, "maxResults": limit}
    return _call("threads", "list", params, noun="page of results", hint="Search again without `page`.")


def _row(thread_id: str, headers: Sequence[str]) -> ApiCall:
    details = {"format": "metadata", "metadataHeaders": list(headers), "fields": ROW_FIELDS}
    return _call("threads", "get", {"id": thread_id, **details}, noun="thread")


def _is_named(
    email: str, page: wire.MessagePage | ToolError, named: Mapping[str, set[str]], looked_at: Collection[str]
) -> bool | None:
    """Whether one of the mails names exactly this address; None when there are mails that were not looked at."""
    if not isinstance(page, wire.MessagePage):
        return None
    if any(email.lower() in named.get(stub.id, ()) for stub in page.messages):
        return True
    return None if page.next_page_token or any(stub.id not in looked_at for stub in page.messages) else False


def _call(resource: str, method: str, params: Mapping[str, object], *, noun: str = "mail", hint: str = "") -> ApiCall:
    mine = {"userId": "me", **params}
    return ApiCall(api="gmail", resource=f"users.{resource}", method=method, params=mine, noun=noun, hint=hint)


def _written(call: ApiCall, raw: str, thread_id: str | None) -> ApiCall:
    """The call with a mail in its body, or beside it where that is big."""
    thread = {"threadId": thread_id} if thread_id else {}
    mail = urlsafe_b64decode(raw) if len(raw) > BIG_MAIL else b""
    if mail.isascii() and mail:  # the library cannot put other bytes beside a body
        return replace(call, params={**call.params, "body": {"message": thread}}, upload=mail)
    return replace(call, params={**call.params, "body": {"message": {"raw": raw} | thread}})
