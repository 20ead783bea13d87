"""Repositories below a folder, read by a process of its own: bounded, replaced, and told apart from our secrets."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from integrations.ports import RepositoryProblem, RepositorySummary
from integrations.repository.client import NOT_SET_UP, TOO_LONG, FolderRepositories
from integrations.repository.layout import NO_REPOSITORY
from tests import git_repositories as make

FILES: make.Files = {"README.md": b"# Website \xf0\x9f\x8f\xa0\n", "AGENT.md": b"x" * 5_000_000}


def environment_of(pid: int | None) -> list[bytes]:
    """The names of what a process has in its environment."""
    given = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return [each.partition(b"=")[0] for each in given if each]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make.repository(tmp_path / "root/website", FILES)
    return tmp_path / "root"


@pytest.fixture
async def repositories(root: Path) -> AsyncGenerator[FolderRepositories]:
    async with FolderRepositories(root) as repositories:
        yield repositories


async def test_a_repository_is_read(repositories: FolderRepositories) -> None:
    """By one process, which stays; it has the way to our modules in its environment, and nothing else."""
    assert repositories.pid is None
    seen = await repositories.view("website")
    assert isinstance(seen, RepositorySummary)
    assert seen.head is not None
    assert (seen.branch, seen.head.at, seen.readme) == ("main", make.AT, "# Website 🏠\n")
    assert seen.missing[0] == "AGENT.md has 5,000,000 bytes, of which the first 16,000 were read."
    first = repositories.pid
    assert await repositories.view("file:website") == seen
    assert repositories.pid == first is not None
    assert environment_of(first) == [b"PYTHONPATH"]


async def test_the_folders_are_its_names(root: Path, repositories: FolderRepositories) -> None:
    """What is hidden, a link, a file, or has a name that nobody can write is left out."""
    for name in (".hidden", "zoo", "line\nend", "half\udc80"):
        (root / name).mkdir()
    (root / "file").write_text("")
    (root / "link").symlink_to(root / "website")
    assert await repositories.names() == ["website", "zoo"]
    async with FolderRepositories(root / "gone") as none:
        assert list(await none.names()) == []


async def test_without_a_folder_there_are_none() -> None:
    """The cure is said, and no process is started."""
    async with FolderRepositories(None) as repositories:
        assert await repositories.view("website") == RepositoryProblem(why=NOT_SET_UP)
        assert list(await repositories.names()) == []
        assert repositories.pid is None


async def test_why_it_cannot_be_read_is_said(root: Path, repositories: FolderRepositories) -> None:
    """Of any text that a person gives; the next one is read."""
    (root / "notes").mkdir()
    assert await repositories.view("notes") == RepositoryProblem(why=NO_REPOSITORY)
    for odd in ("", "\0", "\ud800", "x" * 1_000_000, "/" * 1_000_000, '{"root": "/"}'):
        assert isinstance(await repositories.view(odd), RepositoryProblem)
    assert isinstance(await repositories.view("website"), RepositorySummary)


async def test_a_relative_folder_is_that_of_the_start(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As its setting may name it."""
    monkeypatch.chdir(root.parent)
    repositories = FolderRepositories(Path("root"))
    monkeypatch.chdir("/")
    async with repositories:
        assert isinstance(await repositories.view(f"file://{root}/website"), RepositorySummary)


async def test_one_that_takes_too_long_costs_its_budget(root: Path) -> None:
    """Its process is ended, also inside the library; the next one is read by another."""
    git = make.repository(root / "slow", {})
    blob = make.raw_object(git, b"blob", b"")
    tree = make.raw_tree(git, [("100644", b"%07d" % n, blob) for n in range(400_000)])
    make.raw_commit(git, tree)
    async with FolderRepositories(root, cpu=0.1) as repositories:
        assert isinstance(await repositories.view("notes"), RepositoryProblem)
        first = repositories.pid
        assert await repositories.view("slow") == RepositoryProblem(why=TOO_LONG)
        assert repositories.pid is None
        assert await repositories.view("notes") != RepositoryProblem(why=TOO_LONG)
        assert repositories.pid not in {None, first}


async def test_the_loop_goes_on_meanwhile(repositories: FolderRepositories) -> None:
    """Nothing else waits for a repository."""
    reading, turns = asyncio.create_task(repositories.view("website")), 0
    while not reading.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 100


async def test_it_ends_with_its_owner(root: Path) -> None:
    """No process is left."""
    async with FolderRepositories(root) as repositories:
        await repositories.view("website")
        pid = repositories.pid
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_start_loads_no_library_for_it() -> None:
    """dulwich is loaded by the process that reads, not by the bot."""
    program = "import sys, bot.wiring.app; print(any(name.startswith('dulwich') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
