"""What the reader of mails reads, Chromium paints, and what it leaves out Chromium does not: the picture of a page
differs where the word does.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from playwright.async_api import Page

from tests.mail_pages import HIDDEN, PAINTED, SHOWN
from tests.verification.browser.stage import chromium, missing_browser

PARTS, HIDDEN_PARTS = 8, 16
"""So that no test takes longer than a busy machine is given."""

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def paper() -> AsyncGenerator[Page]:
    """A tab that loads nothing from elsewhere and runs no scripts, as the window of a mail."""
    if why := missing_browser():
        pytest.skip(why)
    async with chromium() as browser:
        context = await browser.new_context(
            viewport={"width": 1_024, "height": 768}, java_script_enabled=False, offline=True
        )
        yield await context.new_page()


async def photograph(paper: Page, page: str) -> bytes:
    await paper.goto("about:blank")  # a dark page would leave its ground behind
    await paper.set_content(f"<!doctype html>{page}")
    return await paper.screenshot()


async def is_painted(paper: Page, page: str) -> bool:
    """The word is compared with its own letters in another order, which are as wide."""
    pictures = [await photograph(paper, page.replace("SECRET", word)) for word in ("SECRET", "TERCES")]
    return pictures[0] != pictures[1]


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.deep) for part in range(1, PARTS))])
async def test_what_is_read_is_painted(paper: Page, part: int) -> None:
    """Chromium shows every page that only looks like one that hides its text."""
    assert [page for page in [*SHOWN][part::PARTS] if not await is_painted(paper, page)] == []


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.deep) for part in range(1, HIDDEN_PARTS))])
async def test_what_is_hidden_is_not_painted(paper: Page, part: int) -> None:
    """Of the pages whose text is left out Chromium shows those alone of which that is known."""
    pages = [page for pages in HIDDEN.values() for page in pages][part::HIDDEN_PARTS]
    painted = [page for page in pages if await is_painted(paper, page)]
    assert painted == [page for page in pages if page in PAINTED]
