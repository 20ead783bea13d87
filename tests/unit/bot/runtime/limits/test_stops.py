"""What still comes in from a step whose run was paused meanwhile: it is kept, and the run rests."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.domain.actions import ActionState
from bot.domain.limits import Limit
from bot.domain.runs import Run, RunState
from bot.runtime.limits import stops
from integrations.base import Preview
from integrations.errors import Lack, NotConnected, ToolFailed
from tests.unit.bot.runtime.runtime_harness import House
from tests.unit.bot.runtime.scripted import Gate

SEND = ("gmail_send", {"text": "it"})


async def looked_at(at: House) -> tuple[Run, asyncio.Task[None]]:
    """A run whose only action is being previewed."""
    at.model.says, at.effect.gate = [[SEND]], Gate()
    run = await at.request()
    serving = asyncio.create_task(at.serve())
    await at.effect.gate.looked.wait()
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
    at: House, found: Exception | Preview | None, left: ActionState
) -> None:
    """The run was paused while somebody looked outside: nothing is asked, the run stays as it is and says it once."""
    at.runner = replace(at.runner, evaluator=replace(at.runner.evaluator, connects=True))
    run, serving = await looked_at(at)
    at.effect.previews = [found] if found else []
    async with at.transactions.write() as tx:
        await stops.hard(tx, await at.run(run.id), Limit.ACTIVE)
    with capture_logs() as logs:
        assert at.effect.gate
        at.effect.gate.opened.set()
        await serving
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == []
    assert ((await at.run(run.id)).state, (await at.action(run)).state) == (RunState.PAUSED, left)
    assert await at.question(run.id) is None
    assert at.codes().count("run.paused") == 1
