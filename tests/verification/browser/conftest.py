"""One browser and one stage for each process that runs tests; a fresh world and a fresh page for each test."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.patience import PATIENCE_SECONDS
from tests.verification.browser.stage import Stage, chromium, missing_browser, stage

PATIENCE_MS = 1_000 * PATIENCE_SECONDS


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


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def keeper(theatre: tuple[Stage, Browser]) -> Page:
    """A tab of the page's origin that stays. It keeps the context and its renderer alive: each of them costs about a
    second of work, so they serve all tests.
    """
    context = await theatre[1].new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    await context.add_init_script("localStorage.setItem('countersign.playground.hints', 'seen')")
    keeper = await context.new_page()
    await keeper.goto(f"{theatre[0].url}/static/mark.svg")
    return keeper


@pytest_asyncio.fixture(loop_scope="session")
async def page(keeper: Page, played: Stage) -> AsyncGenerator[Page]:
    """An empty tab of a browser that has seen the hints; an error on its console fails the test."""
    await _forget(keeper)
    page = await keeper.context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type in {"error", "warning"} else None)
    yield page
    await _close(keeper.context, but=keeper)
    assert not wrong, wrong


async def _forget(keeper: Page) -> None:
    """What the tests before left in the browser."""
    await keeper.context.clear_cookies()
    await keeper.context.clear_permissions()
    await keeper.evaluate("localStorage.clear()")


async def _close(context: BrowserContext, *, but: Page) -> None:
    for page in context.pages:
        if page is not but:
            await page.close()
