"""Repositories in a folder, read by a process of its own that is kept warm: a hostile one costs its budget only."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter

from integrations.isolated.worker import IDLE_SECONDS, Unanswered, Worker
from integrations.ports import RepositoryProblem, RepositorySummary

CPU_SECONDS = 5.0
"""Of the processor's time, for one look."""
WALL_SECONDS = 20.0
"""Until it is done, on a machine that does other work."""

ANSWERS = TypeAdapter[RepositorySummary | RepositoryProblem](RepositorySummary | RepositoryProblem)
NOT_SET_UP = (
    "There are no repositories here: REPOSITORIES_DIR is not set. An administrator sets it to the folder that has them."
)
TOO_LONG = "Reading the repository takes too long, or its files are damaged. `git fsck` and `git gc` tell and help."

_PROCESS = "integrations.repository.process"


class FolderRepositories:
    """The repositories below a folder; without one there are none. Implements `RepositoryView`.

    Inert until `async with`; leaving it ends the process.
    """

    def __init__(
        self, root: Path | None, *, cpu: float = CPU_SECONDS, wall: float = WALL_SECONDS, idle: float = IDLE_SECONDS
    ) -> None:
        self._root = root.absolute() if root else None
        self._worker = Worker(_PROCESS, cpu=cpu, wall=wall, idle=idle)

    async def __aenter__(self) -> Self:
        await self._worker.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._worker.__aexit__()

    @property
    def pid(self) -> int | None:
        """The process that reads now; None where there is none."""
        return self._worker.pid

    async def names(self) -> Sequence[str]:
        """The folders right below it, in order; none where it cannot be looked at."""
        return await asyncio.to_thread(_folders, self._root) if self._root else ()

    async def view(self, repo_url: str) -> RepositorySummary | RepositoryProblem:
        """What there is to say of a repository: its name, its path or a `file:` URL."""
        if self._root is None:
            return RepositoryProblem(why=NOT_SET_UP)
        question = json.dumps({"root": str(self._root), "repo_url": repo_url})
        try:
            return ANSWERS.validate_json(await self._worker.answer(question))
        except Unanswered:
            return RepositoryProblem(why=TOO_LONG)


def _folders(root: Path) -> Sequence[str]:
    """Those with a name that people can read and write."""
    try:
        with os.scandir(root) as entries:
            found = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return ()
    return sorted(name for name in found if name.isprintable() and not name.startswith("."))
