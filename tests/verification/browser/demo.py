"""`countersign playground` as a person starts it: the command, its address, its end."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import AsyncGenerator
from pathlib import Path

from tests.patience import PATIENCE_SECONDS

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@contextlib.asynccontextmanager
async def demo(data: Path) -> AsyncGenerator[str]:
    """The page's address; the playground keeps its data in that directory and ends with the block."""
    command = (sys.executable, "-m", "bot.cli", "playground", "--no-browser", "--port", "0", "--data", str(data))
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT)
    assert process.stdout is not None
    try:
        yield await asyncio.wait_for(_address(process.stdout), PATIENCE_SECONDS)
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.communicate(), PATIENCE_SECONDS)


async def _address(output: asyncio.StreamReader) -> str:
    said = ""
    while line := (await output.readline()).decode():
        said += line
        if found := ADDRESS.search(line):
            return found[0]
    raise AssertionError(f"the playground ended before it had an address:\n{said}")
