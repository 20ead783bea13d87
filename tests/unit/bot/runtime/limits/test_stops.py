"""What still comes in from a step whose run was paused meanwhile: it is kept, and the run rests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.domain.actions import ActionState
from bot.domain.limits import Guard, Limit
from bot.domain.runs import Run, RunState
from bot.runtime.limits import stops
from bot.runtime.limits.loop_guard import streaks
from integrations.base import Preview
from integrations.errors import Lack, NotConnected, ToolFailed
from tests.unit.bot.runtime.runtime_harness import Harness
from tests.unit.bot.runtime.scripted import Gate

SEND = ("gmail_send", {"text": "it"})


async def looked_at(here: Harness) -> tuple[Run, asyncio.Task[None]]:
    """A run whose only action is being previewed."""
    here.model.says, here.effect.gate = [[SEND]], Gate()
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await here.effect.gate.looked.wait()
    return run, serving


@pytest.mark.parametrize(
    ("found", "left"),
    [
        (None, ActionState.PLANNED),
        (ToolFailed("gone", "It is gone."), ActionState.FAILED),
        (NotConnected(Lack.ACCOUNT, "No account."), ActionState.PLANNED),
    ],
    ids=["a preview", "a preview that fails", "an account that is missing"],
)
async def test_a_preview_that_comes_after_a_hard_stop(
    here: Harness, found: Exception | Preview | None, left: ActionState
) -> None:
    """The run was paused while somebody looked outside: nothing is asked, the run stays as it is and says it once."""
    here.runner = replace(here.runner, evaluator=replace(here.runner.evaluator, connects=True))
    run, serving = await looked_at(here)
    here.effect.previews = [found] if found else []
    async with here.transactions.write() as tx:
        await stops.hard(tx, await here.run(run.id), Limit.ACTIVE)
    with capture_logs() as logs:
        assert here.effect.gate
        here.effect.gate.opened.set()
        await serving
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == []
    assert ((await here.run(run.id)).state, (await here.action(run)).state) == (RunState.PAUSED, left)
    assert await here.question(run.id) is None
    assert here.codes().count("run.paused") == 1


# Calls that repeat themselves --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("earlier", "calls", "counted"),
    [
        ("", "", []),
        ("", "a", [1]),
        ("", "aaa", [1, 2, 3]),
        ("aa", "a", [3]),
        ("aa", "ba", [1, 1]),
        ("ab", "bab", [2, 1, 1]),
        ("aaaa", "aa", [5, 6]),
        ("ba", "aab", [2, 3, 1]),
    ],
)
def test_identical_calls_in_a_row_are_counted(earlier: Sequence[str], calls: Sequence[str], counted: list[int]) -> None:
    """Each call counts the identical ones right before it, those of earlier steps too; any other call starts anew."""
    assert streaks(list(earlier), list(calls)) == counted


def test_a_warning_comes_before_the_end() -> None:
    """The third identical call is answered with an error, the fifth ends the run."""
    assert (Guard().refused_at, Guard().failed_at) == (3, 5)
