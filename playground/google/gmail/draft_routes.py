"""`users.drafts` of the Gmail API ("Create and send email messages", "Manage drafts")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from playground.google.discovery import JsonObject
from playground.google.errors import invalid
from playground.google.gmail.mailbox import Draft, Mailbox
from playground.google.gmail.message_routes import allowed_format, letter_of, page_size, paging
from playground.google.gmail.search import Search
from playground.google.gmail.views import brief
from playground.google.pages import page

if TYPE_CHECKING:
    from playground.google.call import Call, Handler
    from playground.google.gmail.post_office import PostOffice
    from playground.google.gmail.views import Viewer


class DraftRoutes:
    """Drafts: created, replaced by new versions, and removed when they are sent."""

    def __init__(self, post: Callable[[], PostOffice], viewer: Viewer) -> None:
        self._post = post
        self._viewer = viewer

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "gmail.users.drafts.list": self.list,
            "gmail.users.drafts.get": self.get,
            "gmail.users.drafts.create": self.create,
            "gmail.users.drafts.update": self.update,
            "gmail.users.drafts.delete": self.delete,
            "gmail.users.drafts.send": self.send,
        }

    def list(self, call: Call) -> JsonObject:
        mailbox = self._mailbox(call)
        search = Search(call.text("q") or "", mailbox, self._post().clock.now())
        order = {stored.id: place for place, stored in enumerate(search.found())}
        drafts = [draft for draft in mailbox.drafts.values() if draft.message_id in order]
        drafts.sort(key=lambda draft: order[draft.message_id])
        shown, following = page(drafts, call.text("pageToken"), page_size(call))
        rows = [_row(mailbox, draft) for draft in shown]
        return ({"drafts": rows} if rows else {}) | paging(following, len(drafts))

    def get(self, call: Call) -> JsonObject:
        mailbox = self._mailbox(call)
        return self._viewer.draft(mailbox, mailbox.draft(call.needed("id")), allowed_format(call))

    def create(self, call: Call) -> JsonObject:
        message: JsonObject = call.body.get("message") or {}
        mailbox = self._mailbox(call)
        draft = mailbox.new_draft(letter_of(message), arrived_ms=self._now(), thread_id=message.get("threadId"))
        return self._written("draft_created", call, draft)

    def update(self, call: Call) -> JsonObject:
        mailbox = self._mailbox(call)
        message: JsonObject = call.body.get("message") or {}
        draft = mailbox.draft(call.needed("id"))
        letter = letter_of(message)
        new = mailbox.replace_draft(draft, letter, arrived_ms=self._now(), thread_id=message.get("threadId"))
        return self._written("draft_updated", call, new)

    def delete(self, call: Call) -> None:
        mailbox = self._mailbox(call)
        draft = mailbox.draft(call.needed("id"))
        mailbox.drop_draft(draft)
        self._post().changes.publish("draft_deleted", person=call.person.handle, id=draft.id)

    def send(self, call: Call) -> JsonObject:
        """Sends the draft, as it is or with the given message, and removes it: a second send is a 404."""
        if not call.body.get("id"):
            raise invalid("Missing draft id")
        mailbox = self._mailbox(call)
        draft = mailbox.draft(call.body["id"])
        old = mailbox.get(draft.message_id)
        message: JsonObject = call.body.get("message") or {}
        thread_id, home = mailbox.move(old, message.get("threadId"))
        letter = letter_of(message) if message.get("raw") else old.letter
        sent = self._post().send(call.person, letter, thread_id=thread_id, home=home)
        mailbox.drop_draft(draft)
        self._post().changes.publish("draft_sent", person=call.person.handle, id=draft.id, message_id=sent.id)
        return brief(sent, labels=True)

    def _written(self, kind: str, call: Call, draft: Draft) -> JsonObject:
        mailbox = self._mailbox(call)
        self._post().changes.publish(kind, person=call.person.handle, id=draft.id, message_id=draft.message_id)
        return {"id": draft.id, "message": brief(mailbox.get(draft.message_id), labels=True)}

    def _mailbox(self, call: Call) -> Mailbox:
        return self._post().mailbox(call.person)

    def _now(self) -> int:
        return self._post().now_ms()


def _row(mailbox: Mailbox, draft: Draft) -> JsonObject:
    return {"id": draft.id, "message": brief(mailbox.get(draft.message_id))}
