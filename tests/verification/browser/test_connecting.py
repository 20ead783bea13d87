"""Connecting an account in a real browser: our pages, Google's consent, and the way back with a real cookie jar."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from playground.people import LUIS, MARA, TEAM_ID, Person
from tests.acceptance.browser import link_for
from tests.acceptance.world import World, world
from tests.patience import PATIENCE_SECONDS
from tests.verification.browser.demo import demo
from tests.verification.browser.stage import chromium, missing_browser

pytestmark = pytest.mark.asyncio(loop_scope="module")

COMPOSE = "https://www.googleapis.com/auth/gmail.compose"
PATIENCE_MS = 1_000 * PATIENCE_SECONDS


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre() -> AsyncGenerator[Browser]:
    if why := missing_browser():
        pytest.skip(why)
    expect.set_options(timeout=PATIENCE_MS)
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def public_world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    """A world with a bot where people can connect accounts, and Luis and Mara did not yet."""
    async with AsyncExitStack() as stack:
        made = await stack.enter_async_context(world(tmp_path_factory.mktemp("consent")))
        await made.start_public()
        await made.forget(LUIS, MARA)
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def page(theatre: Browser) -> AsyncGenerator[Page]:
    """An empty tab with no cookies; an error on its console, a blocked form above all, fails the test."""
    context = await theatre.new_context()
    tab = await context.new_page()
    tab.set_default_timeout(PATIENCE_MS)
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda said: wrong.append(said.text) if _is_ours(said.text, said.type) else None)
    yield tab
    await context.close()
    assert not wrong, wrong


def _is_ours(text: str, kind: str) -> bool:
    """The browser itself notes an answer with a status of 400 or more."""
    return kind in {"error", "warning"} and "Failed to load resource" not in text


async def scopes(here: World, person: Person) -> frozenset[str]:
    async with here.base.store.read() as work:
        found = await work.connections.find(TEAM_ID, person.user_id, "google")
    return found.scopes if found else frozenset()


async def test_denying_connects_nothing(public_world: World, page: Page) -> None:
    """“Deny” on Google's page leads back to a page that says so."""
    await page.goto(await link_for(public_world, LUIS))
    await expect(page.get_by_role("heading")).to_have_text("Connect Google")
    await expect(page.get_by_role("main")).to_contain_text("luis@fernhill.example")
    await page.get_by_role("button", name="Mail and calendar", exact=True).click()
    await page.get_by_role("button", name="Deny").click()
    await expect(page.get_by_role("main")).to_contain_text("You said no on Google's page")
    assert await scopes(public_world, LUIS) == frozenset()


@pytest.mark.deep
async def test_consent_without_one_scope(public_world: World, page: Page) -> None:
    """A box that is unticked at Google is a scope that is not had; the page says which, and the cookie ends soon."""
    await page.goto(await link_for(public_world, LUIS))
    await page.get_by_role("button", name="Mail", exact=True).click()
    cookies = await page.context.cookies()
    assert [(cookie.get("name"), cookie.get("httpOnly")) for cookie in cookies] == [("goauth", True)]
    await page.locator(f'input[name=scope][value="{COMPOSE}"]').uncheck()
    await page.get_by_role("button", name="Allow").click()
    await expect(page.get_by_role("heading")).to_have_text("Connected")
    await expect(page.get_by_role("main")).to_contain_text("You left out: writing drafts and sending mail")
    had = await scopes(public_world, LUIS)
    assert had
    assert COMPOSE not in had
    assert all(cookie.get("expires", -1) - time.time() <= 600 for cookie in cookies)


@pytest.mark.deep
async def test_two_links_in_two_tabs_both_lead_back(public_world: World, page: Page) -> None:
    """Whoever begins with a second link before the first one is through comes back from both."""
    other = await page.context.new_page()
    for tab, choice in ((page, "Mail, read only"), (other, "Mail")):
        await tab.goto(await link_for(public_world, LUIS))
        await tab.get_by_role("button", name=choice, exact=True).click()
    for tab in (page, other):
        await tab.get_by_role("button", name="Allow").click()
        await expect(tab.get_by_role("heading")).to_have_text("Connected")


async def test_somebody_elses_link_asks_whose_account_it_is(public_world: World, page: Page) -> None:
    """Mara opens Luis's link and signs in as herself: the page names both, and “No” is the first thing to press."""
    await page.goto(f"{await link_for(public_world, LUIS)}")
    await page.get_by_role("button", name="Mail, read only").click()
    await page.get_by_role("link", name=re.compile("another account", re.IGNORECASE)).click()
    await page.get_by_role("link", name=re.compile("mara@fernhill")).click()
    await page.get_by_role("button", name="Allow").click()
    await expect(page.get_by_role("heading")).to_have_text("Is this your Slack account?")
    await expect(page.get_by_role("main")).to_contain_text(LUIS.name)
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="No, do not connect")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("main")).to_contain_text("Nothing was connected")
    assert await scopes(public_world, MARA) == frozenset()


@pytest.mark.deep
async def test_the_demo_connects_again(theatre: Browser, tmp_path: Path) -> None:
    """In the playground: disconnect, ask for mail, press Connect, go through the pages, and the answer comes; the
    window with the link says which account it is.
    """
    async with demo(tmp_path / "demo") as address:
        context = await theatre.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        await context.add_init_script("localStorage.setItem('countersign.playground.hints', 'seen')")
        slack = await context.new_page()
        slack.set_default_timeout(PATIENCE_MS)
        await slack.goto(address)
        box = slack.locator("#talk textarea, #talk [contenteditable=true]").first
        await box.fill("/agent disconnect google")
        await box.press("Enter")
        await expect(slack.locator("#talk")).to_contain_text("Disconnected dana@fernhill.example")
        await box.fill('[[call: gmail_search {"query": "in:inbox", "limit": 3}]]')
        await box.press("Enter")
        await slack.locator("#talk").get_by_role("button", name="Connect Google").click()
        async with context.expect_page() as opened:
            await slack.get_by_role("button", name="Continue in the browser").click()
        tab = await opened.value
        await tab.get_by_role("button", name="Mail, read only").click()
        await tab.get_by_role("button", name="Allow").click()
        await expect(tab.get_by_role("heading")).to_have_text("Connected")
        await tab.close()
        window = slack.locator("dialog.modal")
        await expect(window).to_contain_text("✓ Connected as dana@fernhill.example.")
        await expect(window.get_by_role("button", name="Continue in the browser")).to_have_count(0)
        await slack.keyboard.press("Escape")
        await expect(slack.locator("#talk")).to_contain_text("✓ Connected, so I went on.")
        await context.close()
