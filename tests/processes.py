"""Holds `tests/unit` to its name: a test there that starts a process fails, and says where it belongs.

Python itself says what starts (its audit events), in whichever thread. A PostgreSQL server runs for all tests of a
worker, so `tests.postgres` says whenever a test takes a database of it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Generator

import pytest

from tests.postgres import USED

_STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.spawn", "os.system", USED}
_UNIT = "tests/unit"
_IMPORTS = "<frozen importlib._bootstrap>"


class ProcessGuard:
    """A pytest plugin; one for each process that runs tests."""

    def __init__(self) -> None:
        self._started: list[str] = []
        sys.addaudithook(self._hear)  # it stays for as long as the process lives

    def _hear(self, event: str, what: tuple[object, ...]) -> None:
        if event in _STARTS and not _is_importing():
            self._started.append(" ".join(map(str, (event, *what[:1]))))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        self._started.clear()
        yield
        self._hold(item)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        yield
        self._hold(item)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None]:
        yield
        self._hold(item)

    def _hold(self, item: pytest.Item) -> None:
        started, self._started = self._started, []
        folder = item.path.parent.relative_to(item.config.rootpath).as_posix()
        if started and f"{folder}/".startswith(f"{_UNIT}/"):
            mirrored = folder.removeprefix(_UNIT)
            pytest.fail(
                f"A test of {folder} starts a process ({'; '.join(started)}). Move it to tests/integration{mirrored}, "
                f"or to tests/contract{mirrored} where it compares two databases.",
                pytrace=False,
            )


def _is_importing() -> bool:
    """Whether this happens while a module is imported: what a library starts then is not what a test starts."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename != _IMPORTS:
        frame = frame.f_back
    return frame is not None


def registered(config: pytest.Config) -> None:
    """Guard this process."""
    config.pluginmanager.register(ProcessGuard(), "processes")
