"""A dispatcher that serves nobody: tests serve by hand."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class Nobody:
    """Notes which threads were to be woken, and which of them in this process, and wakes none."""

    closing: bool = False
    woken: list[str] = field(default_factory=list[str])
    woken_here: list[str] = field(default_factory=list[str])

    def wake(self, thread_id: str, *, here: bool = False) -> None:
        self.woken.append(thread_id)
        if here:
            self.woken_here.append(thread_id)

    def expect(self, thread_id: str) -> bool:
        return False

    def is_expected(self, thread_id: str) -> bool:
        return False


@dataclass(slots=True)
class OneThread(Nobody):
    """Wakes who serves the only thread of a test, as the product's dispatcher does."""

    serving: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self, thread_id: str, *, here: bool = False) -> None:
        Nobody.wake(self, thread_id, here=here)
        self.serving.set()
