"""How messages, threads, drafts and labels look in the Gmail API."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from itertools import count

from playground.google.discovery import JsonObject
from playground.google.gmail.mailbox import Draft, Mailbox, Stored
from playground.google.gmail.payload import encoded, only, payload
from playground.google.gmail.send_as import SendAs

SYSTEM_LABELS = (
    "INBOX",
    "SENT",
    "DRAFT",
    "TRASH",
    "SPAM",
    "UNREAD",
    "STARRED",
    "IMPORTANT",
    "CATEGORY_PERSONAL",
    "CATEGORY_PROMOTIONS",
    "CATEGORY_UPDATES",
)


class Viewer:
    """Shows messages in the requested format. Attachment ids are new at each look, as Gmail's are."""

    def __init__(self) -> None:
        self._looks = count(1)

    def message(self, stored: Stored, form: str = "full", names: Sequence[str] = ()) -> JsonObject:
        shown: JsonObject = {
            "id": stored.id,
            "threadId": stored.thread_id,
            "labelIds": sorted(stored.labels),
            "snippet": stored.letter.snippet,
            "sizeEstimate": len(stored.letter.raw),
            "historyId": str(stored.history_id),
            "internalDate": str(stored.arrived_ms),
        }
        if form == "raw":
            shown["raw"] = encoded(stored.letter.raw)
        elif form == "metadata":
            shown["payload"] = {
                "mimeType": stored.letter.message.get_content_type(),
                "headers": only(stored.letter, names),
            }
        elif form == "full":
            shown["payload"] = payload(stored.letter, f"ANGjdJ{next(self._looks):06d}-")
        return shown

    def draft(self, mailbox: Mailbox, draft: Draft, form: str = "full") -> JsonObject:
        return {"id": draft.id, "message": self.message(mailbox.get(draft.message_id), form)}


def brief(stored: Stored, *, labels: bool = False) -> JsonObject:
    """A message as listings and writes give it."""
    shown: JsonObject = {"id": stored.id, "threadId": stored.thread_id}
    return shown | ({"labelIds": sorted(stored.labels)} if labels else {})


def part_of(attachment_id: str) -> str | None:
    """The part that an attachment id stands for; None for an unknown id."""
    prefix, dash, number = attachment_id.partition("-")
    if not dash or not prefix.startswith("ANGjdJ"):
        return None
    try:
        return base64.urlsafe_b64decode(number + "=" * (-len(number) % 4)).decode()
    except ValueError:
        return None


def label_resource(label_id: str, name: str) -> JsonObject:
    if label_id in SYSTEM_LABELS:
        return {"id": label_id, "name": name, "type": "system"}
    shown = {"messageListVisibility": "show", "labelListVisibility": "labelShow"}
    return {"id": label_id, "name": name, "type": "user", **shown}


def send_as_resource(alias: SendAs) -> JsonObject:
    shown: JsonObject = {
        "sendAsEmail": alias.email,
        "displayName": alias.name,
        "replyToAddress": alias.reply_to,
        "signature": alias.signature,
        "isDefault": alias.primary,
    }
    if alias.primary:
        return shown | {"isPrimary": True}
    return shown | {"treatAsAlias": True, "verificationStatus": "accepted" if alias.accepted else "pending"}
