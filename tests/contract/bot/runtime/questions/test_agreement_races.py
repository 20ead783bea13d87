"""Two replicas over one database: one holds the run, and those who have to agree say so at the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.domain.actions import ActionState
from bot.domain.questions import Choice, Question
from bot.domain.runs import RunState
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.questions import expiry
from bot.runtime.questions.decide import Click, decide
from bot.runtime.runs.runner import Runner
from bot.store.engine.database import database_for
from bot.store.store import Store
from bot.tools.plans import PlanTool
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.dispatchers import OneThread
from tests.unit.bot.runtime.questions.test_agreement import (
    ERIN,
    SEND,
    TURN,
    asked,
    edited,
    now_of,
    ruled,
    says,
    served,
)
from tests.unit.bot.runtime.runtime_harness import Harness, harness, runner, until

LOOK = ("gmail_search", {"text": "it"})


@dataclass(frozen=True, kw_only=True)
class Two:
    """A replica that serves (`here`), and another one, with its own connections where the database is shared."""

    here: Harness
    there: TransactionFactory
    runner_there: Runner

    async def says_there(self, question: Question, user: str, choice: Choice = Choice.APPROVE) -> bool:
        """Somebody presses a button, and Slack tells the other replica; whether that counts."""
        click = Click(team=TEAM, user=user, value=question.button_value(), choice=choice)
        return (await decide(self.there, click)).accepted


@pytest.fixture(params=["sqlite", "postgresql"])
async def two(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncGenerator[Two]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    async with harness(tmp_path, postgresql=url) as here, AsyncExitStack() as stack:
        store = here.base.store
        if here.base.is_postgresql:
            database = database_for(here.base.url)
            stack.push_async_callback(database.dispose)
            store = Store(database, keyring=here.base.keyring, clock=here.base.clock)
        there = replace(here.transactions, store=store, bus=Bus(), dispatcher=OneThread())
        tools = (here.read, here.asking, here.effect, here.blind, PlanTool())
        serving = runner(
            there, tools=tools, model=here.model, profiles=here.directory, sleep=asyncio.sleep, holder="there"
        )
        yield Two(here=here, there=there, runner_there=serving)


async def test_votes_reach_whoever_holds_the_run(two: Two) -> None:
    """While a look of the same step is under way here, its owner and the approver say yes there. The other replica may
    not serve the thread; this one, which nobody woke, sends the mail once, and not before the last of them agreed.
    """
    here = two.here
    await ruled(here, MARA)
    await here.trusts(TrustLevel.AUTONOMOUS)
    here.read.busy, here.model.says = asyncio.Event(), [[LOOK, SEND], "Done."]
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.read.calls and here.base.rows("SELECT id FROM questions"))
    question = await here.card_of(run.id)
    for user in (DANA, MARA):
        assert here.effect.calls == []
        assert await two.says_there(question, user)
        await two.runner_there.serve("thr_1", asyncio.Event())
    await until(lambda: here.effect.calls)
    assert not serving.done()
    here.read.busy.set()
    await serving
    assert ((await here.run(run.id)).state, len(here.effect.calls)) == (RunState.COMPLETED, 1)
    codes = [code for code in here.codes() if code in {"question.agreed", "action.approved", "action.claimed"}]
    assert codes == ["question.agreed", "action.approved", "action.claimed"]


async def test_whoever_was_first_to_be_woken_does_it(two: Two) -> None:
    """The run waits, and nobody holds it: the last yes comes in there, both replicas serve at once, and one sends."""
    here = two.here
    await ruled(here, MARA)
    question, action = await asked(here)
    await says(here, question, DANA)
    assert await two.says_there(question, MARA)
    await asyncio.gather(here.serve(), two.runner_there.serve("thr_1", asyncio.Event()))
    assert ((await here.action(action)).state, len(here.effect.calls)) == (ActionState.COMPLETED, 1)


Other = Callable[[Two, Question], Awaitable[bool]]


async def agrees(two: Two, question: Question) -> bool:
    return (await two.here.click(question, user=MARA)).accepted


async def takes_back(two: Two, question: Question) -> bool:
    return (await two.here.click(question, Choice.REJECT, user=DANA)).accepted


async def edits(two: Two, question: Question) -> bool:
    return (await edited(two.here, question, {"text": "that"})).accepted


async def ends_the_turn(two: Two, question: Question) -> bool:
    await expiry.tick(two.here.transactions)
    return (await now_of(two.here, question)).waits_for == ERIN


@pytest.mark.parametrize("other", [agrees, takes_back, edits, ends_the_turn], ids=lambda other: other.__name__)
@pytest.mark.parametrize("first", [True, pytest.param(False, marks=pytest.mark.deep)])
async def test_of_the_last_yes_and_something_else_one_counts(two: Two, other: Other, first: bool) -> None:
    """The approver says yes there as something else happens here: the mail is sent, once, or that something came first
    and nothing is sent.
    """
    here = two.here
    await ruled(here, MARA, stand_in=ERIN)
    question, action = await asked(here)
    await says(here, question, DANA)
    here.base.clock.at += TURN if other is ends_the_turn else TURN / 4
    both = [two.says_there(question, MARA), other(two, question)]
    counted = await asyncio.gather(*(both if first else reversed(both)))
    assert sum(counted) == 1
    await served(here)
    agreed = counted[0 if first else 1] or other is agrees
    assert len(here.effect.calls) == agreed
    assert ((await here.action(action)).state is ActionState.COMPLETED) == agreed
    if not agreed and other is not takes_back:
        question = await here.card_of(question.run_id)
        assert (question.waits_for, question.edition) == ((ERIN, 1) if other is ends_the_turn else (DANA, 2))
        assert not await two.says_there(question, MARA)


async def test_replicas_that_tick_at_once_move_it_once(two: Two) -> None:
    """At half of the turn one of them reminds; once the approver left, one of them asks who stands in."""
    here = two.here
    await ruled(here, MARA, stand_in=ERIN)
    question, _ = await asked(here)
    await says(here, question, DANA)
    here.base.clock.at += TURN / 2
    await asyncio.gather(expiry.tick(here.transactions), expiry.tick(two.there))
    assert len(here.base.rows("SELECT id FROM outbox WHERE kind = 'reminder'")) == 1
    await here.seen(make.person(user=MARA, is_deleted=True))
    await asyncio.gather(expiry.tick(here.transactions), expiry.tick(two.there))
    assert here.codes().count("question.reader_gone") == 1
    assert [turn.user for turn in (await now_of(here, question)).turns] == [MARA, ERIN]
