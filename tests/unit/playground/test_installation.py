"""The playground's installation: its agents can be used, and else it is as shipped."""

from __future__ import annotations

from pathlib import Path

from bot.settings import Settings
from bot.wiring import tools
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


def test_it_is_laid_out_again(tmp_path: Path) -> None:
    """A later start finds the folder there."""
    assert installation.laid_out(tmp_path, root=ROOT) == installation.laid_out(tmp_path, root=ROOT)
