"""Items of a list from outside. One that cannot be read costs itself a line, never the list.

Anybody can send a mail or an invitation. Were the whole list refused for one of them, its author would blind the agent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

import structlog

from integrations.errors import ToolError

T = TypeVar("T")
R = TypeVar("R")

NOT_READ = "could not be read"

log = structlog.get_logger()


def each_read(items: Iterable[T], read: Callable[[T], R], *, unread: Callable[[T], R]) -> list[R]:
    """What `read` makes of each item; what `unread` makes of one that it fails for. A `ToolError` is raised."""
    return [_read(item, read, unread) for item in items]


def all_read(items: Iterable[T], read: Callable[[T], R]) -> tuple[list[R], int]:
    """What `read` makes of those items that it does not fail for, and how many it failed for."""
    made = each_read(items, lambda item: [read(item)], unread=lambda _: list[R]())
    return [one for ones in made for one in ones], sum(not ones for ones in made)


async def read_or(unread: R, read: Awaitable[R]) -> R:
    """The same for one item that takes a while."""
    try:
        return await read
    except ToolError:
        raise
    except Exception:  # whatever somebody else's text does to our code
        log.exception("item.unreadable")
        return unread


def _read(item: T, read: Callable[[T], R], unread: Callable[[T], R]) -> R:
    try:
        return read(item)
    except ToolError:
        raise
    except Exception:  # whatever somebody else's text does to our code
        log.exception("item.unreadable")
        return unread(item)
