"""Readable, reachable by keyboard, and usable in a narrow window."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.verification.browser import cards
from tests.verification.browser.look import CONTRAST, overflowing
from tests.verification.browser.stage import DANA, MARA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABS = ("Mail", "Calendar", "Audit", "Wire")

BROKEN = """() => [...document.querySelectorAll('#world .bar button')].filter((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  const rows = [...range.getClientRects()].filter((row) => row.width > 0).map((row) => [row.top, row.bottom]);
  return rows.some(([top]) => rows.some(([, bottom]) => top >= bottom - 1));
}).map((one) => one.textContent)"""


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_text_has_contrast(page: Page, played: Stage, scheme: Any) -> None:
    """Every text meets WCAG AA against what is behind it, on every tab, in light and in dark."""
    await page.emulate_media(color_scheme=scheme)
    await played.app.ask()
    await played.app.post(DANA, cards.gallery()[:-1])
    await page.goto(played.at(DANA))
    await expect(page.locator(".b-plan")).to_be_attached()
    for tab in TABS:
        await page.get_by_role("tab", name=tab).click()
        await expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        assert await page.evaluate(CONTRAST) == [], tab


@pytest.mark.deep
async def test_every_button_is_reached_by_tab_with_a_visible_focus(page: Page, played: Stage) -> None:
    """Tab walks over every button that is shown, and each shows that it has the focus."""
    await played.asks(page)
    await expect(page.get_by_role("button", name="Approve")).to_be_visible()
    names: list[str] = []
    for _ in range(60):
        await page.keyboard.press("Tab")
        name, outline = await page.evaluate(
            """() => { const one = document.activeElement, style = getComputedStyle(one);
                       if (one === document.body) return ['the end', ''];
                       return [one.getAttribute('aria-label') || one.textContent.trim(), style.outlineStyle +
                               style.boxShadow + getComputedStyle(one.closest('.composer') ?? one).outlineStyle] }"""
        )
        if name != "the end":
            assert "solid" in outline or "auto" in outline, name
        names.append(name)
    for wanted in ("Kill", "Faults", "Approve", "Reject", "Send", "Mail", "Countersign"):
        assert any(wanted in name for name in names), wanted


@pytest.mark.deep
async def test_a_narrow_window_has_tabs(page: Page, played: Stage) -> None:
    """Under 900 px one pane is shown at a time, and nothing is wider than the window."""
    await page.set_viewport_size({"width": 420, "height": 900})
    await played.asks(page)
    await expect(page.get_by_role("button", name="Approve")).to_be_visible()
    await expect(page.locator("#world")).to_be_hidden()
    await page.get_by_role("button", name="Outside world").click()
    await expect(page.locator("#world")).to_be_visible()
    await expect(page.locator("#talk")).to_be_hidden()
    await page.locator("#panes").get_by_role("button", name="People").click()
    await expect(page.locator("#people")).to_be_visible()
    for name in ("Faults", "Jump", "Help"):
        await expect(page.get_by_role("button", name=name)).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 420


@pytest.mark.deep
@pytest.mark.parametrize("width", [390, 768])
async def test_the_top_of_a_narrow_window_says_who_what_and_what_runs(page: Page, played: Stage, width: int) -> None:
    """Who acts, what answers and whether the bot runs are words there, too, and each is whole."""
    await page.set_viewport_size({"width": width, "height": 844})
    await page.goto(played.at(DANA))
    top = page.locator("#top")
    for words in ("You are Dana Okafor", "Bot running", "Answers:scripted"):
        shown = top.locator(".me-name, .words, .model .state").filter(has_text=re.compile(words.replace(":", r":\s*")))
        await expect(shown).to_be_visible()
        assert await shown.evaluate("node => node.scrollWidth <= node.clientWidth + 1")
    await expect(top.locator(".label")).to_have_count(2)
    for label in await top.locator(".label").all():
        await expect(label).to_be_visible()
    assert await overflowing(page) == []


@pytest.mark.deep
@pytest.mark.parametrize(
    "width", [360, *(pytest.param(width, marks=pytest.mark.deep) for width in (390, 420)), 1024, 1440]
)
@pytest.mark.parametrize("state", ["running", "starting", "stopped"])
async def test_no_text_leaves_its_box(page: Page, played: Stage, width: int, state: str) -> None:
    """At any width nothing sticks out of its pane, nor of the window, also with the longest name and state at the
    top."""
    await page.set_viewport_size({"width": width, "height": 900})
    await played.app.post(MARA, cards.gallery()[:-1])
    await played.app.say(MARA, "Donaudampfschifffahrtsgesellschaft" * 20)
    played.supervision.bot["state"] = state
    await page.goto(played.at(MARA))
    await expect(page.locator(".b-plan")).to_be_attached()
    assert await overflowing(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.deep
@pytest.mark.parametrize("width", [360, 1024, 1440])
async def test_no_button_breaks_a_word(page: Page, played: Stage, width: int) -> None:
    """The filters on the right are whole words in one line, in a narrow pane too."""
    await page.set_viewport_size({"width": width, "height": 900})
    await page.goto(played.at(DANA))
    if width < 900:
        await page.get_by_role("button", name="Outside world").click()
    for tab in TABS:
        await page.get_by_role("tab", name=tab).click()
        await expect(page.locator(f".tab-body.{tab.lower()} .bar")).to_be_visible()
        assert await page.evaluate(BROKEN) == [], tab


CUT_NAMES = """() => [...document.querySelectorAll('.row-name, .me-name')].filter(
  (one) => one.scrollWidth > one.clientWidth + 1
).map((one) => one.textContent)"""


@pytest.mark.deep
@pytest.mark.parametrize("width", [390, 1024, 1440])
async def test_no_name_is_cut(page: Page, played: Stage, width: int) -> None:
    """People, channels and conversations are read whole, on two lines where one is too short, and so is who one is."""
    await page.set_viewport_size({"width": width, "height": 900})
    await page.goto(played.at(DANA, pane="people"))
    await expect(page.locator(".row-name", has_text="Mara Lindqvist")).to_have_count(1)
    assert await page.evaluate(CUT_NAMES) == []


@pytest.mark.deep
@pytest.mark.parametrize("width", [420, 1440])
async def test_the_time_of_what_follows_is_one_line(page: Page, played: Stage, width: int) -> None:
    """The time beside a message that follows another is whole and in one line, in a narrow thread too."""
    await page.set_viewport_size({"width": width, "height": 900})
    root = await played.app.say(DANA, "Two answers, please")
    for text in ("one", "two"):
        await played.app.post(DANA, [], text=text, thread_ts=root)
    await page.goto(played.at(DANA))
    beside = page.locator(".message.answer.follows .gutter time")
    await page.locator(".message.answer.follows").hover()
    await expect(beside).to_be_visible()
    lines = """one => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getClientRects().length;
    }"""
    assert await beside.evaluate(lines) == 1
    assert await beside.evaluate("(one) => one.scrollWidth <= one.clientWidth")


@pytest.mark.deep
async def test_empty_panes_say_what_would_be_there(page: Page, played: Stage) -> None:
    """Where nothing is, a sentence says what would appear."""
    await page.goto(played.at(DANA, tab="audit"))
    await expect(page.locator("#room .empty")).to_be_visible()
    await expect(page.locator(".tab-body.audit .empty")).to_contain_text("Every decision")
    await page.get_by_role("tab", name="Mail").click()
    await page.get_by_role("button", name="Drafts").click()
    await expect(page.locator(".tab-body.mail .empty")).to_contain_text("Drafts")


async def test_a_finger_sees_the_time(theatre: tuple[Stage, Browser], played: Stage) -> None:
    """At 390 px no pointer hovers: the time of what follows stands there, and a tap shows all of it, with its zone."""
    await played.app.say(DANA, "one")
    await played.app.say(DANA, "two")
    context = await theatre[1].new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    await context.add_init_script("localStorage.setItem('countersign.playground.hints', 'seen')")
    page = await context.new_page()
    await page.goto(played.at(DANA))
    time = page.locator(".message.follows .gutter time").last
    await expect(time).to_be_visible()
    whole = await time.get_attribute("title") or "none"
    await expect(time).not_to_have_text(whole)
    await time.tap()
    await expect(time).to_have_text(whole)
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    box = await time.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
    await time.tap()
    await expect(time).not_to_have_text(whole)
    await context.close()
