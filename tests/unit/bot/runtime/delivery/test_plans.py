"""What people are shown of a plan beside its card."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.unit.bot.runtime.plans.test_plan import FOUND, SENT, confirmed
from tests.unit.bot.runtime.runtime_harness import Harness, harness


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path) as made:
        yield made


async def test_below_the_account_stand_the_actions_of_the_tasks_alone(here: Harness) -> None:
    """The account has a line for each task, and the card has the plan: neither is told twice."""
    run = await confirmed(here, *FOUND, *SENT)
    view = await here.queries.answer(run.id)
    assert "Found: mail m1." in view.text
    told = {line.action_id for line in view.actions}
    own = {row["id"] for row in here.base.rows(f"SELECT id FROM actions WHERE run_id = '{run.id}'")}
    assert own
    assert told
    assert not told & own
