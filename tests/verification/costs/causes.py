"""Who causes a statement: the task that makes it, or the nearest named one that began it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

_UNNAMED = re.compile(r"Task-\d+")
_ID = re.compile(r"(?<![a-z])[a-z]+_[0-9a-v]{20,}|\d+")


class Causes:
    """Remembers which task began which."""

    def __init__(self) -> None:
        self._began: WeakKeyDictionary[asyncio.Task[Any], asyncio.Task[Any] | None] = WeakKeyDictionary()

    def of(self, task: asyncio.Task[Any] | None) -> str:
        """The name of the nearest named task, without ids; empty where none of them has a name."""
        while task is not None and _UNNAMED.fullmatch(task.get_name()):
            task = self._began.get(task)
        return "" if task is None else _ID.sub("#", task.get_name())

    def current(self) -> str:
        """That of the running task."""
        return self.of(asyncio.current_task())

    @contextmanager
    def noted(self) -> Generator[None]:
        """The running loop's new tasks are remembered until the block ends."""
        loop = asyncio.get_running_loop()

        def made(loop: asyncio.AbstractEventLoop, work: Any, **given: Any) -> asyncio.Task[Any]:
            task = asyncio.Task(work, loop=loop, **given)
            self._began[task] = asyncio.current_task(loop)
            return task

        before = loop.get_task_factory()
        loop.set_task_factory(made)
        try:
            yield
        finally:
            loop.set_task_factory(before)
