"""What must be survived: each input and each threat has its tests, or its part is said to be not built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

INPUTS = {f"{number:02}" for number in range(1, 63)}
_NAME = re.compile(r"^ *(?:async )?def test_security_input_(\d+)_\w+\(", re.MULTILINE)
_NOT_BUILT = re.compile(r"^\| (\d+) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)
_ROW = re.compile(r"^\| (\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def modules() -> Iterator[str]:
    """The text of each module of tests."""
    for path in (ROOT / "tests").rglob("test_*.py"):
        yield path.read_text(encoding="utf-8")


def not_built() -> list[str]:
    """The numbers of the table."""
    _, _, rest = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8").partition("\n## The 62 inputs\n")
    return _NOT_BUILT.findall(rest.partition("\n## ")[0])


def test_every_input_has_a_test_or_is_not_built() -> None:
    """One of both, none twice in the table, and no other number."""
    tested = {number for text in modules() for number in _NAME.findall(text)}
    listed = not_built()
    assert tested | set(listed) == INPUTS
    assert not tested & set(listed)
    assert sorted(listed) == sorted(set(listed))


def test_every_threat_has_a_row_with_its_test() -> None:
    """All 48, in order; a row without a test says that the part is not built, and no other row does."""
    rows = _ROW.findall((ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    assert [int(number) for number, _, _ in rows] == [*range(1, 49)]
    assert {number for number, _, test in rows if not _TEST.search(test)} == {
        number for number, holds, _ in rows if holds.startswith("not built")
    }


@pytest.mark.parametrize("page", ["SECURITY.md", "docs/security.md"])
def test_the_tests_of_a_table_exist(page: str) -> None:
    """By path and name."""
    named = _TEST.findall((ROOT / page).read_text(encoding="utf-8"))
    missing = [
        f"{path}::{name}"
        for path, name in named
        if not re.search(rf"^ *(?:async )?def {name}\(", _text(ROOT / path), re.MULTILINE)
    ]
    assert len(named) > 10
    assert not missing


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""
