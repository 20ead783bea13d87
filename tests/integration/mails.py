"""The mails that the tests of the Gmail tools send, answer and receive."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from typing import Any

from integrations.base import Requester
from integrations.errors import ModelRetry
from integrations.ports import SlackFile
from playground.google.gmail.letters import Letter
from playground.google.gmail.mailbox import Mailbox
from playground.people import MARA
from tests.integration.google_world import World, data
from tests.pdf_files import pdf

HELEN = "helen.marsh@marshgardens.example"
BRUNO = "bruno@kellerholz.example"
SUBJECT = "Eight loungers"
OAK = "Invoice 2291 and the late oak"
SIGNED = "\n\n-- \nMara Lindqvist\nOperations, Fernhill Garden Furniture"
BODY = "Hi Helen,\n\nyes.\nMara"
MAIL: dict[str, Any] = {"to": [f"Helen Marsh <{HELEN}>", "dana@fernhill.example"], "subject": SUBJECT, "body": BODY}
LOUNGERS: dict[str, Any] = {"to": [HELEN], "subject": "Loungers", "body": BODY}


async def oak_thread(world: World) -> str:
    found = await world.execute("gmail_search", {"query": 'subject:"Invoice 2291"'})
    return str(data(found)["threads"][0]["thread_id"])


async def draft_of(world: World, **more: object) -> str:
    saved = await world.execute("gmail_draft_create", {**LOUNGERS, "attachments": ["F0PLAN"], **more}, key="draft")
    return str(data(saved)["draft_id"])


class OneFile:
    """Slack with one file, which Mara may see."""

    async def file(self, requester: Requester, file_id: str) -> SlackFile:
        if (requester.user, file_id) != (MARA.user_id, "F0PLAN"):
            raise ModelRetry("file_not_found", "There is no such file.")
        return SlackFile(id=file_id, name="stand plan.pdf", mime_type="application/pdf", size=5)

    async def content(self, requester: Requester, file_id: str, *, limit: int) -> bytes:
        await self.file(requester, file_id)
        return b"%PDF-"[:limit]


def box_of(world: World) -> Mailbox:
    """Mara's mailbox."""
    return world.emulator.world.post.mailbox(MARA)


def mail_of(world: World, message_id: str) -> EmailMessage:
    """The mail as it lies in Mara's mailbox."""
    return email.message_from_bytes(box_of(world).get(message_id).letter.raw, policy=email.policy.default)


def own_draft(world: World, raw: bytes) -> str:
    """A draft that Mara wrote elsewhere; its id."""
    return box_of(world).new_draft(Letter(raw), arrived_ms=world.emulator.world.post.now_ms(), thread_id=None).id


def deliver(world: World, mail: EmailMessage | str) -> str:
    """Somebody's mail arrives; the id of its thread."""
    raw = mail.encode() if isinstance(mail, str) else mail.as_bytes()
    return world.emulator.world.post.deliver(Letter(raw))[0].thread_id


def mail_from(sender: str, subject: str, text: str = "See.", *, to: str = MARA.email) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail.set_content(text)
    return mail


def with_papers(*, subject: str = "Papers") -> EmailMessage:
    mail = mail_from(f"Bruno Keller <{BRUNO}>", subject, "See the papers.")
    mail["Message-Id"] = f"<{subject.lower()}@kellerholz.example>"
    mail.add_attachment(pdf("Net total 1,250"), maintype="application", subtype="pdf", filename="Rechnung März.pdf")
    mail.add_attachment("a;b\n1;2\n" * 3_000, subtype="csv", filename="prices.csv")
    return mail
