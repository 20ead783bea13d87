from __future__ import annotations

import structlog


def pytest_configure() -> None:
    """Plain log lines: the default draws every traceback with all its local variables, which takes seconds."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["level", "event"]),
        ]
    )
