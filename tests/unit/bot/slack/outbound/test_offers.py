"""What came too fast, offered again in Slack."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.deliveries import DeliveryKind
from bot.domain.threads import held_back_mark
from bot.runtime.delivery.views import OfferView, UntakenLine
from bot.slack.views import notices
from tests.unit.bot.slack.cases import MARA, SALES, TEAM
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import Stage


async def held(rows: Rows) -> str:
    """Mara's message was held back; the subject of its offer, which is due."""
    async with rows.base.store.write() as work:
        await work.messages.change("msg_run_1", steers=held_back_mark(TEAM, MARA))
    rows.base.clock.advance(3_600)
    return f"offered.{int(rows.base.clock.now().timestamp())}:msg_run_1"


@pytest.mark.parametrize("in_dm", [True, False])
async def test_it_stands_in_the_direct_messages_once(stage: Stage, in_dm: bool) -> None:
    """Wherever it was said; with its place where that is a channel, and not a second time by another attempt."""
    await stage.asked(in_dm=in_dm)
    subject = await held(stage.rows)
    for attempts in (1, 2):
        await stage.deliver(DeliveryKind.REFUSAL, subject, attempts=attempts)
    [shown] = stage.texts(await stage.slack.dm(MARA))
    assert "You said something faster than I take it" in shown
    assert ("please" in shown, SALES in shown) == (True, not in_dm)
    assert "Take it now" in shown


async def test_nothing_is_posted_where_nothing_is_left(stage: Stage) -> None:
    """It was stopped, deleted or taken before its moment came."""
    await stage.asked()
    subject = await held(stage.rows)
    await stage.rows.base.tamper("UPDATE messages SET steers = NULL")
    await stage.deliver(DeliveryKind.REFUSAL, subject)
    assert stage.texts(await stage.slack.dm(MARA)) == []


async def test_after_a_day_there_is_no_offer(stage: Stage) -> None:
    """Slack was away for so long that nobody would press the button with the words in mind."""
    await stage.asked()
    subject = await held(stage.rows)
    stage.rows.base.clock.advance(timedelta(days=1).total_seconds())
    await stage.deliver(DeliveryKind.REFUSAL, subject)
    assert stage.texts(await stage.slack.dm(MARA)) == []


def test_several_have_one_button() -> None:
    """Each is named by its beginning; what stands in it is shown literally."""
    lines = [UntakenLine(text=f"*bold* <!here> {n} " + "x" * 400, channel="") for n in range(3)]
    shown = notices.offer(OfferView(team=TEAM, user=MARA, value="1700000000", untaken=lines, since=""))
    assert "You said 3 things faster than I take them" in shown.text
    blocks: Any = shown.blocks
    [items] = blocks[1]["elements"]
    assert [len(item["elements"][0]["text"]) for item in items["elements"]] == [150] * 3
    [button] = blocks[2]["elements"]
    assert (button["text"]["text"], button["value"]) == ("Take all 3 now", "1700000000")
    assert button["visible_to_user_ids"] == [MARA]
