"""The page on a stage of its own: the real emulators, a supervisor, and a small Bolt app in the bot's place."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Locator, Page, async_playwright

from playground import people
from playground.clock import Clock
from playground.google.app import build as build_google
from playground.page.app import build as build_page
from playground.serve import Served
from playground.slack.emulator import build as build_slack
from tests.verification.browser.stand_in import StandIn
from tests.verification.browser.supervision import Supervision

CHROMIUM = Path("/usr/bin/chromium")
REQUIRED = "COUNTERSIGN_REQUIRE_BROWSER"
ONE_RENDERER = ["--process-per-site", "--renderer-process-limit=1"]
FLAGS = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", *ONE_RENDERER]


def missing_browser() -> str:
    """Why browser tests cannot run here; empty when they can, or when a missing browser must fail."""
    if CHROMIUM.exists() or os.environ.get(REQUIRED) == "1":
        return ""
    return f"no {CHROMIUM}; {REQUIRED}=1 makes this a failure"


@contextlib.asynccontextmanager
async def chromium() -> AsyncGenerator[Browser]:
    """Debian's Chromium, without its sandbox (containers have none)."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        await browser.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Where the page is, and what stands in for the bot and its supervisor."""

    url: str
    app: StandIn
    supervision: Supervision
    addresses: Mapping[str, str]

    async def reset(self) -> None:
        """The world as seeded, nobody's clicks, an empty audit log."""
        await self.app.reset()
        self.supervision.reset()

    def at(self, user: str, channel: str = "", **more: str) -> str:
        """The page's address with somebody acting in a conversation."""
        where = {"user": user, "channel": channel or f"D{user[1:]}", **more}
        return f"{self.url}/#{'&'.join(f'{key}={value}' for key, value in where.items())}"

    async def asks(self, page: Page) -> None:
        """Open the page on a card that waits for Dana."""
        await self.app.ask()
        await page.goto(self.at(DANA))

    async def hints(self, page: Page) -> Locator:
        """The same, with the hints."""
        await self.asks(page)
        await self.tour(page)
        return page.locator(".hint-strip")

    async def tour(self, page: Page) -> None:
        """Ask for the hints."""
        await page.get_by_role("button", name="Help").click()
        await page.get_by_role("button", name="Show the tour").click()


@contextlib.asynccontextmanager
async def stage() -> AsyncGenerator[Stage]:
    """Everything served inside this event loop, on ports of its own."""
    supervision = Supervision(Clock().now().isoformat())
    async with contextlib.AsyncExitStack() as stack:
        addresses: dict[str, Any] = {
            "slack": await stack.enter_async_context(Served(build_slack())),
            "google": await stack.enter_async_context(Served(build_google())),
            "supervisor": await stack.enter_async_context(Served(supervision.app())),
        }
        app = StandIn(slack=addresses["slack"], google=addresses["google"], supervision=supervision)
        await stack.enter_async_context(app)
        page = await stack.enter_async_context(Served(build_page(addresses)))
        yield Stage(url=page, app=app, supervision=supervision, addresses=addresses)


DANA, MARA = people.DANA.user_id, people.MARA.user_id
