"""HTML as text, read by a process of its own that is kept warm: hostile HTML costs its budget and nothing else."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import Self

from integrations.errors import IntegrationError
from integrations.isolated.worker import IDLE_SECONDS, Late, Unanswered, Worker

PAGE_LENGTH = 300_000
CPU_SECONDS = 0.1
"""Of the processor's time, for one page. A newsletter of 100 kB takes a fifth of it."""
WALL_SECONDS = 10.0
"""Until an answer, on a machine that does other work: a process that waits uses no time of the processor."""

TRIES = 3
"""For a text that is sent: what was late once may be there the next time."""

MOST_KEPT = 128
"""Pages whose text is kept."""

READ, UNPAINTED = "r", "u"
"""The first letter of a question: what is asked of the page behind it."""
_PROCESS = "integrations.gmail.isolated.html_process"


class HtmlUnreadable(IntegrationError):
    """This HTML takes too long to be read, or cannot be read at all."""


class HtmlLate(HtmlUnreadable):
    """Its text did not come in time, and that may be due to the machine."""


class HtmlReader:
    """Reads pages, one at a time. Inert until `async with`; leaving it ends the process."""

    def __init__(self, *, cpu: float = CPU_SECONDS, wall: float = WALL_SECONDS, idle: float = IDLE_SECONDS) -> None:
        self._worker = Worker(_PROCESS, cpu=cpu, wall=wall, idle=idle)
        self._kept: OrderedDict[str, str] = OrderedDict()

    async def __aenter__(self) -> Self:
        await self._worker.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._worker.__aexit__()

    @property
    def pid(self) -> int | None:
        """The process that reads now; None where there is none."""
        return self._worker.pid

    @property
    def is_idle(self) -> bool:
        """Whether no page is being read."""
        return self._worker.is_idle

    async def text(self, html: str) -> str:
        """What a person would read; raises `HtmlUnreadable` for a page that takes more than its budget."""
        return (await self.timed_text(html))[0]

    async def timed_text(self, html: str) -> tuple[str, float]:
        """The same, and the seconds of the processor's time that it took."""
        return await self._answer(READ, html)

    async def kept_text(self, html: str) -> str:
        """The same of what is read again and again, such as a signature: the answers of the newest pages are kept."""
        text = self._kept.pop(html, None)
        if text is None:
            text = await self._patiently(html)
        self._kept[html] = text
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return text

    async def _patiently(self, html: str) -> str:
        """The same, asked again where it is late: a mail must not lose its signature because the machine is busy."""
        for _ in range(TRIES - 1):
            with suppress(HtmlLate):
                return await self.text(html)
        return await self.text(html)

    async def unpainted(self, html: str) -> tuple[str, list[str], str, list[str]]:
        """Its text that nobody sees, the addresses in it that its text does not show, its painted text as written, with
        the characters that nobody sees, and why other words may be painted; raises as `text`.
        """
        answer, _ = await self._answer(UNPAINTED, html)
        texts = answer.split("\0", 3)
        hidden, addresses, additions, written = texts if len(texts) == 4 else ("", "", "", "")
        return hidden, addresses.splitlines(), written, additions.splitlines()

    async def _answer(self, asked: str, html: str) -> tuple[str, float]:
        if not html.strip():
            return "", 0.0
        try:
            return await self._worker.timed_answer(asked + html[:PAGE_LENGTH])
        except Late:
            raise HtmlLate from None
        except Unanswered:
            raise HtmlUnreadable from None
