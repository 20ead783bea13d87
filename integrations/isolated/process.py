"""Starting and ending the processes that read hostile input: they get none of our secrets."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process


async def start(module: str, *args: str) -> Process:
    """Run a module of ours, its input and output in pipes."""
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module, *args), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment
    )


def pipes(process: Process) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
    """Its input and its output."""
    if process.stdin is None or process.stdout is None:
        raise OSError("the process was started without pipes")
    return process.stdin, process.stdout


async def end(process: Process) -> None:
    """Kill it, unless it has ended, and wait until it is gone.

    Not by `Process.kill`, which looks first whether the process has ended, and takes its exit code away from asyncio.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    await process.wait()
