"""Several people at once: nobody waits for, sees or decides what is somebody else's."""

from __future__ import annotations

import asyncio

import pytest

from playground.people import COLLEAGUES, DANA, MARA, PRIYA
from tests.acceptance.slack_side import GENERAL, SALES, at_rest, call, final, payloads_to, reply_in, runs_of, send_mail
from tests.acceptance.world import APPROVE, World, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_everybody_at_once(here: World) -> None:
    """Five people ask in one channel; each gets one card, in the own DM, and one mail leaves from each account."""
    asked = [here.mention(one, GENERAL, send_mail(f"{one.handle}@example.com")) for one in COLLEAGUES]
    await asyncio.gather(*asked)
    cards = {one: (await here.card_in(here.dm_of(one)))[0] for one in COLLEAGUES}
    await asyncio.gather(*(here.click(one, card, APPROVE) for one, card in cards.items()))
    for one, card in cards.items():
        await final(here, card, "✓ Done.")
        await at_rest(here, one, runs=1)
        (mail,) = await here.sent(one)
        assert f"{one.handle}@example.com" in str(mail["to"])
        told = await payloads_to(here, here.dm_of(one))
        assert not any(f"{other.handle}@example.com" in told for other in COLLEAGUES if other is not one)


async def test_a_slow_thread_holds_nobody_up(here: World) -> None:
    """While the model keeps one person waiting, others are answered, in the same channel too."""
    await here.gemini.fault("hold", path="streamGenerateContent", seconds=30)
    slow = (await here.mention(DANA, SALES, "hello"))["ts"]
    await here.until(here.gemini.no_fault, "the slow call")
    quick = (await here.mention(MARA, SALES, "hello"))["ts"]
    await reply_in(here, SALES, quick, "Hello Mara")
    assert (await runs_of(here, DANA))[0].completed_at is None
    await here.gemini.mend()
    await reply_in(here, SALES, slow, "Hello Dana")


async def test_two_people_in_one_thread(here: World) -> None:
    """Each asks with the own account; what one of them may see privately, the other neither gets nor decides."""
    root = (await here.mention(MARA, SALES, call("gmail_search", query="in:inbox", limit=3)))["ts"]
    await here.answer_in(here.dm_of(MARA), "gmail_search: ")
    await here.mention(PRIYA, SALES, send_mail("customer@example.com"), thread_ts=root)
    (card,) = await here.card_in(here.dm_of(PRIYA))
    assert await here.cards(here.dm_of(MARA)) == []
    await here.say(MARA, "stop", channel=SALES, thread_ts=root)
    await reply_in(here, SALES, root, "nothing to stop")
    await here.click(PRIYA, card, APPROVE)
    await final(here, card, "✓ Done.")
    assert len(await here.sent(PRIYA)) == 1
    assert await here.sent(MARA) == []
    assert "gmail_search: " not in await payloads_to(here, here.dm_of(PRIYA))
    (first,), (second,) = await at_rest(here, MARA, runs=1), await at_rest(here, PRIYA, runs=1)
    assert first.thread_id == second.thread_id
    assert "customer@example.com" not in text_of((await here.bot_messages(here.dm_of(MARA)))[-1])
