"""Held back: a mail that nobody was asked about waits a little with its Undo; one for later waits for its moment."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.clock import SystemClock
from bot.domain.runs import RunState
from playground.people import DANA
from tests.acceptance.slack_side import act, call, home, runs_of
from tests.acceptance.world import APPROVE, PATIENT, Json, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HELEN = "helen.marsh@marshgardens.example"
SHORT = replace(PATIENT, longest_hold=timedelta(seconds=1.5))
LONG = replace(PATIENT, longest_hold=timedelta(minutes=5))


def mail(subject: str, **more: str) -> str:
    return call("gmail_send", to=[HELEN], subject=subject, body="Hello", **more)


async def held(here: World) -> Json:
    """The message about what waits."""
    return await here.message(here.dm_of(DANA), lambda m: "held_undo" in button_ids(m), "a message with Undo")


async def becomes(here: World, message: Json, words: str) -> None:
    """The same message says this."""
    await here.message(here.dm_of(DANA), lambda m: m["ts"] == message["ts"] and words in text_of(m), words)


async def test_an_unasked_mail_waits_and_goes(fresh_idle: World) -> None:
    """Without a card the mail waits a little; then it is sent, and the message with Undo says so, with its link."""
    here = fresh_idle
    await here.start_bot(timings=SHORT)
    await here.act_alone(DANA)
    await here.say(DANA, mail("Tea"))
    waiting = await held(here)
    assert await here.sent(DANA) == []
    await becomes(here, waiting, "Done")
    assert len(await here.sent(DANA)) == 1


async def test_undo_wins(fresh_idle: World) -> None:
    """Undone in time it is never sent, and what is listed on App Home is gone."""
    here = fresh_idle
    await here.start_bot(timings=LONG)
    await here.act_alone(DANA)
    await here.say(DANA, mail("Tea"))
    waiting = await held(here)
    assert "Scheduled" in await here.command(DANA, "status")
    await act(here, "open_home", user=DANA.user_id, tab="home")
    await here.until(lambda: home(here, DANA), "App Home", when=lambda tab: "held_undo" in str(tab))
    await here.click(DANA, waiting, "held_undo")
    await becomes(here, waiting, "Undone")
    assert RunState.CANCELLED in [run.state for run in await runs_of(here, DANA)]
    assert await here.sent(DANA) == []


async def test_a_mail_for_later(here: World) -> None:
    """Approved for another day it is not sent now; with “Send now” on its card it is, once, also after a restart."""
    in_a_month = SystemClock().now() + timedelta(days=30)
    card = await here.card_for(DANA, mail("Tea", send_at=f"{in_a_month:%Y-%m-%d}T10:00"))
    await here.click(DANA, card, APPROVE)
    waiting = await held(here)
    assert waiting["ts"] == card["ts"]
    assert "held_now" in button_ids(waiting)
    assert await here.sent(DANA) == []
    await here.stop_bot()
    await here.start_bot()
    await here.click(DANA, waiting, "held_now")
    await becomes(here, waiting, "Done")
    assert len(await here.sent(DANA)) == 1


async def test_what_is_undone_is_told_where_it_was_approved_and_announced(here: World) -> None:
    """The card says so in the place of its buttons, and the words that announced it end with it. No more is said."""
    in_a_month = SystemClock().now() + timedelta(days=30)
    card = await here.card_for(DANA, mail("Tea", send_at=f"{in_a_month:%Y-%m-%d}T10:00"))
    await here.click(DANA, card, APPROVE)
    waiting = await held(here)
    announced = await here.answer_in(here.dm_of(DANA), "gmail_send")
    await here.click(DANA, waiting, "held_undo")
    await becomes(here, card, "Undone. Nothing was sent.")
    await becomes(here, announced, ": Undone. Nothing was sent.")
    assert {m["ts"] for m in await here.bot_messages(here.dm_of(DANA))} == {card["ts"], announced["ts"]}
    assert await here.sent(DANA) == []
