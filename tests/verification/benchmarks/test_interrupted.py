"""Ctrl+C in the benchmarks: one sentence, status 130, nothing kept, and no process left."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from pathlib import Path

import pytest

SAYS = b"Ended before its end: nothing was kept.\n"
_MODULE = "tests.verification.benchmarks"
_HANG_SECONDS = 300
_MARK = "BENCHMARK_OF_A_TEST"

_WHILE_IT_IMPORTS = f"""
import os, runpy, signal, sys

class Presses:
    def find_spec(self, name, *_):
        if name == "{_MODULE}.loop":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Presses())
runpy.run_module("{_MODULE}", run_name="__main__")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the figures would be kept."""
    return tmp_path / "figures.json"


def _hears_ctrl_c() -> None:
    """A shell begins what it runs in the background deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


async def started(*arguments: str, file: Path) -> Process:
    """The program, marked in the environment that its children have from it."""
    environment = {**os.environ, _MARK: str(file), "TMPDIR": str(file.parent)}
    return await asyncio.create_subprocess_exec(sys.executable, *arguments, "loop", "--json", str(file),
        env=environment, stdout=PIPE, stderr=PIPE, preexec_fn=_hears_ctrl_c,
    )  # fmt: skip


def marked(file: Path) -> Mapping[int, str]:
    """The processes that began with this mark, with what they were called with."""
    found: dict[int, str] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if f"{_MARK}={file}".encode() in (place / "environ").read_bytes().split(b"\0"):
                found[int(place.name)] = (place / "cmdline").read_text()
        except OSError:  # it ended, or is somebody else's
            continue
    return found


@pytest.mark.timeout(_HANG_SECONDS)
async def test_ctrl_c_in_a_part_ends_all_of_it(file: Path) -> None:
    """While the contestants play: no figures, no children, no files."""
    bench = await started("-m", _MODULE, file=file)
    while not any("contestants.ours" in said for said in marked(file).values()):
        assert bench.returncode is None
        await asyncio.sleep(0.1)
    bench.send_signal(signal.SIGINT)
    _, complaints = await bench.communicate()
    assert (bench.returncode, complaints) == (130, SAYS)
    assert marked(file) == {}
    assert list(file.parent.iterdir()) == []


@pytest.mark.timeout(_HANG_SECONDS)
async def test_ctrl_c_before_it_began_is_no_traceback(file: Path) -> None:
    """Also while the program is still being read."""
    bench = await started("-c", _WHILE_IT_IMPORTS, file=file)
    _, complaints = await bench.communicate()
    assert (bench.returncode, complaints) == (130, SAYS)
