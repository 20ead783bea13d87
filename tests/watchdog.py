"""Ends what cannot be ended: a test, a teardown or a whole process that waits for ever.

pytest-timeout interrupts a test once, and lets go of it after any failure: a teardown that hangs then, hangs for ever.
So every phase of every test, and the end of the session, is watched from a thread. It writes the stacks of all threads
and what asyncio's tasks wait for to stderr, and interrupts the main thread again and again until the phase is over.
Only when that does not help is the process ended: pytest-xdist may never end once a worker of its is gone.
"""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import os
import signal
import threading
from collections.abc import Generator
from types import FrameType
from typing import cast

import pytest

MORE_SECONDS = 20.0
"""A phase may take so much longer than what pytest-timeout allows: it is asked to end before it is ended."""

END_SECONDS = 60.0
"""How long the process may take after the last test."""

_PAUSE_SECONDS = 5.0
_INTERRUPTS = 20


class Hung(BaseException):
    """Raised in the middle of whatever waits for ever."""


class Watchdog:
    """A pytest plugin; one for each process that runs tests."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._stderr = os.fdopen(os.dup(2), "w")  # the second one belongs to pytest's capture while a test runs
        self._over = threading.Event()
        signal.signal(signal.SIGUSR1, _interrupt)

    def _watch(self, item: pytest.Item) -> None:
        marker = item.get_closest_marker("timeout")
        seconds = float(marker.args[0]) if marker and marker.args else self._seconds
        self._end_after(seconds + MORE_SECONDS, item.nodeid)

    def _end_after(self, seconds: float, what: str) -> None:
        self._over.set()
        self._over = threading.Event()
        threading.Thread(target=self._wait, args=(self._over, seconds, what), name="watchdog", daemon=True).start()

    def _wait(self, over: threading.Event, seconds: float, what: str) -> None:
        if over.wait(seconds):
            return
        self._tell(what)
        for _ in range(_INTERRUPTS):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
            if over.wait(_PAUSE_SECONDS):
                return
        os._exit(70)

    def _tell(self, what: str) -> None:
        print(f"\n{what} hangs", file=self._stderr)
        faulthandler.dump_traceback(file=self._stderr)
        objects: list[object] = gc.get_objects()
        for found in objects:
            if isinstance(found, asyncio.Task):
                cast("asyncio.Task[object]", found).print_stack(file=self._stderr)
        self._stderr.flush()

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
            self._over.set()

    def pytest_sessionfinish(self) -> None:
        self._end_after(END_SECONDS, "the end of the session")

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: pytest.Config) -> None:
        if hasattr(config, "workerinput"):  # it did all that it had to: now it waits until the others have ended
            self._over.set()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Hung


def registered(config: pytest.Config) -> None:
    """Watch this process, unless others run its tests."""
    if not getattr(config.option, "numprocesses", None):
        config.pluginmanager.register(Watchdog(float(config.getini("timeout"))), "watchdog")
