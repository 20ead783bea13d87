"""Peers that can be measured beside ours: each in an environment of its own under `.bench/`, made when it is wanted."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.verification.benchmarks.processes import ROOT

_FOLDER = ROOT / ".bench"
_DONE = ".installed"


class NotToBeHad(Exception):
    """It cannot be installed here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A library with a loop of its own; `contestants/peers/with_….py` plays it."""

    name: str
    module: str
    packages: Sequence[str]


ADK = Peer(
    name="google-adk, database sessions",
    module="adk",
    packages=["google-adk==2.13.0", "sqlalchemy[asyncio]>=2", "aiosqlite"],
)
PEERS = (
    ADK,
    Peer(name="pydantic-ai", module="pydantic_ai", packages=["pydantic-ai-slim[google]==2.68.0"]),
    Peer(name="openai-agents, SQLite session", module="openai_agents", packages=["openai-agents==0.24.0"]),
)


async def python_of(peer: Peer) -> Path:
    """The interpreter of the peer's environment, made if need be. Raises `NotToBeHad`."""
    folder = _FOLDER / peer.module
    python = folder / "bin" / "python"
    wanted = "\n".join(peer.packages)
    done = folder / _DONE
    if await asyncio.to_thread(_has, done, wanted):
        return python
    await _run([sys.executable, "-m", "venv", "--clear", str(folder)])
    await _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.packages])
    await asyncio.to_thread(done.write_text, wanted)
    return python


def has(peer: Peer) -> bool:
    """Whether the peer's environment is there."""
    return _has(_FOLDER / peer.module / _DONE, "\n".join(peer.packages))


def _has(done: Path, wanted: str) -> bool:
    return done.exists() and done.read_text() == wanted


async def _run(command: Sequence[str]) -> None:
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    try:
        _, complaints = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        raise NotToBeHad(
            complaints.decode(errors="replace").strip().splitlines()[-1] if complaints else "no reason given"
        )
