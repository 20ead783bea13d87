"""The playground's installation: its agents can be used, and else it is as shipped."""

from __future__ import annotations

from pathlib import Path

from bot.settings import Settings
from bot.wiring import tools
from integrations.ports import Repository
from integrations.repository.view import NO_ISSUES
from playground import installation
from playground.programs import ROOT
from policies import loader


def test_its_agents_are_listed_and_lack_nothing(tmp_path: Path) -> None:
    """The constitution is the shipped one, with the playground's agents; an approval holds under both."""
    made = installation.laid_out(tmp_path, root=ROOT)
    settings = Settings(agents_dir=made["AGENTS_DIR"], policies_dir=made["POLICIES_DIR"])
    policy, shipped = tools.policy_of(settings), loader.load()
    assert list(policy.agents) == ["mail_clerk", *shipped.agents]
    assert (policy.version, policy.constitution) == (shipped.version, shipped.constitution)
    assert "mail_clerk" in {definition.name for definition in tools.agents_of(settings)}


async def test_plans_can_be_made_from_a_repository(tmp_path: Path) -> None:
    made = installation.laid_out(tmp_path, root=ROOT)
    async with tools.repositories_of(Settings(repositories_dir=made["REPOSITORIES_DIR"])) as repositories:
        assert await repositories.names() == ["customer-visits"]
        found = await repositories.view("customer-visits")
    assert isinstance(found, Repository)
    assert (found.branch, list(found.missing)) == ("main", [NO_ISSUES])
    assert "checklists/before.md" in found.paths


def test_it_is_laid_out_again(tmp_path: Path) -> None:
    """A later start finds the folders there."""
    assert installation.laid_out(tmp_path, root=ROOT) == installation.laid_out(tmp_path, root=ROOT)
