"""`countersign run`: the service, from its start to a signal.

The first SIGTERM or SIGINT ends the process in order: intake stops, effects under way may end, model calls are
cancelled. A second signal, or the end of the grace period, ends it at once. Nothing is lost, because no state
is only in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Coroutine
from typing import Any, NoReturn

import click
import structlog

from bot.commands import heap
from bot.commands.event_loop import new_event_loop
from bot.commands.terminal import settled, to_its_end
from bot.settings import Settings
from bot.wiring.store import refuse_a_playgrounds

log = structlog.get_logger()

READY_VARIABLE = "COUNTERSIGN_READY_LINE"
LEAVING_SECONDS = 9.0
"""Service managers wait ten seconds before they kill a service."""


@click.command()
def run() -> None:
    """Run the bot: connect to Slack and work until it is stopped.

    SIGTERM and Ctrl-C end it within ten seconds and lose nothing; a second one ends it at once.
    """
    settings = settled(complete=True)
    to_its_end(_until_stopped(serve(settings, announce=READY_VARIABLE in os.environ)), loop=new_event_loop)


async def serve(settings: Settings, *, announce: bool) -> None:
    """Serve until a part dies, which raises. `announce`: say on stdout that it is ready."""
    if not announce:  # else it is the playground that starts it
        refuse_a_playgrounds(settings)
    async with contextlib.AsyncExitStack() as stack:
        with heap.built():
            from bot.wiring.app import running  # Slack's and Gemini's libraries take a second, other commands need none

            bot = await stack.enter_async_context(running(settings))
        if announce:
            click.echo(json.dumps({"ready": "bot", "url": bot.url}))
            sys.stdout.flush()
        await bot.until_a_part_dies()


async def _until_stopped(work: Coroutine[Any, Any, None]) -> int:
    """Run the work until it ends or a signal comes; the status."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()

    def leave(number: signal.Signals) -> None:
        log.info("service.leaves", signal=number.name)
        loop.add_signal_handler(number, _at_once, 128 + number)
        for other in {signal.SIGTERM, signal.SIGINT} - {number}:
            loop.add_signal_handler(other, _at_once, 128 + other)
        _end_soon()
        task.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, leave, number)
    try:
        await task
    except asyncio.CancelledError:
        return 0
    return 1


def _end_soon() -> None:
    """End the process even if something, such as a blocking call to Google, still holds it then."""
    timer = threading.Timer(LEAVING_SECONDS, _at_once, [0])
    timer.daemon = True
    timer.start()


def _at_once(status: int) -> NoReturn:
    log.warning("service.left_at_once", status=status)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
