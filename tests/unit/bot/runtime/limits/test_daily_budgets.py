"""Budgets of a day: counted with every turn, hinted at once, and a clear end when they are used up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.limits import DailyBudgets, Limits, Spent, Today, Usage, day_of
from bot.domain.runs import Run, RunState
from bot.llm import model
from bot.runtime.limits import usage as budgets
from bot.runtime.limits.cost import CostTracker
from bot.runtime.runs.stop import cancel
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import Harness, harness

LOOK = ("gmail_search", {"text": "it"})
NEAR = "More than 80 % of your budget for today (1,000 tokens of the language model) is used."
Homes = Callable[[DailyBudgets], AbstractAsyncContextManager[Harness]]


def pricing(name: str, usage: model.TurnUsage, now: datetime) -> int:
    """A cent for each call."""
    del name, usage, now
    return 10_000


@pytest.fixture
def homes(tmp_path: Path) -> Homes:
    def built(budgets: DailyBudgets) -> AbstractAsyncContextManager[Harness]:
        return harness(tmp_path, costs=CostTracker(pricing=pricing, daily=budgets))

    return built


@pytest.fixture
async def here(homes: Homes) -> AsyncGenerator[Harness]:
    async with homes(DailyBudgets()) as made:
        made.model.usage = model.TurnUsage(prompt_tokens=90, output_tokens=10)
        yield made


async def spent(here: Harness, user: str, amount: Spent) -> None:
    async with here.base.store.write() as work:
        await work.spending.add(TEAM, user, day_of(here.base.clock.now()), amount)


async def asked(here: Harness, *says: Any, **values: Any) -> Run:
    here.model.usage = model.TurnUsage(prompt_tokens=90, output_tokens=10)
    return await here.asked(*says, **values)


async def test_every_call_is_counted_for_its_person_and_day(here: Harness) -> None:
    """The row of a person and a day holds all tokens and the price of what their runs asked, last words included."""
    await asked(here, [LOOK], "Done.")
    await asked(here, [LOOK], "Limited.", limits=Limits(steps=1), ceiling=Limits(steps=1))
    await spent(here, MARA, Spent(tokens=7, cost_micros=3))
    rows = here.base.rows("SELECT user, day, tokens, cost_micros FROM spending ORDER BY tokens")
    today = day_of(here.base.clock.now())
    assert rows == [
        {"user": MARA, "day": today, "tokens": 7, "cost_micros": 3},
        {"user": DANA, "day": today, "tokens": 400, "cost_micros": 40_000},
    ]
    async with here.base.store.read() as work:
        both = await work.spending.of_day(TEAM, DANA, today)
    assert (both.user.tokens, both.workspace.tokens) == (400, 407)


async def test_a_run_knows_what_it_cost(here: Harness) -> None:
    """Tokens and money of all its calls stand in its row."""
    run = await asked(here, [LOOK], "Done.")
    assert (run.usage.prompt + run.usage.output, run.cost_micros) == (200, 20_000)


USED_UP = [
    (DailyBudgets(user_tokens=1_000), DANA, "Your budget for today (1,000 tokens of the language model) is used up"),
    (DailyBudgets(user_cost=5_000_000), DANA, "Your budget for today (US$\N{NO-BREAK SPACE}5.00) is used up"),
    (DailyBudgets(workspace_tokens=1_000), MARA, "This workspace’s budget for today (1,000 tokens of the language"),
    (
        DailyBudgets(workspace_cost=5_000_000),
        MARA,
        "This workspace’s budget for today (US$\N{NO-BREAK SPACE}5.00) is used up",
    ),
]


@pytest.mark.parametrize(("budgets", "who", "told"), USED_UP)
async def test_a_used_up_budget_asks_the_model_nothing(
    homes: Homes, budgets: DailyBudgets, who: str, told: str
) -> None:
    """The run pauses before its first call, and says which budget it was and when a new one starts, in their zone."""
    async with homes(budgets) as home:
        await spent(home, who, Spent(tokens=1_000, cost_micros=5_000_000))
        run = await asked(home, "Never said.")
        assert (run.state, home.model.requests) == (RunState.PAUSED, [])
        assert run.summary.startswith(told)
        assert "A new one starts on Sunday 22 November at 00:00 (Europe/London)." in run.summary
        assert run.hard_stop is not None


async def test_somebody_elses_spending_is_not_ones_own(homes: Homes) -> None:
    """The budget of one person says nothing about another's, and the next day begins anew."""
    async with homes(DailyBudgets(user_tokens=1_000)) as home:
        await spent(home, MARA, Spent(tokens=1_000))
        assert (await asked(home, "Hello.")).state is RunState.COMPLETED
        await spent(home, DANA, Spent(tokens=1_000))
        assert (await asked(home, "Hello.")).state is RunState.PAUSED
        home.base.clock.at += timedelta(days=1)
        assert (await asked(home, "Hello.")).state is RunState.COMPLETED


async def test_a_budget_that_ends_within_a_run_ends_it_at_the_next_call(homes: Homes) -> None:
    """What was done stays done and is said; no call more is made, not even a last word."""
    async with homes(DailyBudgets(user_tokens=100)) as home:
        run = await asked(home, [("gmail_send", {"text": "it"})], "Never said.")
        assert (run.state, len(home.model.requests)) == (RunState.PAUSED, 1)
        assert run.summary.splitlines()[1:] == ["• Did it"]


async def test_at_eighty_percent_one_hint_is_given_to_both(homes: Homes) -> None:
    """The model is told before its next call, the person under the answer; the next run says nothing of it."""
    async with homes(DailyBudgets(user_tokens=1_000)) as home:
        await spent(home, DANA, Spent(tokens=750))
        run = await asked(home, [LOOK], "Done.")
        first, second = ("".join(request.contents) for request in home.model.requests)
        assert "tokens for today is used" not in first
        assert second.count("most of the person’s tokens for today is used") == 1
        assert run.summary.splitlines()[0] == "Done."
        assert NEAR in run.summary
        assert (await asked(home, "Hello.")).summary == "Hello."


async def test_a_hint_that_no_answer_gave_is_given_by_the_next(homes: Homes) -> None:
    """The run that came near is stopped while its card waits: the person reads of it under the next answer, once."""
    async with homes(DailyBudgets(user_tokens=1_000)) as home:
        await spent(home, DANA, Spent(tokens=750))
        run = await asked(home, [("gmail_send", {"text": "it"})], level=TrustLevel.SUPERVISED)
        async with home.transactions.write() as tx:
            await cancel(tx, run, by=DANA)
        assert [NEAR in (await asked(home, "Hello.")).summary for _ in range(2)] == [True, False]


async def test_a_hint_is_kept_while_the_requester_has_said_more(homes: Homes) -> None:
    """An answer that is not shown, since words came meanwhile, gives no hint; the one that is shown does."""
    async with homes(DailyBudgets(user_tokens=1_000)) as home:
        await spent(home, DANA, Spent(tokens=850))
        run = await home.request()
        home.model.usage = model.TurnUsage(prompt_tokens=9, output_tokens=1)
        home.model.says = ["Hello.", "Hello again."]
        home.model.hold_after = asyncio.Event()
        serving = asyncio.create_task(home.serve())
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not home.model.requests:
                await asyncio.sleep(0.005)
        async with home.base.store.write() as work:
            await work.messages.add(make.message("and quickly", steers=run.id))
        home.model.hold_after.set()
        await serving
        after = await home.run(run.id)
        assert (after.summary.startswith("Hello again."), NEAR in after.summary) == (True, True)


async def test_a_new_day_is_not_near_its_end(homes: Homes) -> None:
    """What came near before midnight is not said of the budget of the day on which the answer comes."""
    async with homes(DailyBudgets(user_tokens=1_000)) as home:
        await spent(home, DANA, Spent(tokens=750))
        run = await asked(home, [("gmail_send", {"text": "it"})], level=TrustLevel.SUPERVISED)
        home.base.clock.at += timedelta(days=1)
        costs = home.runner.loop.costs
        async with home.transactions.write() as tx:
            assert await costs.noted(tx.work, run, "Done.", tx.now) == "Done."
        await spent(home, DANA, Spent(tokens=750))
        assert NEAR in (await asked(home, "Hello.")).summary


@pytest.mark.parametrize("used", [0, 60, 100, 260])
def test_a_hint_of_a_continued_run_goes_by_its_fresh_allowance(used: int) -> None:
    """Whatever was used before, it comes with 80 % of what was granted since."""
    given: dict[str, Any] = {"limits": Limits(tokens=100), "ceiling": Limits(tokens=used + 100)}
    nobody = Today(user=Spent(), workspace=Spent())
    near = [
        budgets.used_near(make.run(usage=Usage(prompt=used + more), **given), nobody, DailyBudgets())
        for more in (0, 79, 80, 100)
    ]
    assert near == [(), (), ("tokens",), ("tokens",)]


async def test_a_runs_own_budget_is_hinted_at_as_well(here: Harness) -> None:
    """At 80 % of the tokens of one request the model learns of it, and the answer says it once."""
    limits = Limits(tokens=240)
    other = ("gmail_search", {"text": "else"})
    run = await asked(here, [LOOK], [other], "Done.", limits=limits, ceiling=limits)
    hint = "most of the tokens of this request is used"
    assert [hint in "".join(request.contents) for request in here.model.requests] == [False, False, True]
    used = "This request has used more than 80 % of its limit (240 tokens of the language model)."
    assert (run.state, run.summary) == (RunState.COMPLETED, f"Done.\n\n_{used}_")


async def test_without_a_price_money_is_not_counted(tmp_path: Path) -> None:
    """A model that nobody knows the price of costs nothing, and its tokens count all the same."""
    async with harness(tmp_path, costs=CostTracker(daily=DailyBudgets(user_cost=1))) as here:
        run = await asked(here, [LOOK], "Done.")
        assert (run.state, run.cost_micros) == (RunState.COMPLETED, 0)


def test_a_day_is_one_in_utc() -> None:
    """Whatever the zone of a moment, the day is UTC's."""
    moment = datetime.fromisoformat("2026-11-21T23:30:00-05:00")
    assert day_of(moment) == "2026-11-22"
