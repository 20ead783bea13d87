"""Replies and drafts in their thread."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from integrations.base import Done, NotDone, Unknown
from integrations.errors import BasisChanged
from playground.people import MARA
from tests.integration.google_world import World, data
from tests.integration.mails import HELEN, MAIL, OAK, oak_thread

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_google_pitfall_21_a_reply_stays_in_its_thread(world: World) -> None:
    """Right people, same subject, all three ties; the card says what is answered."""
    thread_id = await oak_thread(world)
    arguments: dict[str, Any] = {"thread_id": thread_id, "body": "Thursday is fine.", "reply_all": True}
    card = await world.preview("gmail_reply", arguments)
    shown = {line.label: line.value for line in card.fields}
    assert shown["To"] == "bruno@kellerholz.example (Bruno Keller)"
    assert shown["In reply to"].startswith("bruno@kellerholz.example (Bruno Keller), ")
    assert card.recipients == ["bruno@kellerholz.example", "priya@fernhill.example"]
    result = await world.execute("gmail_reply", arguments, card=card)
    assert data(result)["thread_id"] == thread_id
    [sent] = [mail for mail in await world.box("mara", "sent", "Invoice 2291") if "Thursday is fine" in mail["text"]]
    assert sent["threadId"] == thread_id
    saved = [
        entry for entry in world.emulator.admin.log.after(world.seen) if entry["path"].endswith("/drafts?alt=json")
    ]
    assert [entry["request"]["message"]["threadId"] for entry in saved] == [thread_id]
    head = world.emulator.world.post.mailbox(MARA).messages[sent["id"]].letter.raw.partition(b"\r\n\r\n")[0]
    answered = str(card.basis["in_reply_to"]).encode()
    assert b"In-Reply-To: " + answered in head
    assert answered in head.partition(b"References: ")[2]
    assert b"Subject: Re: Invoice 2291 and the late oak\r\n" in head


async def test_a_reply_after_ones_own_mail_says_so(world: World) -> None:
    """Whoever answered already sees that on the card, and what their own mail said."""
    arguments: dict[str, Any] = {"thread_id": await oak_thread(world), "body": "Thursday is fine."}
    card = await world.preview("gmail_reply", arguments)
    own = "The newest mail of this conversation is your own: nobody has answered it yet."
    assert own not in card.warnings
    await world.execute("gmail_reply", arguments, card=card)
    card = await world.preview("gmail_reply", arguments | {"body": "Monday is fine, too."})
    (said,) = (line.value for line in card.fields if line.label == "In reply to")
    assert said.startswith("your own mail, ")
    assert "Thursday is fine." in said
    assert own in card.warnings


async def test_a_new_message_in_the_thread_changes_the_basis(world: World) -> None:
    """When somebody wrote meanwhile, the reply is not sent as if nothing had happened."""
    thread_id = await oak_thread(world)
    arguments: dict[str, Any] = {"thread_id": thread_id, "body": "Fine."}
    card = await world.preview("gmail_reply", arguments)
    parent = str(card.basis["in_reply_to"])
    mail = {
        "from": "Bruno Keller <bruno@kellerholz.example>",
        "to": [MARA.email],
        "subject": f"Re: {OAK}",
    }
    await world.admin("mail", mail | {"text": "Wait!", "in_reply_to": parent, "message_id": "<new@kellerholz.example>"})
    with pytest.raises(BasisChanged):
        await world.execute("gmail_reply", arguments, card=card)
    assert world.requests("/drafts") == 0


async def test_a_reply_whose_answer_was_lost_is_settled(world: World) -> None:
    """The same certainty for replies as for new mails, with the approved basis of the first attempt."""
    arguments: dict[str, Any] = {"thread_id": await oak_thread(world), "body": "Fine."}
    card = await world.preview("gmail_reply", arguments)
    await world.interrupt("drop_after", "/drafts/send", "gmail_reply", arguments, card=card)
    assert isinstance(await world.reconcile("gmail_reply", arguments, card=card), Done)


async def test_another_message_id_does_not_hide_a_sent_mail(world: World) -> None:
    """If Gmail gave the mail another id, it is found in the draft's thread by its recipients."""
    await world.execute("gmail_send", MAIL)
    world.notes["k1"] = {**world.notes["k1"], "message_id_header": "<other@fernhill.example>"}
    assert isinstance(await world.reconcile("gmail_send", MAIL), Done)


async def test_another_message_id_and_thread_do_not_hide_a_sent_mail(world: World) -> None:
    """If Gmail gave the mail another thread, too, it is found by what it says; a mail with other words is not it."""
    await world.execute("gmail_send", MAIL)
    elsewhere = {"message_id_header": "<other@fernhill.example>", "thread_id": None}
    world.notes["k1"] = {**world.notes["k1"], **elsewhere}
    assert isinstance(await world.reconcile("gmail_send", MAIL), Done)
    await world.execute("gmail_send", {**MAIL, "body": "Other words."}, key="k2")
    world.notes["k2"] = {**world.notes["k1"], "text": "0" * 64}
    assert isinstance(await world.reconcile("gmail_send", MAIL, key="k2"), Unknown)
    late = datetime.fromisoformat(str(world.notes["k1"]["until"])) + timedelta(hours=1)
    world.notes["k1"] = {**world.notes["k1"], "until": late.isoformat()}
    assert isinstance(await world.reconcile("gmail_send", MAIL), Unknown)


async def test_a_draft_is_saved_and_found_again(world: World) -> None:
    """A lost answer to drafts.create is settled by the draft's own Message-ID."""
    arguments: dict[str, Any] = {"to": [], "subject": "Later", "body": "…"}
    assert await world.reconcile("gmail_draft_create", arguments) == NotDone()
    await world.interrupt("drop_after", "/drafts", "gmail_draft_create", arguments, method="POST")
    settled = await world.reconcile("gmail_draft_create", arguments)
    [draft] = await world.box("mara", "drafts", "Later")
    assert isinstance(settled, Done)
    assert data(settled.result)["draft_id"] == draft["draft_id"]


async def test_google_pitfall_20_a_draft_in_a_thread_warns_of_another_subject(world: World) -> None:
    """Gmail would begin a new thread with it."""
    thread_id = await oak_thread(world)
    card = await world.preview(
        "gmail_draft_create", {"to": [HELEN], "subject": "Other", "body": "x", "thread_id": thread_id}
    )
    assert any("new thread" in warning for warning in card.warnings)
    same = await world.preview(
        "gmail_draft_create", {"to": [HELEN], "subject": f"Re: {OAK}", "body": "x", "thread_id": thread_id}
    )
    assert not any("new thread" in warning for warning in same.warnings)


@pytest.mark.parametrize(("subject", "is_said"), [("Other", True), (f"RE: AW: {OAK}", False)])
async def test_google_pitfall_20_a_draft_that_leaves_its_thread_says_so(
    world: World, subject: str, is_said: bool
) -> None:
    """Another subject for a draft that answers is warned of; one more "Re:" is not another one."""
    answer = {"to": [HELEN], "subject": f"Re: {OAK}", "body": "x", "thread_id": await oak_thread(world)}
    draft_id = data(await world.execute("gmail_draft_create", answer))["draft_id"]
    card = await world.preview("gmail_draft_update", {"draft_id": draft_id, "subject": subject})
    assert any("out of its thread" in warning for warning in card.warnings) is is_said
