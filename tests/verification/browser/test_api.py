"""The API tab: the agent asked over HTTP beside Slack, with the real bot behind the page."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from playground.people import THEO
from tests.verification.browser.demo import demo
from tests.verification.browser.look import overflowing
from tests.verification.browser.stage import DANA, MARA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

MAIL = "email helen.marsh@marshgardens.example that Thursday works"
PATIENCE_MS = 20_000
START_MS = 60_000
"""How long a bot may take to start, where others use the machine."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str]:
    """The page of a whole playground."""
    async with demo(tmp_path_factory.mktemp("demo") / "data") as url:
        yield url


@pytest_asyncio.fixture(loop_scope="session")
async def real(theatre: tuple[Stage, Browser], address: str) -> AsyncGenerator[Page]:
    """Its API tab, as Mara opens it. What a refusal leaves on the console is no fault here."""
    context = await theatre[1].new_context(viewport={"width": 1024, "height": 800}, reduced_motion="reduce")
    await context.add_init_script("localStorage.setItem('countersign.playground.hints', 'seen')")
    await context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    broke: list[str] = []
    page.on("pageerror", lambda error: broke.append(str(error)))
    await page.goto(f"{address}/#user={MARA}&channel=D{MARA[1:]}&tab=api")
    yield page
    await context.close()
    assert not broke, broke


def tab_of(page: Page) -> Locator:
    return page.locator("#tab-api")


async def ask(page: Page, words: str, button: str = "Stream") -> None:
    await tab_of(page).get_by_label("Prompt").fill(words)
    await tab_of(page).get_by_role("button", name=button, exact=True).click()


async def test_an_empty_tab_says_what_it_is_for(page: Page, played: Stage) -> None:
    """Before anything was asked the tab says what would appear, and who acts is signed in."""
    await page.goto(played.at(DANA, tab="api"))
    await expect(tab_of(page).locator(".empty")).to_contain_text("What needs approval waits in Slack")
    await expect(tab_of(page).get_by_label("Who is signed in")).to_have_value(DANA)
    assert await overflowing(page) == []


@pytest.mark.deep
async def test_lines_come_beside_the_card(real: Page) -> None:
    """A stream's lines are numbered, discarded ones struck; the card waits in Slack; after the click the result says
    so, without a reload.
    """
    tab = tab_of(real)
    await tab.get_by_label("Prompt").fill(MAIL)
    await tab.get_by_label("Prompt").press("Enter")
    await expect(tab.locator(".api-status")).to_have_text("awaiting_confirmation", timeout=PATIENCE_MS)
    kinds = await tab.locator(".api-line .chip").all_inner_texts()
    assert (kinds[0], kinds[-1]) == ("status", "result")
    assert await tab.locator(".api-number").all_inner_texts() == [str(n + 1) for n in range(len(kinds))]
    await expect(tab.locator(".api-line.void .chip").first).to_have_text("thought_delta")
    assert await overflowing(real) == []
    await tab.get_by_role("button", name="Show the card in Slack").click()
    card = real.locator("#room .message.card").last
    await card.locator(".button.primary").click()
    await expect(tab.locator(".api-status")).to_have_text("completed", timeout=PATIENCE_MS)
    await expect(tab.locator(".api-answer")).to_contain_text("tool_executed")


@pytest.mark.deep
async def test_an_answer_can_be_waited_for_and_gone_on_from(real: Page) -> None:
    """Send waits for the whole answer; the next prompt can go on in its thread; the answer is there as JSON."""
    tab = tab_of(real)
    await ask(real, "What is on my calendar tomorrow?", "Send")
    await expect(tab.locator(".api-status")).to_have_text("completed", timeout=PATIENCE_MS)
    await tab.get_by_text("The answer as JSON").click()
    thread = await tab.locator(".api-answer pre").evaluate("node => JSON.parse(node.textContent).threadId")
    await tab.get_by_label("Go on in the same thread").check()
    await ask(real, "Anything unread?", "Send")
    await expect(tab.locator(".api-answer")).to_contain_text("unread", timeout=PATIENCE_MS)
    await tab.get_by_text("The answer as JSON").click()
    assert await tab.locator(".api-answer pre").evaluate("node => JSON.parse(node.textContent).threadId") == thread


@pytest.mark.deep
async def test_who_leaves_a_stream_rejoins_it(real: Page, address: str) -> None:
    """The request goes on without its reader, and Rejoin brings the lines that are missing."""
    tab = tab_of(real)
    hang = {"kind": "delay", "match": {"path": "streamGenerateContent"}, "times": 1, "seconds": 2}
    await real.request.post(f"{address}/api/faults/gemini", data=hang, headers={"origin": address})
    await ask(real, "What is on my calendar tomorrow?")
    await expect(tab.locator(".api-line")).to_have_count(1, timeout=PATIENCE_MS)
    await tab.get_by_role("button", name="Leave").click()
    await expect(tab.locator(".api-trouble")).to_contain_text("The request goes on")
    await tab.get_by_role("button", name="Rejoin").click()
    await expect(tab.locator(".api-status")).to_have_text("completed", timeout=PATIENCE_MS)
    await expect(tab.locator(".api-line .chip").last).to_have_text("result")


@pytest.mark.deep
async def test_a_curl_line_is_copied(real: Page) -> None:
    """The line has the address, the cookie and the prompt, so that a terminal can send it."""
    await tab_of(real).get_by_label("Prompt").fill("It's Dana's")
    await tab_of(real).get_by_role("button", name="Copy as curl").click()
    await expect(real.locator(".notice")).to_contain_text("Copied")
    line = await real.evaluate("navigator.clipboard.readText()")
    assert line.startswith("curl -N 'http://127.0.0.1:")
    assert "-b '__session=ey" in line
    assert r"It'\''s Dana'\''s" in line


@pytest.mark.deep
@pytest.mark.timeout(180)
async def test_refusals_say_the_next_step(real: Page) -> None:
    """A guest is told why not and what to do; while the bot is stopped the page says how to start it."""
    tab = tab_of(real)
    await tab.get_by_label("Who is signed in").select_option(THEO.user_id)
    await ask(real, "hello")
    await expect(tab.locator(".api-trouble")).to_contain_text("403 not_allowed")
    await expect(tab.locator(".api-trouble")).to_contain_text("Choose somebody else above.")
    await real.get_by_role("button", name="Kill").click()
    await expect(real.locator(".bot")).to_contain_text("stopped")
    await ask(real, "hello")
    await expect(tab.locator(".api-trouble")).to_contain_text("Press Start at the top")
    await real.locator(".bot").get_by_role("button", name="Start").click()
    await expect(real.locator(".bot")).to_contain_text("running", timeout=START_MS)
