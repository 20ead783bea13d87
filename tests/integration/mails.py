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
from playground.people import MARA
from tests.integration.google_world import World, data
from tests.pdf_files import pdf

HELEN = "Helen Marsh <helen.marsh@marshgardens.example>"
BRUNO = "bruno@kellerholz.example"
SUBJECT = "Eight loungers"
OAK = "Invoice 2291 and the late oak"
SIGNED = "\n\n-- \nMara Lindqvist\nOperations, Fernhill Garden Furniture"
MAIL: dict[str, Any] = {"to": [HELEN, "dana@fernhill.example"], "subject": SUBJECT, "body": "Hi Helen,\n\nyes.\nMara"}
LOUNGERS: dict[str, Any] = {
    "to": ["helen.marsh@marshgardens.example"],
    "subject": "Loungers",
    "body": "Hi Helen,\n\nyes.\nMara",
}


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


def mail_of(world: World, handle: str, message_id: str) -> EmailMessage:
    """The mail as it lies in somebody's mailbox."""
    box = next(box for box in world.emulator.world.post.mailboxes.values() if box.person.handle == handle)
    return email.message_from_bytes(box.get(message_id).letter.raw, policy=email.policy.default)


def deliver(world: World, mail: EmailMessage) -> str:
    """Somebody's mail arrives; the id of its thread."""
    return world.emulator.world.post.deliver(Letter(mail.as_bytes()))[0].thread_id


def with_papers(*, subject: str = "Papers") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"Bruno Keller <{BRUNO}>", MARA.email, subject
    mail["Message-Id"] = f"<{subject.lower()}@kellerholz.example>"
    mail.set_content("See the papers.")
    mail.add_attachment(pdf("Net total 1,250"), maintype="application", subtype="pdf", filename="Rechnung März.pdf")
    mail.add_attachment("a;b\n1;2\n" * 3_000, subtype="csv", filename="prices.csv")
    return mail
