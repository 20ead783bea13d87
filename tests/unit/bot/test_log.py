"""The log: a line per event, and no secret on any of them."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from bot.log import configure
from bot.redaction import REDACTED, Redactor
from bot.runtime.core import batch
from tests import logs

SECRET = "hunter2-hunter2"


@pytest.fixture(autouse=True)
def restored() -> Generator[None]:
    """Logging as it was."""
    with logs.restored():
        yield


def test_a_logger_that_was_used_meanwhile_is_as_it_was() -> None:
    """It is cached when it is first used, and a later test has to hear it."""
    with logs.restored():
        configure(Redactor(), json=True)
        batch.log.error("round.failed")
    with capture_logs() as heard:
        batch.log.error("round.failed")
    assert [one["event"] for one in heard] == ["round.failed"]


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_an_event_is_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    """A constant name, its keys, the level and the time, on stderr; details for developers are dropped by default."""
    configure(Redactor(), json=True)
    structlog.get_logger().debug("detail")
    structlog.get_logger().info("run.started", run="run_1")
    (line,) = lines(capsys)
    assert (line["event"], line["run"], line["level"]) == ("run.started", "run_1", "info")
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize("token", ["1//0gLongRefreshToken-x", "sk-proj-0123456789_abcdef-XYZ"])
@pytest.mark.parametrize("before", ["\n", "\t", "—"])
def test_a_token_behind_a_line_end_is_redacted(capsys: pytest.CaptureFixture[str], token: str, before: str) -> None:
    """JSON writes the line end as letters, which would stand before the token as if it went on a word."""
    configure(Redactor(), json=True)
    structlog.get_logger().warning("google.refused", answer={"said": [f"invalid:{before}{token}"]})
    try:
        raise ValueError(f"{before}{token}")
    except ValueError:
        logging.getLogger("elsewhere").exception("refused")
    logging.getLogger("elsewhere").error("refused: %r", [f"{before}{token}"])
    told = capsys.readouterr().err
    assert (token in told, told.count(REDACTED)) == (False, 3)


def test_a_secret_that_json_writes_otherwise_is_redacted_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Quotes, backslashes and letters outside ASCII are written with escapes in a line, and still are a secret."""
    odd = 'sés"ame\\open'
    configure(Redactor([odd]), json=True)
    structlog.get_logger().warning("database.unreachable", why=f"password {odd} refused")
    (line,) = lines(capsys)
    assert line["why"] == f"password {REDACTED} refused"


def test_security_input_60_no_secret_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    """In an event's name, in keys, in nested values, in arguments of other libraries and in tracebacks."""
    configure(Redactor([SECRET]), json=True)
    log = structlog.get_logger()
    log.warning(SECRET, key=SECRET, nested={"a": [SECRET]})
    logging.getLogger("library").warning("said %s to %s", "xoxb-1-2-3", SECRET)
    try:
        raise RuntimeError(SECRET)
    except RuntimeError:
        log.exception("broke")
    written = capsys.readouterr().err
    assert SECRET not in written
    assert "xoxb-1-2-3" not in written
    assert written.count(REDACTED) >= 5
    assert "RuntimeError" in written


def test_libraries_are_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    """What chatty libraries say for information is not written; their warnings are."""
    configure(Redactor(), json=True)
    for name in ("apscheduler.any", "slack_bolt.any", "google_genai.any"):
        logging.getLogger(name).info("chatter")
        logging.getLogger(name).warning("trouble")
    assert [line["event"] for line in lines(capsys)] == ["trouble"] * 3


def test_a_person_at_a_terminal_gets_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Without JSON the same event is a line to read."""
    configure(Redactor(), json=False)
    structlog.get_logger().info("run.started", run="run_1")
    assert "run.started" in capsys.readouterr().err
