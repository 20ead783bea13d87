"""The Slack emulator over real sockets, with Slack's own clients."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest

from playground.serve import Served
from playground.slack.emulator import build
from playground.slack.settings import Settings
from tests.contract.playground.slack.clients import Bot, Slack
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    patient = Settings(ack_seconds=PATIENCE_SECONDS, retry_seconds=0.0)
    async with Served(build(patient)) as url, aiohttp.ClientSession() as session:
        yield Slack(url, session)


@pytest.fixture
async def bot(slack: Slack) -> AsyncIterator[Bot]:
    async with Bot(slack) as bot:
        yield bot
