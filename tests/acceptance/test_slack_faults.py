"""When Slack stumbles: what must arrive arrives once and in order, and one thread's trouble is no other's."""

from __future__ import annotations

import asyncio

import pytest

from playground.people import DANA, JONAS, MARA, PRIYA
from tests.acceptance.slack_side import (
    MAIL_HELEN,
    SALES,
    at_rest,
    calls,
    dead_letters,
    final,
    open_questions,
    replies,
    reply_in,
    send_mail,
    value_of,
)
from tests.acceptance.world import APPROVE, World, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_security_input_54_what_slack_limits_arrives_later_once_and_in_order(here: World) -> None:
    """After a 429 the message comes when Slack allows it; the lane keeps its order, and other lanes do not wait."""
    dm = here.dm_of(DANA)
    await here.slack.fault("rate_limit", path="chat.postMessage", seconds=3)
    two = send_mail("one@example.com", "one") + send_mail("two@example.com", "two")
    root = (await here.say(DANA, two))["ts"]
    await here.until(
        lambda: calls(here, "chat.postMessage"), "the 429", when=lambda tried: any(e["status"] == 429 for e in tried)
    )
    other = (await here.say(MARA, "hello"))["ts"]
    await reply_in(here, here.dm_of(MARA), other, "Hello Mara")
    assert await here.cards(dm) == []
    cards = await here.card_in(dm, count=2)
    asked = [question.button_value() for question in await open_questions(here, DANA)]
    assert [value_of(card, APPROVE) for card in cards] == asked
    await here.slack.fault("rate_limit", path="chat.update", seconds=1)
    await asyncio.gather(*(here.click(DANA, card, APPROVE) for card in cards))
    for card in cards:
        await final(here, card, "✓ Done.")
    await reply_in(here, dm, root, "gmail_send: ")
    assert len(await replies(here, dm, root)) == 3
    assert await dead_letters(here) == []


async def test_what_slack_refuses_for_good_is_buried_and_told(here: World) -> None:
    """A delivery that cannot heal becomes a dead letter, its owner is told in the DM, and the lane goes on."""
    await here.slack.fault("ok_false", path="chat.startStream", error="channel_type_not_supported", times=-1)
    # Not only once: what is shown while the model talks may be posted, and refused, before the answer is.
    await here.slack.fault("ok_false", path="chat.postMessage", contains=SALES, times=-1, error="restricted_action")
    root = (await here.mention(DANA, SALES, "hello"))["ts"]
    told = await here.answer_in(here.dm_of(DANA), "could not post my answer")
    (run,) = await at_rest(here, DANA, runs=1)
    assert run.id in text_of(told)
    await here.audited("delivery.dead")
    assert await dead_letters(here) == ["answer"]
    await here.mend()
    await here.say(DANA, "thanks", channel=SALES, thread_ts=root)
    await reply_in(here, SALES, root, "welcome")


async def test_a_card_whose_posting_is_unclear_stands_once(here: World) -> None:
    """Slack took the card, but the connection broke, or a 500 came: it is looked up, and there is exactly one."""
    people = (DANA, JONAS)
    for person, kind in zip(people, ("drop_after", "status_after"), strict=True):
        await here.slack.fault(kind, path="chat.postMessage", contains=here.dm_of(person), times=1, status=500)
        await here.say(person, MAIL_HELEN)
    for person in people:
        await here.card_in(here.dm_of(person))
    await at_rest(here, DANA, runs=1)
    for person in people:
        assert len(await here.cards(here.dm_of(person))) == 1
        (card,) = await here.cards(here.dm_of(person))
        await here.click(person, card, APPROVE)
        await final(here, card, "✓ Done.")
        assert len(await here.sent(person)) == 1


async def test_a_connection_that_ends_is_made_again(here: World) -> None:
    """Whether Slack asks for it or hangs up: the bot connects anew, and what was said meanwhile is answered."""
    for reason in ("refresh_requested", "abrupt"):
        await here.slack.post("/__admin/disconnect", {"reason": reason})
        root = (await here.say(PRIYA, "hello"))["ts"]
        await reply_in(here, here.dm_of(PRIYA), root, "Hello Priya")
    assert len(await at_rest(here, PRIYA, runs=2)) == 2


async def test_a_slack_that_is_away_at_the_start_is_waited_for(fresh_idle: World) -> None:
    """The bot does not give up when Slack does not answer at first."""
    here = fresh_idle
    await here.slack.fault("drop_before", path="auth.test", times=2)
    await here.start_bot()
    root = (await here.say(DANA, "hello"))["ts"]
    await reply_in(here, here.dm_of(DANA), root, "Hello Dana")
