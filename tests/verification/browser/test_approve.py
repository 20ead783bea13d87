"""The whole product from a person's chair: ask, read the card, approve, see the mail and the audit entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.patience import PATIENCE_SECONDS
from tests.verification.browser.demo import demo
from tests.verification.browser.stage import chromium, missing_browser

REQUEST = "Please answer Helen's mail about the benches that Thursday works."
PATIENCE_MS = 1_000 * PATIENCE_SECONDS


@pytest.mark.skipif(bool(missing_browser()), reason=missing_browser() or "there is one")
async def test_a_person_asks_approves_and_sees_what_happened(tmp_path: Path) -> None:
    """A request becomes a card; Approve sends the mail once, the audit log tells of it and is found whole."""
    expect.set_options(timeout=PATIENCE_MS)
    async with demo(tmp_path / "demo") as url, chromium() as browser:
        page = await browser.new_page(viewport={"width": 1440, "height": 900})
        await page.goto(f"{url}/#user=U0JONAS&channel=D0JONAS")
        await page.goto(f"{url}/#user=U0DANA&channel=D0DANA")
        opening = page.locator("#room .message.card")
        await expect(opening).to_have_count(2)
        sent = page.get_by_role("button", name="Sent", exact=False).first
        before = await sent.inner_text()

        await page.locator("#composer").fill(REQUEST)
        await page.keyboard.press("Enter")
        await expect(opening).to_have_count(3)
        card = opening.last
        await expect(card).to_contain_text("helen.marsh@marshgardens.example")
        assert await sent.inner_text() == before, "nothing is sent before the click"

        await card.get_by_role("button", name="Approve").click()
        await expect(card).to_contain_text("Approved by @Dana Okafor")
        mail = page.locator(".item.mail.fresh")
        await expect(mail).to_have_count(1)
        await expect(mail).to_contain_text("To Helen Marsh")

        await card.get_by_role("button", name="audit entries").click()
        entry = page.locator(".item.audit", has_text="action.completed").filter(has_text="gmail_reply").first
        await expect(entry).to_be_visible()
        await entry.get_by_role("button", name="card").click()
        await expect(page.locator(".message.flash")).to_contain_text("Approved by @Dana Okafor")
        await page.get_by_role("button", name="Verify").click()
        await expect(page.locator(".b-alert.success .verdict")).to_be_visible()
