from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from bot.slack.connection.errors import SlackRefused
from bot.slack.outbound.background_tasks import BackgroundTasks


async def test_tasks_are_finished_at_the_end() -> None:
    """What was begun is done when the block ends."""
    done: list[str] = []

    async def work() -> None:
        await asyncio.sleep(0)
        done.append("told")

    async with BackgroundTasks() as owner:
        owner.run("tell", work())
    assert done == ["told"]


async def test_what_takes_too_long_is_cancelled() -> None:
    """The end of the process waits for a while only."""
    ended = asyncio.Event()

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with BackgroundTasks(grace=0.01) as owner:
        owner.run("endless", endless())
    assert ended.is_set()


@pytest.mark.parametrize(
    ("error", "event"),
    [
        (SlackRefused("views.open", "expired_trigger_id"), "slack.background_failed"),
        (KeyError("x"), "slack.background_broke"),
    ],
)
async def test_what_fails_is_logged(error: Exception, event: str) -> None:
    """A failing task is logged under its name and hurts nobody."""

    async def failing() -> None:
        raise error

    with capture_logs() as logged:
        async with BackgroundTasks() as owner:
            owner.run("show", failing())
    assert [(entry["event"], entry["task"]) for entry in logged] == [(event, "show")]
