"""“Make a plan”: a request that was too big for one answer is planned, in the same words."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from bot.domain.limits import Limits, Rate
from bot.domain.plans import Phase
from bot.domain.runs import Run, RunState
from bot.llm.model import TurnUsage
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.plans.paused_requests import make_plan
from bot.runtime.runs import resume
from bot.runtime.runs.stop import cancel
from bot.runtime.texts import about_plans
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.plans.test_plan import LOOK, PROPOSE
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path) as made:
        yield made


def only(**values: int) -> dict[str, Any]:
    """A run with these limits alone."""
    return {"limits": Limits(**values), "ceiling": Limits(**values)}


async def paused(here: Harness, *more: Said, **values: Any) -> Run:
    """A request that took as many steps as it may."""
    run = await here.asked(LOOK, "I only looked.", *more, **only(steps=1) | values)
    assert run.state is RunState.PAUSED
    return run


async def press(here: Harness, run: Run, *, user: str = DANA, rate: Rate | None = None) -> ClickOutcome:
    return await make_plan(here.transactions, ButtonClick(team=TEAM, user=user, value=run.id), rate)


async def offered(here: Harness, run: Run) -> bool:
    return (await here.queries.answer(run.id)).plannable


async def plan_of(here: Harness) -> Run | None:
    rows = here.base.rows("SELECT run_id FROM plans")
    return await here.run(rows[0]["run_id"]) if rows else None


async def test_a_plan_is_made_of_the_same_words_and_the_paused_run_stays(here: Harness) -> None:
    run = await paused(here)
    assert await offered(here, run)
    here.model.says = [PROPOSE]
    assert (await press(here, run)).accepted
    await here.serve()
    planned = await plan_of(here)
    assert planned is not None
    assert (planned.message_id, planned.phase, planned.state) == (run.message_id, Phase.PROPOSE, RunState.AWAITING)
    assert (await here.run(run.id)).state is RunState.PAUSED
    assert not await offered(here, run)


async def test_a_second_press_makes_no_second_plan(here: Harness) -> None:
    run = await paused(here)
    await press(here, run)
    assert await press(here, run) == ClickOutcome(accepted=False, text=about_plans.MADE_ALREADY)
    assert len(here.base.rows("SELECT run_id FROM plans")) == 1


async def test_only_what_was_too_big_is_planned(here: Harness) -> None:
    """Not what stopped at another limit."""
    here.model.usage = TurnUsage(prompt_tokens=90, output_tokens=10)
    dear = await here.asked(LOOK, "I only looked.", **only(tokens=100))
    assert dear.state is RunState.PAUSED
    assert not await offered(here, dear)
    assert (await press(here, dear)).text == about_plans.NOT_AT_ITS_LIMIT


async def test_what_goes_on_is_not_planned(here: Harness) -> None:
    run = await paused(here)
    assert (await resume.continue_run(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    assert (await press(here, run)).text == about_plans.NOT_AT_ITS_LIMIT


async def test_what_was_stopped_is_not_planned(here: Harness) -> None:
    run = await paused(here)
    async with here.transactions.write_promptly() as tx:
        await cancel(tx, run, by=DANA)
    assert (await press(here, run)).text == about_plans.NOT_AT_ITS_LIMIT
    assert not await offered(here, run)


async def test_others_do_not_make_it(here: Harness) -> None:
    outcome = await press(here, await paused(here), user="U0MARA")
    assert not outcome.accepted
    assert here.codes()[-1] == "click.wrong_person"


async def test_it_counts_as_a_request(here: Harness) -> None:
    """Whoever pressed too much in the last minute waits."""
    first, second = await paused(here), await paused(here)
    rate = Rate(per_minute=1)
    assert (await press(here, first, rate=rate)).accepted
    assert not (await press(here, second, rate=rate)).accepted
    assert here.codes()[-1] == "message.refused"
    assert len(here.base.rows("SELECT run_id FROM plans")) == 1
