"""Ends what cannot be ended: a test, a teardown or a whole process that waits for ever.

pytest-timeout interrupts a test once, and lets go of it after any failure: a teardown that hangs then, hangs for ever.
So every phase of every test, and the end of the session, is watched from a thread of the interpreter's own
(`faulthandler.dump_traceback_later`), which writes the stacks of all threads to stderr and ends the process. After that
pytest-xdist reports the test as crashed and goes on with another worker.
"""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Generator

import pytest

MORE_SECONDS = 20.0
"""A phase may take so much longer than what pytest-timeout allows: it is asked to end before it is ended."""

END_SECONDS = 60.0
"""How long the process may take after the last test."""


class Watchdog:
    """A pytest plugin; one for each process that runs tests."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._stderr = os.dup(2)  # the second one belongs to pytest's capture while a test runs

    def _watch(self, item: pytest.Item) -> None:
        marker = item.get_closest_marker("timeout")
        seconds = float(marker.args[0]) if marker and marker.args else self._seconds
        self._end_after(seconds + MORE_SECONDS)

    def _end_after(self, seconds: float) -> None:
        faulthandler.dump_traceback_later(seconds, exit=True, file=self._stderr)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        self._watch(item)
        yield

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        self._watch(item)
        yield

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, None, None]:
        self._watch(item)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()

    def pytest_sessionfinish(self) -> None:
        self._end_after(END_SECONDS)


def registered(config: pytest.Config) -> None:
    """Watch this process, unless others run its tests."""
    if not getattr(config.option, "numprocesses", None):
        config.pluginmanager.register(Watchdog(float(config.getini("timeout"))), "watchdog")
