"""A process of its own that answers questions and is kept warm: a hostile one costs its budget and nothing else."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from typing import Self

from integrations.errors import IntegrationError
from integrations.isolated.child import FAILED, HEAD, READY, framed
from integrations.isolated.process import end, pipes, start

IDLE_SECONDS = 300.0
START_SECONDS = 30.0
"""Until a process can answer. It has little to do for that, and takes long where the machine does much else."""


class Unanswered(IntegrationError):
    """The question takes too long, or cannot be answered at all."""


class Late(Unanswered):
    """No answer came in time, and that may be due to the machine: the process did not use up its budget."""


class Worker:
    """Asks a module of ours (`child.serve`), one question at a time. Its process starts with the first one, and ends
    when none came for a while.

    An answer may take `cpu` seconds of the processor's time, and `wall` seconds until it is there, once the process has
    started. Inert until `async with`; leaving it ends the process.
    """

    def __init__(
        self, module: str, *, cpu: float, wall: float, idle: float = IDLE_SECONDS, start: float = START_SECONDS
    ) -> None:
        self._module = module
        self._cpu = cpu
        self._wall = wall
        self._idle = idle
        self._start = start
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
        """What the process says; raises `Unanswered` for a question that takes more than its budget, and `Late`."""
        return (await self.timed_answer(question))[0]

    async def timed_answer(self, question: str) -> tuple[str, float]:
        """The same, and the seconds of the processor's time that it took."""
        async with self._turn:
            if not self._is_open:
                raise RuntimeError(f"{self._module} is used outside `async with`")
            try:
                async with asyncio.timeout(self._start):
                    process = await self._ready()
                async with asyncio.timeout(self._wall):
                    answer = await _asked(process, framed(question))
            except TimeoutError:
                await self._end()
                raise Late from None
            except (OSError, EOFError):  # it ended
                await self._end()
                raise Unanswered from None
            except BaseException:  # cancelled: nobody waits for the answer that is on its way
                await self._end()
                raise
            self._rest()
        if answer is None:
            raise Unanswered
        return answer

    async def _ready(self) -> Process:
        """The process, started where there is none that still answers."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        process = self._process
        if process is not None and process.returncode is None and not pipes(process)[0].is_closing():
            return process
        await self._end()
        self._process = process = await start(self._module, str(self._cpu))
        await pipes(process)[1].readexactly(len(READY))
        return process

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


async def _asked(process: Process, question: bytes) -> tuple[str, float] | None:
    """The answer, and what it took; None where it has none."""
    to, back = pipes(process)
    to.write(question)
    await to.drain()
    length, seconds = HEAD.unpack(await back.readexactly(HEAD.size))
    return None if length == FAILED else ((await back.readexactly(length)).decode(), seconds)
