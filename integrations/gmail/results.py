"""What the mail tools answer: data for the model, a sentence for people, links to what was made."""

from __future__ import annotations

from collections.abc import Sequence

from integrations.base import ObjectRef, Result
from integrations.gmail.wire import Draft, Message
from policies.types import Label

ALL_LINK = "https://mail.google.com/mail/u/0/#all/{}"
SENT_LINK = "https://mail.google.com/mail/u/0/#sent"
DRAFTS_LINK = "https://mail.google.com/mail/u/0/#drafts"


def thread_link(thread_id: str) -> str:
    """The thread in Gmail's web page."""
    return ALL_LINK.format(thread_id)


def sent_result(sent: Message, *, subject: str, to: Sequence[str]) -> Result:
    """A mail left."""
    data = {"sent": True, "message_id": sent.id, "thread_id": sent.thread_id, "to": list(to)}
    return Result(
        data=data,
        summary=f"Sent “{subject}” to {', '.join(to)}",
        label=Label.CONFIG,
        objects=[ObjectRef(kind="mail_thread", id=sent.thread_id, title=subject, people=tuple(to))],
        link=thread_link(sent.thread_id),
    )


def draft_result(draft: Draft, *, subject: str, to: Sequence[str]) -> Result:
    """A draft was saved."""
    link = f"{DRAFTS_LINK}/{draft.message.id}" if draft.message else DRAFTS_LINK
    return Result(
        data={"draft_id": draft.id, "link": link},
        summary=f"Saved a draft of “{subject}”",
        label=Label.CONFIG,
        objects=[ObjectRef(kind="draft", id=draft.id, title=subject, people=tuple(to))],
        link=link,
    )
