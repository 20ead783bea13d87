"""The API tab: the agent asked over HTTP beside Slack, with the real bot behind the page."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from playground.people import TEAM_ID, THEO
from tests.patience import PATIENCE_SECONDS
from tests.verification.browser.demo import demo
from tests.verification.browser.look import overflowing
from tests.verification.browser.stage import DANA, MARA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

DOCS = Path(__file__).parents[3] / "docs/http-api.md"
MAIL = "email helen.marsh@marshgardens.example that Thursday works"
COLOUR = "node => getComputedStyle(node).backgroundColor"
PATIENCE_MS = 1_000 * PATIENCE_SECONDS
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
async def test_an_empty_prompt_asks_nothing(page: Page, played: Stage) -> None:
    """Enter in an empty prompt sends nothing and says what to do; an example is written into the prompt, not sent."""
    await page.goto(played.at(DANA, tab="api"))
    prompt = tab_of(page).get_by_label("Prompt")
    keys = tab_of(page).get_by_text("Enter streams · Shift+Enter new line")
    assert await keys.evaluate("node => node.getClientRects().length && node.clientHeight < 24")
    await prompt.press("Enter")
    await expect(page.locator(".notice")).to_contain_text("Write a prompt first")
    await tab_of(page).get_by_role("button", name="Examples").click()
    await page.get_by_role("menuitem", name="for ever").click()
    await expect(prompt).to_have_value("Look for orders in my mail, for ever")
    await expect(prompt).to_be_focused()
    assert await page.locator(".notice").count() == 0  # there is a prompt now
    await expect(tab_of(page).locator(".api-asked")).to_have_count(0)


@pytest.mark.deep
async def test_a_notice_goes_by_a_click_and_covers_no_tab(page: Page, played: Stage) -> None:
    """In a narrow window, too; writing takes away the one that asks for it."""
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(f"{played.url}/#tab=api")
    prompt = tab_of(page).get_by_label("Prompt")
    await prompt.press("Enter")
    shown = await page.locator(".notice").bounding_box()
    tabs = await page.get_by_role("tablist", name="The outside world").bounding_box()
    assert shown
    assert tabs
    assert shown["y"] > tabs["y"] + tabs["height"]
    await page.locator(".notice").click()
    assert await page.locator(".notice").count() == 0
    await prompt.press("Enter")
    await prompt.press_sequentially("h")
    assert await page.locator(".notice").count() == 0


@pytest.mark.deep
async def test_an_address_of_a_tab_opens_it_in_a_narrow_window(page: Page, played: Stage) -> None:
    """`#tab=api` alone names no conversation, so the outside world is what is meant; with one the conversation is."""
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(f"{played.url}/#tab=api")
    await expect(tab_of(page).get_by_label("Prompt")).to_be_visible()
    await page.goto(played.at(DANA, "C0SALES", tab="api"))
    await page.reload()
    await expect(page.locator("#composer")).to_be_visible()


@pytest.mark.deep
async def test_who_asks_during_a_start_waits(page: Page, played: Stage) -> None:
    """There is no Start to press then."""
    played.supervision.bot = {**played.supervision.bot, "state": "starting"}
    answer = await page.request.get(f"{played.url}/api/product/{DANA}")
    assert "just starting. Try again in a moment." in await answer.text()
    played.supervision.bot = {**played.supervision.bot, "state": "stopped"}
    answer = await page.request.get(f"{played.url}/api/product/{DANA}")
    assert "Press Start at the top" in await answer.text()


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
    await expect(tab.locator(".api-words wbr").first).to_be_attached()  # where an address may break
    await expect(tab.get_by_role("button", name="Show the card in Slack")).to_be_in_viewport(ratio=1)
    await tab.get_by_role("button", name="Show the card in Slack").press("Enter")
    approve = real.locator("#room .message.card").last.locator(".button.primary")
    await expect(approve).to_be_focused()
    await real.keyboard.press("Enter")
    await expect(tab.locator(".api-status")).to_have_text("completed", timeout=PATIENCE_MS)
    await expect(tab.locator(".api-answer")).to_contain_text("tool_executed")
    await expect(tab.locator(".api-line .api-words").last).to_have_text("the answer")  # its status is told once, below
    await real.get_by_role("tab", name="Audit").click()
    runs = real.locator(".tab-body.audit").get_by_label("Filter by run").locator("option")
    await expect(runs.filter(has_text=MAIL[:40])).to_have_count(1)  # what was asked, though no message in Slack has it


@pytest.mark.deep
async def test_a_stream_is_followed_until_its_reader_scrolls(real: Page) -> None:
    """What comes is in the window, also in a low one; who reads further up stays there."""
    await real.set_viewport_size({"width": 1440, "height": 480})
    tab = tab_of(real)
    rows = tab.locator(".api-outcome")
    await ask(real, "Anything unread?")
    await expect(tab.locator(".api-status")).to_have_text("completed", timeout=PATIENCE_MS)
    await expect(tab.locator(".api-status")).to_be_in_viewport()
    assert await rows.evaluate("node => node.scrollTop") > 0
    await rows.evaluate("node => { node.scrollTop = 0 }")
    again = tab.get_by_role("button", name="Look again")
    mark = await tab.locator(".api-end").evaluate_handle("node => node")
    await again.evaluate("node => node.click()")
    await real.wait_for_function("old => !old.isConnected", arg=mark)
    assert await rows.evaluate("node => node.scrollTop") == 0


@pytest.mark.deep
async def test_in_a_narrow_window_the_card_takes_the_focus(real: Page) -> None:
    """The pane with the button is gone there: the focus goes to the card's first button."""
    await real.set_viewport_size({"width": 390, "height": 844})
    await real.get_by_role("button", name="Outside world").click()
    await ask(real, MAIL)
    await tab_of(real).get_by_role("button", name="Show the card in Slack").press("Enter")
    await expect(real.locator("#room .message.card").last.locator(".button.primary")).to_be_focused()


@pytest.mark.deep
async def test_what_failed_or_was_paused_is_taken_further(real: Page) -> None:
    """A fault of the menu makes a request fail, which can be tried again; an example is paused, which can be
    continued. No line and no summary shows the marks of Markdown.
    """
    tab = tab_of(real)
    await real.get_by_role("button", name="Faults").click()
    await real.get_by_role("menuitemcheckbox", name="Gemini refuses the next request").click()
    await expect(real.locator("#armed")).to_contain_text("Gemini refuses the next request")
    await ask(real, "Anything unread?")
    await expect(tab.locator(".api-status")).to_have_text("failed", timeout=PATIENCE_MS)
    await expect(real.locator(".notice")).to_contain_text("Gemini refused the request.")
    await tab.get_by_role("button", name="Try again").click()
    await expect(tab.locator(".api-status")).to_have_text("completed", timeout=PATIENCE_MS)
    await expect(tab.locator(".api-summary strong").first).to_be_visible()
    await ask(real, "Anything unread?")
    await expect(tab.locator(".api-status")).to_have_text("completed", timeout=PATIENCE_MS)
    assert "**" not in await tab.locator(".api-outcome").inner_text()
    await ask(real, "Look for orders in my mail, for ever")
    await expect(tab.get_by_role("button", name="Continue")).to_be_visible(timeout=PATIENCE_MS)
    await expect(tab.locator(".api-answer")).to_contain_text("paused")
    await expect(tab.locator(".api-outcome")).to_contain_text("Lines that are struck out do not count")
    await tab.get_by_role("button", name="Continue").click()
    await expect(tab.locator(".api-outcome")).to_contain_text("These lines end where it was paused.")


@pytest.mark.deep
async def test_what_is_continued_says_so_and_can_be_stopped(real: Page, address: str) -> None:
    """While it goes on, the old result with its buttons is gone, and Stop ends the request."""
    tab = tab_of(real)
    await ask(real, "Look for orders in my mail, for ever")
    await expect(tab.get_by_role("button", name="Continue")).to_be_visible(timeout=PATIENCE_MS)
    hang = {"kind": "delay", "match": {"path": "streamGenerateContent"}, "times": 1, "seconds": 60}
    await real.request.post(f"{address}/api/faults/gemini", data=hang, headers={"origin": address})
    await tab.get_by_role("button", name="Continue").click()
    await expect(tab.locator(".api-end")).to_contain_text("It goes on where it was paused.")
    await expect(tab.locator(".api-end")).to_be_in_viewport()
    await expect(tab.locator(".api-answer")).to_have_count(0)
    await tab.get_by_role("button", name="Stop").click()
    await expect(tab.locator(".api-answer")).to_contain_text("cancelled", timeout=PATIENCE_MS)


@pytest.mark.deep
async def test_a_kill_in_a_stream_leaves_a_way_on(real: Page, address: str) -> None:
    """Rejoin and Look again stay while the bot is dead and after its start, and the start keeps the agent's address."""
    tab = tab_of(real)
    hang = {"kind": "delay", "match": {"path": "streamGenerateContent"}, "times": 1, "seconds": 60}
    await real.request.post(f"{address}/api/faults/gemini", data=hang, headers={"origin": address})
    await ask(real, "What is on my calendar tomorrow?")
    await expect(tab.locator(".api-line")).to_have_count(1, timeout=PATIENCE_MS)
    link = tab.get_by_role("link", name="Slack sign-in")
    before = await link.get_attribute("href")
    await real.get_by_role("button", name="Kill").click()
    await expect(tab.locator(".api-trouble")).to_contain_text("broke off before its last line")
    await tab.get_by_role("button", name="Rejoin").click()
    await expect(tab.locator(".api-trouble")).to_contain_text("Press Start at the top")
    await expect(link).to_be_hidden()
    await tab.get_by_role("button", name="Look again").click()
    await expect(tab.locator(".api-trouble")).to_contain_text("Press Start at the top")
    await real.locator(".bot").get_by_role("button", name="Start").click()
    await expect(real.locator(".bot")).to_contain_text("running", timeout=PATIENCE_MS)
    await expect(link).to_have_attribute("href", before or "")
    await tab.get_by_role("button", name="Rejoin").click()
    await expect(tab.locator(".api-status")).to_have_text("completed", timeout=PATIENCE_MS)
    number = tab.locator(".api-number").first
    assert len(await number.inner_text()) > 6, "lines are numbered anew after a start, from a large number"
    assert await number.evaluate("node => node.clientHeight") < 24, "it stands on one line"


@pytest.mark.deep
async def test_the_tab_leads_to_slacks_sign_in(real: Page) -> None:
    """The agent's own sign-in opens in a tab of its own. What the docs call $TEAM and $AGENT stands there."""
    told = tab_of(real).get_by_text("$TEAM")
    await expect(told).to_have_text(re.compile(rf"\$AGENT http://127\.0\.0\.1:\d+ · \$TEAM {TEAM_ID}"))
    async with real.expect_popup() as opened:
        await tab_of(real).get_by_role("link", name="Slack sign-in").click()
    await expect((await opened.value).locator("body")).to_contain_text("Slack")


@pytest.mark.deep
async def test_after_signing_in_the_way_on_stands_out(real: Page) -> None:
    """“Continue” is the button that stands out, where there is a way on; “Sign out” never is."""
    start = await tab_of(real).get_by_role("link", name="Slack sign-in").get_attribute("href")
    await real.goto(f"{start}?next=/api")
    await real.get_by_role("button", name="Sign in with Slack").click()
    await real.locator(f'button[value="{MARA}"]').click()
    paper = await real.locator("body").evaluate(COLOUR)
    on, out = real.get_by_role("link", name="Continue"), real.get_by_role("button", name="Sign out")
    assert await out.evaluate(COLOUR) == "rgba(0, 0, 0, 0)"
    assert await on.evaluate(COLOUR) not in {paper, "rgba(0, 0, 0, 0)"}
    boxes = await on.bounding_box(), await out.bounding_box()
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["y"] == boxes[1]["y"]
    await real.goto(start or "")
    assert await out.evaluate(COLOUR) == "rgba(0, 0, 0, 0)"


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
    await expect(tab.locator(".api-trouble")).to_contain_text("which does not stop the request")
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
    assert "--json" not in line  # curl 7.82 and later only
    await ask(real, "Anything unread?", "Send")
    await expect(tab_of(real).locator(".api-status")).to_have_text("completed", timeout=PATIENCE_MS)
    await tab_of(real).get_by_role("button", name="Copy as curl").click()
    await real.wait_for_function("async old => await navigator.clipboard.readText() !== old", arg=line)
    line = await real.evaluate("navigator.clipboard.readText()")
    assert re.match(r"curl 'http://127\.0\.0\.1:\d+/api/agent/run' -b ", line)


@pytest.mark.deep
async def test_the_page_of_the_docs_asks(real: Page) -> None:
    """The function for a page that docs/http-api.md has shows the text as it grows, and gives the answer back."""
    await tab_of(real).get_by_label("Prompt").fill("Anything")
    await tab_of(real).get_by_role("button", name="Copy as curl").click()
    await expect(real.locator(".notice")).to_contain_text("Copied")
    line = await real.evaluate("navigator.clipboard.readText()")
    agent, name, value = re.findall(r"'(http://[^/]+)/.*-b '(\w+)=([^']+)'", line)[0]
    await real.context.add_cookies([{"name": name, "value": value, "url": agent}])
    await real.goto(f"{agent}/healthz")
    (code,) = re.findall(r"^```js\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    shown, answer = await real.evaluate(
        f"""async prompt => {{ {code}
        const shown = [];
        const answer = await ask(location.origin, prompt, text => shown.push(text));
        return [shown, answer];
        }}""",
        "[[model: long=200]]",
    )
    assert answer["status"] == "completed"
    assert len(shown) > 1
    assert shown[-1].strip() == answer["summary"].strip()


@pytest.mark.deep
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
    await expect(real.locator(".bot")).to_contain_text("running", timeout=PATIENCE_MS)
