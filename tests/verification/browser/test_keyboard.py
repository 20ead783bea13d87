"""By keyboard alone: the keys are listed, each row of buttons is one stop, and nobody loses their place."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, expect

from tests.verification.browser import cards
from tests.verification.browser.stage import DANA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


ON_TWO_LINES = "all => all.filter((one) => one.getClientRects().length > 1).map((one) => one.textContent)"


@pytest.mark.deep
async def test_a_question_mark_lists_the_keys(page: Page, played: Stage) -> None:
    """`?` and the button of that name list the keys; in a text it is a character; Escape closes the list."""
    await page.goto(played.at(DANA))
    keys = page.get_by_role("dialog", name="Help")
    await page.get_by_role("tab", name="Mail").focus()
    await page.keyboard.press("?")
    for key in ("Enter", "Ctrl", "F6", "Esc", "?"):
        await expect(keys.locator("kbd", has_text=key).first).to_be_visible()
    assert await keys.locator("kbd").evaluate_all(ON_TWO_LINES) == []
    await page.keyboard.press("Escape")
    await expect(keys).to_have_count(0)
    await expect(page.get_by_role("tab", name="Mail")).to_be_focused()
    await page.locator("#composer").press_sequentially("what?")
    await expect(keys).to_have_count(0)
    await page.get_by_role("button", name="Help").click()
    await expect(keys).to_be_visible()


@pytest.mark.deep
async def test_one_escape_closes_the_jump_list(page: Page, played: Stage) -> None:
    """Also with letters in its field, and the thread behind it stays open."""
    root = await played.app.say(DANA, "I mean Tuesday")
    await page.goto(played.at(DANA, thread=root))
    await expect(page.locator("#thread")).to_contain_text("I mean Tuesday")
    await page.keyboard.press("Control+k")
    jump = page.get_by_role("dialog", name="Jump to")
    await jump.get_by_role("searchbox").press_sequentially("sal")
    await page.keyboard.press("Escape")
    await expect(jump).to_have_count(0)
    await expect(page.locator("#thread")).to_be_visible()


@pytest.mark.deep
async def test_skipping_to_the_message_box_keeps_the_place(page: Page, played: Stage) -> None:
    """The first link of the page leads to the box of the conversation that is shown."""
    await page.goto(played.at(DANA, "C0SALES"))
    await expect(page.locator("#room h1")).to_contain_text("sales")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.locator("#composer")).to_be_focused()
    await expect(page.locator("#room h1")).to_contain_text("sales")


@pytest.mark.deep
async def test_tabs_are_one_stop_and_keep_the_focus(page: Page, played: Stage) -> None:
    """Arrow keys choose between Messages and Home; what arrives meanwhile does not take the focus away, and a dot says
    that it came to the messages."""
    await page.goto(played.at(DANA))
    await page.get_by_role("tab", name="Messages").focus()
    await page.keyboard.press("ArrowRight")
    home = page.get_by_role("tab", name="Home")
    await expect(home).to_be_focused()
    await expect(page.locator(".home-view")).to_be_visible()
    await expect(page.get_by_role("tab", name="Messages")).to_have_attribute("tabindex", "-1")
    await expect(page.locator("#room .tabs .dot")).to_have_count(0)
    await played.app.post(DANA, [{"type": "markdown", "text": "For you"}])
    await expect(page.get_by_role("tab", name="Messages").locator(".dot")).to_be_visible()
    await expect(home).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_text("For you")).to_be_visible()
    await expect(page.locator("#room .tabs .dot")).to_have_count(0)


@pytest.mark.deep
async def test_home_and_end_choose_the_first_and_the_last_tab(page: Page, played: Stage) -> None:
    """End opens the last tab of a row and Home the first, as in every row of tabs."""
    await page.goto(played.at(DANA))
    await page.get_by_role("tab", name="Mail").focus()
    await page.keyboard.press("End")
    await expect(page.get_by_role("tab", name="API")).to_be_focused()
    await expect(page.locator("#tab-api")).to_be_visible()
    await page.keyboard.press("Home")
    await expect(page.get_by_role("tab", name="Mail")).to_be_focused()
    await expect(page.locator("#tab-mail")).to_be_visible()


@pytest.mark.deep
async def test_a_messages_tools_are_reached_by_keyboard(page: Page, played: Stage) -> None:
    """The tools of a message are one stop of Tab, seen while they have the focus; arrow keys move between them."""
    await played.app.say(DANA, "I mean Tuesday")
    await page.goto(played.at(DANA))
    await page.get_by_role("tab", name="Messages").focus()
    await page.keyboard.press("Tab")
    tools = page.locator("#room .message .tools")
    await expect(tools.get_by_role("button", name="Reply in thread")).to_be_focused()
    await expect(tools).to_have_css("opacity", "1")
    await page.keyboard.press("ArrowLeft")
    await expect(tools.get_by_role("button", name="Delete message")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(page.locator("#composer")).to_be_focused()
    await expect(tools).to_have_css("opacity", "0")


@pytest.mark.deep
async def test_the_tour_by_keyboard(page: Page, played: Stage) -> None:
    """Each step takes the focus of the one before, so its button is the next that Enter presses."""
    strip = await played.hints(page)
    played.app.record("question.decided", DANA, decision="approve")
    await strip.get_by_role("button", name="Open the audit log").press("Enter")
    await expect(strip.get_by_role("button", name="Kill")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(strip.get_by_role("button", name="Start")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(strip).to_contain_text("Approve the other card.")
    assert await strip.evaluate("one => one.contains(document.activeElement)")


@pytest.mark.deep
async def test_a_pressed_button_keeps_the_focus(page: Page, played: Stage) -> None:
    """Kill becomes Start, and Verify is busy for a while: the focus stays."""
    await page.goto(played.at(DANA, tab="audit"))
    top = page.locator("#top")
    await top.get_by_role("button", name="Kill").press("Enter")
    await expect(top.get_by_role("button", name="Start")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(top.get_by_role("button", name="Kill")).to_be_focused()
    verify = page.get_by_role("button", name="Verify")
    await verify.press("Enter")
    await expect(page.locator(".verdict")).to_be_visible()
    await expect(verify).to_be_focused()


@pytest.mark.deep
async def test_what_is_wrong_in_a_form_has_the_focus(page: Page, played: Stage) -> None:
    """After a form was refused the first input that is wrong has the focus."""
    await played.app.post(DANA, cards.gallery()[:-1])
    await page.goto(played.at(DANA))
    await page.get_by_role("button", name="Go", exact=True).click()
    await page.locator("dialog.modal").get_by_role("button", name="Save").press("Enter")
    await expect(page.locator("dialog.modal").get_by_label("Text")).to_be_focused()


def modal_with_a_long_text() -> cards.Block:
    """A window with more above its fields than fits into it."""
    text = cards.text("The benches stand in the yard. " * 80, "plain_text")
    return {**cards.modal(), "blocks": [{"type": "section", "text": text}, *cards.modal()["blocks"]]}


def long_modal() -> cards.Block:
    """A window that only says something, more than fits into it, and asks for a yes."""
    text = {"type": "section", "text": cards.text("The benches stand in the yard. " * 90, "plain_text")}
    further = {"type": "button", "action_id": "more", "text": cards.text("Further", "plain_text"), "value": "1"}
    return {**cards.modal(), "blocks": [text, {"type": "actions", "block_id": "turn", "elements": [further]}]}


def modal_without_fields() -> cards.Block:
    """A window that only says something and asks for a yes."""
    return {**cards.modal(), "blocks": [{"type": "section", "text": cards.text("I act without asking.")}]}


async def open_by_keyboard(page: Page, played: Stage) -> None:
    """A window, opened by a button of a message."""
    await played.app.post(DANA, cards.gallery()[:-1])
    await page.goto(played.at(DANA))
    await page.get_by_role("button", name="Go", exact=True).press("Enter")
    await expect(page.locator("dialog.modal")).to_be_visible()


@pytest.mark.parametrize("leave", ["Escape", "Close", "Cancel"])
async def test_a_window_has_the_focus_and_gives_it_back(page: Page, played: Stage, leave: str) -> None:
    """Its first field has it, Tab goes around inside, and what opened it has it again, however it is left."""
    await open_by_keyboard(page, played)
    dialog = page.locator("dialog.modal")
    await expect(dialog.get_by_label("Subject")).to_be_focused()
    await page.keyboard.press("Shift+Tab")
    await expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    await page.keyboard.press("Shift+Tab")
    await expect(dialog.get_by_role("button", name="Save")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    if leave == "Escape":
        await page.keyboard.press("Escape")
    else:
        await dialog.get_by_role("button", name=leave, exact=True).press("Enter")
    await expect(dialog).to_have_count(0)
    await expect(page.get_by_role("button", name="Go", exact=True)).to_be_focused()


@pytest.mark.deep
async def test_a_window_with_a_long_text_shows_its_beginning(page: Page, played: Stage) -> None:
    """What is to be read before its first field is not scrolled away, and has the focus; the field is the next stop."""
    played.app.window = modal_with_a_long_text()
    await open_by_keyboard(page, played)
    dialog = page.locator("dialog.modal")
    await expect(dialog.locator(".modal-body")).to_be_focused()
    scrolled = "(one) => Math.max(...[one, ...one.querySelectorAll('*')].map((part) => part.scrollTop))"
    assert await dialog.evaluate(scrolled) == 0
    await page.keyboard.press("Tab")
    await expect(dialog.get_by_label("Subject")).to_be_focused()


@pytest.mark.deep
async def test_a_window_without_fields_has_the_focus_on_its_button(page: Page, played: Stage) -> None:
    """So Enter says yes, and Space does not close it."""
    played.app.window = modal_without_fields()
    await open_by_keyboard(page, played)
    await expect(page.locator("dialog.modal").get_by_role("button", name="Save")).to_be_focused()


async def test_a_long_window_is_read_with_the_keyboard(page: Page, played: Stage) -> None:
    """What it says has the focus, from its beginning: keys scroll it, and Enter says no yes to what nobody has seen. It
    is a stop of Tab before the buttons, and Escape gives the focus back.
    """
    played.app.window = long_modal()
    await open_by_keyboard(page, played)
    dialog = page.locator("dialog.modal")
    body = dialog.locator(".modal-body")
    await expect(body).to_be_focused()
    assert await body.evaluate("(one) => one.scrollTop") == 0
    await page.keyboard.press("Enter")
    await page.keyboard.press("End")
    while await body.evaluate("(one) => one.scrollTop") < 100:  # it is scrolled smoothly
        await asyncio.sleep(0.02)
    for name in ("Further", "Cancel", "Save", "Close"):
        await page.keyboard.press("Tab")
        await expect(dialog.get_by_role("button", name=name)).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(body).to_be_focused()
    assert not [one for one in played.app.heard if one["payload"]["type"] == "view_submission"]
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Go", exact=True)).to_be_focused()


async def test_a_window_that_is_changed_keeps_the_place(page: Page, played: Stage) -> None:
    """Whoever reads goes on where they were, whoever stands on a button stays there; a button that is gone leaves the
    focus with what is to be read.
    """
    played.app.window = long_modal()
    await open_by_keyboard(page, played)
    dialog = page.locator("dialog.modal")
    body = dialog.locator(".modal-body")
    (view,) = (await (await page.request.get(f"{played.url}/api/state")).json())["slack"]["views"][DANA]
    await body.evaluate("(one) => { one.scrollTop = 120; }")
    for title, place in (("One", None), ("Two", "Cancel"), ("Three", "Further")):
        if place:
            await dialog.get_by_role("button", name=place).focus()
        shown = long_modal()["blocks"][: 1 if title == "Three" else 2]
        changed = {**long_modal(), "title": cards.text(title, "plain_text"), "blocks": shown}
        await played.app.call("views.update", view_id=view["id"], view=changed)
        await expect(dialog.get_by_role("heading", name=title)).to_be_visible()
        await expect(dialog.get_by_role("button", name=place) if place == "Cancel" else body).to_be_focused()
        if place is None:
            assert await body.evaluate("(one) => one.scrollTop") == 120


async def test_escape_closes_one_window_after_the_other(page: Page, played: Stage) -> None:
    """Of two that lie above each other, also where nothing else is pressed between."""
    played.app.window = long_modal()
    await open_by_keyboard(page, played)
    dialog = page.locator("dialog.modal")
    await dialog.get_by_role("button", name="Further").press("Enter")
    above = {**modal_without_fields(), "title": cards.text("Above", "plain_text")}
    await expect(dialog.get_by_role("button", name="Further")).to_be_focused()
    trigger = (await played.app.pressed("more"))["trigger_id"]
    await played.app.call("views.push", trigger_id=trigger, view=above)
    await expect(dialog.get_by_role("heading", name="Above")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(dialog.get_by_role("button", name="Further")).to_be_visible()
    await expect(dialog.locator(".modal-body")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(page.get_by_role("button", name="Go", exact=True)).to_be_focused()


@pytest.mark.deep
async def test_a_window_that_a_command_opens_gives_the_focus_back_to_the_message_box(page: Page, played: Stage) -> None:
    """Where the command was typed, though its text box was drawn again meanwhile."""
    await page.goto(played.at(DANA))
    await page.locator("#composer").fill("/agent run")
    await page.keyboard.press("Enter")
    dialog = page.locator("dialog.modal")
    await expect(dialog.get_by_label("Subject")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(page.locator("#composer")).to_be_focused()
