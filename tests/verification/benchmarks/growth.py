"""Whether a step costs more when a hundred thousand requests lie in the database, and ten thousand questions wait."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from playground.people import DANA
from tests.acceptance.slack_side import send_mail
from tests.acceptance.world import APPROVE, DATABASE
from tests.verification.benchmarks.bots import settled, stage
from tests.verification.benchmarks.figures import Measured, Outcome
from tests.verification.benchmarks.filled import copy_request
from tests.verification.benchmarks.processes import Child, child
from tests.verification.benchmarks.rounds import in_turn

RUNS, QUESTIONS = 100_000, 10_000
_STEPS, _ROUNDS = 8, 9
_HELEN = "helen.marsh@marshgardens.example"


async def bench(folder: Path) -> Outcome:
    """In turn, on both."""
    made, full = folder / "made", folder / "full"
    await asyncio.to_thread(made.mkdir)
    done, waiting = await _played(made)
    await asyncio.to_thread(shutil.copytree, made, full)
    await asyncio.to_thread(copy_request, full / DATABASE, done, RUNS)
    await asyncio.to_thread(copy_request, full / DATABASE, waiting, QUESTIONS)
    module = "tests.verification.benchmarks"
    async with contextlib.AsyncExitStack() as stack:
        model = await stack.enter_async_context(child("model", ["-m", f"{module}.model_server"]))
        url = (await model.line())["url"]
        contestants: dict[str, Child] = {}
        for place in (made, full):
            arguments = ["-m", f"{module}.contestants.ours", url, f"sqlite+aiosqlite:///{place / DATABASE}"]
            contestants[place.name] = await stack.enter_async_context(
                child(place.name, arguments, errors=place / "ours.log")
            )
            await contestants[place.name].line(within=120.0)
        plays = {name: lambda each=each: each.ask({"steps": _STEPS, "runs": 1}) for name, each in contestants.items()}
        empty, filled = await in_turn(plays, rounds=_ROUNDS)
    by_round = [one / other for one, other in zip(filled.seconds, empty.seconds, strict=True)]
    measured = Measured(key="full", value=filled.median / empty.median, spread=(min(by_round), max(by_round)))
    return Outcome(measured=[measured], rounds={"empty": empty.seconds, "full": filled.seconds})


async def _played(folder: Path) -> tuple[str, str]:
    """A mail that was approved, and one that waits: the ids of their runs."""
    async with stage(folder) as here, here.bot():
        for subject in ("Done", "Waits"):
            await here.here.say(DANA, send_mail(_HELEN, subject))
            (card,) = await here.here.card_in(here.here.dm_of(DANA))
            if subject == "Done":
                await here.here.click(DANA, card, APPROVE)
                await here.here.answer_in(here.here.dm_of(DANA), "done")
        await settled(here)
    with closing(sqlite3.connect(folder / DATABASE)) as rows:
        found = dict(rows.execute("SELECT state, id FROM runs").fetchall())
    return found["completed"], found["awaiting_confirmation"]
