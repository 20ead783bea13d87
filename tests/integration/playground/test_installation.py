"""The playground's installation, with the process that reads its repositories."""

from __future__ import annotations

from pathlib import Path

from bot.settings import Settings
from bot.wiring import tools
from integrations.ports import RepositorySummary
from integrations.repository.view import NO_ISSUES
from playground import installation
from playground.programs import ROOT


async def test_plans_can_be_made_from_a_repository(tmp_path: Path) -> None:
    made = installation.laid_out(tmp_path, root=ROOT, person={})
    async with tools.repositories_of(Settings(repositories_dir=made["REPOSITORIES_DIR"])) as repositories:
        assert await repositories.names() == ["customer-visits"]
        found = await repositories.view("customer-visits")
    assert isinstance(found, RepositorySummary)
    assert (found.branch, list(found.missing)) == ("main", [NO_ISSUES])
    assert "checklists/before.md" in found.paths
