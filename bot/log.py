"""Logging: one line per event, a constant name and keys, JSON or for a terminal; secrets never pass."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable
from typing import Any

import structlog

from bot.redaction import REDACTED

_BEHIND_AN_ESCAPE = re.compile(r"(?:(?<=\\[bfnrt])|(?<=\\u[\da-f]{4}))(?:1//[\w-]{12,}|sk-[\w-]{20,})")
"""Tokens that begin a word, behind a line end or the like, which JSON and `repr` write as letters."""
_QUIET = (
    "httpx",
    "google_genai",
    "googleapiclient",
    "apscheduler",
    "aiosqlite",
    "slack_sdk",
    "slack_bolt",
    "alembic",
    "procrastinate",
)


def configure(redact: Callable[[str], str], *, json: bool | None = None) -> None:
    """Set up logging for this process, to stderr. `redact` replaces secrets in everything that is written."""
    as_json = not sys.stderr.isatty() if json is None else json
    renderer: Any = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _Redacting(
            redact,
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def redact_from_now_on(redact: Callable[[str], str]) -> None:
    """Have the log that `configure` set up, if it did, redact with this instead: more secrets are known by now."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, _Redacting):
            handler.formatter.redact = redact


class _Redacting(structlog.stdlib.ProcessorFormatter):
    """Redacts the finished line, so that nothing is forgotten: message, keys, arguments and tracebacks alike."""

    def __init__(self, redact: Callable[[str], str], **rest: Any) -> None:
        super().__init__(**rest)
        self.redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """The line without secrets."""
        return _BEHIND_AN_ESCAPE.sub(REDACTED, self.redact(super().format(record)))
