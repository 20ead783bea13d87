"""What must be survived: each input has its tests, or stands among those whose part is not built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

INPUTS = {f"{number:02}" for number in range(1, 63)}
_NAME = re.compile(r"^ *(?:async )?def test_security_input_(\d+)_\w+\(", re.MULTILINE)
_NOT_BUILT = re.compile(r"^\| (\d+) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)


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
