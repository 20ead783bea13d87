from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from bot.slack import errands
from bot.slack.errands import Errands
from bot.slack.errors import SlackRefused


async def test_errands_are_finished_at_the_end() -> None:
    """What was begun is done when the block ends."""
    done: list[str] = []

    async def errand() -> None:
        await asyncio.sleep(0.01)
        done.append("told")

    async with Errands() as owner:
        owner.run("tell", errand())
    assert done == ["told"]


async def test_what_takes_too_long_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of the process waits for a while only."""
    monkeypatch.setattr(errands, "GRACE_SECONDS", 0.01)
    ended = asyncio.Event()

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with Errands() as owner:
        owner.run("endless", endless())
    assert ended.is_set()


@pytest.mark.parametrize(
    ("error", "event"),
    [(SlackRefused("views.open", "expired_trigger_id"), "slack.errand_failed"), (KeyError("x"), "slack.errand_broke")],
)
async def test_what_fails_is_logged(error: Exception, event: str) -> None:
    """A failing errand is logged under its name and hurts nobody."""

    async def failing() -> None:
        raise error

    with capture_logs() as logged:
        async with Errands() as owner:
            owner.run("show", failing())
    assert [(entry["event"], entry["errand"]) for entry in logged] == [(event, "show")]
