"""What a process that answers questions may take, and what of it is the machine's fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrations.gmail.isolated.html_reader import TRIES, HtmlLate, HtmlReader
from integrations.isolated.worker import Late, Worker

CHILD = "tests.integration.slow_child"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the process leaves its file."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_the_time_of_an_answer_begins_when_the_process_has_started(folder: Path) -> None:
    """On a busy machine a start takes long, and that is no fault of the question."""
    async with Worker(CHILD, cpu=1.0, wall=0.0) as worker:
        with pytest.raises(Late):
            await worker.answer("what is it?")
        assert (folder / "ready").exists()
        assert worker.pid is None


async def test_a_process_that_does_not_start_is_given_up() -> None:
    async with Worker(CHILD, cpu=1.0, wall=30.0, start=0.0) as worker:
        with pytest.raises(Late):
            await worker.answer("what is it?")
        assert worker.pid is None


async def test_a_signature_that_is_late_is_read_again() -> None:
    """It would be left out of the mail otherwise, and the next look would find another mail than the one approved."""
    async with _Busy(late=TRIES - 1) as html:
        assert await html.kept_text("<p>Dana") == "Dana"
        assert await html.kept_text("<p>Dana") == "Dana"
        assert html.asked == TRIES
    async with _Busy(late=TRIES) as html:
        with pytest.raises(HtmlLate):
            await html.kept_text("<p>Dana")


class _Busy(HtmlReader):
    """The machine does much else: so many answers come too late."""

    def __init__(self, *, late: int) -> None:
        super().__init__()
        self.late, self.asked = late, 0

    async def text(self, html: str) -> str:
        self.asked += 1
        if self.asked <= self.late:
            raise HtmlLate
        return await super().text(html)
