"""The map of the house is right: the files that it sends a newcomer to are there, and none of them is left out."""

from __future__ import annotations

import pytest

from tests.verification.map import QUESTIONS, ROOT, answer

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_guide_names_files_that_exist(question: str) -> None:
    """Each question of a newcomer has an answer, file by file; what is written for a new tool is new."""
    files = answer(GUIDE, question)
    assert files
    assert [file for file in files if "<name>" not in file and not (ROOT / file).is_file()] == []


def test_the_life_of_a_click_goes_through_the_same_files() -> None:
    """CONTRIBUTING lists the thirteen files, and the page that follows the click has a section on each."""
    page = (ROOT / "docs/life-of-a-click.md").read_text(encoding="utf-8")
    sections = [line.partition(". ")[2] for line in page.splitlines() if line.startswith("### ")]
    approve, card, *_ = QUESTIONS
    assert sections == [*answer(GUIDE, approve), *answer(GUIDE, card)]
