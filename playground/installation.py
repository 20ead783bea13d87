"""What the playground's agent is installed with: agents, a constitution that lists them, and repositories."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from playground import sample_repositories
from playground.errors import NoFolder

AGENTS = Path(__file__).parent / "agents"
DEFINITIONS, POLICIES, REPOSITORIES = "AGENTS_DIR", "POLICIES_DIR", "REPOSITORIES_DIR"
_LIST = "agents:\n"
_NOT_READ = ("_", ".", "README")
_NAME = re.compile(r"^[\s{]*[\"']?name[\"']?\s*:\s*[\"']?([a-z][a-z0-9_]*)", re.M)


def laid_out(folder: Path, *, root: Path, person: Mapping[str, str]) -> Mapping[str, str]:
    """The variables that name them. A person's own folders take the place of ours. Without their policies the
    constitution is the shipped one with the agents of their folder, and is written into this folder.
    """
    agents = _own(person, DEFINITIONS) or AGENTS
    policies = _own(person, POLICIES)
    if policies is None:
        policies = folder / "policies"
        policies.mkdir(exist_ok=True)
        shipped = (root / "policies" / "constitution.md").read_text(encoding="utf-8")
        names = [f"  - {name}\n" for name in dict.fromkeys(_names(agents))]
        listed = "".join(name for name in names if name not in shipped)
        (policies / "constitution.md").write_text(shipped.replace(_LIST, _LIST + listed, 1), encoding="utf-8")
    repositories = _own(person, REPOSITORIES) or sample_repositories.laid_out(folder / "repositories")
    return {DEFINITIONS: str(agents), POLICIES: str(policies), REPOSITORIES: str(repositories)}


def _own(person: Mapping[str, str], name: str) -> Path | None:
    """A folder that their environment names, from wherever they stand. Raises `NoFolder`: the agent would only say so
    after it was started.
    """
    if not person.get(name):
        return None
    folder = Path(person[name]).expanduser().absolute()
    if not folder.is_dir():
        raise NoFolder(name, folder)
    return folder


def _names(agents: Path) -> Iterable[str]:
    """The names that the files of a folder give their agents. What is wrong with a file the agent says itself."""
    for file in sorted(agents.iterdir()):
        is_read = file.is_file() and not file.name.startswith(_NOT_READ)
        if is_read and (found := _NAME.search(file.read_text(encoding="utf-8", errors="replace"))):
            yield found[1]
