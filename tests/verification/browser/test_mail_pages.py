"""What the reader of mails reads, Chromium paints: the picture of a page differs when the word does."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from playwright.async_api import Page

from tests.mail_pages import SHOWN
from tests.verification.browser.stage import chromium, missing_browser

PARTS = 8
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
    await paper.set_content(f"<!doctype html>{page}")
    return await paper.screenshot()


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.deep) for part in range(1, PARTS))])
async def test_what_is_read_is_painted(paper: Page, part: int) -> None:
    """The word is compared with its own letters in another order, which are as wide."""
    unseen: list[str] = []
    for page in [*SHOWN][part::PARTS]:
        pictures = [await photograph(paper, page.replace("SECRET", word)) for word in ("SECRET", "TERCES")]
        unseen += [page] if pictures[0] == pictures[1] else []
    assert not unseen
