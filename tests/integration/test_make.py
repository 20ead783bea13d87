"""`make` on machines that lack something: one line, with the cure."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OLD, BARE, GOOD = "exit 1", 'case "$2" in *sys*) exit 0;; *) exit 1;; esac', 'echo "$0 $*" >> "$PWD/asked"; exit 0'

BEGUN = 'case "$*" in *"-m venv"*) mkdir -p .venv/bin; cp tools/pip .venv/bin/pip;; esac'
OFFLINE = "echo 'WARNING: Retrying after NewConnectionError' >&2; echo 'ERROR: … (from versions: none)' >&2; exit 1"
BROKEN = "echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES' >&2; exit 1"


def _make(folder: Path, **pythons: str) -> subprocess.CompletedProcess[str]:
    """`make setup` where these are the only Pythons."""
    (folder / "requirements").mkdir()
    (folder / "requirements/dev.lock").touch()
    shutil.copy(ROOT / "Makefile", folder)
    tools = folder / "tools"
    tools.mkdir()
    for name, does in pythons.items():
        (tools / name.replace("_", ".")).write_text(f"#!/bin/sh\n{does}\n")
        (tools / name.replace("_", ".")).chmod(0o755)
    for name in ("sh", "make", "mkdir", "cp", "grep", "cat", "sleep"):
        (tools / name).symlink_to(str(shutil.which(name)))
    env = {"PATH": str(tools)}
    return subprocess.run(["make", "setup"], cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("python", "said"), [(OLD, "Python 3.11 to 3.14 is needed"), (BARE, "lacks venv or ensurepip")]
)
def test_what_is_missing_is_said_in_a_line(tmp_path: Path, python: str, said: str) -> None:
    """A newcomer whose Python is too old, or bare, reads one line and nothing was begun."""
    made = _make(tmp_path, python3=python)
    assert (made.returncode, made.stdout.count("\n")) == (2, 1)
    assert said in made.stdout


@pytest.mark.parametrize(
    ("pip", "said"), [(OFFLINE, "pip reaches no package index: connect"), (BROKEN, "ERROR: THESE PACKAGES DO NOT")]
)
def test_what_cannot_be_downloaded_is_said_in_a_line(tmp_path: Path, pip: str, said: str) -> None:
    """Without a network; other troubles are told in pip's own words."""
    made = _make(tmp_path, python3=BEGUN, pip=pip)
    first, second = made.stdout.splitlines()
    assert made.returncode == 2
    assert first.startswith("Installing into .venv")
    assert second.startswith(said)
    assert "Retrying" not in made.stderr


def test_an_installed_python_is_found(tmp_path: Path) -> None:
    """Where `python3` is too old and another one is installed, that one is taken."""
    _make(tmp_path, python3=OLD, python3_12=GOOD)
    assert "python3.12 -m venv .venv" in (tmp_path / "asked").read_text()
