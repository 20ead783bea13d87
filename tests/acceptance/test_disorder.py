"""When clocks step and connections storm: what was asked is answered once, and in order where there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import pytest
import pytest_asyncio

from bot.clock import SystemClock
from bot.domain.runs import RunState
from bot.runtime.audit.verify import verified
from playground.people import COLLEAGUES, DANA, LUIS, MARA
from tests.acceptance.browser import browser
from tests.acceptance.request import ask
from tests.acceptance.slack_side import GENERAL, MAIL_HELEN, at_rest, change, final, reply_in, runs_of, send_mail
from tests.acceptance.test_connecting import SEARCH, link_on
from tests.acceptance.world import APPROVE, World, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOUR = timedelta(hours=1)


class Stepped(SystemClock):
    """The wall clock of a machine that somebody sets."""

    off = timedelta(0)

    def now(self) -> datetime:
        return super().now() + self.off


@pytest_asyncio.fixture(loop_scope="module")
async def stepped(fresh_idle: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A bot whose clock can be set."""
    monkeypatch.setattr("bot.wiring.store.SystemClock", Stepped)
    await fresh_idle.start_bot()
    return fresh_idle


def step(here: World, by: timedelta) -> None:
    """The clock goes ahead, or back."""
    clock = here.base.clock
    assert isinstance(clock, Stepped)
    clock.off += by


@pytest.mark.parametrize("first", [HOUR, -HOUR], ids=["ahead first", "back first"])
async def test_the_clock_steps_in_the_middle_of_the_main_job(stepped: World, first: timedelta) -> None:
    """An hour between card and click, and an hour the other way while Google sends: the mail is sent once and told."""
    card = await stepped.card_for(DANA, MAIL_HELEN)
    step(stepped, first)
    await stepped.google.fault("hold", path="*users/me/drafts/send?*", seconds=30)
    await stepped.click(DANA, card, APPROVE)
    await stepped.until(lambda: stepped.sent(DANA), "the mail")
    step(stepped, -2 * first)
    await stepped.google.mend()
    await final(stepped, card, "✓ Done.")
    root = (await stepped.say(MARA, "hello"))["ts"]
    await reply_in(stepped, stepped.dm_of(MARA), root, "Hello Mara")
    await at_rest(stepped, DANA, runs=1)
    assert len(await stepped.sent(DANA)) == 1
    assert not (await verified(stepped.base.store, stepped.base.keyring)).problems


async def test_what_was_asked_before_the_clock_went_back_is_known(stepped: World) -> None:
    """A follow-up in the thread is answered with what was said before, and “stop” stops the request that came last."""
    here, dm = stepped, stepped.dm_of(MARA)
    root = (await here.say(MARA, "my cat is called Mog"))["ts"]
    await reply_in(here, dm, root)
    step(here, -HOUR)
    await here.say(MARA, "and what did I say?", thread_ts=root)
    await reply_in(here, dm, root, count=2)
    asked = [entry["request"] for entry in await here.gemini.log() if "and what did I say?" in str(entry["request"])]
    assert "my cat is called Mog" in str(asked[-1])
    step(here, HOUR)
    for _ in range(2):
        await here.say(MARA, MAIL_HELEN)
        step(here, -HOUR)
    await here.card_in(dm, count=2)
    await here.say(MARA, "stop")

    async def stopped() -> list[RunState]:
        found = sorted(await runs_of(here, MARA), key=lambda run: run.order_key)
        return [run.state for run in found if run.state is not RunState.COMPLETED]

    await here.until(lambda: _is(stopped, [RunState.AWAITING, RunState.CANCELLED]), "the stop of the newest")


async def _is(found: Callable[[], Awaitable[object]], wanted: object) -> bool:
    return await found() == wanted


async def test_connected_is_said_once_though_our_clock_is_ahead(
    fresh_idle: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slack's answer to the notice gets lost, and what is looked for is not the hour that Slack's clock is behind."""
    monkeypatch.setattr("bot.wiring.store.SystemClock", Stepped)
    here = fresh_idle
    await here.start_public()
    await here.forget(LUIS)
    step(here, HOUR)
    async with browser() as tab:
        page = await tab.get(await link_on(here, await ask(here, LUIS, SEARCH)))
        back = await tab.consent(await tab.choose(page, "mail_read"), person="luis")
        await here.slack.fault("drop_after", path="chat.postMessage")
        await tab.get(back.leads_to)

    await here.until(here.slack.no_fault, "the lost answer")
    await at_rest(here, LUIS, runs=1)
    await here.until(lambda: _nothing_owed(here), "the delivery of everything")
    said = [text_of(message) for message in await here.bot_messages(here.dm_of(LUIS))]
    assert sum("Connected luis" in text for text in said) == 1


async def _nothing_owed(here: World) -> bool:
    async with here.base.store.read() as work:
        return (await work.statistics.now()).deliveries.count == 0


@pytest.mark.parametrize("age", [timedelta(minutes=5), timedelta(days=1)], ids=["five minutes", "a day"])
async def test_security_input_30_a_message_that_comes_late(stepped: World, age: timedelta) -> None:
    """An event that was overtaken is answered next, however old it is by our clock, and its run knows of it."""
    here = stepped
    root = (await here.mention(DANA, GENERAL, "hello"))["ts"]
    await reply_in(here, GENERAL, root, "Hello Dana")
    await here.slack.fault("delay_event", path="message", contains="the first", seconds=60)
    await here.say(DANA, "hello, the first", channel=GENERAL, thread_ts=root)
    await here.say(DANA, "hello, the second", channel=GENERAL, thread_ts=root)
    await reply_in(here, GENERAL, root, count=2)
    step(here, age)
    await here.slack.mend()
    found = await at_rest(here, DANA, runs=3)
    assert sorted(run.late for run in found) == [False, False, True]
    await reply_in(here, GENERAL, root, count=3)
    assert not (await verified(here.base.store, here.base.keyring)).problems


async def test_security_input_56_a_storm_of_disconnects(here: World) -> None:
    """While Slack hangs up again and again everybody's request is done and answered once."""
    await change(here, ack_seconds=1.0, retry_seconds=0.2, retries=20)

    async def storm() -> None:
        for n in range(12):
            await here.slack.post("/__admin/disconnect", {"reason": ("abrupt", "refresh_requested")[n % 2]})
            await asyncio.sleep(0.1)

    storming = asyncio.create_task(storm())
    people = COLLEAGUES[:4]
    for person in people:
        await here.say(person, send_mail(f"{person.handle}@example.com"))
    cards = {person: (await here.card_in(here.dm_of(person)))[0] for person in people}
    await storming
    for person, card in cards.items():
        await here.click(person, card, APPROVE)
        await final(here, card, "✓ Done.")
    for person in people:
        await at_rest(here, person, runs=1)
        assert len(await here.sent(person)) == 1
        assert len(await runs_of(here, person)) == 1
