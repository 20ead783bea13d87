"""`make steady` names what is not always green, and leaves no load behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verification import steady

ROOT = Path(__file__).parents[2]
FLAKY = """
from pathlib import Path

def test_sound():
    pass

def test_flaky(tmp_path_factory):
    seen = Path(__file__).with_name("seen")
    with seen.open("a") as file:
        file.write("x")
    assert seen.read_text() != "xx"
"""


def steadily(module: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.verification.steady", "--load", "1", *more, str(module), "-n0", "-q"]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_what_is_not_always_green_is_named(tmp_path: Path) -> None:
    """A test that fails in the second of two runs is named with its count, the sound one is not."""
    module = tmp_path / "test_some.py"
    module.write_text(FLAKY)
    done = steadily(module, "--times", "2")
    named = [line for line in done.stdout.splitlines() if line.startswith("not always green")]
    assert done.returncode == 1
    assert [line.partition("::")[2] for line in named] == ["test_flaky (red 1 of 2 times)"]


@pytest.mark.deep
def test_a_run_that_collects_nothing_is_not_green(tmp_path: Path) -> None:
    """A run of pytest that cannot begin is named too."""
    done = steadily(tmp_path / "test_missing.py", "--times", "1")
    assert done.returncode == 1
    assert "not always green: pytest itself, with exit status 4" in done.stdout


def test_a_load_ends_with_its_parent() -> None:
    """The busy processes end by themselves when what began them is killed: then nobody holds its output any more."""
    code = "from tests.verification.steady import load\nwith load(2) as pids: print(*pids, flush=True); input()"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 2
        parent.kill()
        assert parent.stdout.read() == ""


def test_a_load_ends_with_its_block() -> None:
    """Whatever ends the block ends the busy processes."""
    with pytest.raises(KeyboardInterrupt), steady.load(1) as pids:
        raise KeyboardInterrupt
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
