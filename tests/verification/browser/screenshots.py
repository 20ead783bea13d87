"""`python -m tests.verification.browser.screenshots`: takes the pictures of README and docs from the playground.

Each page is looked at in 1440x900 and 420x900, in light and in dark: it fails when a pane is blank, text leaves its box
or the console has an error. What a page shows is kept, wide and in light; a test sees that each picture is used.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Literal

from playwright.async_api import Browser, Page, expect

from tests.patience import PATIENCE_SECONDS
from tests.verification.browser.demo import demo
from tests.verification.browser.look import blank, overflowing
from tests.verification.browser.stage import chromium

IMAGES = Path(__file__).parents[3] / "docs" / "images"
PATIENCE_MS = 1_000 * PATIENCE_SECONDS
SETTLE_MS = 400
WIDTHS = (1440, 420)
HEIGHT = 900
DANA = "user=U0DANA&channel=D0DANA"

KEPT = frozenset({"card", "audit", "wire"})
TERMS = (
    "The benches stand on their own feet, level within three millimetres, and need no screws in the floor.",
    "The oak is air dried for two years, sanded, and oiled twice; the third coat is yours, after the first winter.",
    "Delivery is on a lorry with a tail lift. The way from the gate must be two metres wide and bear three tonnes.",
    "The lids of the boxes close by themselves. Children can open them, and nobody is locked in.",
)
LETTER = "Dear Helen,\n\nBelow is what we agreed for the terrace.\n\n" + "\n\n".join(
    f"{number}. {' '.join(TERMS[number % 4 :] + TERMS[: number % 4])}" for number in range(1, 8)
)
LONG_MAIL = {"to": ["helen.marsh@marshgardens.example"], "subject": "Terms for the terrace", "body": LETTER}
"""Longer than what a card shows."""

Scheme = Literal["light", "dark"]
Scene = Callable[[Page], Awaitable[None]]


async def waiting(page: Page) -> None:
    """Two cards wait, and the hints say what to do."""
    await expect(page.locator("#room .message.card .button.primary")).to_have_count(2)


async def approved(page: Page) -> None:
    """The mail was approved: it is among the sent ones, and leads back to its card."""
    await expect(page.locator("#room .message.card").first).to_contain_text("Approved by")
    if await page.locator("#world").is_visible():
        await page.get_by_role("button", name="Sent", exact=False).first.click()


async def calendar(page: Page) -> None:
    """The week with the meeting that was moved."""
    await expect(page.locator(".event").first).to_be_attached()


async def audit(page: Page) -> None:
    """The entries, newest first, sealed."""
    await expect(page.locator(".item.audit").first).to_be_attached()


async def wire(page: Page) -> None:
    """What went over the wire."""
    await expect(page.locator(".item.wire").first).to_be_attached()


BEFORE: Mapping[str, tuple[str, Scene]] = {"card": ("tab=mail", waiting)}
AFTER: Mapping[str, tuple[str, Scene]] = {
    "approved": ("tab=mail", approved),
    "calendar": ("tab=calendar", calendar),
    "audit": ("tab=audit", audit),
    "wire": ("tab=wire", wire),
}
OUTSIDE = frozenset({"calendar", "audit", "wire"})
"""In a narrow window these pictures show the pane of the outside world."""


class Camera:
    """Takes pictures and notes what is wrong with them."""

    def __init__(self, *, browser: Browser, url: str, folder: Path) -> None:
        self._browser = browser
        self._url = url
        self._folder = folder
        self.wrong: list[str] = []

    async def take(self, scenes: Mapping[str, tuple[str, Scene]], *, hints: bool) -> None:
        for name, (where, scene) in scenes.items():
            for width in WIDTHS:
                await self._shot(name, f"{DANA}&{where}", scene, width, "light", hints=hints)
                await self._shot(name, f"{DANA}&{where}", scene, width, "dark", hints=hints)

    async def _shot(self, name: str, where: str, scene: Scene, width: int, scheme: Scheme, *, hints: bool) -> None:
        picture = f"{name}-{width}-{scheme}.png"
        context = await self._browser.new_context(
            viewport={"width": width, "height": HEIGHT}, color_scheme=scheme, reduced_motion="reduce"
        )
        if not hints:
            await context.add_init_script("localStorage.setItem('countersign.playground.hints', 'seen')")
        page = await context.new_page()
        page.on("console", lambda said: self._note(picture, said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self._note(picture, str(error)))
        await page.goto(f"{self._url}/#{where}")
        if name in OUTSIDE and width < 900:
            await page.get_by_role("button", name="Outside world").click()
        await scene(page)
        await page.wait_for_timeout(SETTLE_MS)
        for pane in await blank(page):
            self._note(picture, f"{pane} is blank")
        for text in await overflowing(page):
            self._note(picture, f"text leaves its box: {text}")
        if name in KEPT and (width, scheme) == (WIDTHS[0], "light"):
            await page.screenshot(path=self._folder / f"{name}.png")
        await context.close()

    async def windows(self) -> None:
        """The windows in which a long text is read, and what nobody named is typed."""
        page = await self._browser.new_page(viewport={"width": WIDTHS[0], "height": HEIGHT}, reduced_motion="reduce")
        await page.goto(f"{self._url}/#{DANA}")
        await self._window(page, f"[[call: gmail_send {json.dumps(LONG_MAIL)}]]", "Read and approve…", "read")
        await _say(page, "/agent trust autonomous")
        told = page.locator("dialog.modal")
        await told.get_by_role("button", name="Set autonomous").click()
        await expect(told).to_contain_text("Saved.")
        await told.get_by_role("button", name="Close").last.click()
        await expect(told).to_have_count(0)
        await self._window(page, "Answer Nora's mail that Thursday works", "Check and approve…", "check")
        await page.close()

    async def _window(self, page: Page, request: str, button: str, name: str) -> None:
        await _say(page, request)
        await page.get_by_role("button", name=button).last.click()
        dialog = page.locator("dialog.modal")
        await expect(dialog.locator(".modal-body")).to_be_visible()
        await page.wait_for_timeout(SETTLE_MS)
        await dialog.locator(".modal-box").screenshot(path=self._folder / f"{name}.png")
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)

    def _note(self, picture: str, what: str) -> None:
        self.wrong.append(f"{picture}: {what}")


async def _say(page: Page, text: str) -> None:
    await page.locator("#composer").fill(text)
    await page.keyboard.press("Enter")
    await expect(page.locator("#composer")).to_have_value("")


async def approve(browser: Browser, url: str) -> None:
    """Dana approves both cards."""
    page = await browser.new_page(viewport={"width": 1440, "height": HEIGHT})
    await page.goto(f"{url}/#{DANA}")
    cards = page.locator("#room .message.card")
    for number in range(2):
        await cards.nth(number).locator(".button.primary").click()
        await expect(cards.nth(number)).to_contain_text("Done.")
    await page.close()


async def main() -> int:
    expect.set_options(timeout=PATIENCE_MS)
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        async with demo(Path(data) / "demo") as url, chromium() as browser:
            camera = Camera(browser=browser, url=url, folder=IMAGES)
            await camera.take(BEFORE, hints=True)
            await approve(browser, url)
            await camera.take(AFTER, hints=False)
            await camera.windows()
    for line in camera.wrong:
        print(line, file=sys.stderr)  # noqa: T201 - a command talks to the terminal
    return 1 if camera.wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
