"""`users.messages` of the Gmail API."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from playground.google.discovery import JsonObject
from playground.google.errors import ApiError, invalid
from playground.google.gmail.label_routes import check_labels
from playground.google.gmail.letters import Letter
from playground.google.gmail.mailbox import INBOX, TRASH, Mailbox, Stored
from playground.google.gmail.payload import content, encoded, find_part
from playground.google.gmail.search import Search
from playground.google.gmail.views import brief, part_of
from playground.google.pages import page

if TYPE_CHECKING:
    from playground.google.call import Call, Handler
    from playground.google.gmail.post_office import PostOffice
    from playground.google.gmail.views import Viewer

MOST_RESULTS = 500
MOST_AT_ONCE = 1000
MORE_THAN_A_PAGE = 201
"""The `resultSizeEstimate` when there is a next page, whatever the real number is."""

METADATA_ONLY = "https://www.googleapis.com/auth/gmail.metadata"


class MessageRoutes:
    """Reading, sending and labelling messages."""

    def __init__(self, post: Callable[[], PostOffice], viewer: Viewer) -> None:
        self._post = post
        self._viewer = viewer

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "gmail.users.messages.list": self.list,
            "gmail.users.messages.get": self.get,
            "gmail.users.messages.send": self.send,
            "gmail.users.messages.modify": self.modify,
            "gmail.users.messages.batchModify": self.batch_modify,
            "gmail.users.messages.trash": self.trash,
            "gmail.users.messages.untrash": self.untrash,
            "gmail.users.messages.attachments.get": self.attachment,
        }

    def list(self, call: Call) -> JsonObject:
        found = searched(call, self._mailbox(call), self._post())
        shown, following = page(found, call.text("pageToken"), page_size(call))
        listing: JsonObject = {"messages": [brief(stored) for stored in shown]} if shown else {}
        return listing | paging(following, len(found))

    def get(self, call: Call) -> JsonObject:
        stored = self._mailbox(call).get(call.needed("id"))
        return self._viewer.message(stored, allowed_format(call), call.many("metadataHeaders"))

    def send(self, call: Call) -> JsonObject:
        letter = letter_of(call.body)
        return brief(self._post().send(call.person, letter, thread_id=call.body.get("threadId")), labels=True)

    def modify(self, call: Call) -> JsonObject:
        add, remove = asked_labels(call, self._mailbox(call))
        return self._relabel(call, add=add, remove=remove)

    def batch_modify(self, call: Call) -> None:
        """Changes all messages that exist, and skips others."""
        mailbox = self._mailbox(call)
        ids: list[str] = call.body.get("ids", [])
        if len(ids) > MOST_AT_ONCE:
            raise invalid(f"Too many message ids: at most {MOST_AT_ONCE}")
        add, remove = asked_labels(call, mailbox)
        for message in (message for message in ids if message in mailbox.messages):
            mailbox.relabel(message, add=add, remove=remove)
        self._post().changes.publish("mail_labelled", person=call.person.handle, ids=ids)

    def trash(self, call: Call) -> JsonObject:
        return self._relabel(call, add=[TRASH], remove=[INBOX])

    def untrash(self, call: Call) -> JsonObject:
        return self._relabel(call, add=[], remove=[TRASH])

    def attachment(self, call: Call) -> JsonObject:
        stored = self._mailbox(call).get(call.needed("messageId"))
        number = part_of(call.needed("id"))
        part = find_part(stored.letter, number) if number is not None else None
        if part is None:
            raise invalid("Invalid attachment token")
        data = content(part)
        return {"size": len(data), "data": encoded(data)}

    def _relabel(self, call: Call, *, add: list[str], remove: list[str]) -> JsonObject:
        mailbox = self._mailbox(call)
        stored = mailbox.relabel(call.needed("id"), add=add, remove=remove)
        self._post().changes.publish("mail_labelled", person=call.person.handle, id=stored.id)
        return brief(stored, labels=True)

    def _mailbox(self, call: Call) -> Mailbox:
        return self._post().mailbox(call.person)


def searched(call: Call, mailbox: Mailbox, post: PostOffice) -> list[Stored]:
    """The messages that a listing's `q`, `labelIds` and `includeSpamTrash` find, newest first."""
    text = call.text("q") or ""
    if text and METADATA_ONLY in call.scopes and not call.scopes & (call.method.scopes - {METADATA_ONLY}):
        raise ApiError(403, "forbidden", "Metadata scope does not support 'q' parameter")
    search = Search(text, mailbox, post.clock.now())
    return search.found(labels=frozenset(call.many("labelIds")), spam_and_trash=call.flag("includeSpamTrash"))


def asked_labels(call: Call, mailbox: Mailbox) -> tuple[list[str], list[str]]:
    """The labels to add and to remove; 400 for those that cannot be changed."""
    add, remove = call.body.get("addLabelIds", []), call.body.get("removeLabelIds", [])
    check_labels(mailbox, [*add, *remove])
    if set(add) & set(remove):
        raise invalid("Cannot both add and remove the same label")
    return add, remove


def page_size(call: Call) -> int:
    return min(max(call.number("maxResults", 100), 1), MOST_RESULTS)


def paging(following: str | None, total: int) -> JsonObject:
    """The end of a listing. Its estimate is wrong on purpose, since a client must not use it as a count."""
    if following:
        return {"nextPageToken": following, "resultSizeEstimate": MORE_THAN_A_PAGE}
    return {"resultSizeEstimate": total}


def allowed_format(call: Call) -> str:
    """The requested format; 403 for a body when only metadata was granted."""
    form = call.text("format") or "full"
    narrow = METADATA_ONLY in call.scopes and not call.scopes & (call.method.scopes - {METADATA_ONLY})
    if narrow and form in {"full", "raw"}:
        raise ApiError(403, "forbidden", f"Metadata scope doesn't allow format {form.upper()}")
    return form


def letter_of(message: JsonObject) -> Letter:
    """The mail in a Message's `raw`: base64url, padded or not."""
    raw: str = message.get("raw", "")
    if not raw:
        raise invalid("'raw' RFC822 payload message string or uploading message via /upload/* URL required")
    try:
        return Letter(base64.urlsafe_b64decode(raw.rstrip("=") + "=" * (-len(raw.rstrip("=")) % 4)))
    except (binascii.Error, ValueError) as error:
        raise invalid("Invalid value for ByteString") from error
