"""`users.labels` of the Gmail API ("Manage labels")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from playground.google.discovery import JsonObject
from playground.google.errors import ApiError, invalid, not_found
from playground.google.gmail.mailbox import Mailbox
from playground.google.gmail.views import SYSTEM_LABELS, label_resource

if TYPE_CHECKING:
    from playground.google.call import Call, Handler
    from playground.google.gmail.post_office import PostOffice

LONGEST_NAME = 225


class LabelRoutes:
    """The labels of a mailbox: Gmail's own, and those that its owner made."""

    def __init__(self, post: Callable[[], PostOffice]) -> None:
        self._post = post

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "gmail.users.labels.list": self.list,
            "gmail.users.labels.get": self.get,
            "gmail.users.labels.create": self.create,
            "gmail.users.labels.patch": self.patch,
            "gmail.users.labels.delete": self.delete,
        }

    def list(self, call: Call) -> JsonObject:
        return {"labels": [label_resource(label, name) for label, name in self._labels(call).items()]}

    def get(self, call: Call) -> JsonObject:
        label = call.needed("id")
        names = self._labels(call)
        if label not in names:
            raise not_found()
        messages = [stored for stored in self._mailbox(call).messages.values() if label in stored.labels]
        unread = [stored for stored in messages if "UNREAD" in stored.labels]
        return label_resource(label, names[label]) | {
            "messagesTotal": len(messages),
            "messagesUnread": len(unread),
            "threadsTotal": len({stored.thread_id for stored in messages}),
            "threadsUnread": len({stored.thread_id for stored in unread}),
        }

    def create(self, call: Call) -> JsonObject:
        """A new label; its name must not exist in any spelling."""
        mailbox = self._mailbox(call)
        name = _checked(mailbox, call.body.get("name") or "")
        label = mailbox.new_label(name)
        return label_resource(label, name)

    def patch(self, call: Call) -> JsonObject:
        mailbox = self._mailbox(call)
        label = self._own(call)
        name = call.body.get("name") or mailbox.own_labels[label]
        if name != mailbox.own_labels[label]:
            mailbox.own_labels[label] = _checked(mailbox, name)
        return label_resource(label, name)

    def delete(self, call: Call) -> None:
        """Removes the label, also from every message."""
        mailbox = self._mailbox(call)
        label = self._own(call)
        del mailbox.own_labels[label]
        for message in [stored.id for stored in mailbox.messages.values() if label in stored.labels]:
            mailbox.relabel(message, remove=[label])

    def _own(self, call: Call) -> str:
        label = call.needed("id")
        if label in SYSTEM_LABELS:
            raise invalid("Invalid update request")
        if label not in self._mailbox(call).own_labels:
            raise not_found()
        return label

    def _labels(self, call: Call) -> dict[str, str]:
        return {label: label for label in SYSTEM_LABELS} | self._mailbox(call).own_labels

    def _mailbox(self, call: Call) -> Mailbox:
        return self._post().mailbox(call.person)


def check_labels(mailbox: Mailbox, names: list[str]) -> None:
    """Raises 400 for a label that does not exist, or that nobody can add or remove."""
    for name in names:
        if name in {"SENT", "DRAFT"} or name not in {*SYSTEM_LABELS, *mailbox.own_labels}:
            raise invalid(f"Invalid label: {name}")


def _checked(mailbox: Mailbox, name: str) -> str:
    if not name.strip() or len(name) > LONGEST_NAME or name.upper() in SYSTEM_LABELS:
        raise invalid("Invalid label name")
    if name.casefold() in {own.casefold() for own in mailbox.own_labels.values()}:
        raise ApiError(409, "aborted", "Label name exists or conflicts")
    return name
