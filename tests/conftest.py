from __future__ import annotations

import gc
import os
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests import dialects, processes, proxies, watchdog
from tests.folders import in_memory
from tests.postgres import PostgresServer, postgres_server


def pytest_configure(config: pytest.Config) -> None:
    """Nothing hangs for ever, and nothing fails because a machine is busy. Plain log lines: the default draws every
    traceback with all its local variables.
    """
    _work_in_memory()
    settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("unhurried")
    proxies.forget()
    watchdog.registered(config)
    processes.registered(config)
    dialects.share()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["level", "event"]),
        ]
    )


if TYPE_CHECKING:
    from tests.acceptance.mortal import BotProcesses

SLOW = (
    "tests/verification/fuzz/",
    "tests/verification/chaos/test_points.py",
    "tests/acceptance/test_scene.py",
    "tests/verification/costs/test_costs.py",
    "tests/verification/browser/",
    "tests/verification/explorer/test_machine.py",
    "tests/acceptance/test_leaving.py",
    "tests/acceptance/test_crashes.py",
    "tests/acceptance/test_database_faults.py",
    "tests/acceptance/test_replicas.py",
    "tests/acceptance/",
    "tests/integration/test_configuration.py",
    "tests/integration/playground/test_launch.py",
    "tests/integration/",
    "tests/contract/",
    "tests/unit/bot/slack/",
)
"""What begins first, so that nobody waits at the end for one worker with a long module."""


THOROUGH = (
    "tests/acceptance/",
    "tests/verification/browser/",
    "tests/verification/benchmarks/test_interrupted.py",
    "tests/contract/playground/",
    "tests/docs/",
    "tests/verification/explorer/test_machine.py",
    "tests/verification/fuzz/",
    "tests/integration/",
    "tests/unit/playground/",
)
"""What plays whole worlds, starts processes and browsers, or tests the emulators: `make thorough`."""

QUICK = (
    "tests/acceptance/conftest.py",
    "tests/acceptance/test_main_job.py",
    "tests/integration/bot/",
    "tests/integration/conftest.py",
    "tests/integration/integrations/",
    "tests/integration/calendar/test_pitfalls.py",
    "tests/integration/test_gmail_pitfalls.py",
    "tests/integration/test_reconciling.py",
)
"""What of it belongs to `make test` nevertheless."""


def _work_in_memory() -> None:
    """Every commit of a test is synced: on a disk that is much of what a test of the store waits for."""
    if (memory := in_memory()) is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))  # where pytest makes its folders


def pytest_addoption(parser: pytest.Parser) -> None:
    """Without the option everything is run that is named."""
    parser.addoption("--part", choices=("quick", "thorough"), help="only the tests of `make test`, or only the others")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the other part's modules unread."""
    part = config.getoption("--part")
    if part is None:
        return None
    path = collection_path.relative_to(config.rootpath).as_posix()
    if collection_path.is_dir():
        is_mixed = any(quick.startswith(f"{path}/") or f"{path}/".startswith(quick) for quick in QUICK)
        return True if part == "quick" and f"{path}/".startswith(THOROUGH) and not is_mixed else None
    is_quick = path.startswith(QUICK) or not path.startswith(THOROUGH)
    return True if is_quick != (part == "quick") else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported stays for good: the garbage collector need not walk through it, neither now nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones first; otherwise as they were."""
    items.sort(key=lambda item: next((n for n, slow in enumerate(SLOW) if item.nodeid.startswith(slow)), len(SLOW)))


@pytest.fixture(scope="session")
def postgres() -> Generator[PostgresServer]:
    """A PostgreSQL of this worker's own; it starts with the first test that asks for it."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def bot_processes() -> Generator[BotProcesses]:
    """The program that starts bots. It takes seconds, and begins with the first test that asks for it."""
    from tests.acceptance.mortal import BotProcesses  # with all of the product, which few tests need

    with BotProcesses() as made:
        yield made


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Generator[str]:
    """The DATABASE_URL of a migrated, empty PostgreSQL database."""
    with postgres.database() as url:
        yield url
