from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.unit.bot.slack.stage import Stage
from tests.unit.bot.slack.world import Behind, Slack, World, app_running, publishing, slack_running

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """slack_sdk sends calls to a loopback address to a proxy, whatever NO_PROXY says."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
async def slack(no_proxy: None) -> AsyncIterator[Slack]:
    """The emulator alone."""
    async with slack_running() as running:
        yield running


@pytest.fixture
async def world(no_proxy: None) -> AsyncIterator[World]:
    """The emulator with our app on it."""
    async with app_running() as running:
        yield running


@pytest.fixture
def behind() -> Behind:
    return Behind()


@pytest.fixture
async def stage(slack: Slack, behind: Behind) -> AsyncIterator[Stage]:
    async with publishing(slack, behind) as publisher:
        yield Stage(slack=slack, behind=behind, publisher=publisher)
