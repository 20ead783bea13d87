"""Block Kit as the page shows it."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, Route, expect

from tests.verification.browser import cards
from tests.verification.browser.stage import DANA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def see_gallery(page: Page, played: Stage) -> None:
    """The page with a block of every kind that Slack's clients know."""
    await played.app.post(DANA, cards.gallery()[:-1])
    await page.goto(played.at(DANA))


async def test_every_kind_of_block_is_rendered(page: Page, played: Stage) -> None:
    """Of the blocks that Slack's clients know none is shown as unknown."""
    await see_gallery(page, played)
    shown = page.locator(".message .blocks").first
    await expect(shown.locator(".rich li")).to_have_count(4)
    await expect(shown.locator(".markdown table td").first).to_have_text("Call")
    await expect(shown.locator(".b-carousel .b-card")).to_have_count(3)
    await expect(shown.locator(".b-plan .b-task")).to_have_count(3)
    await expect(shown.locator(".b-alert.warning")).to_contain_text("The address is new.")
    await expect(shown.locator(".b-unknown")).to_have_count(0)
    await expect(shown.locator("img")).to_have_count(0)


async def test_what_slack_escapes_is_shown_as_it_was(page: Page, played: Stage) -> None:
    """In a markdown block as elsewhere: words, code, and the address of a link."""
    text = "Anand &amp; Rao, `a &lt; b`, https://example.com/?a=1&amp;b=2\n```\nx &amp;&amp; y\n```"
    await played.app.post(DANA, [{"type": "markdown", "text": text}])
    await page.goto(played.at(DANA))
    shown = page.locator(".message .markdown")
    await expect(shown.locator("p")).to_have_text("Anand & Rao, a < b, https://example.com/?a=1&b=2")
    await expect(shown.locator("pre")).to_have_text("x && y")
    await expect(shown.locator("a")).to_have_attribute("href", "https://example.com/?a=1&b=2")


@pytest.mark.deep
async def test_an_unknown_block_is_a_box_with_its_type(page: Page, played: Stage) -> None:
    """A block that the page does not know is shown by its type, not dropped."""
    await played.app.say(DANA, "look", blocks=[{"type": "hologram", "depth": 3}])
    await page.goto(played.at(DANA))
    await expect(page.locator(".b-unknown")).to_contain_text("hologram")


async def test_a_confirm_dialog_stands_before_the_click(page: Page, played: Stage) -> None:
    """A button with a confirm dialog acts only after the dialog was confirmed."""
    await see_gallery(page, played)
    await page.get_by_role("button", name="Delete", exact=True).click()
    await page.get_by_role("button", name="Keep").click()
    await page.get_by_role("button", name="Delete", exact=True).click()
    await page.locator("dialog.confirm").get_by_role("button", name="Delete").click()
    await expect(page.locator("dialog")).to_have_count(0)
    await played.app.pressed("delete")


@pytest.mark.deep
async def test_a_select_tells_the_app_what_was_chosen(page: Page, played: Stage) -> None:
    """Choosing from a menu in a message sends the option; what Slack shows below an option stands behind it."""
    await see_gallery(page, played)
    await expect(page.get_by_label("Trust level").locator("option").nth(1)).to_have_text("Supervised – asks always")
    await page.get_by_label("Trust level").select_option("delegated")
    (action,) = (await played.app.pressed("level"))["actions"]
    assert action["selected_option"]["value"] == "delegated"


async def test_a_modal_collects_values_and_shows_what_is_wrong(page: Page, played: Stage) -> None:
    """Missing and refused values are shown at their inputs; good ones close the modal and reach the app."""
    await see_gallery(page, played)
    await page.get_by_role("button", name="Go", exact=True).click()
    dialog = page.locator("dialog.modal")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.locator(".b-wrong")).to_contain_text("required")
    await dialog.get_by_label("Text").fill("wrong")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.locator(".b-wrong")).to_have_text("Say something better.")
    await expect(dialog.get_by_label("Subject")).to_have_value("Re: Benches")
    await dialog.get_by_label("Text").fill("Thursday it is")
    await dialog.get_by_label("Day").fill("2026-11-26")
    await dialog.get_by_label("Mara Lindqvist").check()
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog).to_have_count(0)
    values = played.app.heard[-1]["payload"]["view"]["state"]["values"]
    assert values["body"]["v"]["value"] == "Thursday it is"
    assert values["day"]["v"]["selected_date"] == "2026-11-26"
    assert values["who"]["v"]["selected_users"] == ["U0MARA"]


async def test_what_was_emptied_stays_empty(page: Page, played: Stage) -> None:
    """A window that comes back with what is wrong has what was typed, also where that is nothing."""
    fields = {block["block_id"]: block for block in played.app.window["blocks"]}
    fields["day"]["element"]["initial_date"] = "2026-11-26"
    fields["note"] = played.app.window["blocks"][0] | {
        "block_id": "note",
        "label": {"type": "plain_text", "text": "Note"},
        "element": {"type": "rich_text_input", "action_id": "v"},
    }
    played.app.window["blocks"] = list(fields.values())
    await see_gallery(page, played)
    await page.get_by_role("button", name="Go", exact=True).click()
    dialog = page.locator("dialog.modal")
    await expect(dialog.get_by_label("Subject")).to_have_value("Re: Benches")
    await expect(dialog.get_by_label("Day")).to_have_value("2026-11-26")
    await dialog.get_by_label("Subject").fill("")
    await dialog.get_by_label("Day").fill("")
    await dialog.get_by_label("Note").fill("One\nTwo")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.locator(".b-wrong").first).to_contain_text("required")
    await expect(dialog.get_by_label("Subject")).to_have_value("")
    await expect(dialog.get_by_label("Day")).to_have_value("")
    await expect(dialog.get_by_label("Note")).to_have_value("One\nTwo")


@pytest.mark.deep
async def test_a_notice_is_seen_above_a_modal(page: Page, played: Stage) -> None:
    """What could not be saved is told above the window that is still open."""
    await see_gallery(page, played)
    await page.get_by_role("button", name="Go", exact=True).click()
    modal = page.locator("dialog.modal")
    await modal.get_by_label("Text").fill("fine")
    await played.app.admin("settings", ack_seconds=0.1)
    await played.app.admin("faults", match={"path": "interactive/view_submission"}, kind="lose_ack", times=1)
    await modal.get_by_role("button", name="Save").click()
    notice = page.locator(".notice")
    await expect(notice).to_contain_text("Not saved")
    assert await notice.evaluate("(one) => one.matches(':popover-open')"), "it is in the top layer, as the modal is"
    await played.app.admin("settings", ack_seconds=3.0)


@pytest.mark.deep
async def test_escape_closes_a_modal(page: Page, played: Stage) -> None:
    """Escape closes the modal on top, for the app as well."""
    await see_gallery(page, played)
    await page.get_by_role("button", name="Go", exact=True).click()
    await expect(page.locator("dialog.modal")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog.modal")).to_have_count(0)


async def test_what_is_typed_right_after_closing_a_modal_is_not_lost(page: Page, played: Stage) -> None:
    """The window is gone at once, also before the server knows, so nothing is typed into it any more."""
    closing, known = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        closing.set()
        await known.wait()
        await route.continue_()

    await page.route("**/api/act/close", hold)
    await page.goto(played.at(DANA))
    await page.locator("#composer").fill("/agent run")
    await page.keyboard.press("Enter")
    await expect(page.locator("dialog.modal")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.keyboard.type("Thursday it is")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message", has_text="Thursday it is")).to_be_visible()
    assert closing.is_set()
    known.set()
    await expect(page.locator("dialog.modal")).to_have_count(0)
