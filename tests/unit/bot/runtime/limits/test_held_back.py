"""What came too fast is kept, offered once, and taken once."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.domain.deliveries import RefusalSubject
from bot.domain.limits import Limits, Rate
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.views import OfferView
from bot.runtime.limits import held_back
from bot.runtime.runs.incoming import Admission, Admitted, Incoming, SharedMessage
from bot.runtime.runs.intake import Intake
from bot.runtime.runs.resume import take_held_back
from bot.runtime.texts.to_model import HANDLED_APART
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.stores import Opened, opened
from tests.unit.bot.runtime.limits.test_rate_limit import asked
from tests.unit.bot.runtime.runtime_harness import harness

RATE = Rate(per_minute=20, burst=20, ahead=timedelta(minutes=1))
SALES = "C0SALES"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hasty:
    """Somebody who says more than is taken."""

    base: Opened
    transactions: TransactionFactory
    rate: Rate = RATE

    @property
    def intake(self) -> Intake:
        return Intake(transactions=self.transactions, limits=Limits(), rate=self.rate)

    @property
    def queries(self) -> Queries:
        return Queries(store=self.base.store, clock=self.base.clock, side_effects_enabled=True)

    async def says(self, said: Incoming) -> Admitted:
        return await self.intake.message(said)

    async def fills(self, *, first: int = 0) -> None:
        """As much as begins at once, and as much as waits."""
        for n in range(first, first + 2 * self.rate.per_minute):
            await self.says(asked(n))

    async def is_refused(self, *numbers: int) -> None:
        for n in numbers:
            said = asked(n, text=f"ask {n}")
            assert (await self.says(said)).admission is Admission.REFUSED

    def offers(self) -> list[tuple[str, datetime]]:
        """The subjects of the offers that were put into the outbox, and when each is due."""
        rows = self.base.rows("SELECT subject, not_before FROM outbox WHERE lane LIKE 'offers:%' ORDER BY id")
        return [(row["subject"], datetime.fromisoformat(str(row["not_before"])).replace(tzinfo=UTC)) for row in rows]

    async def offer(self) -> OfferView | None:
        """The newest one, as it is shown once it is due."""
        subject, due = self.offers()[-1]
        wait = (due - self.base.clock.now()).total_seconds()
        self.base.clock.advance(max(0.0, wait))
        return await self.queries.offer(subject)

    async def presses(self, value: str, *, user: str = DANA) -> ClickOutcome:
        click = ButtonClick(team=TEAM, user=user, value=value)
        return await take_held_back(self.transactions, click, self.rate)

    def begun(self) -> list[str]:
        """What was asked, of the runs that began, by the place of the message."""
        query = "SELECT messages.text FROM runs JOIN messages ON messages.id = runs.message_id ORDER BY order_key"
        return [row["text"] for row in self.base.rows(query)]


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    async with opened(tmp_path) as made:
        async with made.store.write() as work:
            await work.users.seen(make.person(zone="Europe/Berlin"))
        yield made


@pytest.fixture
def hasty(base: Opened, transactions: TransactionFactory) -> Hasty:
    return Hasty(base=base, transactions=transactions)


def texts(view: OfferView | None) -> list[str]:
    return [line.text for line in view.untaken] if view else []


async def test_what_came_too_fast_is_offered_in_one_message_and_begins(hasty: Hasty) -> None:
    """A minute after the next request is taken, when all that waited has begun: then there is room for each of them."""
    await hasty.fills()
    await hasty.is_refused(40, 41, 42)
    ((_, due),) = hasty.offers()
    assert (due - hasty.base.clock.now()).total_seconds() == pytest.approx(63, abs=1)
    view = await hasty.offer()
    assert texts(view) == ["ask 40", "ask 41", "ask 42"]
    assert view is not None
    assert (view.team, view.user, view.untaken[0].channel) == (TEAM, DANA, "")
    outcome = await hasty.presses(view.value)
    assert (outcome.accepted, outcome.text) == (True, "")
    assert hasty.begun()[40:] == ["ask 40", "ask 41", "ask 42"]


async def test_the_refusal_names_the_moment_of_the_offer(hasty: Hasty) -> None:
    """The first is answered where it was said, the others are told to their author alone, and all name one moment."""
    await hasty.fills()
    await hasty.says(asked(40))
    aside = (await hasty.says(asked(41))).aside
    assert aside == (
        "I take at most 20 requests a minute from one person, so I did not take this one. I do not take "
        "anything new before 10:30:04. At 10:31:04 (Europe/Berlin) I offer it to you again in our direct messages."
    )
    rows = hasty.base.rows("SELECT subject FROM outbox WHERE subject LIKE 'too_fast%'")
    assert (await hasty.queries.refusal(rows[0]["subject"])).text == aside


async def test_a_second_press_begins_nothing(hasty: Hasty) -> None:
    """The first one has what there was, and whoever presses again is told so."""
    await hasty.fills()
    await hasty.is_refused(40, 41)
    view = await hasty.offer()
    assert view is not None
    assert (await hasty.presses(view.value)).accepted
    again = await hasty.presses(view.value)
    assert (again.accepted, again.text.startswith("Nothing is left of this to take")) == (False, True)
    assert len(hasty.begun()) == 42


async def test_each_counts_as_a_request(hasty: Hasty) -> None:
    """Who has filled the queue again meanwhile is told when to press, and nothing of what is offered is lost."""
    await hasty.fills()
    await hasty.is_refused(40, 41)
    view = await hasty.offer()
    await hasty.fills(first=50)
    assert view is not None
    before = len(hasty.begun())
    early = await hasty.presses(view.value)
    assert (early.accepted, "Press the button again after" in early.text) == (False, True)
    assert len(hasty.begun()) == before
    hasty.base.clock.advance(61)
    assert (await hasty.presses(view.value)).accepted
    assert len(hasty.begun()) == before + 2


async def test_a_press_takes_as_many_as_there_is_room_for(hasty: Hasty) -> None:
    """The others stay, and the next press has them."""
    await hasty.fills()
    await hasty.is_refused(40, 41)
    view = await hasty.offer()
    assert view is not None
    for n in range(50, 70):
        await hasty.says(asked(n))
    assert not (await hasty.presses(view.value)).accepted
    assert hasty.begun()[40] == "ask 40"
    hasty.base.clock.advance(61)
    assert (await hasty.presses(view.value)).accepted
    assert hasty.begun()[40:42] == ["ask 40", "ask 41"]


async def test_ten_are_kept(hasty: Hasty) -> None:
    """What is beyond is refused for good, and says so; at a slow rate as many are kept as one press may bring."""
    await hasty.fills()
    await hasty.is_refused(*range(40, 50))
    beyond = (await hasty.says(asked(50, text="one more"))).aside
    assert "Please send it again after" in beyond
    assert "ask 49" in texts(await hasty.offer())
    assert len(texts(await hasty.offer())) == held_back.MOST


async def test_at_a_slow_rate_fewer_are_kept(hasty: Hasty) -> None:
    """No more than may wait for their turn, so that one press takes all of them."""
    slow = replace(hasty, rate=replace(RATE, per_minute=3, burst=3))
    await slow.fills()
    await slow.is_refused(*range(6, 12))
    view = await slow.offer()
    assert texts(view) == ["ask 6", "ask 7", "ask 8"]
    assert view is not None
    assert (await slow.presses(view.value)).accepted
    assert len(slow.begun()) == 9


async def test_what_its_author_deleted_is_not_offered(hasty: Hasty) -> None:
    """Nor is anything posted where nothing is left; its text is gone."""
    await hasty.fills()
    await hasty.is_refused(40, 41)
    for n in (40, 41):
        subject, due = hasty.offers()[0]
        await hasty.intake.deleted(TEAM, asked(n).channel, asked(n).ts)
        view = await hasty.queries.offer(subject)
        assert (view is None) is (n == 41)
    assert not (await hasty.presses(str(int(due.timestamp())))).accepted
    assert (
        hasty.base.rows("SELECT code FROM audit WHERE code LIKE 'message.%' AND code <> 'message.refused'")
        == [{"code": "message.dropped"}] * 2
    )
    assert hasty.base.rows("SELECT text FROM messages WHERE ts = ?", asked(40).ts) == [{"text": ""}]


async def test_stop_in_the_direct_messages_drops_all_of_it(hasty: Hasty) -> None:
    """What was said before the stop is not offered; what comes too fast after it is."""
    await hasty.fills()
    await hasty.is_refused(40, 41)
    stopped = await hasty.says(asked(42, text="stop"))
    assert stopped.admission is Admission.STOPPED
    await hasty.is_refused(43)
    assert texts(await hasty.offer()) == ["ask 43"]
    told = [row["subject"] for row in hasty.base.rows("SELECT subject FROM outbox WHERE subject LIKE 'dropped%'")]
    assert RefusalSubject.parse(told[0]).figures == (2,)
    assert "the 2 messages that came too fast are not offered" in (await hasty.queries.refusal(told[0])).text


async def test_stop_in_a_thread_drops_what_was_said_there(hasty: Hasty) -> None:
    """A stop elsewhere leaves the rest; where nothing runs and nothing is kept, it says so."""
    await hasty.fills()
    await hasty.is_refused(40)
    there = replace(asked(41, text="too fast"), channel=SALES, is_dm=False, mentions_agent=True)
    assert (await hasty.says(there)).admission is Admission.REFUSED
    stop = replace(asked(42, text="stop"), channel=SALES, is_dm=False, mentions_agent=True, thread_ts=there.ts)
    await hasty.says(stop)
    nothing = "SELECT subject FROM outbox WHERE subject LIKE 'nothing_to_stop%'"
    assert hasty.base.rows(nothing) == []
    await hasty.says(replace(stop, event_id="Ev9", ts="1700000000.000099"))
    assert len(hasty.base.rows(nothing)) == 1
    assert texts(await hasty.offer()) == ["ask 40"]


async def test_the_command_drops_what_is_held_back(hasty: Hasty) -> None:
    """`/agent stop` ends the offer with everything else, once."""
    await hasty.fills()
    await hasty.is_refused(40, 41)
    drop = partial(held_back.drop_of, hasty.transactions, TEAM)
    assert [await drop(MARA), await drop(DANA), await drop(DANA)] == [0, 2, 0]
    assert await hasty.offer() is None


async def test_a_correction_is_heard_by_the_request_it_was_said_to(hasty: Hasty) -> None:
    """It is taken as if it were said now: while the request is live it steers it."""
    await hasty.fills()
    correction = replace(asked(40, text="no wait: to Mara"), thread_ts=asked(1).ts)
    assert (await hasty.says(correction)).admission is Admission.REFUSED
    view = await hasty.offer()
    assert view is not None
    assert (await hasty.presses(view.value)).accepted
    assert len(hasty.begun()) == 40
    rows = hasty.base.rows("SELECT steers FROM messages WHERE ts = ?", asked(40).ts)
    assert rows[0]["steers"].startswith("run_")


async def test_nobody_else_takes_it(hasty: Hasty) -> None:
    """The button counts for the person whose words they are; a person who left is offered nothing, nor takes it."""
    await hasty.fills()
    await hasty.is_refused(40)
    view = await hasty.offer()
    assert view is not None
    assert not (await hasty.presses(view.value, user=MARA)).accepted
    for forged in ("", "soon", "-1", "9" * 40, "٣"):
        assert not (await hasty.presses(forged)).accepted
    async with hasty.base.store.write() as work:
        await work.users.seen(make.person(is_deleted=True))
    assert await hasty.offer() is None
    assert not (await hasty.presses(view.value)).accepted
    assert len(hasty.begun()) == 40


async def test_an_offer_stands_for_a_day(hasty: Hasty) -> None:
    """What nobody took by then makes room for what comes too fast later."""
    await hasty.fills()
    await hasty.is_refused(*range(40, 50))
    view = await hasty.offer()
    assert view is not None
    hasty.base.clock.advance(86_401)
    assert not (await hasty.presses(view.value)).accepted
    await hasty.fills(first=100)
    await hasty.is_refused(150)
    assert texts(await hasty.offer()) == ["ask 150"]


async def test_a_later_offer_is_another_message(hasty: Hasty) -> None:
    """The button of the first takes what stood under it, and nothing that was said since."""
    await hasty.fills()
    await hasty.is_refused(40)
    first = await hasty.offer()
    for n in range(50, 71):
        await hasty.says(asked(n))
    await hasty.is_refused(91)
    assert first is not None
    assert len(hasty.offers()) == 2
    hasty.base.clock.advance(61)
    assert (await hasty.presses(first.value)).accepted
    assert texts(await hasty.offer()) == ["ask 91"]


async def test_what_was_forwarded_along_is_to_be_sent_again(hasty: Hasty) -> None:
    """No row holds the message that was attached, so the request would be another one."""
    await hasty.fills()
    forwarded = SharedMessage(channel=SALES, ts="1.1", author="Mara", text="Lunch?")
    said = await hasty.says(replace(asked(40, text="summarise it"), messages=[forwarded]))
    assert said.admission is Admission.REFUSED
    assert hasty.offers() == []


async def test_the_model_is_told_that_it_is_none_of_its_business(tmp_path: Path) -> None:
    """A later request of the same thread reads what was said before it, and does not do what is offered apart."""
    async with harness(tmp_path) as here:
        await here.request()
        await here.serve()
        async with here.base.store.write() as work:
            await work.rates.set(f"requests:{TEAM}:{DANA}", here.base.clock.now() + timedelta(seconds=119.9))
        assert (await here.says("send the mail", rate=RATE)).admission is Admission.REFUSED
        await here.says("hello")
        await here.serve()
        assert HANDLED_APART in str(here.model.requests[-1].contents)
