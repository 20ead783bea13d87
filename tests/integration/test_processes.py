"""Tests that start processes are no unit tests: those in `tests/unit` that do fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = """
import asyncio, os, subprocess, sys
import pytest

def popen():
    subprocess.run(["true"], check=True)

def forked():
    if (child := os.fork()) == 0:
        os._exit(0)
    os.waitpid(child, 0)

def spawned():
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)

def by_a_shell():
    os.system("true")

def in_a_thread():
    asyncio.run(asyncio.to_thread(popen))

def by_the_loop():
    async def run():
        await (await asyncio.create_subprocess_exec("true")).wait()
    asyncio.run(run())

def in_vain():
    try:
        subprocess.run(["/nowhere"])
    except OSError:
        pass

def a_database():
    sys.audit("tests.postgres.used", "server")

WAYS = [popen, forked, spawned, by_a_shell, in_a_thread, by_the_loop, in_vain, a_database]

@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_starts(way):
    way()

@pytest.fixture
def before():
    popen()

@pytest.fixture
def after():
    yield
    popen()

def test_before(before): pass
def test_after(after): pass
def test_nothing(): pass
"""
WAYS = ["popen", "forked", "spawned", "by_a_shell", "in_a_thread", "by_the_loop", "in_vain", "a_database"]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest says of the same tests in two folders."""
    root = tmp_path_factory.mktemp("guarded")
    (root / "pytest.ini").write_text("[pytest]\naddopts = -p no:xdist -p no:cacheprovider --import-mode=importlib\n")
    (root / "conftest.py").write_text(
        "from tests import processes\n\ndef pytest_configure(config): processes.registered(config)\n"
    )
    for folder in ("tests/unit/bot/store", "tests/integration/bot/store"):
        (root / folder).mkdir(parents=True)
        (root / folder / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-rA", "--tb=short", "tests"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": "", "COLUMNS": "400"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("way", WAYS)
def test_a_unit_test_that_starts_a_process_fails(said: str, way: str) -> None:
    """However it does, whoever catches what comes of it; a database of a server that runs already counts, too."""
    assert f"FAILED tests/unit/bot/store/test_some.py::test_starts[{way}]" in said


def test_so_does_one_whose_fixture_starts_it(said: str) -> None:
    """Before it and behind it."""
    assert "ERROR tests/unit/bot/store/test_some.py::test_before" in said
    assert "ERROR tests/unit/bot/store/test_some.py::test_after" in said


def test_where_it_belongs_is_said(said: str) -> None:
    """The folder of the same package."""
    assert "A test of tests/unit/bot/store starts a process (subprocess.Popen true). " in said
    assert "Move it to tests/integration/bot/store, or to tests/contract/bot/store where it compares" in said


def test_others_pass(said: str) -> None:
    """A test that starts nothing, right behind those, and all of another folder."""
    assert "PASSED tests/unit/bot/store/test_some.py::test_nothing" in said
    assert "FAILED tests/integration" not in said
    assert said.count("PASSED tests/integration/bot/store/test_some.py") == len(WAYS) + 3
