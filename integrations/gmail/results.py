"""What the mail tools answer: data for the model, a sentence for people, links to what was made."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from integrations.base import ObjectRef, Result, Unknown
from integrations.gmail.heads import subject_of
from integrations.gmail.wire import Draft, GmailMessage, GmailThread
from policies.characters import quoted
from policies.types import Label

SUBJECT_LENGTH = 160
# Where the account is not known, a browser opens the one that signed in first.
LOOK_IN_GMAIL = Unknown(where="Gmail", link="https://mail.google.com/mail/u/0/")
LOOK_UNDER_SENT = Unknown(where="Gmail, under Sent", link="https://mail.google.com/mail/u/0/#sent")
LOOK_UNDER_DRAFTS = Unknown(where="Gmail, under Drafts", link="https://mail.google.com/mail/u/0/#drafts")


def thread_object(thread: GmailThread, *, people: Sequence[str] = ()) -> ObjectRef:
    """A conversation that a result shows, under the subject of its first message."""
    return ObjectRef(kind="mail_thread", id=thread.id, title=thread_subject(thread), people=tuple(people))


def thread_subject(thread: GmailThread) -> str:
    """That of its first message, in a list of conversations."""
    return (subject_of(thread.messages[0], SUBJECT_LENGTH) if thread.messages else "") or "(no subject)"


def thread_link(thread_id: str, account: str) -> str:
    """The thread in Gmail's web page."""
    return _link(f"all/{thread_id}", account)


def _link(place: str, account: str) -> str:
    """A place in the mailbox of this address: a browser may be signed in to several accounts, in any order."""
    return f"https://mail.google.com/mail/?authuser={quote(account, safe='@')}#{place}"


def sent_result(sent: GmailMessage, *, subject: str, to: Sequence[str], account: str, message_id: str) -> Result:
    """A mail left the mailbox of this address, with this Message-ID."""
    data = {"sent": True, "message_id": sent.id, "thread_id": sent.thread_id, "to": list(to)}
    return Result(
        data=data,
        summary=f"Sent {quoted(subject)} to {', '.join(to)}",
        label=Label.CONFIG,
        objects=[ObjectRef(kind="mail_thread", id=sent.thread_id, title=subject, people=tuple(to))],
        link=thread_link(sent.thread_id, account),
        ids={"mail": sent.id, "message_id": message_id},
    )


def draft_result(draft: Draft, *, subject: str, to: Sequence[str], account: str, note: str = "") -> Result:
    """A draft was saved in the mailbox of this address; `note` tells the model why a mail became one."""
    link = _link(f"drafts/{draft.message.id}" if draft.message.id else "drafts", account)
    data = {"draft_id": draft.id, "link": link}
    return Result(
        data={"sent": False, **data, "note": note} if note else data,
        summary=f"Saved a draft of {quoted(subject)}",
        label=Label.CONFIG,
        objects=[ObjectRef(kind="draft", id=draft.id, title=subject, people=tuple(to))],
        link=link,
    )
