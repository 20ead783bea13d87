"""`make steady` names what is not always green, and leaves no load behind."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.verification import steady

ROOT = Path(__file__).parents[2]
STEADILY = [sys.executable, "-m", "tests.verification.steady", "--load", "1"]
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
LONG = """
import os, time
from pathlib import Path

def test_long():
    Path(__file__).with_name("began").write_text(str(os.getpid()))
    time.sleep(600)
"""


def steadily(module: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*STEADILY, *more, str(module), "-n0", "-q"], capture_output=True, text=True, cwd=ROOT)


def test_what_is_not_always_green_is_named(tmp_path: Path) -> None:
    """A test that fails in the second of two runs is named with its count, the sound one is not."""
    module = tmp_path / "test_some.py"
    module.write_text(FLAKY)
    done = steadily(module, "--times", "2")
    named = [line for line in done.stdout.splitlines() if line.startswith("not always green")]
    assert done.returncode == 1
    assert [line.partition("::")[2] for line in named] == ["test_flaky (red 1 of 2 times)"]


@pytest.mark.deep
def test_what_ends_it_ends_the_tests(tmp_path: Path) -> None:
    """Also where nobody but the command itself is told to end."""
    module = tmp_path / "test_long.py"
    module.write_text(LONG)
    began = tmp_path / "began"
    os.mkfifo(began)
    with subprocess.Popen([*STEADILY, str(module), "-n0", "-q"], stdout=subprocess.DEVNULL, cwd=ROOT) as running:
        tests = int(began.read_text())
        running.terminate()
    with pytest.raises(ProcessLookupError):
        os.kill(tests, 0)


@pytest.mark.deep
def test_a_run_that_collects_nothing_is_not_green(tmp_path: Path) -> None:
    """A run of pytest that cannot begin is named too."""
    done = steadily(tmp_path / "test_missing.py", "--times", "1")
    assert done.returncode == 1
    assert "not always green: pytest itself, with exit status 4" in done.stdout


def test_a_load_ends_with_its_parent() -> None:
    """The busy processes end by themselves when what began them is killed: then nobody holds its output any more."""
    code = "from tests.verification.steady import load\nwith load(2) as it: print(len(it.busy), flush=True); input()"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "2\n"
        parent.kill()
        assert parent.stdout.read() == ""


def test_a_load_ends_with_its_block() -> None:
    """Whatever ends the block ends the busy processes."""
    with pytest.raises(KeyboardInterrupt), steady.load(1) as beside:
        raise KeyboardInterrupt
    with pytest.raises(ProcessLookupError):
        os.kill(beside.busy[0].pid, 0)


def test_what_others_do_counts_for_the_load() -> None:
    """Of eight busy processes three work where others are five, the rest waits, and all work once others rest."""
    with steady.load(8) as beside:
        measured = a_minutes_mean(beside, others=5, before=8.0)
        assert beside.working == 3
        assert states(beside) == "RRRSSSSS"
        a_minutes_mean(beside, others=0, before=measured)
        assert beside.working == 8
        assert states(beside) == "RRRRRRRR"


def a_minutes_mean(beside: steady.Load, *, others: int, before: float) -> float:
    """What a system measures while so many others work for ten minutes, looked at each five seconds."""
    measured = before
    for _ in range(120):
        measured += (others + beside.working - measured) * (1 - math.exp(-5 / 60))
        beside.look(measured)
    return measured


def states(beside: steady.Load) -> str:
    """R for each that works and S for each that waits (proc(5), `stat`), once they have done as they were told."""
    told = "R" * beside.working + "S" * (len(beside.busy) - beside.working)
    patience = time.monotonic() + 30
    while (found := "".join(state(one.pid) for one in beside.busy)) != told and time.monotonic() < patience:
        time.sleep(0.02)
    return found


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
