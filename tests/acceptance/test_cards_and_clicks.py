"""Cards and the clicks on them: who may decide, once, in time, on this very card; and how a card ends."""

from __future__ import annotations

import asyncio
import json

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from bot.slack.views.blocks import PIECE_LIMIT
from playground.people import DANA, MARA
from tests.acceptance.slack_side import (
    HELEN,
    MAIL_HELEN,
    SALES,
    act,
    at_rest,
    call,
    command,
    ephemerals,
    final,
    forged_click,
    make_old,
    open_questions,
    press,
    reply_in,
    send_mail,
    value_of,
    views,
    whispered,
)
from tests.acceptance.world import APPROVE, CONFIRM, REJECT, Json, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

THREE = " ".join(send_mail(f"{name}@example.com", name) for name in ("one", "two", "three"))


async def decided(here: World) -> int:
    return (await here.audit_codes()).count("question.decided")


async def test_only_its_owner_decides_on_the_card_itself(here: World) -> None:
    """A copy of the card counts for nobody: somebody else is told whose it is, its owner is sent to the real one."""
    await here.mention(DANA, SALES, MAIL_HELEN)
    (card,) = await here.card_in(here.dm_of(DANA))
    value = value_of(card, APPROVE)
    for text, value_there in (("copy", value), ("forged", f"{value[:-4]}zzzz"), ("odd", "nothing")):
        button = {"type": "button", "action_id": APPROVE, "text": {"type": "plain_text", "text": text}}
        block = {"type": "actions", "block_id": "copy", "elements": [{**button, "value": value_there}]}
        said = await act(here, "message", user=MARA.user_id, channel=SALES, text=text, blocks=[block])
        copy: Json = {**said["message"], "channel": SALES}
        assert (await press(here, MARA, copy, APPROVE))["acked"]
        await press(here, DANA, copy, APPROVE)
    assert "Only <@U0DANA>" in text_of((await whispered(here, MARA, "can decide this"))["message"])
    await whispered(here, DANA, "is a copy")
    await whispered(here, DANA, "not known here")
    codes = await here.audit_codes()
    assert codes.count("click.wrong_person") == 1
    assert codes.count("click.wrong_place") == 1
    assert codes.count("click.unknown") == 4
    assert await here.sent(DANA) == []
    assert await here.card_in(here.dm_of(DANA)) == [card]
    await here.click(DANA, card, APPROVE)
    await here.until(lambda: here.sent(DANA), "the mail")


async def test_a_button_that_nobody_listens_to_is_acknowledged_and_logged(here: World) -> None:
    """A press that no part of the agent knows does nothing but leave a line in the log: nobody is told of a failure."""
    button = {"type": "button", "action_id": "of_no_one", "text": {"type": "plain_text", "text": "?"}}
    block = {"type": "actions", "block_id": "odd", "elements": [button]}
    said = await act(here, "message", user=MARA.user_id, channel=SALES, text="odd", blocks=[block])
    with capture_logs() as logged:
        assert (await press(here, DANA, {**said["message"], "channel": SALES}, "of_no_one"))["acked"]
    unhandled = [one for one in logged if one["event"] == "slack.unhandled"]
    assert [(one["type"], one["kind"]) for one in unhandled] == [("block_actions", "")]
    assert [one["event"] for one in logged if one["log_level"] == "error"] == []
    assert await ephemerals(here, DANA) == []


async def test_a_click_of_another_workspace_or_person_changes_nothing(over_http: World) -> None:
    """Team and person are checked on the server, whatever the client shows; refusals are audited and told."""
    here = over_http
    card = await here.card_for(DANA, MAIL_HELEN)
    assert await forged_click(here, card, APPROVE, team="T0ELSEWHERE") == 200
    assert await forged_click(here, card, APPROVE, user=MARA.user_id) == 200
    assert await forged_click(here, card, APPROVE, value="q_nothing.nonce") == 200
    assert await forged_click(here, card, APPROVE, value=" ") == 200
    assert await forged_click(here, card, "question_happened", value=value_of(card, APPROVE)) == 200
    codes = await here.audit_codes()
    assert codes.count("click.wrong_person") == 1, "what another workspace sends is not taken at all"
    assert codes.count("click.unknown") == 2
    assert codes.count("click.wrong_choice") == 1
    assert await decided(here) == 0
    assert await here.sent(DANA) == []


async def test_the_first_of_two_clicks_at_once_wins(here: World) -> None:
    """Approve and Reject pressed in the same moment: one counts, the other is told so, nothing is done twice."""
    card = await here.card_for(DANA, MAIL_HELEN)
    await asyncio.gather(*(press(here, DANA, card, choice) for choice in (APPROVE, REJECT, APPROVE)))
    await at_rest(here, DANA, runs=1)
    codes = await here.audit_codes()
    assert codes.count("question.decided") == 1
    assert codes.count("action.approved") + codes.count("action.rejected") == 1
    assert len(await here.sent(DANA)) == codes.count("action.approved")
    await whispered(here, DANA, "Already decided")
    assert len(await ephemerals(here, DANA)) == 2


async def test_a_late_click_is_told_what_happened(over_http: World) -> None:
    """A press on what was decided, withdrawn or expired, the same press a second time too, does nothing but say so."""
    here = over_http
    card = await here.card_for(DANA, MAIL_HELEN)
    assert await forged_click(here, card, APPROVE) == 200
    await here.until(lambda: here.sent(DANA), "the mail")
    await final(here, card, "✓ Done")
    assert await forged_click(here, card, APPROVE) == 200
    told = await whispered(here, DANA, "Already decided")
    assert "said “approve”" in text_of(told["message"])
    assert "it happened" in text_of(told["message"])
    assert len(await here.sent(DANA)) == 1

    card = await here.card_for(DANA, MAIL_HELEN)
    assert "Stopping" in await command(here, DANA, "stop")
    await final(here, card, "Withdrawn")
    assert await forged_click(here, card, APPROVE) == 200
    await whispered(here, DANA, "was withdrawn")

    card = await here.card_for(DANA, MAIL_HELEN)
    await make_old(here, (await open_questions(here, DANA))[0])
    assert await forged_click(here, card, APPROVE) == 200
    assert await forged_click(here, card, REJECT) == 200
    await whispered(here, DANA, "has expired")
    assert len(await here.sent(DANA)) == 1
    assert (await here.audit_codes()).count("click.late") == 4


async def test_cards_of_one_step_are_decided_in_any_order(here: World) -> None:
    """Each card stands for itself; a rejection leaves its siblings, and the model gets all results in call order."""
    await here.say(DANA, THREE)
    cards = await here.card_in(here.dm_of(DANA), count=3)
    one, two, three = (
        next(card for card in cards if f"{n}@example.com" in text_of(card)) for n in ("one", "two", "three")
    )
    await here.click(DANA, three, APPROVE)
    await here.until(lambda: here.sent(DANA), "the third mail, at once")
    await here.click(DANA, one, REJECT)
    assert "Rejected" in text_of(await final(here, one, "Nothing was done."))
    assert [card["ts"] for card in await here.cards(here.dm_of(DANA))] == [two["ts"]]
    assert len(await here.gemini.log()) == 1
    await here.click(DANA, two, APPROVE)
    await at_rest(here, DANA, runs=1)
    assert {mail["to"][0] if isinstance(mail["to"], list) else mail["to"] for mail in await here.sent(DANA)} == {
        "two@example.com",
        "three@example.com",
    }
    asked = (await here.gemini.log())[-1]["request"]["contents"]
    (answers,) = (parts for parts in ([p for p in c["parts"] if "functionResponse" in p] for c in asked) if parts)
    given = [part["functionResponse"]["response"] for part in answers]
    assert ["error" in one for one in given] == [True, False, False]
    assert given[0]["error"]["code"] == "rejected_by_user"
    (mail_two, mail_three) = (json.dumps(one) for one in given[1:])
    assert "two@example.com" in mail_two
    assert "three@example.com" in mail_three


async def test_a_question_expires_at_the_click(here: World) -> None:
    """Over time a card is worth nothing: the click is told so, siblings go on, and silence pauses the run."""
    await here.say(DANA, THREE)
    cards = await here.card_in(here.dm_of(DANA), count=3)
    first, *rest = await open_questions(here, DANA)
    await make_old(here, first)
    old = next(card for card in cards if value_of(card, APPROVE) == first.button_value())
    await here.click(DANA, old, APPROVE)
    for card in await here.cards(here.dm_of(DANA)):
        await here.click(DANA, card, APPROVE)
    (run,) = await at_rest(here, DANA, runs=1)
    assert run.state == "completed"
    assert len(await here.sent(DANA)) == len(rest) == 2
    await final(here, old, "Expired: nobody answered in time. Nothing was done.")

    card = await here.card_for(DANA, MAIL_HELEN)
    await make_old(here, (await open_questions(here, DANA))[0])
    await here.click(DANA, card, APPROVE)
    await here.answer_in(here.dm_of(DANA), "Nobody answered in time")
    *_, run = await at_rest(here, DANA, runs=2)
    assert run.state == "paused"
    assert len(await here.sent(DANA)) == 2


async def test_every_card_gets_its_final_form(here: World) -> None:
    """Done, failed, rejected, withdrawn: the card says who decided and what came of it, and has no button left."""
    dm = here.dm_of(DANA)
    await here.say(DANA, MAIL_HELEN)
    (card,) = await here.card_in(dm)
    await here.click(DANA, card, APPROVE)
    done = await final(here, card, "✓ Done.")
    assert "Approved" in text_of(done)
    assert '"user_id": "U0DANA"' in text_of(done)
    assert HELEN in text_of(done)

    await here.google.fault(
        "error", path="gmail.users.drafts.create", status=403, error="insufficientPermissions", times=-1
    )
    asked = (await here.say(DANA, MAIL_HELEN))["ts"]
    (card,) = await here.card_in(dm)
    await here.click(DANA, card, APPROVE)
    await final(here, card, "✗ Not done.")
    await reply_in(here, dm, asked, "")

    asked = (await here.say(DANA, MAIL_HELEN))["ts"]
    (card,) = await here.card_in(dm)
    await here.click(DANA, card, REJECT)
    rejected = await final(here, card, "Nothing was done.")
    assert "Rejected" in text_of(rejected)
    await reply_in(here, dm, asked, "not")

    await here.say(DANA, MAIL_HELEN)
    (card,) = await here.card_in(dm)
    await command(here, DANA, "stop")
    await final(here, card, "Withdrawn: no answer is needed any more.")
    assert len(await here.sent(DANA)) == 1
    assert [run.state.value for run in await at_rest(here, DANA, runs=4)] == ["completed"] * 3 + ["cancelled"]


async def test_a_long_mail_is_read_before_it_is_approved(here: World) -> None:
    """A mail of forty thousand characters: its recipients in full, both ends of its text, and no Approve. The window
    that opens in its place has all of it, and its yes sends the mail.
    """
    body = "A line of a long letter.\n" * 700 + "THE-MIDDLE\n" + "A line of a long letter.\n" * 700 + "THE-END"
    sent = len(await here.sent(DANA))
    card = await here.card_for(DANA, call("gmail_send", to=[HELEN], subject="Long", body=body))
    assert HELEN in text_of(card)
    assert "characters left out here" in text_of(card)
    assert ("THE-MIDDLE" in text_of(card), "THE-END" in text_of(card)) == (False, True)
    assert button_ids(card) == {CONFIRM, REJECT, "card_edit", "card_variant_0", "card_variant_1"}
    await here.click(DANA, card, CONFIRM)
    [window] = await here.until(lambda: views(here, DANA), "the window with all of it")
    assert "THE-MIDDLE" in str(window)
    await act(here, "submit", user=DANA.user_id, view_id=window["id"], values={})
    await final(here, card, "Done")
    assert len(await here.sent(DANA)) == sent + 1


async def test_no_half_of_a_secret_is_sent(fresh_idle: World) -> None:
    """A secret of ours that a card, its window and a caption would cut is taken out before, and so is the beginning of
    one that was cut where the caption was made.
    """
    here, key = fresh_idle, "canary-of-the-model-1d0b-77aa"
    await here.start_bot(gemini_api_key=SecretStr(key))
    body = f"{'x' * (PIECE_LIMIT - 12)}{key} {'y' * 3_000} THE-END"
    card = await here.card_for(DANA, call("gmail_send", to=[HELEN], subject="s" * 98 + key, body=body))
    await press(here, DANA, card, CONFIRM)
    await here.until(lambda: views(here, DANA), "the window with all of it", when=lambda shown: "THE-END" in str(shown))
    await here.click(DANA, card, REJECT)
    await final(here, card, "Rejected")
    await here.say(DANA, call("gmail_search", query="q" * 34 + key, limit=1))
    await at_rest(here, DANA, runs=2)
    sent = json.dumps([one["request"] for one in await here.slack.log() if "/api/" in str(one["path"])])
    assert [part for part in (key[:10], key[-10:]) if part in sent] == []
    assert "[redacted]" in sent
