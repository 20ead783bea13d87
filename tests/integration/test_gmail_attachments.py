"""Files that come and go with mails: read by their place, enclosed from threads and from Slack."""

from __future__ import annotations

import random
from typing import Any

import pytest

from integrations.errors import BasisChanged, ModelRetry
from playground.people import MARA
from tests.integration.google_world import World, data, shown
from tests.integration.mails import BRUNO, HELEN, LOUNGERS, deliver, draft_of, mail_from, mail_of, with_papers
from tests.pdf_files import pdf

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    thread_id = deliver(world, mail_from(BRUNO, "Long", "The beginning. " + "word " * 1_000_000))
    read = data(await world.execute("gmail_thread_read", {"thread_id": thread_id}))
    [message] = read["messages"]
    assert message["body"].startswith('<untrusted source="mail">The beginning. word')
    assert f'gmail_thread_read(thread_id="{thread_id}", message=1, offset=4000)' in message["body"]
    assert len(message["body"]) < 5_000


async def test_a_file_of_a_mail_with_two_authors_is_not_one_authors(world: World) -> None:
    """Whoever writes a mail can name somebody known before themselves."""
    papers = with_papers()
    papers.replace_header("From", f"{HELEN}, eve@evil.example")
    arguments = {"to": [HELEN], "subject": "x", "body": "x", "attachments": [f"{deliver(world, papers)}/m1.a1"]}
    card = await world.preview("gmail_send", arguments)
    assert shown(card)["Attachments"].endswith(f"from {HELEN} and others’ mail “Papers”")


async def test_only_a_mail_that_was_sent_says_who_has_its_files(world: World) -> None:
    """The head of one that came in says what a stranger wrote, that of a draft what the model did."""
    papers = with_papers()
    papers["Cc"] = HELEN
    received = f"{deliver(world, papers)}/m1.a1"
    mail = {"to": [HELEN], "subject": "Salaries", "body": "x", "attachments": [received]}
    draft = await world.execute("gmail_draft_create", mail)
    sent = data(await world.execute("gmail_send", mail, card=await world.preview("gmail_send", mail)))
    places = [received, f"{(draft.link or '').rpartition('/')[2]}/m1.a1", f"{sent['thread_id']}/m1.a1"]
    readers = [await readers_in(world, place) for place in places]
    assert readers == [[], [], [MARA.email, HELEN]]


async def readers_in(world: World, place: str) -> list[str]:
    """Who has a file already, as the impact of a mail says that it would leave with."""
    card = await world.preview("gmail_send", {"to": [HELEN], "subject": "x", "body": "x", "attachments": [place]})
    assert card.impact is not None
    [file] = card.impact.attachments
    return [*file.readers]


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
        f"from {BRUNO}’s mail “Papers”\nstand plan.pdf (application/pdf, 5 bytes), from Slack"
    )
    result = await world.execute("gmail_reply", arguments, card=card)
    sent = mail_of(world, data(result)["message_id"])
    assert [(part.get_filename(), part.get_content()) for part in sent.iter_attachments()] == [
        ("Rechnung März.pdf", pdf("Net total 1,250")),
        ("stand plan.pdf", b"%PDF-"),
    ]
    forwarded = {**LOUNGERS, "attachments": [f"{thread_id}/m1.a2"]}
    assert "prices.csv (text/csv, 24 kB)" in shown(await world.preview("gmail_send", forwarded))["Attachments"]
    with pytest.raises(BasisChanged):
        await world.execute(
            "gmail_send", {**LOUNGERS, "attachments": ["F0PLAN"]}, card=await world.preview("gmail_send", LOUNGERS)
        )


async def test_a_file_leaves_with_what_says_how_to_read_it(world: World) -> None:
    """The charset of a text and the method of an invitation go along; what is no plain word does not."""
    mail = mail_from(BRUNO, "Typed")
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
    card = await world.preview("gmail_send", {**LOUNGERS, "attachments": files})
    result = await world.execute("gmail_send", {**LOUNGERS, "attachments": files}, card=card)
    sent = mail_of(world, data(result)["message_id"])
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
        await world.execute("gmail_send", {**LOUNGERS, "attachments": files})
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
    sent = mail_of(world, data(result)["message_id"])
    [file] = sent.iter_attachments()
    assert file.get_content() == big
    assert data(result)["thread_id"] == thread_id
    assert world.requests("/upload/gmail/v1/users/me/drafts") == 1
    draft_id = await draft_of(world, attachments=[f"{thread_id}/m1.a3"])
    await world.execute("gmail_draft_update", {"draft_id": draft_id, "subject": "Big, again"})
    [after] = await world.box("mara", "drafts", "Big, again")
    [file] = mail_of(world, after["id"]).iter_attachments()
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


async def test_a_text_beyond_reason_is_not_fetched_and_that_is_said(world: World) -> None:
    """Of a body of 12 MB the beginning is shown, with its size and where to read it."""
    thread_id = deliver(world, mail_from(BRUNO, "Longer", "The beginning. " + "word " * 2_400_000))
    [message] = data(await world.execute("gmail_thread_read", {"thread_id": thread_id}))["messages"]
    assert message["body"].startswith('<untrusted source="mail">The beginning. word')
    assert message["note"].startswith("Only the beginning: the text of 12.")
    assert world.requests("/attachments/") == 0
