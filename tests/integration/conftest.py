from __future__ import annotations

import logging
import os
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog

from bot.settings import Settings
from tests.integration.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Shell]:
    """A shell in an empty folder. Commands set up logging for their process, and this is ours."""
    for name in [name for name in os.environ if name in {field.upper() for field in Settings.model_fields}]:
        monkeypatch.delenv(name)
    path = tmp_path / "countersign.db"
    database = {"DATABASE_URL": f"sqlite+aiosqlite:///{path}", "COUNTERSIGN_ENV_FILE": "", "COLUMNS": "110"}
    root = logging.getLogger()
    handlers, level, configuration = root.handlers, root.level, structlog.get_config()
    yield Shell(path=path, environment=database | {"GOOGLE_OAUTH_TOKEN_URL": "http://127.0.0.1:9/token"})
    root.handlers = handlers
    root.setLevel(level)
    structlog.configure(**configuration)
