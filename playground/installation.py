"""What the playground's agent is installed with: agents, a constitution that lists them, and repositories."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from playground import sample_repositories

AGENTS = Path(__file__).parent / "agents"
_LIST = "agents:\n"


def laid_out(folder: Path, *, root: Path) -> Mapping[str, str]:
    """The variables that name them. The constitution is the shipped one, and is written into this folder."""
    shipped = (root / "policies" / "constitution.md").read_text(encoding="utf-8")
    listed = "".join(f"  - {file.stem}\n" for file in sorted(AGENTS.glob("*.yaml")))
    policies = folder / "policies"
    policies.mkdir(exist_ok=True)
    (policies / "constitution.md").write_text(shipped.replace(_LIST, _LIST + listed, 1), encoding="utf-8")
    repositories = sample_repositories.laid_out(folder / "repositories")
    return {"AGENTS_DIR": str(AGENTS), "POLICIES_DIR": str(policies), "REPOSITORIES_DIR": str(repositories)}
