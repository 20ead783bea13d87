"""What a program does once before it forks bots, so that none of them does it again: late imports, Google's documents.

A bot that is forked afterwards is ready in a third of the time. The garbage collector leaves alone what is there by
then: walking through it would copy the parent's memory, page by page.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from google.genai import Client
from googleapiclient import discovery

from integrations.google.discovery import Services

_LATE = (
    "anyio._backends._asyncio",
    "apscheduler.executors.asyncio",
    "bot.store.migrate",
    "bot.store.postgresql",
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
    gc.collect()
    gc.freeze()


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
