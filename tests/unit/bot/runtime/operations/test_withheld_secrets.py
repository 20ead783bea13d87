"""A secret that was about to leave is in the log, and nothing waits for a log that cannot be written."""

from __future__ import annotations

import structlog.testing

from bot.runtime.operations.withheld_secrets import record_withheld
from tests.builders import TEAM
from tests.stores import Opened


async def test_it_is_in_the_log(base: Opened) -> None:
    """With the method and the place, and without the secret."""
    await record_withheld(base.store, TEAM, "chat.postMessage", "C1")
    [entry] = base.rows("SELECT code, body FROM audit")
    assert entry["code"] == "secret.withheld"
    assert '"method":"chat.postMessage","place":"C1"' in entry["body"]


async def test_a_log_that_cannot_be_written_stops_nothing(base: Opened) -> None:
    """What is sent holds no secret any more."""
    await base.tamper("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END")
    with structlog.testing.capture_logs() as logs:
        await record_withheld(base.store, TEAM, "chat.postMessage", "C1")
    assert [line["event"] for line in logs if line["log_level"] == "error"] == ["slack.withheld_not_recorded"]
