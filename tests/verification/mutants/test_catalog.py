"""The list of mutants is about the code as it is: each changes something that is there, and names tests that are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verification.mutants.__main__ import main
from tests.verification.mutants.catalog import ROOT, Mutant, catalog


def test_each_has_a_name_of_its_own() -> None:
    """By that it is chosen and told."""
    names = [mutant.name for mutant in catalog()]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("mutant", catalog(), ids=lambda mutant: mutant.name)
def test_each_changes_what_is_there(mutant: Mutant, tmp_path: Path) -> None:
    """What it changes stands in its file once, and is code afterwards; its tests are there, unless it survives."""
    copy = tmp_path / mutant.file
    copy.parent.mkdir(parents=True)
    copy.write_text((ROOT / mutant.file).read_text(encoding="utf-8"), encoding="utf-8")
    mutant.put_into(tmp_path)
    compile(copy.read_text(encoding="utf-8"), mutant.file, "exec")
    assert all((ROOT / test.partition("::")[0]).is_file() for test in mutant.tests)
    assert mutant.tests or mutant.survives


def test_what_survives_is_written_down() -> None:
    """The page on testing names each, and says why in the same words; it names no other."""
    page = (ROOT / "docs/testing.md").read_text(encoding="utf-8").partition("| mutant | why nothing breaks |")[2]
    rows = [line.strip("|").split(" | ") for line in page.strip().splitlines()[1:]]
    assert [(name.strip(), why.strip()) for name, why in rows] == [
        (mutant.name, mutant.survives) for mutant in catalog() if mutant.survives
    ]


def test_what_is_not_there_any_more_is_told(tmp_path: Path) -> None:
    """A mutant that changes nothing would seem to survive."""
    (tmp_path / "module.py").write_text("a = 1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="holds what it changes 0 times"):
        Mutant(name="any", breaks="any", file="module.py", old="b = 1", new="").put_into(tmp_path)


def test_words_that_name_no_mutant_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a test to run pytest would take all of them."""
    monkeypatch.setattr("sys.argv", ["mutants", "no such thing", "nor this"])
    assert main() == 1
    assert capsys.readouterr().out == "no mutant has no such thing or nor this in its name or file\n"
