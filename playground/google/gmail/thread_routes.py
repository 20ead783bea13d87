"""`users.threads` of the Gmail API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from playground.google.discovery import JsonObject
from playground.google.errors import invalid
from playground.google.gmail.mailbox import INBOX, TRASH, Stored
from playground.google.gmail.message_routes import allowed_format, asked_labels, page_size, paging, searched
from playground.google.gmail.views import brief
from playground.google.pages import page

if TYPE_CHECKING:
    from playground.google.call import Call, Handler
    from playground.google.gmail.post_office import PostOffice
    from playground.google.gmail.views import Viewer


class ThreadRoutes:
    """Listing and reading conversations."""

    def __init__(self, post: Callable[[], PostOffice], viewer: Viewer) -> None:
        self._post = post
        self._viewer = viewer

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "gmail.users.threads.list": self.list,
            "gmail.users.threads.get": self.get,
            "gmail.users.threads.modify": self.modify,
            "gmail.users.threads.trash": self.trash,
            "gmail.users.threads.untrash": self.untrash,
        }

    def list(self, call: Call) -> JsonObject:
        """The threads with at least one message that matches; newest match first."""
        mailbox = self._post().mailbox(call.person)
        newest: dict[str, Stored] = {}
        for stored in searched(call, mailbox, self._post()):
            newest.setdefault(stored.thread_id, stored)
        shown, following = page(list(newest.values()), call.text("pageToken"), page_size(call))
        rows = [_row(stored) for stored in shown]
        return ({"threads": rows} if rows else {}) | paging(following, len(newest))

    def get(self, call: Call) -> JsonObject:
        form = allowed_format(call)
        if form == "raw":
            raise invalid("Invalid format for threads")
        messages = self._post().mailbox(call.person).thread(call.needed("id"))
        return {
            "id": call.needed("id"),
            "historyId": str(max(stored.history_id for stored in messages)),
            "messages": [self._viewer.message(stored, form, call.many("metadataHeaders")) for stored in messages],
        }

    def modify(self, call: Call) -> JsonObject:
        """Every message of the thread."""
        add, remove = asked_labels(call, self._post().mailbox(call.person))
        return self._relabel(call, add=add, remove=remove)

    def trash(self, call: Call) -> JsonObject:
        return self._relabel(call, add=[TRASH], remove=[INBOX])

    def untrash(self, call: Call) -> JsonObject:
        return self._relabel(call, add=[], remove=[TRASH])

    def _relabel(self, call: Call, *, add: list[str], remove: list[str]) -> JsonObject:
        mailbox = self._post().mailbox(call.person)
        thread = mailbox.thread(call.needed("id"))
        messages = [mailbox.relabel(stored.id, add=add, remove=remove) for stored in thread]
        self._post().changes.publish("mail_labelled", person=call.person.handle, ids=[one.id for one in messages])
        return {
            "id": call.needed("id"),
            "historyId": str(mailbox.history_id),
            "messages": [brief(stored, labels=True) for stored in messages],
        }


def _row(stored: Stored) -> JsonObject:
    return {"id": stored.thread_id, "snippet": stored.letter.snippet, "historyId": str(stored.history_id)}
