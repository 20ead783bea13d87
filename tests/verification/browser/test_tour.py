"""What the page says to a newcomer: what to try next, what stopped, what an entry means."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest
from playwright.async_api import Page, expect

from playground.control import SHOWN_ENTRIES
from playground.page.app import build
from playground.people import THEO
from playground.serve import Served
from tests.verification.browser.stage import DANA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


LEFT_OF_WORDS = """one => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return words.getBoundingClientRect().left - one.getBoundingClientRect().left;
}"""
WIDTH_OF_NUMBER = """one => {
  const { width, marginRight } = getComputedStyle(one, '::before');
  return parseFloat(width) + parseFloat(marginRight);
}"""


async def test_one_thing_to_try_after_the_other(page: Page, played: Stage) -> None:
    """Each step is suggested until it was done: approve, the log, kill, start, ask; the end can be dismissed."""
    strip = await played.hints(page)
    await expect(strip).to_contain_text("Press Approve.")
    await page.locator("#talk").get_by_role("button", name="Approve").click()
    await expect(strip).to_contain_text("It happened, once.")
    await strip.get_by_role("button", name="Open the audit log").click()
    await expect(page.locator(".tab-body.audit")).to_be_visible()
    await expect(strip).to_contain_text("Now kill the bot.")
    await strip.get_by_role("button", name="Kill").click()
    await expect(strip).to_contain_text("Start it again.")
    await page.reload()  # this browser is one that has seen the hints
    await played.tour(page)
    await strip.get_by_role("button", name="Start").click()
    await expect(strip).to_contain_text("Ask something of your own.")
    await strip.get_by_role("button", name="Anything unread?").click()
    await expect(page.locator(".message").last).to_contain_text("Anything unread?")
    played.app.record("run.queued", actor=DANA)
    await expect(strip).to_contain_text("That was the tour.")
    await expect(
        strip.get_by_role("button", name="What's on tomorrow?")
    ).to_be_visible()  # the others can still be tried
    await strip.get_by_role("button", name="Got it").click()
    await expect(strip).to_have_count(0)


@pytest.mark.deep
async def test_a_tab_that_a_person_opened_stays_open(page: Page, played: Stage) -> None:
    """What a click brings about later marks its tab, and does not take away the one that is read meanwhile."""
    await played.asks(page)
    await page.locator("#talk").get_by_role("button", name="Approve").click()
    await expect(page.locator("#tab-mail")).to_contain_text("Thursday works for us.")
    await page.get_by_role("tab", name="Audit").click()
    later = EmailMessage()
    later["To"], later["Subject"] = "helen.marsh@marshgardens.example", "One thing more"
    later.set_content("See you on Thursday.")
    await played.app.deliver("dana", later)
    await expect(page.get_by_role("tab", name="Mail")).to_have_class(re.compile("marked"))
    await expect(page.locator("#tab-audit")).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("decision", "follows", "said"),
    [
        ("approve", "action.completed", "It happened, once."),
        ("approve", "action.reconciled", "It happened, once."),
        ("approve", "action.scheduled", "It is planned."),
        ("reject", "action.rejected", "You said no."),
    ],
)
async def test_the_tour_says_what_came_of_the_decision(
    page: Page, played: Stage, decision: str, follows: str, said: str
) -> None:
    """Only what was done is said to have happened: what is planned or refused is said to be that."""
    strip = await played.hints(page)
    await expect(strip).to_contain_text("Press Approve.")
    played.app.record("question.decided", DANA, action="a_0000001", decision=decision)
    played.app.record(follows, action="a_0000001", tool="gmail_send")
    await expect(strip).to_contain_text(said)
    if "happened" not in said:
        await expect(strip).not_to_contain_text("happened, once")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("follows", "said"), [("run.undone", "You took it back."), ("action.completed", "It happened, once.")]
)
async def test_the_tour_says_what_came_of_what_was_planned(page: Page, played: Stage, follows: str, said: str) -> None:
    """What was taken back, or came to its time, is not said to be planned."""
    strip = await played.hints(page)
    played.app.record("question.decided", DANA, action="a_0000001", decision="approve")
    played.app.record("action.scheduled", action="a_0000001", held_run="r_held01", tool="gmail_send")
    await expect(strip).to_contain_text("It is planned.")
    played.app.record(follows, of="r_held01", tool="gmail_send")
    await expect(strip).to_contain_text(said)


@pytest.mark.deep
async def test_a_step_can_be_skipped_and_the_tour_ended(page: Page, played: Stage) -> None:
    """Nobody has to kill anything to go on."""
    strip = await played.hints(page)
    played.app.record("question.decided", DANA, decision="approve")
    await expect(strip).to_contain_text("2 of 7")
    await strip.get_by_role("button", name="Skip").click()
    await expect(strip).to_contain_text("3 of 7")
    await strip.get_by_role("button", name="End the tour").click()
    await expect(strip).to_have_count(0)


@pytest.mark.deep
async def test_the_tour_goes_on_beyond_what_the_page_lists(page: Page, played: Stage) -> None:
    """A log that is longer than the list begins no tour anew, and what is decided still counts."""
    strip = await played.hints(page)
    played.app.record("question.decided", DANA, decision="approve")
    await expect(strip).to_contain_text("2 of 7")
    for step in ("3 of 7", "5 of 7"):  # the bot runs, so the fourth is done
        await strip.get_by_role("button", name="Skip").click()
        await expect(strip).to_contain_text(step)
    for _ in range(SHOWN_ENTRIES):
        played.app.record("action.completed", tool="gmail_search")
    await page.get_by_role("tab", name="Audit").click()
    await expect(page.locator(".tab-body.audit .bar")).to_contain_text(f"{SHOWN_ENTRIES + 3} entries")
    await expect(strip).to_contain_text("5 of 7")
    played.app.record("question.decided", DANA, decision="approve")
    await expect(strip).to_contain_text("6 of 7")


async def test_the_tour_leads_to_the_card(page: Page, played: Stage) -> None:
    """Where no card is in sight the tour does not speak of one: it leads to the one that waits, of whomever it is."""
    strip = await played.hints(page)
    await page.locator("#people .room", has_text="sales").click()
    await expect(strip).to_contain_text("A card waits for a decision.")
    await expect(strip).not_to_contain_text("Press Approve.")
    await page.locator("#people .person", has_text="Luis").click()
    await strip.get_by_role("button", name="Show it").click()
    await expect(page.locator("#people [aria-pressed=true]")).to_contain_text("Dana")
    await expect(strip).to_contain_text("Press Approve.")


@pytest.mark.deep
async def test_in_a_narrow_window_the_tour_points_to_the_tab(page: Page, played: Stage) -> None:
    """Nothing is on the right there: the third number is at the tab of the outside world, which is marked when
    something happened behind it."""
    await page.set_viewport_size({"width": 390, "height": 844})
    strip = await played.hints(page)
    await expect(strip.get_by_text("Look outside.")).to_be_visible()
    await expect(strip.get_by_text("Look right.")).to_be_hidden()
    outside = page.get_by_role("button", name="Outside world")
    assert await outside.evaluate("one => getComputedStyle(one, '::before').content") == '"3" / ""'
    assert await outside.evaluate(LEFT_OF_WORDS) >= await outside.evaluate(WIDTH_OF_NUMBER)
    assert await outside.evaluate("one => one.scrollWidth <= one.clientWidth")
    await expect(outside.locator(".dot")).to_have_count(0)
    await page.locator("#talk").get_by_role("button", name="Approve").click()
    await expect(outside.locator(".dot")).to_be_visible()
    await outside.click()
    await expect(page.locator(".item.mail.fresh")).to_be_visible()
    await expect(outside.locator(".dot")).to_have_count(0)


@pytest.mark.deep
async def test_a_mark_moves_no_tab(page: Page, played: Stage) -> None:
    """The dot of a tab takes no place: the row stays as it is, also where it is full."""
    await page.set_viewport_size({"width": 1024, "height": 768})
    await page.goto(played.at(DANA))
    tabs = page.locator(".world-tabs [role=tab]")
    before = [await tab.bounding_box() for tab in await tabs.all()]
    played.app.record("run.queued", actor=DANA)
    await expect(page.get_by_role("tab", name="Audit")).to_have_class(re.compile("marked"))
    await expect(page.get_by_role("tab", name="Audit").locator(".dot")).to_be_visible()
    assert [await tab.bounding_box() for tab in await tabs.all()] == before


@pytest.mark.deep
async def test_each_suggestion_is_for_the_person_who_acts(page: Page, played: Stage) -> None:
    """Whoever has no mail of Helen is not told to write to her."""
    strip = await played.hints(page)
    played.app.record("question.decided", DANA, decision="approve")
    for step in ("3 of 7", "5 of 7", "6 of 7"):  # the bot runs, so the fourth is done
        await strip.get_by_role("button", name="Skip").click()
        await expect(strip).to_contain_text(step)
    await expect(strip.get_by_role("button", name="Let Helen know that the benches are ready")).to_be_visible()
    await page.locator("#people .person", has_text="Mara").click()
    await expect(strip.get_by_role("button", name="Let Dana know that the benches are ready")).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize("width", [390, 1024])
async def test_a_narrow_window_keeps_its_room_for_the_conversation(page: Page, played: Stage, width: int) -> None:
    """The words of the last step take the whole width, and its suggestions one row, which scrolls."""
    await page.set_viewport_size({"width": width, "height": 844})
    strip = await played.hints(page)
    played.app.record("question.decided", DANA, decision="approve")
    for step in ("3 of 7", "5 of 7", "6 of 7", "7 of 7"):
        await strip.get_by_role("button", name="Skip").click()
        await expect(strip).to_contain_text(step)
    boxes = [await strip.locator(part).bounding_box() for part in (".hint-words", ".hint-tries", ".hint-end")]
    whole = await strip.bounding_box()
    assert whole
    assert whole["height"] < 160
    words, tries, end = (box for box in boxes if box)
    assert words["width"] > whole["width"] - 40
    assert tries["x"] + tries["width"] < end["x"]
    assert end["x"] + end["width"] <= whole["x"] + whole["width"]
    await strip.get_by_role("button", name="Have the mail clerk").focus()
    await expect(strip.get_by_role("button", name="Have the mail clerk")).to_be_in_viewport()


@pytest.mark.deep
async def test_a_guest_is_suggested_nothing_that_is_refused(page: Page, played: Stage) -> None:
    """The agent works for no guest, so the tour says that instead of its suggestions."""
    strip = await played.hints(page)
    played.app.record("question.decided", DANA, decision="approve")
    for step in ("3 of 7", "5 of 7", "6 of 7"):
        await strip.get_by_role("button", name="Skip").click()
        await expect(strip).to_contain_text(step)
    await expect(strip.locator(".hint-tries button")).to_have_count(4)
    await page.locator("#people .person", has_text=THEO.name).click()
    await expect(strip).to_contain_text(f"{THEO.name} is a guest, and the agent works for no guest")
    await expect(strip.locator(".hint-tries button")).to_have_count(0)
    await strip.get_by_role("button", name="Skip").click()
    await expect(strip).to_contain_text("That was the tour.")
    await expect(strip.locator(".hint-tries button")).to_have_count(0)


@pytest.mark.deep
async def test_a_number_of_the_tour_is_no_part_of_a_buttons_name(page: Page, played: Stage) -> None:
    """A screen reader reads “Approve” and “Outside world”, without the numbers that are painted beside them."""
    await played.hints(page)
    button = page.locator("#talk .card .button.hint-2")
    await expect(button).to_be_visible()
    assert await button.evaluate("one => getComputedStyle(one, '::before').content") == '"2" / ""'
    await expect(page.locator("#talk").get_by_role("button", name="Approve", exact=True)).to_have_count(1)
    await page.set_viewport_size({"width": 390, "height": 844})
    await expect(page.locator("#panes").get_by_role("button", name="Outside world", exact=True)).to_be_visible()


@pytest.mark.deep
async def test_the_page_opens_on_who_asked_while_nothing_waits(page: Page, played: Stage) -> None:
    """A request whose cards did not come (yet) is what a page without an address opens on."""
    await played.app.say(DANA, "Please answer Helen's mail about the benches.")
    await page.goto(played.url)
    await expect(page.locator("#room .message")).to_contain_text("Please answer Helen's mail")
    assert f"user={DANA}" in page.url


@pytest.mark.deep
async def test_killing_before_reading_the_log_goes_on(page: Page, played: Stage) -> None:
    """Who decides and then kills the bot at the top is led on to its start."""
    await played.asks(page)
    await played.tour(page)
    await page.locator("#talk").get_by_role("button", name="Approve").click()
    strip = page.locator(".hint-strip")
    await expect(strip).to_contain_text("2 of 7")
    await page.locator("#top").get_by_role("button", name="Kill").click()
    await expect(strip).to_contain_text("Start it again.")


@pytest.mark.deep
async def test_while_the_bot_is_stopped_nothing_is_said_to_be_under_way(page: Page, played: Stage) -> None:
    """Instead of what the agent does stands what becomes of what one writes, and of a Stop; Start takes it away."""
    root = await played.app.ask()
    await played.app.session(DANA, root, "processing")
    await page.goto(played.at(DANA))
    status = page.locator("#room .status-line")
    await expect(status).to_contain_text("is working…")
    await page.locator("#top").get_by_role("button", name="Kill").click()
    await expect(status).to_have_text(re.compile("^The bot is stopped. Slack keeps what you write until it starts."))
    await status.get_by_role("button", name="Stop").click()
    await expect(page.locator(".notice")).to_contain_text("It gets this Stop when it starts.")
    await played.app.session(DANA, root, "active")
    await expect(status).to_contain_text("The bot is stopped.")
    await page.locator("#top").get_by_role("button", name="Start").click()
    await expect(status).to_have_text("")


async def test_a_click_while_the_bot_is_stopped(page: Page, played: Stage) -> None:
    """A click that nobody takes says why, and what to press."""
    await played.app.ask()
    await played.app.admin("settings", ack_seconds=0.1)
    await played.app.admin("faults", match={"path": "interactive/block_actions"}, kind="lose_ack", times=1)
    await page.goto(played.at(DANA))
    await page.locator("#top").get_by_role("button", name="Kill").click()
    await expect(page.locator("#top")).to_contain_text("stopped")
    await page.get_by_role("button", name="Approve").click()
    await expect(page.locator(".notice")).to_contain_text("The bot is stopped. Press Start")
    await played.app.admin("settings", ack_seconds=3.0)


@pytest.mark.deep
async def test_an_open_page_says_that_the_playground_is_gone(page: Page, played: Stage) -> None:
    """When the playground ends, a page that is still open shows it and no longer says that the bot runs."""
    tab = await page.context.new_page()
    async with Served(build(played.addresses)) as url:
        await tab.goto(f"{url}/#user={DANA}&channel=D0DANA")
        await expect(tab.locator("#top .state", has_text="Bot")).to_contain_text("running")
    await expect(tab.locator("#trouble")).to_contain_text("The playground has stopped")
    await expect(tab.locator("#top .state", has_text="Bot")).to_contain_text("gone")
    await expect(tab.get_by_role("button", name="Kill")).to_have_count(0)


@pytest.mark.deep
async def test_an_entry_is_a_sentence_with_its_code_beside_it(page: Page, played: Stage) -> None:
    """What the agent says of an entry is shown, with names for ids, and the code small beside it; one without words is
    shown by its code."""
    played.app.record("action.completed", said="The agent sent a reply")
    played.app.record("question.decided", DANA, said=f"<@{DANA}> pressed Reject")
    played.app.record("weather.changed")
    await page.goto(played.at(DANA, tab="audit"))
    rows = page.locator(".item.audit")
    await expect(rows).to_have_count(3)
    await expect(rows.nth(2).locator(".said")).to_have_text("The agent sent a reply")
    await expect(rows.nth(2).locator("code").last).to_have_text("action.completed")
    await expect(rows.nth(1).locator(".said")).to_have_text("Dana Okafor pressed Reject")
    await expect(rows.nth(0).locator(".said")).to_have_text("weather.changed")


@pytest.mark.deep
async def test_a_log_that_is_too_long_to_list_says_how_long_it_is(page: Page, played: Stage) -> None:
    """All entries are counted, also those that came after Verify; the newest are listed, and that is said."""
    for _ in range(SHOWN_ENTRIES + 1):
        played.app.record("action.completed", tool="gmail_reply")
    await page.goto(played.at(DANA, tab="audit"))
    log = page.locator("#tab-audit")
    await expect(log).to_contain_text("501 entries, all sealed")
    await expect(log).to_contain_text("Listed are the newest 500.")
    await log.get_by_role("button", name="Verify").click()
    await expect(log.locator(".verdict")).to_be_visible()
    for _ in range(2):
        played.app.record("action.completed", tool="gmail_reply")
    await expect(log).to_contain_text("2 entries have come since")


@pytest.mark.deep
async def test_each_view_says_whose_times_it_shows(page: Page, played: Stage) -> None:
    """The zone of the times stands under every tab."""
    await page.goto(played.at(DANA))
    for tab in ("Mail", "Calendar", "Audit", "Wire"):
        await page.get_by_role("tab", name=tab).click()
        await expect(page.locator(".zone-note")).to_contain_text("Europe/London")
