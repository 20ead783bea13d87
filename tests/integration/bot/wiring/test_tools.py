"""The tools and repositories of this bot, with the process that reads repositories."""

from __future__ import annotations

from pathlib import Path

from bot.settings import Settings
from bot.wiring.tools import repositories_of
from integrations.ports import RepositoryProblem, RepositorySummary
from integrations.repository.client import NOT_SET_UP
from tests import git_repositories as make


async def test_repositories_lie_in_their_folder(tmp_path: Path) -> None:
    """Without REPOSITORIES_DIR there are none, and that is said when one is asked for."""
    make.repository(tmp_path / "website", {"README.md": b"# Website\n"})
    async with repositories_of(Settings(repositories_dir=str(tmp_path))) as repositories:
        assert isinstance(await repositories.view("website"), RepositorySummary)
    async with repositories_of(Settings()) as repositories:
        assert await repositories.view("website") == RepositoryProblem(why=NOT_SET_UP)
