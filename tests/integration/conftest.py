from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Generator
from datetime import date, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from bot.settings import Settings
from integrations.gmail.isolated.html_reader import HtmlReader
from tests import logs
from tests.integration.google_world import World, google_world
from tests.integration.mails import OneFile
from tests.integration.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Shell]:
    """A shell in an empty folder. Commands set up logging for their process, and this is ours."""
    for name in [name for name in os.environ if name in {field.upper() for field in Settings.model_fields}]:
        monkeypatch.delenv(name)
    path = tmp_path / "countersign.db"
    database = {"DATABASE_URL": f"sqlite+aiosqlite:///{path}", "COUNTERSIGN_ENV_FILE": "", "COLUMNS": "110"}
    with logs.restored():
        yield Shell(path=path, environment=database | {"GOOGLE_OAUTH_TOKEN_URL": "http://127.0.0.1:9/token"})


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company() -> AsyncGenerator[World]:
    """One emulated Google for all tests of a module; see `world`."""
    async with google_world(files=OneFile()) as made:
        yield made


@pytest.fixture
def world(company: World) -> World:
    """The module's Google as seeded."""
    return company.begin()


@pytest.fixture
async def html() -> AsyncGenerator[HtmlReader]:
    """The reader of HTML, started with its first page."""
    async with HtmlReader() as reader:
        yield reader


@pytest.fixture
def sunday(world: World) -> date:
    """A Sunday that nothing is planned on, and neither on the following ones."""
    today = world.clock.now().date()
    return today + timedelta(days=34 - today.weekday())


@pytest.fixture
def free_day(sunday: date) -> str:
    """The same as text."""
    return sunday.isoformat()
