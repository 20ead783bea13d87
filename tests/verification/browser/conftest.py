"""One browser and one stage for each process that runs tests; a fresh world and a fresh page for each test."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.verification.browser.stage import Stage, chromium, missing_browser, stage

PATIENCE_MS = 5_000


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def theatre() -> AsyncGenerator[tuple[Stage, Browser]]:
    if why := missing_browser():
        pytest.skip(why)
    expect.set_options(timeout=PATIENCE_MS)
    async with AsyncExitStack() as stack:
        yield await stack.enter_async_context(stage()), await stack.enter_async_context(chromium())


@pytest_asyncio.fixture(loop_scope="session")
async def played(theatre: tuple[Stage, Browser]) -> Stage:
    """The stage with everything as seeded."""
    await theatre[0].reset()
    return theatre[0]


@pytest_asyncio.fixture(loop_scope="session")
async def page(theatre: tuple[Stage, Browser], played: Stage) -> AsyncGenerator[Page]:
    """An empty tab of a browser that has seen the hints; an error on its console fails the test."""
    context = await theatre[1].new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    await context.add_init_script("localStorage.setItem('countersign.playground.hints', 'seen')")
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type in {"error", "warning"} else None)
    yield page
    await context.close()
    assert not wrong, wrong
