"""What a round of a task costs: the same late as early, but for its history."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.plans import OBSERVATION_KEPT, Phase
from bot.domain.questions import Choice
from bot.domain.runs import RunState
from bot.llm import wire
from bot.llm.model import ModelEvent, ModelRequest
from integrations.base import Result
from policies.types import Label
from tests.unit.bot.runtime.plans.mortal import Workshop, workshop
from tests.unit.bot.runtime.plans.test_plan import ONE, judged
from tests.unit.bot.runtime.scripted import Said

MOST_COMMITS = 4
_ROUNDS = DEFAULT_LIMITS.steps or 0


_WRITES = ("INSERT", "UPDATE", "DELETE")


class Used(NamedTuple):
    """How much was used until a round began. Looks at a thread go by the clock, and are not counted."""

    commits: int
    writes: int


async def rounds(here: Workshop) -> Sequence[Used]:
    """What was used when each round of one long task began."""
    used, commits = list[Used](), 0
    here.here.read.outcomes = [Result(data={"text": "x" * 50_000}, summary="Found.", label=Label.EXTERNAL)] * _ROUNDS
    stream = here.here.model.stream

    async def committed() -> None:
        nonlocal commits
        commits += 1

    here.traffic.seen = committed
    with here.here.base.heard() as statements:

        async def spoken(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
            last = "\n".join(str(part.get("text", "")) for part in wire.parts(request.contents[-1]))
            if "[REASON]" in last:
                used.append(Used(commits, sum(sql.startswith(_WRITES) for sql, _ in statements)))
            here.here.model.says = [_said(last, len(used))]
            async for event in stream(request):
                yield event

        here.here.model.stream = spoken
        run = await here.here.request(phase=Phase.PROPOSE, limits=DEFAULT_LIMITS, ceiling=DEFAULT_LIMITS)
        await here.serve()
        assert (await here.click(await here.here.card_of(run.id), Choice.CONFIRM)).accepted
        await here.serve()
    assert (await here.here.run(run.id)).state is RunState.COMPLETED
    return used


def _said(asked: str, number: int) -> Said:
    by_phase: Mapping[str, Said] = {
        "[REASON]": "I look.",
        "[ACT]": [("gmail_search", {"text": str(number)})],
        "[REFLECT]": judged(complete=number == _ROUNDS),
    }
    return next((said for mark, said in by_phase.items() if mark in asked), ONE)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_a_round_has_at_most_four_commits_and_costs_the_same_late_as_early(
    tmp_path: Path, database: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres_url") if database == "postgresql" else None
    async with workshop(tmp_path, postgresql=url) as here:
        used = await rounds(here)
    each = [Used(*(late - early for early, late in zip(*two, strict=True))) for two in pairwise(used)]
    assert len(used) == _ROUNDS
    assert all(one.commits <= MOST_COMMITS for one in each), each
    assert len(set(each[1:])) == 1, each


async def test_the_history_of_a_task_is_bounded(tmp_path: Path) -> None:
    async with workshop(tmp_path) as here:
        await rounds(here)
        (row,) = here.here.base.rows("SELECT raw_react_history FROM plan_tasks")
    assert len(row["raw_react_history"]) < _ROUNDS * (OBSERVATION_KEPT + 500)
