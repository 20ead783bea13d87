"""What a program does once before it forks bots, so that none of them does it again: late imports, Google's documents.

A bot that is forked afterwards is ready in a third of the time. The garbage collector leaves alone what is there by
then: walking through it would copy the parent's memory, page by page.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import select
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from google.genai import Client
from googleapiclient import discovery
from pydantic import SecretStr

from bot.agents import reader
from bot.secrets import new_key
from integrations.base import ToolArgs
from integrations.google.discovery import Services
from playground.people import DANA
from tests import dialects

_LATE = (
    "anyio._backends._asyncio",
    "apscheduler.executors.asyncio",
    "bot.store.schema",
    "bot.store.engine.postgresql",
    "slack_bolt.listener_matcher.async_listener_matcher",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.h11_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
"""Modules that are imported while a bot starts."""


def warm() -> None:
    """Import, and keep."""
    for name in _LATE:
        import_module(name)
    Client(api_key="none")
    _build_once()
    _describe_once()
    _define_once()
    gc.collect()
    gc.freeze()


def practise(database_url: str = "") -> None:
    """Let a bot of this process answer one request: what it compiles and reads for that is there for all the others.

    On a PostgreSQL that nobody uses, if there is one: else on SQLite.
    """
    dialects.share()
    with _ending_with_stdin():
        _practise(database_url)
    gc.collect()
    gc.freeze()
    seldom_collected()


def seldom_collected() -> None:
    """Whoever lives for minutes need not look for cycles with every 700 objects: that is a twelfth of what it does."""
    gc.set_threshold(50_000, 20, 100)


@contextmanager
def _ending_with_stdin() -> Generator[None]:
    """Practising takes a while, and nobody reads stdin meanwhile: its end is the end of everything here."""
    over = threading.Event()

    def watch() -> None:
        polled = select.poll()
        polled.register(0, 0)  # told is its end only
        while not over.is_set():
            if polled.poll(200):
                os.killpg(0, signal.SIGKILL)

    thread = threading.Thread(target=watch, name="stdin", daemon=True)
    thread.start()
    yield
    over.set()
    thread.join()


def _practise(database_url: str) -> None:
    said = os.dup(1)  # stdout is for those who ask for bots
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    asyncio.run(_one_request(database_url))
    os.dup2(said, 1)
    os.close(said)


async def _one_request(database_url: str) -> None:
    from tests.acceptance.world import APPROVE, connect, world  # with all of the emulators

    with TemporaryDirectory() as name:
        async with world(Path(name)) as here:
            if database_url:
                other = {"database_url": database_url, "encryption_keys": SecretStr(new_key())}
                here.settings = here.settings.model_copy(update=other)
            bot = await here.start_bot()
            if database_url:
                await connect(bot.base, DANA)
            await here.say(DANA, f"[[call: gmail_send {json.dumps(_MAIL)}]]")
            (card,) = await here.card_in(here.dm_of(DANA))
            await here.click(DANA, card, APPROVE)
            await here.answer_in(here.dm_of(DANA), "Done.")


_MAIL = {"to": ["helen.marsh@marshgardens.example"], "subject": "Practice", "body": "Ready."}


def warm_for(google_url: str | None) -> None:
    """Read Google's documents as they are for this address, once."""
    _read(google_url)


@cache
def _read(google_url: str | None) -> None:
    Services(api_root_url=google_url).open()
    gc.freeze()


def _build_once() -> None:
    """The services of one address are the same in every bot."""
    untyped: Any = discovery
    build: Callable[..., Any] = untyped.build_from_document
    built: dict[str, Any] = {}

    def build_from_document(document: Any, **options: Any) -> Any:
        key = json.dumps(document, sort_keys=True)
        if key not in built:
            built[key] = build(document, **options)
        return built[key]

    untyped.build_from_document = build_from_document


def _define_once() -> None:
    """The file of an agent that has not changed says the same to every bot."""
    files: Any = reader
    plain = reader.read_file

    @cache
    def read(path: Path, _changed: int, _size: int) -> reader.DefinitionSource:
        return plain(path)

    def read_file(path: Path) -> reader.DefinitionSource:
        seen = path.stat()
        return read(path, seen.st_mtime_ns, seen.st_size)

    files.read_file = read_file


def _describe_once() -> None:
    """What a tool takes is the same in every bot."""
    args: Any = ToolArgs
    described = cache(args.model_json_schema.__func__)
    args.model_json_schema = classmethod(described)
