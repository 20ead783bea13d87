"""Writing mail against the Google emulator: signature, aliases, attachments, drafts that change, mails that wait."""

from __future__ import annotations

import email
import email.policy
import random
from collections.abc import AsyncGenerator
from datetime import timedelta
from email.message import EmailMessage
from typing import Any, cast

import pytest
import pytest_asyncio

from integrations.base import Done, NotDone, Requester, ToolContext
from integrations.errors import Ambiguous, BasisChanged, ModelRetry, ToolFailed
from integrations.gmail.draft_create import GmailDraftCreate
from integrations.gmail.send import GmailSend
from integrations.ports import SlackFile
from playground.google.gmail.letters import Letter
from playground.people import MARA, TEAM_ID
from tests.integration.google_world import World, data, google_world, shown
from tests.papers import pdf

HELEN = "helen.marsh@marshgardens.example"
BRUNO = "bruno@kellerholz.example"
SIGNED = "\n\n-- \nMara Lindqvist\nOperations, Fernhill Garden Furniture"
MAIL: dict[str, Any] = {"to": [HELEN], "subject": "Loungers", "body": "Hi Helen,\n\nyes.\nMara"}

pytestmark = pytest.mark.asyncio(loop_scope="module")


class OneFile:
    """Slack with one file, which Mara may see."""

    async def file(self, requester: Requester, file_id: str) -> SlackFile:
        if (requester.user, file_id) != (MARA.user_id, "F0PLAN"):
            raise ModelRetry("file_not_found", "There is no such file.")
        return SlackFile(id=file_id, name="stand plan.pdf", mime_type="application/pdf", size=5)

    async def content(self, requester: Requester, file_id: str, *, limit: int) -> bytes:
        await self.file(requester, file_id)
        return b"%PDF-"[:limit]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company() -> AsyncGenerator[World]:
    async with google_world(files=OneFile()) as made:
        yield made


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


# Attachments


async def test_google_pitfall_24_attachments_are_read_by_their_place(world: World) -> None:
    """The ids that Gmail gives differ at every fetch, so an attachment is named by message and place; it is read on."""
    thread_id = deliver(world, with_papers())
    listed = data(await world.execute("gmail_thread_read", {"thread_id": thread_id}))["messages"][0]["attachments"]
    assert [(a["id"], a["name"], a["type"]) for a in listed] == [
        ("m1.a1", "Rechnung März.pdf", "application/pdf"),
        ("m1.a2", "prices.csv", "text/csv"),
    ]
    invoice = await world.execute("gmail_attachment_read", {"thread_id": thread_id, "attachment": "m1.a1"})
    assert data(invoice)["text"] == '<untrusted source="attachment">Net total 1,250</untrusted>'
    prices = data(await world.execute("gmail_attachment_read", {"thread_id": thread_id, "attachment": "m1.a2"}))
    again = f'gmail_attachment_read(thread_id="{thread_id}", attachment="m1.a2", offset=12000)'
    assert prices["text"].endswith(f"cut; {again}")
    rest = {"thread_id": thread_id, "attachment": "m1.a2", "offset": 23_000}
    assert len(data(await world.execute("gmail_attachment_read", rest))["text"]) < 1_100


@pytest.mark.parametrize("place", ["m1.a3", "m2.a1", "m0.a1", "m1", "../x", "F0PLAN"])
async def test_an_attachment_that_is_not_there_is_asked_back(world: World, place: str) -> None:
    """Every wrong place is the model's to correct, and the error says how places are written."""
    thread_id = deliver(world, with_papers())
    with pytest.raises(ModelRetry) as caught:
        await world.execute("gmail_attachment_read", {"thread_id": thread_id, "attachment": place})
    assert "m3.a1" in caught.value.hint


async def test_google_pitfall_03_a_large_text_is_fetched(world: World) -> None:
    """Gmail keeps large bodies apart, behind an id, also the text itself; it is read all the same, within budget."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = BRUNO, MARA.email, "Long"
    mail.set_content("The beginning. " + "word " * 1_000_000)
    thread_id = deliver(world, mail)
    read = data(await world.execute("gmail_thread_read", {"thread_id": thread_id}))
    [message] = read["messages"]
    assert message["body"].startswith('<untrusted source="mail">The beginning. word')
    assert f'gmail_thread_read(thread_id="{thread_id}", message=1, offset=4000)' in message["body"]
    assert len(message["body"]) < 5_000


async def test_files_of_the_thread_and_from_slack_leave_with_the_mail(world: World) -> None:
    """The card names them with type and size; exactly those bytes leave, and what was approved is bound to them."""
    thread_id = deliver(world, with_papers())
    arguments: dict[str, Any] = {
        "thread_id": thread_id,
        "body": "Here they are.",
        "attachments": ["m1.a1", "F0PLAN"],
        "cc": [HELEN],
    }
    card = await world.preview("gmail_reply", arguments)
    assert shown(card)["Attachments"] == (
        f"Rechnung März.pdf (application/pdf, {len(pdf('Net total 1,250'))} bytes), "
        "stand plan.pdf (application/pdf, 5 bytes)"
    )
    result = await world.execute("gmail_reply", arguments, card=card)
    sent = mail_of(world, "mara", data(result)["message_id"])
    assert [(part.get_filename(), part.get_content()) for part in sent.iter_attachments()] == [
        ("Rechnung März.pdf", pdf("Net total 1,250")),
        ("stand plan.pdf", b"%PDF-"),
    ]
    forwarded = {**MAIL, "attachments": [f"{thread_id}/m1.a2"]}
    assert "prices.csv (text/csv, 24 kB)" in shown(await world.preview("gmail_send", forwarded))["Attachments"]
    with pytest.raises(BasisChanged):
        await world.execute(
            "gmail_send", {**MAIL, "attachments": ["F0PLAN"]}, card=await world.preview("gmail_send", MAIL)
        )


async def test_a_file_leaves_with_what_says_how_to_read_it(world: World) -> None:
    """The charset of a text and the method of an invitation go along; what is no plain word does not."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = BRUNO, MARA.email, "Typed"
    mail.set_content("See.")
    kinds: list[tuple[str, dict[str, str]]] = [
        ("csv", {"charset": "iso-8859-1"}),
        ("calendar", {"method": "REQUEST", "charset": "utf-8"}),
        ("plain", {"charset": "utf-8 x"}),
    ]
    for kind, how in kinds:
        text = "Preis: 5 £".encode("latin-1")
        mail.add_attachment(text, maintype="text", subtype=kind, filename=f"prices.{kind}", params=how)
    thread_id = deliver(world, mail)
    files = [f"{thread_id}/m1.a{n}" for n in (1, 2, 3)]
    card = await world.preview("gmail_send", {**MAIL, "attachments": files})
    result = await world.execute("gmail_send", {**MAIL, "attachments": files}, card=card)
    sent = mail_of(world, "mara", data(result)["message_id"])
    types = [
        (part.get_content_type(), part.get_param("charset"), part.get_param("method"))
        for part in sent.iter_attachments()
    ]
    assert types == [
        ("text/csv", "iso-8859-1", None),
        ("text/calendar", "utf-8", "REQUEST"),
        ("text/plain", None, None),
    ]
    [csv, *_] = sent.iter_attachments()
    assert csv.get_content() == "Preis: 5 £"


@pytest.mark.parametrize(
    ("files", "code"),
    [
        (["m1.a1"], "attachment_not_found"),
        (["F0OTHER"], "file_not_found"),
        (["https://evil.example/x"], "attachment_not_found"),
        (["F0PLAN", *(f"F{n}XX" for n in range(10))], "too_many_attachments"),
    ],
)
async def test_files_that_cannot_go_along_stop_the_mail(world: World, files: list[str], code: str) -> None:
    """Nothing is sent, and no draft is left."""
    with pytest.raises(ModelRetry) as caught:
        await world.execute("gmail_send", {**MAIL, "attachments": files})
    assert caught.value.code == code
    assert world.requests("/drafts") == 0


async def test_a_big_mail_leaves_once(world: World) -> None:
    """Six megabytes travel beside the JSON, in one request that is not sent again; a draft is changed so too."""
    mail = with_papers(subject="Big")
    big = random.Random(1).randbytes(6_000_000)  # a library refuses what is packed a hundred times smaller
    mail.add_attachment(big, maintype="application", subtype="zip", filename="big.zip")
    thread_id = deliver(world, mail)
    arguments: dict[str, Any] = {"thread_id": thread_id, "body": "Grüße", "attachments": ["m1.a3"]}
    card = await world.preview("gmail_reply", arguments)
    result = await world.execute("gmail_reply", arguments, card=card)
    sent = mail_of(world, "mara", data(result)["message_id"])
    [file] = sent.iter_attachments()
    assert file.get_content() == big
    assert data(result)["thread_id"] == thread_id
    assert world.requests("/upload/gmail/v1/users/me/drafts") == 1
    draft_id = await draft_of(world, attachments=[f"{thread_id}/m1.a3"])
    await world.execute("gmail_draft_update", {"draft_id": draft_id, "subject": "Big, again"})
    [after] = await world.box("mara", "drafts", "Big, again")
    [file] = mail_of(world, "mara", after["id"]).iter_attachments()
    assert file.get_content() == big


async def test_files_that_are_too_large_stop_the_mail(world: World) -> None:
    """The sizes are looked at before anything is fetched."""
    mail = with_papers(subject="Big")
    mail.add_attachment(b"x" * 25_100_000, maintype="application", subtype="zip", filename="big.zip")
    thread_id = deliver(world, mail)
    with pytest.raises(ModelRetry, match=r"“big.zip” has 25.1 MB; all .* may have 25.0 MB") as caught:
        await world.execute("gmail_reply", {"thread_id": thread_id, "body": "x", "attachments": ["m1.a3"]})
    assert caught.value.code == "attachments_too_large"
    assert world.requests("/attachments/") == 0


# Who writes


async def test_an_alias_that_was_confirmed_can_be_chosen(world: World) -> None:
    """The mail leaves from it; one that Gmail does not accept is refused with those that it does."""
    arguments = {**MAIL, "from_address": "orders@fernhill.example"}
    card = await world.preview("gmail_send", arguments)
    assert shown(card)["From"] == "Fernhill Orders <orders@fernhill.example>"
    assert shown(card)["Signature"] == "your name, below the text"  # Gmail keeps none for it
    assert shown(card)["Body"] == f"{MAIL['body']}\nFernhill Orders"
    result = await world.execute("gmail_send", arguments, card=card)
    assert mail_of(world, "mara", data(result)["message_id"])["From"] == shown(card)["From"]
    for wrong in ("mara@lindqvist.example", "dana@fernhill.example", "orders"):
        with pytest.raises(ModelRetry):
            await world.preview("gmail_send", {**MAIL, "from_address": wrong})


async def test_a_draft_in_a_thread_leaves_from_the_alias_that_was_written_to(world: World) -> None:
    """A draft and a reply agree about the sender."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = BRUNO, "orders+vip@fernhill.example", "Oak"
    mail["Message-Id"] = "<oak@kellerholz.example>"
    mail.set_content("Is it there?")
    box = next(box for box in world.emulator.world.post.mailboxes.values() if box.person.handle == "mara")
    got = box.add(Letter(mail.as_bytes()), labels={"INBOX"}, arrived_ms=world.emulator.world.post.now_ms())
    reply: dict[str, Any] = {"thread_id": got.thread_id, "body": "Yes."}
    draft = {**reply, "to": [BRUNO], "subject": "Re: Oak"}
    for name, arguments in (("gmail_reply", reply), ("gmail_draft_create", draft)):
        card = await world.preview(name, arguments)
        assert shown(card)["From"] == "Fernhill Orders <orders@fernhill.example>"


async def test_the_signature_can_be_left_out(world: World) -> None:
    """With `signature` false the text leaves as it is; the card says which."""
    card = await world.preview("gmail_send", {**MAIL, "signature": False})
    assert (shown(card)["Body"], shown(card)["Signature"]) == (MAIL["body"], "no")


async def test_whom_one_writes_to_for_the_first_time_is_marked(world: World) -> None:
    """Nobody one has written to or heard from; after the mail she is known. A look that fails is said on the card."""
    card = await world.preview("gmail_send", MAIL)
    assert f"First contact, you have neither written to them nor heard from them: {HELEN}" in card.warnings
    await world.execute("gmail_send", MAIL)
    assert not any("First contact" in warning for warning in (await world.preview("gmail_send", MAIL)).warnings)
    world.fault("error", "messages.list", status=404, error="notFound", times=-1)
    blind = await world.preview("gmail_send", MAIL)
    assert blind.unchecked == [f"whether you have written before to {HELEN}"]


# Later


async def test_a_mail_that_is_to_leave_later_says_when(world: World) -> None:
    """Caption, card and `not_before` name the same moment, in the person's zone."""
    tool = cast("GmailSend", world.tools["gmail_send"])
    at = (world.clock.now() + timedelta(days=3)).replace(hour=7, minute=0, second=0, microsecond=0)
    args = tool.args.model_validate({**MAIL, "send_at": f"{at:%Y-%m-%dT08:00}"})
    ctx = ToolContext(requester=Requester(team=TEAM_ID, user="U0MARA", zone="Europe/Stockholm"), run_id="r1")
    assert tool.hold == timedelta(seconds=30)
    found = tool.not_before(args, ctx)
    assert found is not None
    assert abs(found - at) <= timedelta(hours=1)  # summer time
    card = await tool.preview(args, ctx)
    assert shown(card)["Leaves"].endswith("at 08:00 (Europe/Stockholm)")
    assert card.title == "Send this mail later?"
    assert tool.caption(args).endswith(f"{at.day} {at:%B} at 08:00")


async def test_a_mail_never_leaves_before_its_moment(world: World) -> None:
    """Whoever calls too early sends nothing; a moment that is over is asked back when the mail is written."""
    later = {**MAIL, "send_at": f"{world.clock.now() + timedelta(days=2):%Y-%m-%dT%H:%M}"}
    with pytest.raises(ToolFailed) as caught:
        await world.execute("gmail_send", later)
    assert caught.value.code == "too_early"
    assert world.requests("/drafts") == 0
    with pytest.raises(ModelRetry, match="is over"):
        await world.preview("gmail_reply", {"thread_id": "x", "body": "x", "send_at": "2020-01-01T08:00"})


# Drafts


async def draft_of(world: World, **more: object) -> str:
    saved = await world.execute("gmail_draft_create", {**MAIL, "attachments": ["F0PLAN"], **more}, key="draft")
    return str(data(saved)["draft_id"])


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
    assert after["text"].strip() == before["text"].strip() == MAIL["body"] + SIGNED
    mail = mail_of(world, "mara", after["id"])
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
    assert len(list(mail_of(world, "mara", after["id"]).iter_attachments())) == 1


PNG = b"\x89PNG\r\n"


def own_draft(world: World, raw: bytes) -> str:
    """A draft that Mara wrote elsewhere; its id."""
    box = next(box for box in world.emulator.world.post.mailboxes.values() if box.person.handle == "mara")
    return box.new_draft(Letter(raw), arrived_ms=world.emulator.world.post.now_ms(), thread_id=None).id


def bytes_of(world: World, draft_id: str) -> bytes:
    """A draft as it lies there now."""
    box = next(box for box in world.emulator.world.post.mailboxes.values() if box.person.handle == "mara")
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
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = MARA.email, HELEN, "Elsewhere"
    mail.set_content("See.")
    mail.add_alternative('<p>See.</p><img src="cid:plan">', subtype="html")
    html = mail.get_body(("html",))
    assert html is not None
    html.add_related(PNG, "image", "png", cid="<plan>", filename="plan.png")
    draft_id = own_draft(world, mail.as_bytes())
    warned = (await world.preview("gmail_draft_update", {"draft_id": draft_id, "body": "Look below."})).warnings
    assert [text for text in warned if "pictures" in text]
    assert not [
        text
        for text in (await world.preview("gmail_draft_update", {"draft_id": draft_id, "cc": [BRUNO]})).warnings
        if "pictures" in text
    ]
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
    world.fault("drop_after", "/drafts/", method="PUT", times=-1)
    with pytest.raises(Ambiguous):
        await world.execute("gmail_draft_update", arguments, card=card)
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
    mail = mail_of(world, "mara", after["id"])
    assert after["threadId"] == thread_id
    assert (mail["In-Reply-To"], mail["References"]) == ("<papers@kellerholz.example>",) * 2
    assert [part.get_filename() for part in mail.iter_attachments()] == ["prices.csv"]


async def test_a_text_beyond_reason_is_not_fetched_and_that_is_said(world: World) -> None:
    """Of a body of 12 MB the beginning is shown, with its size and where to read it."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = BRUNO, MARA.email, "Longer"
    mail.set_content("The beginning. " + "word " * 2_400_000)
    [message] = data(await world.execute("gmail_thread_read", {"thread_id": deliver(world, mail)}))["messages"]
    assert message["body"].startswith('<untrusted source="mail">The beginning. word')
    assert message["note"].startswith("Only the beginning: the text of 12.")
    assert world.requests("/attachments/") == 0


async def test_every_writing_tool_takes_the_same_settings() -> None:
    """Drafts and mails have attachments, sender and signature under the same names."""
    for kind in (GmailSend, GmailDraftCreate):
        assert {"attachments", "from_address", "signature"} <= set(kind.args.model_fields)
