"""What chaos proves is said only by a run that came to its end, about a stage that came to rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.runs import RunState
from bot.settings import Settings
from tests import builders as make
from tests.acceptance.world import Json, World
from tests.stores import Opened, opened
from tests.verification.chaos.__main__ import Report, end
from tests.verification.chaos.consistency import Consistency, Counts
from tests.verification.chaos.play import Wanted
from tests.verification.chaos.rest import NotAtRest


class Working:
    """A stage whose database is all that may be looked at: something of it is not done yet."""

    def __init__(self, base: Opened) -> None:
        self._base = base

    @property
    def here(self) -> World:
        raise NotImplementedError

    @property
    def settings(self) -> Settings:
        raise NotImplementedError

    def rows(self, query: str, /, *values: object) -> list[Json]:
        return self._base.rows(query, *values)

    async def log(self, name: str) -> list[Json]:
        raise NotImplementedError


async def test_what_does_not_rest_is_not_compared(tmp_path: Path) -> None:
    """A stage on which a run still goes on is said not to rest, whatever its rows and the emulators hold."""
    async with opened(tmp_path) as base:
        asked = make.message("please")
        async with base.store.write() as work:
            await work.threads.ensure(make.thread())
            await work.messages.add(asked)
            await work.runs.add(make.run(message_id=asked.id, state=RunState.EXECUTING))
        with pytest.raises(NotAtRest, match="does not come to rest: 1 runs"):
            await Consistency(Working(base), Wanted()).compare(strict=False)


def test_a_verdict_needs_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    """A run that was interrupted, or of which a part hangs or does not rest, says of nothing that it was not lost."""
    report = Report(counts=Counts(lost=["a mail"]), compared=True)
    assert end(report) == 1
    assert "1 lost" in capsys.readouterr().out
    report.fail("interrupted")
    assert end(report) == 1
    said = capsys.readouterr().out
    assert "no verdict: 1 parts or plays did not come to their end" in said
    assert "LOST: a mail" in said
    assert "1 lost" not in said
    assert end(Report(compared=True)) == 0
    assert "0 lost" in capsys.readouterr().out


def test_what_compared_nothing_gives_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    """The explorer alone finds faults of the rows, and looks at nothing that Slack and Google received."""
    assert end(Report()) == 0
    said = capsys.readouterr().out
    assert "no verdict on what was lost: none of these parts compares anything" in said
    assert "0 lost" not in said
