"""Ways to ask besides the message box: the prompts that the app suggests, and its shortcut on a message."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from playground.slack.manifest import app_manifest
from tests.verification.browser.stage import DANA, MARA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

TITLES = ["Unanswered mails", "My week", "Answer a mail"]


async def test_a_fresh_conversation_has_the_prompts_of_the_manifest(page: Page, played: Stage) -> None:
    """They are buttons above the message box, and pressing one says its words."""
    await played.app.admin("manifest", **app_manifest())
    await page.goto(played.at(MARA))
    await expect(page.locator(".prompts .button")).to_have_text(TITLES)
    await page.get_by_role("button", name="My week").click()
    await expect(page.locator("#room .message").last).to_contain_text("What is in my calendar in the next seven days")
    await page.goto(played.at(MARA, "C0SALES"))
    await expect(page.locator("#room h1")).to_contain_text("sales")
    await expect(page.locator(".prompts .button")).to_have_count(0)


async def test_prompts_make_room_for_what_waits(page: Page, played: Stage) -> None:
    """While a card of the newest request waits there are none; when it is decided they are there again."""
    await played.app.admin("manifest", **app_manifest())
    await played.asks(page)
    await expect(page.locator("#room .message.card")).to_be_visible()
    await expect(page.locator(".prompts .button")).to_have_count(0)
    await page.locator("#room .message.card .button.primary").click()
    await expect(page.locator(".prompts .button")).to_have_text(TITLES)


async def test_the_agent_is_asked_about_a_message(page: Page, played: Stage) -> None:
    """The shortcut among the tools of a message reaches the app, and the window that it opens is shown."""
    await page.goto(played.at(DANA, "C0SALES"))
    message = page.locator("#room .message", has_text="quote for 24 benches")
    await message.hover()
    await message.get_by_role("button", name="Ask the agent about this").click()
    await expect(page.locator("dialog.modal")).to_be_visible()
    (heard,) = [one["payload"] for one in played.app.heard if one["payload"]["type"] == "message_action"]
    assert "quote for 24 benches" in heard["message"]["text"]
