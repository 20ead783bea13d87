"""Processes of a benchmark: each in a session of its own, ended with the benchmark however that ends.

Ctrl+C reaches the benchmark alone, which then ends them; and each of them ends by itself when its stdin does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
_TICKS = os.sysconf("SC_CLK_TCK")
_ENDING_SECONDS = 5.0
_LINE_BYTES = 1 << 20


class Ended(Exception):
    """A process ended, or said nothing, where an answer was expected."""


@dataclass(frozen=True, slots=True)
class Child:
    """A process that speaks lines of JSON."""

    name: str
    process: Process

    @property
    def pid(self) -> int:
        return self.process.pid

    async def line(self, *, within: float = 600.0) -> dict[str, Any]:
        """The next line of JSON that it says; other lines are passed over. Raises `Ended`."""
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(within):
                while said := await self.process.stdout.readline():
                    if said.startswith(b"{"):
                        return json.loads(said)
        except TimeoutError:
            raise Ended(f"{self.name} said nothing for {within:.0f} s") from None
        raise Ended(f"{self.name} ended with status {await self.process.wait()}")

    async def ask(self, what: Mapping[str, object], *, within: float = 600.0) -> dict[str, Any]:
        """Its answer to a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what).encode() + b"\n")
        return await self.line(within=within)

    def cpu_seconds(self) -> float:
        """The processor's time that it has had (proc(5), `stat`). Raises `Ended`."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except FileNotFoundError:
            raise Ended(f"{self.name} ended") from None
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def rss_mib(self) -> float:
        """The memory that it has now."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextlib.asynccontextmanager
async def child(
    name: str,
    arguments: Sequence[str],
    *,
    python: Path | str = sys.executable,
    environment: Mapping[str, str] | None = None,
    errors: Path | None = None,
) -> AsyncGenerator[Child]:
    """A Python program with these arguments, until the block ends. What it complains of goes into the file `errors`."""
    with contextlib.ExitStack() as stack:
        complaints = None if errors is None else stack.enter_context(errors.open("ab"))
        process = await asyncio.create_subprocess_exec(
            str(python), *arguments, cwd=ROOT, env=environment, stdin=PIPE, stdout=PIPE, stderr=complaints,
            limit=_LINE_BYTES, start_new_session=True,
        )  # fmt: skip
        try:
            yield Child(name, process)
        finally:
            await asyncio.shield(_end(process))


async def _end(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(_ENDING_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
