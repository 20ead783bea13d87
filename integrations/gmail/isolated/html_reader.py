"""HTML as text, read by a process of its own that is kept warm: hostile HTML costs its budget and nothing else."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from typing import Self

from integrations.errors import IntegrationError
from integrations.gmail.isolated.child import FAILED, LENGTH, READ, UNPAINTED, framed
from integrations.gmail.isolated.process import end, pipes, start

PAGE_LENGTH = 300_000
CPU_SECONDS = 0.1
"""Of the processor's time, for one page. A newsletter of 100 kB takes a fifth of it."""
WALL_SECONDS = 10.0
"""Until an answer, on a machine that does other work: a process that waits uses no time of the processor."""
IDLE_SECONDS = 300.0

_PROCESS = "integrations.gmail.isolated.html_process"


class HtmlUnreadable(IntegrationError):
    """This HTML takes too long to be read, or cannot be read at all."""


class HtmlReader:
    """Reads pages, one at a time. The process starts with the first page, and ends when none came for a while.

    Inert until `async with`; leaving it ends the process.
    """

    def __init__(self, *, cpu: float = CPU_SECONDS, wall: float = WALL_SECONDS, idle: float = IDLE_SECONDS) -> None:
        self._cpu = cpu
        self._wall = wall
        self._idle = idle
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._idle_timer: asyncio.TimerHandle | None = None
        self._is_open = False

    async def __aenter__(self) -> Self:
        self._is_open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        async with self._turn:
            self._is_open = False
            await self._end()

    @property
    def pid(self) -> int | None:
        """The process that reads now; None where there is none."""
        return self._process.pid if self._process and self._process.returncode is None else None

    @property
    def is_idle(self) -> bool:
        """Whether no page is being read."""
        return not self._turn.locked()

    async def text(self, html: str) -> str:
        """What a person would read; raises `HtmlUnreadable` for a page that takes more than its budget."""
        return await self._answer(READ, html)

    async def unpainted(self, html: str) -> tuple[str, list[str], str, list[str]]:
        """Its text that nobody sees, the addresses in it that its text does not show, its painted text as written, with
        the characters that nobody sees, and why other words may be painted; raises as `text`.
        """
        answer = (await self._answer(UNPAINTED, html)).split("\0", 3)
        hidden, addresses, additions, written = answer if len(answer) == 4 else ("", "", "", "")
        return hidden, addresses.splitlines(), written, additions.splitlines()

    async def _answer(self, asked: str, html: str) -> str:
        if not html.strip():
            return ""
        async with self._turn:
            if not self._is_open:
                raise RuntimeError("the HTML reader is used outside `async with`")
            try:
                async with asyncio.timeout(self._wall):
                    answer = await self._ask(framed(asked + html[:PAGE_LENGTH]))
            except (TimeoutError, OSError, EOFError):  # it ended, or does not answer
                await self._end()
                raise HtmlUnreadable from None
            except BaseException:  # cancelled: nobody waits for the answer that is on its way
                await self._end()
                raise
            self._rest()
        if answer is None:
            raise HtmlUnreadable
        return answer

    async def _ask(self, page: bytes) -> str | None:
        to, back = pipes(await self._ready())
        to.write(page)
        await to.drain()
        (length,) = LENGTH.unpack(await back.readexactly(LENGTH.size))
        return None if length == FAILED else (await back.readexactly(length)).decode()

    async def _ready(self) -> Process:
        """The process, started where there is none that still reads."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        process = self._process
        if process is not None and process.returncode is None and not pipes(process)[0].is_closing():
            return process
        await self._end()
        self._process = await start(_PROCESS, str(self._cpu))
        return self._process

    def _rest(self) -> None:
        """Let the process end by itself when no page comes for a while: its input ends."""
        if self._process is not None:
            to, _ = pipes(self._process)
            self._idle_timer = asyncio.get_running_loop().call_later(self._idle, to.close)

    async def _end(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        process, self._process = self._process, None
        if process is not None:
            await end(process)
