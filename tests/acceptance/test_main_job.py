"""The main job, end to end: ask, card, click, effect, audit, answer."""

from __future__ import annotations

import pytest

from playground.people import DANA, JONAS, MARA
from tests.acceptance.world import APPROVE, REJECT, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_approved_mail_is_sent_once_and_answered(here: World) -> None:
    """A mail goes out only after Approve, exactly once, and the run answers by itself."""
    card = await here.card_for(DANA, "Please email helen.marsh@marshgardens.example that Thursday works.")
    assert "helen.marsh@marshgardens.example" in text_of(card)
    assert await here.sent(DANA) == []

    await here.click(DANA, card, APPROVE)

    await here.until(lambda: here.sent(DANA), "the mail")
    await here.answer_in(here.dm_of(DANA), "sent")
    await here.audited("run.completed")
    assert len(await here.sent(DANA)) == 1
    codes = await here.audit_codes()
    wanted = [
        "action.asked",
        "question.decided",
        "action.approved",
        "action.claimed",
        "action.completed",
        "run.completed",
    ]
    assert [code for code in codes if code in wanted] == wanted


async def test_a_rejected_mail_is_not_sent(here: World) -> None:
    """Reject is audited, the card shows it, and the run goes on to an answer that says so."""
    card = await here.card_for(DANA, "Please email helen.marsh@marshgardens.example that Thursday works.")
    await here.click(DANA, card, REJECT)
    await here.answer_in(here.dm_of(DANA), "not")
    assert await here.sent(DANA) == []
    assert "action.rejected" in await here.audit_codes()

    async def shown() -> set[str]:
        return button_ids(next(m for m in await here.messages(here.dm_of(DANA)) if m["ts"] == card["ts"]))

    await here.until(shown, "a card without its buttons", when=lambda buttons: APPROVE not in buttons)


async def test_somebody_else_cannot_decide(here: World) -> None:
    """A click by another person changes nothing and is audited."""
    await here.mention(DANA, "C0SALES", "email helen.marsh@marshgardens.example that Thursday works")
    (card,) = await here.card_in(here.dm_of(DANA))
    (question,) = await here.read(lambda work: work.questions.open_of("T0FERNHILL", DANA.user_id, limit=5))
    assert question.button_value()
    assert await here.cards("C0SALES") == []
    assert MARA.user_id not in text_of(card)
    assert JONAS.user_id not in text_of(card)
