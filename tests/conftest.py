from __future__ import annotations

from collections.abc import Generator

import pytest
import structlog

from tests import watchdog
from tests.postgres import PostgresServer, postgres_server


def pytest_configure(config: pytest.Config) -> None:
    """Nothing hangs for ever. Plain log lines: the default draws every traceback with all its local variables."""
    watchdog.registered(config)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["level", "event"]),
        ]
    )


@pytest.fixture(scope="session")
def postgres() -> Generator[PostgresServer]:
    """A PostgreSQL of this worker's own; it starts with the first test that asks for it."""
    with postgres_server() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Generator[str]:
    """The DATABASE_URL of a migrated, empty PostgreSQL database."""
    with postgres.database() as url:
        yield url
