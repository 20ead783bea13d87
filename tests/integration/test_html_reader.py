"""The process that reads HTML: warm, bounded, replaced, and ended with its owner."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
from pathlib import Path

import pytest

from integrations.gmail.isolated.html_reader import CPU_SECONDS, MOST_KEPT, HtmlReader, HtmlUnreadable
from tests.depth import first
from tests.hostile_html import HOSTILE
from tests.patience import PATIENCE_SECONDS

SLACK = 0.1
"""The system counts a process's time in ticks, and ends it at the next one."""


async def ended(pid: int) -> None:
    """Wait until a process is gone."""
    gone = asyncio.Event()
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:  # it is, before anybody could look
        return
    asyncio.get_running_loop().add_reader(descriptor, gone.set)
    try:
        await asyncio.wait_for(gone.wait(), PATIENCE_SECONDS)
    finally:
        asyncio.get_running_loop().remove_reader(descriptor)
        os.close(descriptor)


def environment_of(pid: int | None) -> list[bytes]:
    """The names of what a process has in its environment."""
    given = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return [each.partition(b"=")[0] for each in given if each]


def spent_by(pid: int | None) -> float:
    """Seconds of the processor that a process has used until now."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def spent_by_ended() -> float:
    """The same of all processes that we started and that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def test_one_process_reads_many_pages() -> None:
    """It starts with the first page and stays; an empty page needs none."""
    async with HtmlReader() as html:
        assert (await html.text("  "), html.pid) == ("", None)
        texts = await asyncio.gather(*(html.text(f"<p>page {n}</p>") for n in range(20)))
        first = html.pid
        assert texts == [f"page {n}" for n in range(20)]
        assert await html.text("<p>Grüße \ud800</p>") == "Grüße ?"
        assert html.pid == first is not None


async def test_what_is_kept_is_not_read_again() -> None:
    """A page that was read is known without any process, each by itself; the one that was asked for longest ago goes
    first, and what could not be read is tried again.
    """
    async with _Counted() as html:
        for _ in range(2):
            assert await html.kept_text("<p>first") == "first"
        pages = [f"<p>page {n}" for n in range(MOST_KEPT - 1)]
        assert [f"<p>{await html.kept_text(page)}" for page in pages] == pages
        await html.kept_text("<p>first")
        await html.kept_text("<p>one more")
        assert html.read == ["<p>first", *pages, "<p>one more"]
        await html.kept_text("<p>first")
        assert html.read[MOST_KEPT + 1 :] == []
        await html.kept_text(pages[0])
        assert html.read[MOST_KEPT + 1 :] == [pages[0]]
        for _ in range(2):
            with pytest.raises(HtmlUnreadable):
                await html.kept_text("<b>" * 100_000)


class _Counted(HtmlReader):
    """Knows what it was asked to read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    async def text(self, html: str) -> str:
        self.read.append(html)
        return await super().text(html)


async def test_it_has_none_of_our_secrets() -> None:
    """Its environment is the way to the modules, and nothing else."""
    async with HtmlReader() as html:
        await html.text("<p>x")
        assert environment_of(html.pid) == [b"PYTHONPATH"]


@pytest.mark.parametrize("name", first(15, HOSTILE))
async def test_hostile_html_costs_its_budget_at_most(name: str) -> None:
    """300 kB of it is read, or the process that reads it ends at its budget."""
    async with HtmlReader() as html:
        await html.text("<p>x")
        before, at_start = spent_by_ended(), spent_by(html.pid)
        try:
            assert isinstance(await html.text(HOSTILE[name]), str)
            spent = spent_by(html.pid)
        except HtmlUnreadable:
            assert html.pid is None
            spent = spent_by_ended() - before
    assert spent - at_start <= CPU_SECONDS + SLACK


async def test_after_a_hostile_page_others_are_read() -> None:
    """Another process takes the place of the one that was ended, also for those who waited."""
    async with HtmlReader() as html:
        await html.text("<p>x")
        first = html.pid
        hostile, honest = await asyncio.gather(
            html.text("<b>" * 100_000), html.text("<p>honest</p>"), return_exceptions=True
        )
        assert (type(hostile), honest) == (HtmlUnreadable, "honest")
        assert html.pid != first


async def test_the_loop_goes_on_while_a_page_is_read() -> None:
    """Nothing else waits for hostile HTML."""
    async with HtmlReader(cpu=5.0) as html:
        reading = asyncio.create_task(html.text("<p>x<div>" * 30_000))
        turns = 0
        while not reading.done():
            await asyncio.sleep(0)
            turns += 1
    assert turns > 100


async def test_one_that_does_not_answer_is_given_up() -> None:
    """A process that stands still costs the time until an answer, and is replaced."""
    for wall in (0.5, 2.0, 8.0, 32.0):  # on a busy machine it takes a while to start
        async with HtmlReader(wall=wall) as html:
            with contextlib.suppress(HtmlUnreadable):
                await html.text("<p>x")
            if html.pid is None:
                continue
            os.kill(html.pid, signal.SIGSTOP)
            with pytest.raises(HtmlUnreadable):
                await html.text("<p>x")
            assert html.pid is None
            return
    pytest.fail("no reader started")


async def test_a_cancelled_reading_leaves_nothing_behind() -> None:
    """The answer that nobody waits for any more is not the next one's."""
    async with HtmlReader(cpu=5.0) as html:
        await html.text("<p>x")
        reading = asyncio.create_task(html.text("<p>mine" + "<div>" * 50_000))
        while html.is_idle:
            await asyncio.sleep(0)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        assert await html.text("<p>yours") == "yours"


@pytest.mark.parametrize("is_killed", [False, True], ids=["rested", "killed"])
async def test_one_that_ended_while_it_rested_is_replaced(is_killed: bool) -> None:
    """It ends by itself when no page comes, and the system may kill it: the next page starts another one."""
    async with HtmlReader(idle=300.0 if is_killed else 0.0) as html:
        await html.text("<p>x")
        first = html.pid
        assert first is not None
        if is_killed:
            os.kill(first, signal.SIGKILL)
        await ended(first)
        while html.pid == first:  # the loop is told in a turn of its own
            await asyncio.sleep(0)
        assert await html.text("<p>again") == "again"


async def test_it_ends_with_its_owner() -> None:
    """No process is left; outside of its block nothing is read."""
    async with HtmlReader() as html:
        await html.text("<p>x")
        pid = html.pid
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(RuntimeError):
        await html.text("<p>x")


async def test_a_page_says_what_it_cost() -> None:
    """By the processor's time that the process measured."""
    async with HtmlReader() as html:
        text, seconds = await html.timed_text("<p>x")
        assert text == "x"
        assert 0 < seconds < 1
        assert await html.timed_text(" ") == ("", 0.0)
