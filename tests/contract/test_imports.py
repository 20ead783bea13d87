"""The contracts of `make imports` hold what they promise: each of these changes turns them red."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.verification.walls import breaches

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "integrations", "policies", "playground")


def _appended(path: str, statement: str) -> Callable[[Path], None]:
    """A change: an import inside a function, at the end of a module."""

    def change(root: Path) -> None:
        source = root / path
        source.write_text(f"{source.read_text()}\n\ndef late() -> None:\n    {statement}\n")

    return change


def _added(path: str) -> Callable[[Path], None]:
    """A change: an empty module or package."""

    def change(root: Path) -> None:
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("")

    return change


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The packages and their contracts, to be changed."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.pyc", "static"))
    shutil.copy(ROOT / ".importlinter", tmp_path)
    return tmp_path


MORE = [
    (_added("bot/store/stray.py"), "the layers of the store"),
    (_added("integrations/stray.py"), "integrations know base, ports, grants and google, never each other"),
    (_appended("bot/llm/model.py", "from bot.llm import gemini"), "no two packages import each other"),
    (
        _appended("playground/world/dates.py", "from playground.google import world"),
        "no two packages import each other",
    ),
    (
        _appended("bot/runtime/core/backoff.py", "import sqlite3"),
        "the runtime and what shows it reach the database through the store only",
    ),
]


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (_added("bot/runtime/stray.py"), "the floors of the runtime"),
        (_added("bot/stray/__init__.py"), "the layers of the bot"),
        (_appended("bot/runtime/core/backoff.py", "from bot.runtime.runs import loop"), "the floors of the runtime"),
        (_appended("bot/agents/definition.py", "import google.protobuf"), "the core knows no outside system"),
        (_appended("bot/api/health.py", "from bot.store import tables"), "tables and rows stay in the store"),
        *(pytest.param(*each, marks=pytest.mark.deep) for each in MORE),
    ],
)
def test_a_change_that_breaks_a_contract_is_refused(copy: Path, change: Callable[[Path], None], broken: str) -> None:
    """A module beside the packages, an import upward inside a function, a cycle, and a table outside the store."""
    change(copy)
    ended = _linted(copy)
    assert ended.returncode != 0
    assert f"{broken} BROKEN" in ended.stdout


def test_the_unchanged_packages_pass(copy: Path) -> None:
    """Without such a change the same command succeeds."""
    assert _linted(copy).returncode == 0


def test_a_folder_that_the_contracts_cannot_see_is_refused(copy: Path) -> None:
    """Without an `__init__.py` Python imports its modules, and import-linter sees none of them."""
    assert _checked(copy, "--isolated", "--select", "INP001") == 0
    (copy / "bot/runtime/strays").mkdir()
    (copy / "bot/runtime/strays/thing.py").write_text("import sqlalchemy\n")
    assert _checked(copy, "--isolated", "--select", "INP001") != 0


def test_nothing_passes_the_walls_unseen() -> None:
    """Of the product as it is."""
    assert list(breaches(ROOT)) == []


@pytest.mark.parametrize(
    "statement",
    [
        "__import__('bot.runtime.runs.loop')",
        "import builtins; builtins.__import__('bot.runtime.runs.loop')",
        "import importlib; importlib.import_module('bot.runtime.runs.loop')",
        "from importlib import import_module as found; found('bot.runtime.runs.loop')",
        "import pkgutil; pkgutil.resolve_name('bot.runtime.runs:loop')",
        "from runpy import run_module",
        "exec('from bot.runtime.runs import loop')",
    ],
)
def test_a_module_that_is_imported_by_its_name_is_refused(tmp_path: Path, statement: str) -> None:
    """import-linter reads import statements, so an import upward by its name would pass every floor."""
    assert _breached(tmp_path, "bot/runtime/core/backoff.py", statement) == ["bot/runtime/core/backoff.py"]


@pytest.mark.parametrize(
    "statement",
    [
        "import time",
        "import aiohttp",
        "from urllib.request import urlopen",
        "from pathlib import Path",
        "from bot.tools.catalog import Catalog",
        "from bot.tools import registry",
        "from bot.runtime.texts import to_model",
        "from bot.store import store",
        "open('manifest.yaml')",
    ],
)
def test_a_view_that_reaches_out_is_refused(tmp_path: Path, statement: str) -> None:
    """Views are pure: no clock, no file, no network, and of the bot only values, read models and texts."""
    assert _breached(tmp_path / "view", "bot/slack/views/card.py", statement) == ["bot/slack/views/card.py"]
    assert _breached(tmp_path / "other", "bot/slack/outbound/deliveries.py", statement) == []


def _breached(root: Path, path: str, statement: str) -> list[str]:
    """The files that pass a wall where this module has the statement inside a function."""
    (root / path).parent.mkdir(parents=True)
    shutil.copy(ROOT / path, root / path)
    _appended(path, statement)(root)
    return [breach.partition(":")[0] for breach in breaches(root)]


def _checked(root: Path, *options: str) -> int:
    command = [str(Path(sys.executable).with_name("ruff")), "check", *options, *PACKAGES]
    return subprocess.run(command, cwd=root, capture_output=True, check=False).returncode


def _linted(root: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(root), "COLUMNS": "200"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
