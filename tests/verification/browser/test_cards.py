"""Cause and effect: a card, its approval, and what lights up beside it."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from playground.control import SHOWN_ENTRIES
from tests.verification.browser import cards
from tests.verification.browser.stage import DANA, MARA, Stage
from tests.verification.browser.stand_in import ACTION, RUN, SUBJECT

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_approval_shows_its_mail_and_the_mail_leads_back(page: Page, played: Stage) -> None:
    """After Approve the sent mail is shown lit, with a link that leads back to its card."""
    await played.asks(page)
    await page.get_by_role("button", name="Approve").click()
    mail = page.locator(".item.mail.fresh", has_text=SUBJECT)
    await expect(mail).to_contain_text("To Helen Marsh")
    await expect(page.get_by_role("button", name="Sent 7")).to_have_attribute("aria-pressed", "true")
    await mail.get_by_role("button", name="card").click()
    await expect(page.locator(".message.card.flash")).to_contain_text("Approved by @Dana Okafor")


@pytest.mark.deep
async def test_who_decides_by_keyboard_stays_at_the_card(page: Page, played: Stage) -> None:
    """The pressed button goes, and the focus stays at its card."""
    await played.asks(page)
    await page.locator("#talk").get_by_role("button", name="Approve").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".message.card")).to_contain_text("Approved by @Dana Okafor")
    assert await page.evaluate("document.activeElement.closest('.message.card') !== null")


@pytest.mark.deep
async def test_hovering_a_card_marks_its_audit_entries(page: Page, played: Stage) -> None:
    """The entries about a card's question and action are marked while the card is pointed at, and no others."""
    await played.app.ask()
    await page.goto(played.at(DANA, tab="audit"))
    await expect(page.locator(".item.audit")).to_have_count(2)
    await page.locator(".message.card").hover()
    await expect(page.locator(".item.audit.lit")).to_have_count(1)
    await expect(page.locator(".item.audit.lit")).to_contain_text("question.asked")
    await page.locator("#top").hover()
    await expect(page.locator(".lit")).to_have_count(0)


async def test_a_card_lists_what_it_caused(page: Page, played: Stage) -> None:
    """Under a decided card stand links to its mail and its audit entries."""
    await played.app.ask()
    await page.goto(played.at(DANA, tab="wire"))
    await page.get_by_role("button", name="Approve").click()
    effects = page.locator(".message.card .effects")
    await expect(effects.get_by_role("button", name="the mail")).to_be_visible()
    await effects.get_by_role("button", name="the mail").click()
    await page.locator(".message.card").hover()
    await expect(page.locator(".item.mail.lit")).to_have_count(1)
    await effects.get_by_role("button", name="4 audit entries").click()
    await expect(page.locator(".item.audit", has_text="action.completed")).to_be_visible()


@pytest.mark.deep
async def test_what_was_asked_twice_is_shown_under_the_newest_card(page: Page, played: Stage) -> None:
    """Of two cards about one action the newer tells what came of it: the mail is its own, and leads back to it."""
    root = await played.app.ask()
    await played.app.post(DANA, cards.approval("qst_000002", DANA), thread_ts=root)
    played.app.record("question.asked", action=ACTION, question="qst_000002", kind="approve")
    await page.goto(played.at(DANA))
    older, newer = page.locator(".message.card").first, page.locator(".message.card").last
    await newer.get_by_role("button", name="Approve").click()
    await expect(newer.get_by_role("button", name="the mail")).to_be_visible()
    await expect(older.get_by_role("button", name="audit entries")).to_be_visible()
    await expect(older.get_by_role("button", name="the mail")).to_have_count(0)
    await page.locator(".item.mail", has_text=SUBJECT).first.get_by_role("button", name="card").click()
    await expect(newer).to_have_class(re.compile("flash"))


@pytest.mark.deep
async def test_two_windows_show_the_same(page: Page, played: Stage) -> None:
    """What is decided in one window is decided in the other, without a reload."""
    await played.asks(page)
    other = await page.context.new_page()
    await other.goto(played.at(DANA))
    await expect(other.get_by_role("button", name="Approve")).to_be_visible()
    await page.get_by_role("button", name="Approve").click()
    await expect(other.get_by_role("button", name="Approve")).to_have_count(0)
    await expect(other.locator(".message.card")).to_contain_text("Approved by")
    await other.reload()
    await expect(other.locator(".message.card")).to_contain_text("Approved by")


async def test_buttons_are_for_those_they_name(page: Page, played: Stage) -> None:
    """A button with `visible_to_user_ids` is not shown to anybody else; the text around it is."""
    await played.app.call(
        "chat.postMessage",
        channel="C0SALES",
        text="card",
        blocks=[
            {"type": "section", "text": {"type": "mrkdwn", "text": "Everybody reads this"}},
            {
                "type": "actions",
                "elements": [
                    {
                        "type": "button",
                        "action_id": "approve",
                        "text": {"type": "plain_text", "text": "Approve"},
                        "visible_to_user_ids": [DANA],
                    }
                ],
            },
        ],
    )
    await page.goto(played.at(DANA, "C0SALES"))
    await expect(page.get_by_role("button", name="Approve")).to_be_visible()
    await page.goto(played.at(MARA, "C0SALES"))
    await expect(page.get_by_text("Everybody reads this")).to_be_visible()
    await expect(page.get_by_role("button", name="Approve")).to_have_count(0)


@pytest.mark.deep
async def test_the_hints_come_once(page: Page, played: Stage) -> None:
    """The three hints number the card, the button and the pane; dismissed, they never come again."""
    await played.asks(page)
    await expect(page.locator(".hint-strip")).to_have_count(0)
    await played.tour(page)
    await expect(page.locator(".hint-strip li")).to_have_count(3)
    await expect(page.locator(".hint-2")).to_have_text("Approve")
    await page.get_by_role("button", name="Got it").click()
    await page.reload()
    await expect(page.get_by_role("button", name="Approve")).to_be_visible()
    await expect(page.locator(".hint-strip")).to_have_count(0)


async def test_runs_are_found_by_what_was_asked(page: Page, played: Stage) -> None:
    """The menu has the beginning of each request, however long ago it was written, and one that was tried again has it
    twice. So has what was asked in a window or over HTTP, as the agent's list has it, with its letters as they are;
    where that is not known it is told where it was asked, with the end of its id. The last line says how far the menu
    looks back.
    """
    await played.app.ask()
    for _ in range(SHOWN_ENTRIES):
        played.supervision.record("action.read", "2026-11-25T08:00:00Z", "agent", RUN)
    began = {"run_again1": f"retry:{RUN}", "run_beside": "http:req_1", "run_known1": "http:req_2"}
    played.supervision.audit.learn(["run_known1"], {"run_known1": "Is <b>the oak</b> *dry*, <@U0MARA>?\n\n" + "x" * 99})
    for run, source in began.items():
        played.supervision.record("run.queued", "2026-11-25T08:00:00Z", DANA, run, source=source)
    for run, agent in (("run_clerk1", "clerk"), ("run_task01", "plan_task")):
        played.supervision.record("run.queued", "2026-11-25T07:00:00Z", DANA, run, source="child:a", agent=agent)
    await page.goto(played.at(DANA, tab="audit"))
    said = r"Please answer Helen's mail about the benches: Th…$"
    known = r"Dana Okafor: Is <b>the oak</b> \*dry\*, @Mara Lindqvist\? x+…$"
    ends = [
        said,
        said,
        r"Dana Okafor: asked over HTTP · beside$",
        known,
        "Dana Okafor: agent clerk$",
        "Dana Okafor: task of a plan$",
        rf"^These are in the newest {SHOWN_ENTRIES} of \d+ entries\.$",
    ]
    for tab in ("audit", "wire"):
        await page.get_by_role("tab", name=tab.capitalize()).click()
        options = page.locator(f".tab-body.{tab}").get_by_label("Filter by run").locator("option")
        await expect(options).to_have_text([re.compile(end) for end in ("^All runs$", *ends)])


async def test_the_audit_log_is_verified_on_request(page: Page, played: Stage) -> None:
    """Verify shows what the command said, and whether it found the log whole."""
    await page.goto(played.at(DANA, tab="audit"))
    await page.get_by_role("button", name="Verify").click()
    await expect(page.locator(".verdict")).to_contain_text("chain whole")
    await expect(page.locator(".b-alert")).to_contain_text("As of ")
    played.supervision.verdict = {"ok": False, "text": "Entry 3 was changed."}
    await page.get_by_role("button", name="Verify").click()
    await expect(page.locator(".b-alert.error .verdict")).to_contain_text("Entry 3 was changed.")
