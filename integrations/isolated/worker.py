"""A process of its own that answers questions and is kept warm: a hostile one costs its budget and nothing else."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from typing import Self

from integrations.errors import IntegrationError
from integrations.isolated.child import FAILED, HEAD, framed
from integrations.isolated.process import end, pipes, start

IDLE_SECONDS = 300.0


class Unanswered(IntegrationError):
    """The question takes too long, or cannot be answered at all."""


class Worker:
    """Asks a module of ours (`child.serve`), one question at a time. Its process starts with the first one, and ends
    when none came for a while.

    An answer may take `cpu` seconds of the processor's time, and `wall` seconds until it is there. Inert until `async
    with`; leaving it ends the process.
    """

    def __init__(self, module: str, *, cpu: float, wall: float, idle: float = IDLE_SECONDS) -> None:
        self._module = module
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
        """The process that answers now; None where there is none."""
        return self._process.pid if self._process and self._process.returncode is None else None

    @property
    def is_idle(self) -> bool:
        """Whether no question is being answered."""
        return not self._turn.locked()

    async def answer(self, question: str) -> str:
        """What the process says; raises `Unanswered` for a question that takes more than its budget."""
        return (await self.timed_answer(question))[0]

    async def timed_answer(self, question: str) -> tuple[str, float]:
        """The same, and the seconds of the processor's time that it took."""
        async with self._turn:
            if not self._is_open:
                raise RuntimeError(f"{self._module} is used outside `async with`")
            try:
                async with asyncio.timeout(self._wall):
                    answer = await self._ask(framed(question))
            except (TimeoutError, OSError, EOFError):  # it ended, or does not answer
                await self._end()
                raise Unanswered from None
            except BaseException:  # cancelled: nobody waits for the answer that is on its way
                await self._end()
                raise
            self._rest()
        if answer is None:
            raise Unanswered
        return answer

    async def _ask(self, question: bytes) -> tuple[str, float] | None:
        to, back = pipes(await self._ready())
        to.write(question)
        await to.drain()
        length, seconds = HEAD.unpack(await back.readexactly(HEAD.size))
        return None if length == FAILED else ((await back.readexactly(length)).decode(), seconds)

    async def _ready(self) -> Process:
        """The process, started where there is none that still answers."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        process = self._process
        if process is not None and process.returncode is None and not pipes(process)[0].is_closing():
            return process
        await self._end()
        self._process = await start(self._module, str(self._cpu))
        return self._process

    def _rest(self) -> None:
        """Let the process end by itself when no question comes for a while: its input ends."""
        if self._process is not None:
            to, _ = pipes(self._process)
            self._idle_timer = asyncio.get_running_loop().call_later(self._idle, to.close)

    async def _end(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        process, self._process = self._process, None
        if process is not None:
            await end(process)
