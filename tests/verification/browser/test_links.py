"""What leads somewhere leads to this page's own panes: messages, mails and events of the playground."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import aiohttp
import pytest
from playwright.async_api import Page, expect

from playground import people
from playground.world.hosts import TEAM
from tests.verification.browser import cards
from tests.verification.browser.stage import DANA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def linked(played: Stage, url: str, label: str = "Open it") -> None:
    """The app writes Dana a message with this link."""
    link = {"type": "link", "url": url, "text": label}
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": "See: "}, link]}
    await played.app.post(DANA, [{"type": "rich_text", "elements": [section]}])


async def google(played: Stage) -> dict[str, list[dict[str, str]]]:
    """What Dana has at Google."""
    async with aiohttp.ClientSession() as http, http.get(f"{played.addresses['google']}/__admin/state") as answer:
        return (await answer.json())["people"][people.DANA.handle]


@pytest.mark.deep
async def test_a_permalink_leads_to_its_message(page: Page, played: Stage) -> None:
    """The address that Slack gives for a message opens its channel here, with the message marked."""
    said = await played.app.act("message", user=DANA, channel="C0SALES", text="The larch is here")
    given = await played.app.call("chat.getPermalink", channel="C0SALES", message_ts=said["ts"])
    await linked(played, given["permalink"], "Open it (127.0.0.1)")
    await page.goto(played.at(DANA))
    await page.get_by_role("link", name="Open it (fernhill.slack.com)").click()
    await expect(page.locator("#room h1")).to_contain_text("sales")
    await expect(page.locator(".message.flash")).to_contain_text("The larch is here")
    async with aiohttp.ClientSession() as http, http.get(given["permalink"]) as answer:
        assert (answer.status, "playground's page" in await answer.text()) == (200, True)
    await played.app.admin("settings", window=played.url)
    other = await page.context.new_page()
    await other.goto(given["permalink"])
    await expect(other.locator("#room h1")).to_contain_text("sales")
    await expect(other.locator(".message.flash")).to_contain_text("The larch is here")


async def test_a_link_of_a_window_leads_out_of_it(page: Page, played: Stage) -> None:
    """What it leads to is not behind the window: that is closed, for the app as well."""
    said = await played.app.act("message", user=DANA, channel="C0SALES", text="The larch is here")
    given = await played.app.call("chat.getPermalink", channel="C0SALES", message_ts=said["ts"])
    link = {"type": "link", "url": given["permalink"], "text": "Go to the card (127.0.0.1)"}
    text = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [link]}]}
    played.app.window = {**cards.modal(), "blocks": [text]}
    await page.goto(played.at(DANA))
    await page.locator("#composer").fill("/agent run")
    await page.keyboard.press("Enter")
    await page.get_by_role("link", name="Go to the card").click()
    await expect(page.locator("dialog.modal")).to_have_count(0)
    await expect(page.locator(".message.flash")).to_contain_text("The larch is here")
    await page.reload()
    await expect(page.locator("#room h1")).to_contain_text("sales")
    await expect(page.locator("dialog.modal")).to_have_count(0)


async def test_a_link_to_a_mail_opens_it(page: Page, played: Stage) -> None:
    """A link to Gmail opens that thread's newest mail in the mail pane, also in a new tab."""
    mail = (await google(played))["inbox"][0]
    await linked(played, f"https://mail.google.com/mail/u/0/#all/{mail['threadId']}")
    await page.goto(played.at(DANA, tab="wire"))
    link = page.get_by_role("link", name="Open it")
    await link.click()
    await expect(page.locator(".mail-open h3")).to_have_text(mail["subject"])
    other = await page.context.new_page()
    await other.goto(f"{played.url}/{await link.get_attribute('href')}")
    await expect(other.locator(".mail-open h3")).to_have_text(mail["subject"])


@pytest.mark.deep
async def test_a_link_to_an_event_opens_it(page: Page, played: Stage) -> None:
    """A link to Calendar opens the week with that event and its details."""
    event = next(event for event in (await google(played))["events"] if "Delivery planning" in event["summary"])
    eid = urlsafe_b64encode(f"{event['id']} {people.DANA.email}".encode()).decode().rstrip("=")
    await linked(played, f"https://www.google.com/calendar/event?eid={eid}")
    await page.goto(played.at(DANA))
    await page.get_by_role("link", name="Open it").click()
    await expect(page.locator(".event-open h3")).to_have_text(event["summary"])
    await expect(page.locator(".event.open")).to_be_visible()


@pytest.mark.deep
async def test_what_is_not_there_is_said(page: Page, played: Stage) -> None:
    """A link to something that the acting person cannot see leads nowhere, and says so."""
    await linked(played, "http://127.0.0.1/archives/C0NOWHERE/p1700000000000100")
    await page.goto(played.at(DANA))
    await page.get_by_role("link", name="Open it").click()
    await expect(page.locator(".notice")).to_contain_text("no longer in the playground")


@pytest.mark.deep
async def test_another_link_is_left_alone(page: Page, played: Stage) -> None:
    """A link to anywhere else stays what it is and opens in a tab of its own."""
    await linked(played, "https://mail.google.com.evil.example/mail/u/0/#all/1", "Elsewhere")
    await page.goto(played.at(DANA))
    link = page.get_by_role("link", name="Elsewhere")
    await expect(link).to_have_attribute("href", "https://mail.google.com.evil.example/mail/u/0/#all/1")
    await expect(link).to_have_attribute("rel", "noopener noreferrer")


@pytest.mark.deep
async def test_a_shared_calendar_can_be_seen(page: Page, played: Stage) -> None:
    """What a card calls a conflict on a shared calendar is to be seen, in its week, when that calendar is chosen."""
    async with aiohttp.ClientSession() as http, http.get(f"{played.addresses['google']}/__admin/state") as answer:
        team = (await answer.json())["calendars"][TEAM.email]
    visit = next(event for event in team["events"] if "visits the workshop" in event["summary"])
    await page.clock.set_fixed_time(visit["start"]["dateTime"])  # the world puts it into next week
    await page.goto(played.at(DANA, tab="calendar"))
    await page.get_by_label("Whose calendar").select_option("Fernhill team")
    await expect(page.locator(f".week [data-event='{visit['id']}']")).to_be_visible()
    events = page.locator(".week .event, .week-head .all-day")
    shown = {event["id"] for event in team["events"]}
    assert {await one.get_attribute("data-event") for one in await events.all()} <= shown
