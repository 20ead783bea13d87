"""The playground with its page, for a person who watches until they stop it."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import webbrowser
from typing import Never

from playground.control import Control
from playground.opening import open_scene
from playground.options import Options
from playground.serve import Served
from playground.supervisor import Supervisor
from playground.terminal import Terminal


async def show(supervisor: Supervisor, options: Options, terminal: Terminal) -> Never:
    """Serves the page on the opening scene until cancelled."""
    async with Served(Control(supervisor).app()) as control:
        try:
            page = asyncio.create_task(supervisor.start_page(supervisor=control, port=options.port), name="start-page")
            opened = await open_scene(supervisor.addresses.slack)
            terminal.welcome(await page, supervisor.model, opened)
            if options.browser:
                open_browser(await page)
            await asyncio.Event().wait()
            raise AssertionError("nobody sets this event")
        finally:
            supervisor.changes.close()


def open_browser(page: str) -> None:
    """Opens the page if there is a screen; a text browser would take over the terminal."""
    has_screen = sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if has_screen:
        threading.Thread(target=webbrowser.open, args=(page,), name="open-browser", daemon=True).start()
