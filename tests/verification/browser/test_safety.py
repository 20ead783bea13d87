"""What comes from outside is only ever text."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from playwright.async_api import Page, expect

from tests.verification.browser.stage import DANA, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOSTILE = (
    "<img src=x onerror=window.owned=1>",
    "<script>window.owned=1</script>",
    '"><svg onload=window.owned=1>',
    "<a href='javascript:window.owned=1'>click</a>",
    "[click](javascript:window.owned=1)",
    "<javascript:window.owned=1|click>",
    "![x](https://tracker.example/pixel.png)",
    "<iframe srcdoc='<script>parent.owned=1</script>'></iframe>",
    "<style>body{display:none}</style>",
    "\u202egnp.exe <!channel> <@U0MARA>",
    "`<b onmouseover=window.owned=1>`",
    "{{constructor.constructor('window.owned=1')()}}",
)
ALL = "\n".join(HOSTILE)


async def test_a_mail_cannot_become_markup(page: Page, played: Stage) -> None:
    """Subject, sender, body and file name of a mail are shown as the characters they are."""
    mail = EmailMessage()
    mail["From"], mail["To"] = "dana@fernhill.example", "jonas@fernhill.example"
    mail["Subject"] = HOSTILE[0]
    mail.set_content(ALL)
    mail.add_attachment(b"x", maintype="text", subtype="plain", filename=HOSTILE[2])
    await played.app.deliver("dana", mail)
    await page.goto(played.at("U0JONAS"))
    await page.locator(".item.mail", has_text=HOSTILE[0]).locator(".item-main").click()
    await expect(page.locator(".mail-text")).to_contain_text(HOSTILE[1])
    await _nothing_ran(page)


async def test_a_message_cannot_become_markup(page: Page, played: Stage) -> None:
    """The same texts as typed message, mrkdwn, markdown, plain text, table cell and label are inert."""
    await played.app.say(DANA, ALL)
    plain = {"type": "plain_text", "text": HOSTILE[0]}
    table = {"type": "table", "rows": [[{"type": "raw_text", "text": one} for one in HOSTILE[:3]]]}
    button = {"type": "button", "action_id": "plain", "text": plain, "value": "v1"}
    blocks = [
        {"type": "section", "text": {"type": "mrkdwn", "text": ALL}},
        {"type": "markdown", "text": ALL},
        {"type": "header", "text": plain},
        table,
        {"type": "actions", "elements": [button]},
    ]
    await played.app.post(DANA, blocks)
    await page.goto(played.at(DANA))
    await expect(page.get_by_role("button", name=HOSTILE[0])).to_be_visible()
    await _nothing_ran(page)


async def _nothing_ran(page: Page) -> None:
    made = await page.evaluate(
        """() => ({
            owned: window.owned ?? null,
            nodes: document.querySelectorAll(
              'img, iframe, object, embed, style, #house script, svg[onload], [onerror], [onload]').length,
            links: [...document.querySelectorAll('a')].filter((a) => !/^(https?|mailto):/.test(a.href)).length,
        })"""
    )
    assert made["owned"] is None
    assert made["nodes"] == 0
    assert made["links"] == 0


async def test_nothing_is_loaded_from_elsewhere(page: Page, played: Stage) -> None:
    """Pictures and links in messages make the page ask nobody but itself."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    image = {"type": "image", "image_url": "https://tracker.example/p.png", "alt_text": "tracker"}
    await played.app.post(DANA, [image])
    await page.goto(played.at(DANA))
    await expect(page.get_by_role("img", name="tracker")).to_be_visible()
    assert asked
    assert [url for url in asked if not url.startswith(played.url)] == []
