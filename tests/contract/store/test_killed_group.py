"""`kill -9` between the COMMIT that units share and the word to them."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE

from tests import builders as make
from tests.contract.store.group_without_word import UNITS
from tests.stores import Opened


async def test_a_group_that_is_killed_before_the_word_to_its_units_is_saved(sqlite: Opened) -> None:
    """All of its units are saved and none was told, the file is whole, and the next process writes."""
    program = ["-m", "tests.contract.store.group_without_word", sqlite.url]
    killed = await asyncio.create_subprocess_exec(sys.executable, *program, stdout=PIPE)
    assert killed.stdout is not None
    said = await killed.stdout.readline()
    killed.kill()
    said += await killed.stdout.read()
    assert (said, await killed.wait()) == (b"committed\n", -signal.SIGKILL)
    assert [row["id"] for row in sqlite.rows("SELECT id FROM runs ORDER BY id")] == [*UNITS]
    assert sqlite.rows("PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    async with sqlite.store.write() as work:
        await work.runs.add(make.run())
