"""Mail from a sentence in Slack to the mailbox: whom a name means, what goes along, what is sorted."""

from __future__ import annotations

import pytest

from integrations.google.scopes import MAIL_COMPOSE, MAIL_MODIFY, MAIL_READ
from playground.people import DANA, MARA, PRIYA
from tests.acceptance.request import ask
from tests.acceptance.world import APPROVE, SCOPES, Json, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

OTHER = "Bruno Marchetti <bruno@marchettimarmi.example>"


async def question(here: World) -> Json:
    """The question that is open in Mara's direct messages, and the ids of its buttons."""
    return await here.message(
        here.dm_of(MARA),
        lambda m: "Which Bruno do you mean?" in text_of(m) and button_ids(m),
        "the question which Bruno is meant",
    )


async def test_an_ambiguous_name_is_asked_about_with_buttons(here: World) -> None:
    """Two people of that name: nothing goes out before Mara said which; the mail goes to exactly that one."""
    await here.google.post("/__admin/mail", {"from": OTHER, "to": [MARA.email], "subject": "Marble", "text": "Hello"})
    request = await ask(here, MARA, "Mail Bruno: the marble is fine")
    asked = await question(here)
    assert "bruno@kellerholz.example" in text_of(asked)
    assert "bruno@marchettimarmi.example" in text_of(asked)
    chosen = next(action for action in button_ids(asked) if _label(asked, action) == "Bruno Marchetti")
    await here.click(MARA, asked, chosen)
    card = await request.card(APPROVE)
    assert "bruno@marchettimarmi.example" in text_of(card)
    assert "bruno@kellerholz.example" not in text_of(card)
    await here.click(MARA, card, APPROVE)
    await request.answer("sent")
    [mail] = [mail for mail in await here.sent(MARA) if "marble is fine" in str(mail)]
    assert "bruno@marchettimarmi.example" in str(mail["to"])


def _label(message: Json, action_id: str) -> str:
    elements = [e for block in message["blocks"] for e in block.get("elements", []) if e.get("action_id") == action_id]
    return str(elements[0]["text"]["text"])


async def test_a_colleague_is_found_in_slack(here: World) -> None:
    """One person of that name needs no question."""
    request = await ask(here, MARA, "What is Priya's address?")
    assert "priya@fernhill.example" in await request.answer("priya@")


async def test_whom_the_request_mentions_is_written_to(here: World) -> None:
    """A mention of Slack's is enough: the mail goes to the address of that profile."""
    request = await ask(here, MARA, f"Mail <@{PRIYA.user_id}>: the figures are in")
    card = await request.card(APPROVE)
    assert PRIYA.email in text_of(card)
    await here.click(MARA, card, APPROVE)
    await request.answer("sent")


async def test_an_attachment_is_sent_on(here: World) -> None:
    """Named on the card with its size, and in the mail that arrives."""
    request = await ask(here, MARA, "Forward the attachment of Bruno's mail to Priya")
    card = await request.card(APPROVE)
    assert "(application/pdf, " in text_of(card)
    await here.click(MARA, card, APPROVE)
    await request.answer("sent")
    [entry] = [e for e in await request.to_google("/drafts/send") if e["method"] == "POST"]
    assert entry["status"] == 200


async def test_sorting_is_asked_and_done(here: World) -> None:
    """With the scope for it a mail is archived after Approve."""
    await here.connect(DANA, scopes=[*SCOPES, MAIL_MODIFY])
    await here.google.post("/__admin/grants", {"person": "dana", "scopes": [MAIL_READ, MAIL_COMPOSE, MAIL_MODIFY]})
    try:
        await _archived(here)
    finally:
        await here.connect(DANA)


async def _archived(here: World) -> None:
    request = await ask(here, DANA, "Archive Helen's mail")
    card = await request.card(APPROVE)
    assert "Archive" in text_of(card)
    await here.click(DANA, card, APPROVE)
    assert "Archived: “Delivery of the twelve oak benches”" in await request.answer("✓ Done.")


async def test_a_draft_is_sent_by_a_sentence(here: World) -> None:
    """Written down first, sent afterwards: the draft itself leaves, and none stays behind."""
    drafting = await ask(here, DANA, "Draft a mail to Helen saying that the benches are ready")
    await here.click(DANA, await drafting.card(APPROVE), APPROVE)
    await drafting.answer("✓ Done. Saved")
    [draft] = await here.drafts(DANA)
    sending = await ask(here, DANA, "Send my draft to Helen")
    card = await sending.card(APPROVE)
    assert "helen.marsh@marshgardens.example" in text_of(card)
    await here.click(DANA, card, APPROVE)
    await sending.answer("✓ Done. Sent")
    [sent] = await here.sent(DANA)
    assert (sent["subject"], sent["text"], await here.drafts(DANA)) == (draft["subject"], draft["text"], [])
