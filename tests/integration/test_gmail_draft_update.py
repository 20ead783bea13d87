"""Drafts that are changed by the piece: what is not named stays byte for byte."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from typing import Any

import pytest

from integrations.base import Done, NotDone
from integrations.errors import BasisChanged, ModelRetry
from playground.people import MARA
from tests.integration.google_world import World, data, shown
from tests.integration.mails import (
    BRUNO,
    HELEN,
    LOUNGERS,
    SIGNED,
    box_of,
    deliver,
    draft_of,
    mail_from,
    mail_of,
    own_draft,
    with_papers,
)
from tests.pdf_files import pdf

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_draft_is_changed_and_the_rest_stays(world: World) -> None:
    """Only what is given changes; text, people and attachments that are not named stay as they are."""
    draft_id = await draft_of(world)
    before = (await world.box("mara", "drafts", "Loungers"))[0]
    arguments: dict[str, Any] = {"draft_id": draft_id, "subject": "Eight loungers", "cc": [BRUNO]}
    card = await world.preview("gmail_draft_update", arguments)
    changed = {line.label: (line.before, line.value) for line in card.fields if line.before is not None}
    assert changed == {"Cc": ("", BRUNO), "Subject": ("Loungers", "Eight loungers")}
    result = await world.execute("gmail_draft_update", arguments, card=card)
    assert data(result)["draft_id"] == draft_id
    [after] = await world.box("mara", "drafts", "Eight loungers")
    assert after["text"].strip() == before["text"].strip() == LOUNGERS["body"] + SIGNED
    mail = mail_of(world, after["id"])
    assert (mail["To"], mail["Cc"]) == (HELEN, BRUNO)
    assert [part.get_filename() for part in mail.iter_attachments()] == ["stand plan.pdf"]
    assert mail.get_body(("html",)) is not None


async def test_a_draft_that_cannot_be_written_again_is_refused(world: World) -> None:
    """A field in its head that is none: nothing is changed, and the model is told why."""
    head = f"From: {MARA.email}\r\nTo: {HELEN}\r\nSubject: Odd\r\nX-Odd: =?x?q?a?= b\x0bEvil: c\r\n\r\nHi"
    with pytest.raises(ModelRetry, match="header field"):
        await world.execute("gmail_draft_update", {"draft_id": own_draft(world, head.encode()), "subject": "Even"})


async def test_a_new_text_replaces_the_old_one(world: World) -> None:
    """With one signature, and the attachments still there."""
    draft_id = await draft_of(world)
    await world.execute("gmail_draft_update", {"draft_id": draft_id, "body": "Another text"})
    [after] = await world.box("mara", "drafts", "Loungers")
    assert after["text"].strip() == "Another text" + SIGNED
    assert len(list(mail_of(world, after["id"]).iter_attachments())) == 1


PNG = b"\x89PNG\r\n"


def bytes_of(world: World, draft_id: str) -> bytes:
    """A draft as it lies there now."""
    box = box_of(world)
    return box.get(box.draft(draft_id).message_id).letter.raw


HEADS = (
    f"From: Mara <{MARA.email}>\r\nTo: {HELEN}\r\nReply-To: {BRUNO}\r\nImportance: high\r\n"
    "Subject: Elsewhere\r\nMessage-ID: <own@fernhill.example>\r\nMIME-Version: 1.0\r\n"
).encode()
UTF8 = (
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + "Grüße, 8 bit\r\n".encode()
)


async def test_what_a_draft_has_besides_stays_byte_for_byte(world: World) -> None:
    """Another subject changes the subject and the id alone, whatever else the head says and however it is coded."""
    draft_id = own_draft(world, HEADS + UTF8)
    arguments = {"draft_id": draft_id, "subject": "Loungers für Växjö"}
    card = await world.preview("gmail_draft_update", arguments)
    assert shown(card)["Body"] == "Grüße, 8 bit"
    await world.execute("gmail_draft_update", arguments, card=card)
    head, _, text = bytes_of(world, draft_id).partition(b"\r\n\r\n")
    assert text == UTF8.partition(b"\r\n\r\n")[2]
    old, new = HEADS.split(b"\r\n"), head.split(b"\r\n")
    assert {line.partition(b":")[0] for line in set(old) - set(new) if line} == {b"Subject", b"Message-ID"}
    assert email.message_from_bytes(head, policy=email.policy.default)["Subject"] == "Loungers für Växjö"


async def test_files_are_put_to_a_draft_of_any_make(world: World) -> None:
    """The old content becomes the first part as it is."""
    draft_id = own_draft(world, HEADS + UTF8)
    await world.execute("gmail_draft_update", {"draft_id": draft_id, "attachments": ["F0PLAN"]})
    mail = email.message_from_bytes(bytes_of(world, draft_id), policy=email.policy.default)
    assert (mail["Reply-To"], mail.get_content_type()) == (BRUNO, "multipart/mixed")
    assert UTF8.rstrip() in bytes_of(world, draft_id)
    assert [part.get_filename() for part in mail.iter_attachments()] == ["stand plan.pdf"]


async def test_pictures_of_the_old_text_stay_and_that_is_said(world: World) -> None:
    """A new text has no place for them: they hang below it, and the card warns."""
    mail = mail_from(MARA.email, "Elsewhere", to=HELEN)
    mail.add_alternative('<p>See.</p><img src="cid:plan">', subtype="html")
    html = mail.get_body(("html",))
    assert html is not None
    html.add_related(PNG, "image", "png", cid="<plan>", filename="plan.png")
    draft_id = own_draft(world, mail.as_bytes())
    for change, is_said in (({"body": "Look below."}, True), ({"cc": [BRUNO]}, False)):
        warned = (await world.preview("gmail_draft_update", {"draft_id": draft_id, **change})).warnings
        assert any("pictures" in text for text in warned) is is_said
    await world.execute("gmail_draft_update", {"draft_id": draft_id, "body": "Look below.", "signature": False})
    after = email.message_from_bytes(bytes_of(world, draft_id), policy=email.policy.default)
    assert [(part.get_filename(), part.get_content()) for part in after.iter_attachments()] == [("plan.png", PNG)]
    text = after.get_body(("plain",))
    assert text is not None
    assert text.get_content().strip() == "Look below."


@pytest.mark.parametrize("changes", [{"body": "New."}, {"subject": "New"}], ids=["text", "subject"])
async def test_a_file_before_the_text_stays_a_file(world: World, changes: dict[str, Any]) -> None:
    """What is text is known by what it is, not by its place."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = MARA.email, HELEN, "Elsewhere"
    mail.make_mixed()
    mail.add_attachment(pdf("Plan"), maintype="application", subtype="pdf", filename="plan.pdf")
    text = EmailMessage()
    text.set_content("Hi")
    mail.attach(text)
    draft_id = own_draft(world, mail.as_bytes())
    arguments = {"draft_id": draft_id, "signature": False, **changes}
    card = shown(await world.preview("gmail_draft_update", arguments))
    assert card["Attachments"].startswith("plan.pdf (application/pdf, ")
    assert card["Body"] == changes.get("body", "Hi")
    await world.execute("gmail_draft_update", arguments)
    after = email.message_from_bytes(bytes_of(world, draft_id), policy=email.policy.default)
    [file] = [part for part in after.walk() if part.get_filename()]
    assert (file.get_filename(), file.get_content()) == ("plan.pdf", pdf("Plan"))


async def test_a_draft_that_was_saved_meanwhile_is_shown_again(world: World) -> None:
    """The version belongs to what was approved."""
    draft_id = await draft_of(world)
    card = await world.preview("gmail_draft_update", {"draft_id": draft_id, "body": "Mine"})
    await world.execute("gmail_draft_update", {"draft_id": draft_id, "body": "Theirs"}, key="other")
    with pytest.raises(BasisChanged):
        await world.execute("gmail_draft_update", {"draft_id": draft_id, "body": "Mine"}, card=card)
    [after] = await world.box("mara", "drafts", "Loungers")
    assert after["text"].startswith("Theirs")


async def test_a_lost_answer_to_a_change_is_settled(world: World) -> None:
    """The draft's own Message-ID tells whether the change arrived; an attempt that finds it changes nothing."""
    draft_id = await draft_of(world)
    arguments: dict[str, Any] = {"draft_id": draft_id, "body": "Changed"}
    card = await world.preview("gmail_draft_update", arguments)
    assert await world.reconcile("gmail_draft_update", arguments, card=card) == NotDone()
    await world.interrupt("drop_after", "/drafts/", "gmail_draft_update", arguments, card=card, method="PUT", times=-1)
    world.emulator.admin.faults.clear()
    assert isinstance(await world.reconcile("gmail_draft_update", arguments, card=card), Done)
    await world.execute("gmail_draft_update", arguments, card=card, attempt=2)
    assert len(await world.box("mara", "drafts", "Loungers")) == 1


async def test_a_draft_that_is_gone_is_said(world: World) -> None:
    """An id that Gmail does not know is the model's to correct."""
    with pytest.raises(ModelRetry) as caught:
        await world.preview("gmail_draft_update", {"draft_id": "r404", "body": "x"})
    assert caught.value.code == "draft_not_found"
    assert "gmail_thread_read" in caught.value.hint


async def test_a_draft_in_a_thread_is_found_and_stays_there(world: World) -> None:
    """gmail_thread_read names the draft's id; a change keeps it in its thread with all three ties."""
    thread_id = deliver(world, with_papers())
    reply = {"thread_id": thread_id, "to": [BRUNO], "subject": "Re: Papers", "body": "Thanks"}
    await world.execute("gmail_draft_create", reply, key="draft")
    messages = data(await world.execute("gmail_thread_read", {"thread_id": thread_id}))["messages"]
    draft_id = messages[1]["draft_id"]
    await world.execute("gmail_draft_update", {"draft_id": draft_id, "body": "Many thanks", "attachments": ["m1.a2"]})
    [after] = await world.box("mara", "drafts", "Re: Papers")
    mail = mail_of(world, after["id"])
    assert after["threadId"] == thread_id
    assert (mail["In-Reply-To"], mail["References"]) == ("<papers@kellerholz.example>",) * 2
    assert [part.get_filename() for part in mail.iter_attachments()] == ["prices.csv"]
