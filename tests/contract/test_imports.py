"""The contracts of `make imports` hold what they promise: each of these changes turns them red."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "integrations", "policies", "playground")


def _stray_module(root: Path) -> None:
    (root / "bot/runtime/stray.py").write_text('"""Beside the packages."""\n')


def _stray_package(root: Path) -> None:
    (root / "bot/stray").mkdir()
    (root / "bot/stray/__init__.py").write_text("")


def _import_upward(root: Path) -> None:
    source = root / "bot/runtime/core/backoff.py"
    source.write_text(source.read_text() + "\n\ndef late() -> None:\n    from bot.runtime.runs import loop\n")


def _cycle(root: Path) -> None:
    source = root / "bot/llm/model.py"
    source.write_text(source.read_text() + "\n\ndef late() -> None:\n    from bot.llm import gemini\n")


def _tables(root: Path) -> None:
    source = root / "bot/api/health.py"
    source.write_text(source.read_text() + "\n\ndef late() -> None:\n    from bot.store import tables\n")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The packages and their contracts, to be changed."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.pyc", "static"))
    shutil.copy(ROOT / ".importlinter", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (_stray_module, "the floors of the runtime BROKEN"),
        (_stray_package, "the layers of the bot BROKEN"),
        (_import_upward, "the floors of the runtime BROKEN"),
        (_cycle, "no two packages import each other BROKEN"),
        (_tables, "tables and rows stay in the store BROKEN"),
    ],
)
def test_a_change_that_breaks_the_house_is_refused(copy: Path, change: Callable[[Path], None], broken: str) -> None:
    """A module beside the packages, an import upward inside a function, a cycle, a table outside the store."""
    change(copy)
    ended = _linted(copy)
    assert ended.returncode != 0
    assert broken in ended.stdout


def test_the_house_as_it_is_passes(copy: Path) -> None:
    """Without such a change the same command is content, so it is the change that is found."""
    assert _linted(copy).returncode == 0


def _linted(root: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(root), "COLUMNS": "200"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
