"""`make flips`: every comparison, condition and constant of policy's functions is changed, one at a time, and the unit
tests of policy have to notice.

A change is put into the function in a fork of one session of pytest, which plays only the tests that called it before.
It fails when fewer than `LEAST` per cent are noticed; those that are not are printed.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import cast

import pytest
from _pytest.runner import runtestprotocol

from tests.verification.mutants.catalog import ROOT
from tests.verification.mutants.flips import flips

LEAST = 95  # per cent of the changes
_SECONDS = 5  # of the processor, and some of what its tests took: a change that makes a loop endless is noticed, too
_WRAPPED = ("__wrapped__", "fget", "func", "__func__")
"""Where what wraps a function has it: decorators and caches, properties, those that are kept, and static methods."""

_TESTS = "tests/unit/policies"
_LINKS = "test_links.py"
_OF_LINKS = (
    "policies.guards.addresses.links",
    "policies.guards.addresses.spelling",
    "policies.guards.addresses.domains",
)
"""Its tests go through thousands of texts: too slow to be watched. They are taken to call all of these modules."""
MODULES = tuple(
    name
    for file in sorted((ROOT / "policies").rglob("*.py"))
    if file.name != "__init__.py" and (name := ".".join(file.relative_to(ROOT).with_suffix("").parts)) not in _OF_LINKS
)


@dataclass(slots=True, eq=False)
class Session:
    """A plugin of pytest: it plays the tests once, and then those that a change concerns, once for each change."""

    modules: Sequence[str]
    shows: bool
    every: int
    callers: dict[tuple[str, int], list[pytest.Item]] = field(default_factory=lambda: defaultdict(list))
    of_links: list[pytest.Item] = field(default_factory=list[pytest.Item])
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    survivors: list[str] = field(default_factory=list[str])
    count: int = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        concerns_links = bool({*self.modules} & {*_OF_LINKS})
        for item in session.items:
            if (_LINKS not in item.nodeid or concerns_links) and not self._traced(item):
                raise pytest.UsageError(f"{item.nodeid} fails without any change: nothing would be shown")
        gc.freeze()
        for name in self.modules:
            module = sys.modules[name]
            before, missed = self.count, len(self.survivors)
            self._all_of(module)
            changes, missed = self.count - before, len(self.survivors) - missed
            sys.stdout.write(f"{name:<28}{changes - missed:>5} of {changes:<5}{_share(changes - missed, changes)} %\n")
            sys.stdout.flush()
        return True

    def _traced(self, item: pytest.Item) -> bool:
        """Whether it passes; which functions of policy it called is kept."""
        called = set[tuple[str, int]]()

        def heard(frame: FrameType, event: str, _: object) -> None:
            if event == "call":
                called.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

        _forget()
        began = time.monotonic()
        sys.setprofile(None if _LINKS in item.nodeid else heard)
        try:
            passed = _passes(item)
        finally:
            sys.setprofile(None)
        self.seconds[item.nodeid] = time.monotonic() - began
        for each in called:
            self.callers[each].append(item)
        if _LINKS in item.nodeid:
            self.of_links.append(item)
        return passed

    def _all_of(self, module: ModuleType) -> None:
        file = str(module.__file__)
        for flip in islice(flips(Path(file).read_text(), file), 0, None, self.every):
            function = function_of(module, flip.function)
            place = (file, function.__code__.co_firstlineno)
            more = self.of_links if module.__name__ in _OF_LINKS else []
            items = sorted([*self.callers[place], *more], key=lambda item: self.seconds[item.nodeid])
            self.count += 1
            seconds = _SECONDS + 2 * int(sum(self.seconds[item.nodeid] for item in items))
            if not _noticed(function, flip.code, items, seconds=seconds):
                self.survivors.append(f"{Path(file).relative_to(ROOT)}:{flip.line} {flip.function}: {flip.change}")
                if self.shows:
                    sys.stdout.write(f"    {self.survivors[-1]}\n")


def _passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=None)
    return all(report.outcome != "failed" for report in reports)


def _noticed(function: FunctionType, code: CodeType, items: Sequence[pytest.Item], *, seconds: int) -> bool:
    """Whether one of the tests fails with this code in a fork of this process, or they take more of the processor."""
    child = os.fork()
    if not child:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        os.dup2(devnull, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        function.__code__ = code
        _forget()
        os._exit(0 if all(_passes(item) for item in items) else 1)
    _, status = os.waitpid(child, 0)
    return status != 0


def _forget() -> None:
    """What functions of policy keep from calls before the change: asked again, they would not see it."""
    for name, module in list(sys.modules.items()):
        for kept in vars(module).values() if name.startswith("policies.") else ():
            clear = cast("Callable[[], None] | None", getattr(kept, "cache_clear", None))
            if clear and not isinstance(kept, type):
                clear()


def function_of(module: ModuleType, name: str) -> FunctionType:
    """The function of this name, out of what wraps it."""
    found: object = module
    for part in name.split("."):
        found = cast("object", vars(found)[part])
    while inner := next((getattr(found, way) for way in _WRAPPED if hasattr(found, way)), None):
        found = inner
    assert isinstance(found, FunctionType), name
    return found


def _share(noticed: int, of: int) -> int:
    return 100 * noticed // of if of else 100


def main() -> int:
    """The status: 0 where enough is noticed."""
    asked = argparse.ArgumentParser(prog="make flips", description=__doc__)
    asked.add_argument("--show", action="store_true", help="name what is not noticed as it is found")
    asked.add_argument("--every", type=int, default=1, help="every so many of the changes only")
    asked.add_argument("modules", nargs="*", help="such as policies.engine: these only")
    options = asked.parse_args()
    plugin = Session(modules=options.modules or MODULES, shows=options.show, every=options.every)
    given = [
        "-n0",
        "-q",
        "-p",
        "no:cacheprovider",
        "--no-header",
        "--no-summary",
        "--capture=no",
        str(ROOT / _TESTS),
    ]
    code = pytest.main(given, plugins=[plugin])
    if code != pytest.ExitCode.OK:
        return 2
    noticed = plugin.count - len(plugin.survivors)
    sys.stdout.write(f"{noticed} of {plugin.count} are noticed: {_share(noticed, plugin.count)} %\n")
    for each in plugin.survivors:
        sys.stdout.write(f"not noticed: {each}\n")
    return 0 if _share(noticed, plugin.count) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
