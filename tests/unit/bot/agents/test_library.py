"""Definitions side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.agents import library
from bot.agents.library import SHIPPED, Library
from bot.wiring.tools import known_contracts
from tests.unit.bot.agents.test_bad_files import GOOD
from tests.unit.bot.agents.test_reader import SPECIFIED

TOOLS = frozenset({"gmail_search"})


def load(folder: Path, **tools: str) -> Library:
    """A library of agents, each with these tools."""
    for name, listed in tools.items():
        text = GOOD.replace("name: scout", f"name: {name}").replace("[gmail_search]", listed)
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return library.load(library.files_of(folder), TOOLS)


def said(found: Library) -> list[str]:
    """Each problem with its file's own name and line."""
    return [f"{Path(problem.file).name}:{problem.line}: {problem.what}" for problem in found.problems]


def test_the_shipped_agents_are_available():
    """What is shipped is valid, and lacks none of the tools there are."""
    found = library.load(library.files_of(SHIPPED), known_contracts().keys())
    assert found.problems == []
    assert {name: entry.lacks for name, entry in found.entries.items()} == {
        "meeting_brief": [],
        "reply_polisher": [],
        "week_review": [],
    }


def test_an_agent_that_lacks_something_is_unavailable_and_names_it():
    """The specification's example loads: its tools and its schema are missing here."""
    (entry,) = library.load([SPECIFIED], TOOLS).entries.values()
    assert not entry.is_available
    tools = ["the tool ls", "the tool read_file", "the tool glob", "the tool grep"]
    assert entry.lacks == [*tools, "the schema CodebaseInvestigationReportSchema"]


def test_an_agent_that_uses_an_unavailable_one_is_unavailable(tmp_path: Path):
    """What an agent lacks is lacking for those that use it, two levels up, too."""
    found = load(tmp_path, low="[ls]", middle="[low, gmail_search]", top="[middle]", alone="[gmail_search]")
    assert said(found) == []
    assert {name: entry.lacks for name, entry in found.entries.items()} == {
        "alone": [],
        "low": ["the tool ls"],
        "middle": ["the agent low (not available)"],
        "top": ["the agent middle (not available)"],
    }


def test_the_end_of_a_loop_may_be_a_named_schema(tmp_path: Path):
    """A schema that a loop names and that is missing is told, too."""
    text = GOOD.replace("runConfig:", "flow: {type: loop, until: finished}\nrunConfig:")
    (tmp_path / "scout.yaml").write_text(text, encoding="utf-8")
    (entry,) = library.load(library.files_of(tmp_path), TOOLS).entries.values()
    assert entry.lacks == ["the schema finished"]


def test_no_two_agents_have_one_name(tmp_path: Path):
    """The second file is refused, and names the first."""
    (tmp_path / "also.yaml").write_text(GOOD, encoding="utf-8")
    found = load(tmp_path, scout="[]")
    assert said(found) == [f"scout.yaml:1: There is an agent “scout” in {tmp_path / 'also.yaml'}:1 already."]
    assert list(found.entries) == ["scout"]


def test_agents_do_not_go_in_a_circle(tmp_path: Path):
    """Every agent of a circle is refused; one that only leads to it is not."""
    found = load(tmp_path, a="[b]", b="[c]", c="[a]", d="[]")
    assert said(found) == [
        "a.yaml:20: The agent would call itself: a → b → c → a.",
        "b.yaml:20: The agent would call itself: b → c → a → b.",
        "c.yaml:20: The agent would call itself: c → a → b → c.",
    ]


def test_agents_are_nested_three_levels_deep(tmp_path: Path):
    """An agent may use agents that use agents, and no more."""
    assert said(load(tmp_path, a="[b, gmail_search]", b="[c]", c="[]")) == []
    found = load(tmp_path, c="[gmail_search, d]", d="[]")
    assert said(found) == ["a.yaml:20: Agents are nested deeper than 3 levels: a → b → c → d."]


def test_many_agents_that_use_each_other_are_soon_checked(tmp_path: Path):
    """Twelve agents, each of which uses all that come after it, have no circle and are told to be too deep."""
    names = [f"a{number:02d}" for number in range(12)]
    found = load(tmp_path, **{name: f"[{', '.join(names[place + 1 :])}]" for place, name in enumerate(names)})
    assert len(found.problems) == 9
    assert all("nested deeper than 3 levels" in problem.what for problem in found.problems)


@pytest.mark.parametrize("name", ["a.yaml", "a.YML", "a.json", "a.md"])
def test_definitions_are_found_by_the_ends_of_their_names(tmp_path: Path, name: str):
    """YAML, JSON and Markdown are read; other files, hidden ones, notes and folders are not."""
    for other in ["_a.yaml", ".a.yaml", "README.md", "notes.txt", "schemas/a.json", name]:
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).write_text("", encoding="utf-8")
    (tmp_path / "folder.md").mkdir()
    assert [path.name for path in library.files_of(tmp_path)] == [name]
