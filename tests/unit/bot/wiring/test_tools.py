"""What the settings make of folders, such as the repositories that plans are made from, and what all tools declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import Misconfigured
from bot.settings import Settings
from bot.wiring.tools import known_tools, policy_of, policy_problems, repositories_of


@pytest.mark.parametrize("name", ["none", "file"])
def test_a_folder_that_is_none_is_told(tmp_path: Path, name: str) -> None:
    """REPOSITORIES_DIR that is no folder is a wrong configuration, with its cure."""
    (tmp_path / "file").write_text("")
    with pytest.raises(Misconfigured) as refused:
        repositories_of(Settings(repositories_dir=str(tmp_path / name)))
    cure = "make it, or leave REPOSITORIES_DIR empty."
    assert str(refused.value) == f"REPOSITORIES_DIR names {tmp_path / name}, which is no folder: {cure}"


@pytest.mark.parametrize("name", ["none", "file"])
def test_a_folder_of_policies_that_is_none_is_told(tmp_path: Path, name: str) -> None:
    """To the start and to the doctor: the variable and the folder."""
    (tmp_path / "file").write_text("")
    folder = tmp_path / name
    said = f"POLICIES_DIR names {folder}, which is no folder: make it, or leave POLICIES_DIR empty."
    with pytest.raises(Misconfigured) as refused:
        policy_of(Settings(policies_dir=str(folder)))
    assert str(refused.value) == said
    assert policy_problems(folder) == [said]


def test_a_few_tools_make_a_thing_and_no_other_does() -> None:
    """What any other changes, sends or finds was there before the request: it is named by its owner's words alone. What
    is made has no id before, so none that makes a thing takes one of its kind.
    """
    tools = known_tools()
    makes = {tool.name: tool.makes for tool in tools if tool.makes}
    assert makes == {
        "calendar_event_create": "event",
        "gmail_draft_create": "draft",
        "gmail_reply": "draft",
        "gmail_send": "draft",
    }
    assert not any(f"{kind}_id" in tools[name].args.model_fields for name, kind in makes.items())
