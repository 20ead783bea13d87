"""Logging of this process, which a command sets up anew, as it was before a test."""

from __future__ import annotations

import logging
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import cast

import structlog

_PROXY = type(cast("object", structlog.get_logger()))


@contextmanager
def restored() -> Generator[None]:
    """What a test sets up ends with it, for loggers that were used meanwhile, too: they keep what they found then
    (`cache_logger_on_first_use`).
    """
    root = logging.getLogger()
    handlers, level, configuration = root.handlers, root.level, structlog.get_config()
    try:
        yield
    finally:
        root.handlers = handlers
        root.setLevel(level)
        structlog.configure(**configuration)
        _forget()


def _forget() -> None:
    for module in list(sys.modules.values()):
        for one in list(vars(module).values()):
            if isinstance(one, _PROXY):
                vars(one).pop("bind", None)
