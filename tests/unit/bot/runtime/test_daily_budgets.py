"""Budgets of a day: counted with every turn, hinted at once, and a clear end when they are used up."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.limits import Limits
from bot.domain.runs import Run, RunState
from bot.domain.spending import DailyBudgets, Spent, day_of
from bot.llm import model
from bot.runtime.spending import Purse
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.house import House, house

LOOK = ("gmail_search", {"text": "it"})
Homes = Callable[[DailyBudgets], AbstractAsyncContextManager[House]]


def tariff(usage: model.Usage, now: datetime) -> int:
    """A cent for each call."""
    del usage, now
    return 10_000


@pytest.fixture
def homes(tmp_path: Path) -> Homes:
    def built(budgets: DailyBudgets) -> AbstractAsyncContextManager[House]:
        return house(tmp_path, purse=Purse(tariff=tariff, daily=budgets))

    return built


@pytest.fixture
async def home(homes: Homes) -> AsyncGenerator[House]:
    async with homes(DailyBudgets()) as made:
        made.model.usage = model.Usage(prompt_tokens=90, output_tokens=10)
        yield made


async def spent(home: House, user: str, amount: Spent) -> None:
    async with home.base.store.write() as work:
        await work.spending.add(TEAM, user, day_of(home.base.clock.now()), amount)


async def asked(home: House, *says: Any, **values: Any) -> Run:
    home.model.usage = model.Usage(prompt_tokens=90, output_tokens=10)
    return await home.asked(*says, **values)


async def test_every_call_is_counted_for_its_person_and_day(home: House) -> None:
    """The row of a person and a day holds all tokens and the price of what his runs asked, last words included."""
    await asked(home, [LOOK], "Done.")
    await asked(home, [LOOK], "Limited.", limits=Limits(steps=1), ceiling=Limits(steps=1))
    await spent(home, MARA, Spent(tokens=7, cost_micros=3))
    rows = home.base.rows("SELECT user, day, tokens, cost_micros FROM spending ORDER BY tokens")
    today = day_of(home.base.clock.now())
    assert rows == [
        {"user": MARA, "day": today, "tokens": 7, "cost_micros": 3},
        {"user": DANA, "day": today, "tokens": 400, "cost_micros": 40_000},
    ]
    async with home.base.store.read() as work:
        both = await work.spending.of_day(TEAM, DANA, today)
    assert (both.user.tokens, both.workspace.tokens) == (400, 407)


async def test_a_run_knows_what_it_cost(home: House) -> None:
    """Tokens and money of all its calls stand in its row."""
    run = await asked(home, [LOOK], "Done.")
    assert (run.usage.prompt + run.usage.output, run.cost_micros) == (200, 20_000)


USED_UP = [
    (DailyBudgets(user_tokens=1_000), DANA, "Your budget of today (1,000 tokens of the language model) is used up"),
    (DailyBudgets(user_cost=5_000_000), DANA, "Your budget of today (US$ 5.00) is used up"),
    (DailyBudgets(workspace_tokens=1_000), MARA, "This workspace’s budget of today (1,000 tokens of the language"),
    (DailyBudgets(workspace_cost=5_000_000), MARA, "This workspace’s budget of today (US$ 5.00) is used up"),
]


@pytest.mark.parametrize(("budgets", "who", "told"), USED_UP)
async def test_a_used_up_budget_asks_the_model_nothing(
    homes: Homes, budgets: DailyBudgets, who: str, told: str
) -> None:
    """The run pauses before its first call, and says which budget it was and when it is fresh again, in his zone."""
    async with homes(budgets) as home:
        await spent(home, who, Spent(tokens=1_000, cost_micros=5_000_000))
        run = await asked(home, "Never said.")
        assert (run.state, home.model.requests) == (RunState.PAUSED, [])
        assert run.summary.startswith(told)
        assert "It is fresh again on Sunday 22 November at 00:00 (Europe/London)." in run.summary
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
        assert run.summary.splitlines()[1:] == ["• Do it: done"]


async def test_at_eighty_percent_one_hint_is_given_to_both(homes: Homes) -> None:
    """The model is told before its next call, the person under the answer; the next run says nothing of it."""
    async with homes(DailyBudgets(user_tokens=1_000)) as home:
        await spent(home, DANA, Spent(tokens=750))
        run = await asked(home, [LOOK], "Done.")
        first, second = ("".join(request.contents) for request in home.model.requests)
        assert "tokens of today is used" not in first
        assert second.count("most of the person’s tokens of today is used") == 1
        assert run.summary.splitlines()[0] == "Done."
        assert "Your budget of today (1,000 tokens of the language model) is used to more than 80 %." in run.summary
        assert (await asked(home, "Hello.")).summary == "Hello."


async def test_a_runs_own_budget_is_hinted_at_as_well(home: House) -> None:
    """At 80 % of the tokens of one request the model learns of it, and the answer says it once."""
    limits = Limits(tokens=240)
    other = ("gmail_search", {"text": "else"})
    run = await asked(home, [LOOK], [other], "Done.", limits=limits, ceiling=limits)
    hint = "most of the tokens of this request is used"
    assert [hint in "".join(request.contents) for request in home.model.requests] == [False, False, True]
    used = "This request used more than 80 % of what one may use (240 tokens of the language model)."
    assert (run.state, run.summary) == (RunState.COMPLETED, f"Done.\n\n_{used}_")


async def test_without_a_price_money_is_not_counted(tmp_path: Path) -> None:
    """A model that nobody knows the price of costs nothing, and its tokens count all the same."""
    async with house(tmp_path, purse=Purse(daily=DailyBudgets(user_cost=1))) as home:
        run = await asked(home, [LOOK], "Done.")
        assert (run.state, run.cost_micros) == (RunState.COMPLETED, 0)


def test_a_day_is_one_in_utc() -> None:
    """Whatever the zone of a moment, the day is UTC's."""
    moment = datetime.fromisoformat("2026-11-21T23:30:00-05:00")
    assert day_of(moment) == "2026-11-22"
    assert replace(Spent(tokens=3), cost_micros=1) - Spent(tokens=1) == Spent(tokens=2, cost_micros=1)
