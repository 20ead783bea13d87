"""The Faults menu: what is armed is seen, happens, is told, and can be taken away."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest
from playwright.async_api import Page, Route, expect

from tests.contract.playground.google.client import Google
from tests.verification.browser.stage import DANA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOST = "Google's answer to the next mail gets lost"
DOWN = "Google is down"


async def choose(page: Page, fault: str) -> None:
    """Choose a fault from the menu, to arm it or to take it away."""
    await page.get_by_role("button", name="Faults").click()
    await page.get_by_role("menuitemcheckbox", name=fault).click()


async def test_an_armed_fault_is_shown_until_it_is_removed(page: Page, played: Stage) -> None:
    """What was chosen is named under the top in every window, ticked in the menu, and removed by one click."""
    await page.goto(played.at(DANA))
    await choose(page, LOST)
    await choose(page, DOWN)
    await expect(page.locator("#armed")).to_contain_text(LOST)
    other = await page.context.new_page()
    await other.goto(played.at(DANA))
    await expect(other.locator("#armed")).to_contain_text(DOWN)
    await page.get_by_role("button", name="Faults").click()
    await expect(page.get_by_role("menuitemcheckbox", name=LOST)).to_be_checked()
    await expect(page.get_by_role("menuitemcheckbox", name="Google fails once")).not_to_be_checked()
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name=f"Remove: {LOST}").click()
    await expect(page.locator("#armed")).not_to_contain_text(LOST)
    await expect(page.locator("#armed")).to_contain_text(DOWN)
    await choose(page, DOWN)
    await expect(page.locator("#armed")).to_be_hidden()
    await expect(other.locator("#armed")).to_be_hidden()


async def test_the_menu_waits_for_what_can_fail(page: Page, played: Stage) -> None:
    """While the page does not know yet what there is, it offers no menu, which would stay empty."""
    known = asyncio.Event()

    async def late(route: Route) -> None:
        await known.wait()
        await route.continue_()

    await page.route("**/api/events", late)
    await page.goto(played.at(DANA))
    await expect(page.get_by_role("button", name="Jump")).to_be_visible()
    await expect(page.get_by_role("button", name="Faults")).to_have_count(0)
    known.set()
    await choose(page, DOWN)
    await expect(page.locator("#armed")).to_contain_text(DOWN)
    await choose(page, DOWN)
    await expect(page.locator("#armed")).to_be_hidden()


@pytest.mark.deep
async def test_a_fault_of_the_next_send_meets_a_send(page: Page, played: Stage) -> None:
    """What the menu arms for the next mail happens at the address that Google's client sends a draft to, once, and the
    page says so."""
    url = str(Google(played.addresses["google"]).gmail().users().drafts().send(userId="me", body={}).uri)
    assert url.partition("?")[2], "the address carries a query"
    await page.goto(played.at(DANA))
    await choose(page, LOST)
    await expect(page.locator("#armed")).to_be_visible()
    async with aiohttp.ClientSession() as client:
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await client.post(url, json={"id": "none"})
        await expect(page.locator(".notice")).to_have_text("Google sent the mail, and its answer got lost.")
        await expect(page.locator("#armed")).to_be_hidden()
        async with client.post(url, json={"id": "none"}) as response:
            assert response.status >= 400, "it happened once, and Google answers again"


@pytest.mark.deep
async def test_a_fault_that_lasts_is_not_told_each_time(page: Page, played: Stage) -> None:
    """A service that is down stays so, and the line under the top says it, no notice for every call."""
    await page.goto(played.at(DANA))
    await choose(page, DOWN)
    await expect(page.locator("#armed")).to_contain_text(DOWN)
    url = f"{played.addresses['google']}/gmail/v1/users/me/profile"
    async with aiohttp.ClientSession() as client:
        for _ in range(2):
            async with client.get(url) as response:
                assert response.status == 503
    await page.get_by_role("tab", name="Wire").click()
    await expect(page.locator(".item.wire", has_text="fault: status")).to_have_count(2)
    await expect(page.locator(".notice")).to_have_count(0)
    await expect(page.locator("#armed")).to_contain_text(DOWN)


@pytest.mark.deep
async def test_the_menu_by_keyboard(page: Page, played: Stage) -> None:
    """Arrow keys move in the menu, Enter chooses, Tab and Escape close it, and the focus is at its button again."""
    await page.goto(played.at(DANA))
    button = page.get_by_role("button", name="Faults")
    await button.focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("menuitemcheckbox", name=LOST)).to_be_focused()
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("menuitemcheckbox", name="Google holds its answer")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#armed")).to_contain_text("Google holds its answer to the next mail")
    for key, lands in (("Escape", "Faults"), ("Tab", "Jump")):
        await button.focus()
        await page.keyboard.press("Enter")
        await page.keyboard.press(key)
        await expect(page.get_by_role("menu")).to_have_count(0)
        await expect(page.get_by_role("button", name=lands)).to_be_focused()


@pytest.mark.deep
@pytest.mark.parametrize("width", [390, 1024])
async def test_the_menu_is_whole(page: Page, played: Stage, width: int) -> None:
    """In a narrow window the menu is inside it, and its notes wrap instead of being cut off."""
    await page.set_viewport_size({"width": width, "height": 844})
    await page.goto(played.at(DANA))
    await page.get_by_role("button", name="Faults").click()
    menu = page.get_by_role("menu")
    box = await menu.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert await menu.evaluate("one => one.scrollWidth <= one.clientWidth")
