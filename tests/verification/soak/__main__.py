"""`python -m tests.verification.soak --minutes 3`: the real bot process under steady mixed load in the playground.

Memory, tasks, file descriptors and the database's size per run must stay flat, every request must come to its end, and
none may fail; the figures are printed, and the status is 1 otherwise. The emulators live in this process, and only the
bot's is measured. How small a growth is seen depends on the time: three minutes see what fills the memory within a day,
and what adds 1 MiB an hour takes half a day to be seen. The bound is printed for an hour, too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.store.engine.sqlite import CONNECTIONS
from playground.environment import for_agent
from playground.slack.settings import Settings as SlackSettings
from tests import proxies
from tests.acceptance.mortal import ROOT, says_ready
from tests.acceptance.world import DATABASE, World, world
from tests.verification.soak.figures import Figure, Sample, figures
from tests.verification.soak.load import Load

_ROUND_SECONDS = 12.0
_REST_SECONDS = 120.0  # on a busy machine
_LOOK_SECONDS = 2.0
_LONG_MINUTES = 20.0
_SLACK = SlackSettings(retries=20, retry_seconds=2.0)
"""A busy machine does not save everything in time, and then Slack waits a minute and five: shortened to seconds."""

_LEAST_SAMPLES = 9  # after the warm-up three for each half
_BUSY = (
    "SELECT id FROM runs WHERE state IN ('queued', 'planning', 'executing') "
    "UNION ALL SELECT subject FROM outbox WHERE state = 'pending' LIMIT 1"
)
_NOT_WELL = (
    "SELECT 'run ' || state || ': ' || coalesce(error, '') FROM runs WHERE state NOT IN ('completed', 'paused') "
    "UNION ALL SELECT 'action ' || state FROM actions WHERE state IN ('failed', 'unknown', 'executing', 'approved') "
    "UNION ALL SELECT 'delivery ' || state FROM outbox WHERE state <> 'delivered'"
)
"""At the end, when every card is answered or has expired: runs that wait, failed or were lost on their way."""
_CONNECTED = 2 * CONNECTIONS + 2
"""The files of a SQLite database with all connections open: two of each, and those of its lock and its index."""

_EXPIRES_HOURS = "0.003"  # eleven seconds


def main() -> int:
    """Run it, and say what came of it."""
    options = argparse.ArgumentParser(prog="python -m tests.verification.soak")
    options.add_argument("--minutes", type=float, default=3.0)
    options.add_argument("--per-second", type=float, default=2.0, help="requests")
    options.add_argument("--rss", type=float, help="MiB of memory that a minute may add, instead of the usual bound")
    chosen = options.parse_args()
    proxies.forget()
    rss_bound = usual_bound(chosen.minutes) if chosen.rss is None else chosen.rss
    return asyncio.run(_soaked(chosen.minutes * 60, chosen.per_second, rss_bound))


def usual_bound(minutes: float) -> float:
    """MiB a minute: in the first minutes caches still fill, and what is left then is noise of some MiB in all."""
    return (12 if minutes < _LONG_MINUTES else 6) / minutes


async def _soaked(seconds: float, per_second: float, rss_bound: float) -> int:
    with TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        async with world(folder, slack_settings=_SLACK) as here, _bot(here, folder) as pid:
            samples, asked = await _load(here, folder, pid, seconds, per_second)
            wrong = await _wrong(folder / DATABASE, asked)
            if wrong:
                sys.stdout.writelines(f"  {line}\n" for line in _complaints(folder / "bot.log"))
            _say(figures(samples, rss_bound=rss_bound), samples, _states(folder / DATABASE))
            _say_tasks(_inside(folder)["tasks"])
    sys.stdout.write(f"the bound of the memory is {rss_bound * 60:.0f} MiB an hour: less is not seen in this time\n")
    sys.stdout.writelines(f"WRONG {problem}\n" for problem in wrong[:20])
    return 0 if not wrong and all(figure.is_flat for figure in figures(samples, rss_bound=rss_bound)) else 1


def _complaints(said: Path) -> Sequence[str]:
    """What the bot said last that is not all well."""
    lines = said.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line[:300] for line in lines if '"warning"' in line or '"error"' in line][-20:]


async def _wrong(database: Path, asked: Sequence[tuple[str, str]]) -> Sequence[str]:
    """What did not come to its end, once the last cards have expired; and requests that were lost."""
    end = time.monotonic() + _REST_SECONDS
    while (found := await asyncio.to_thread(_problems, database, asked)) and time.monotonic() < end:
        await asyncio.sleep(1.0)
    return found


def _problems(database: Path, asked: Sequence[tuple[str, str]]) -> Sequence[str]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5)) as rows:
        found = Counter(problem for (problem,) in rows.execute(_NOT_WELL))
        known = {source.rpartition(":")[2] for (source,) in rows.execute("SELECT source_key FROM runs")}
        known |= {ts for (ts,) in rows.execute("SELECT ts FROM messages WHERE steers IS NOT NULL")}
    missing = [place for place in asked if place[1] not in known]
    lost = [f"{len(missing)} of {len(asked)} requests are no runs: {missing[:5]}"] * bool(missing)
    return lost + [f"{count} × {problem[:200]}" for problem, count in found.most_common()]


@asynccontextmanager
async def _bot(here: World, folder: Path) -> AsyncGenerator[int]:
    """The bot, as a process of its own."""
    said = folder / "bot.log"
    with said.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.verification.soak.bot", str(folder / "inside"), env=_environment(here, folder),
            cwd=ROOT, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        await here.until(lambda: says_ready(said, process.pid), "a ready bot")
        yield process.pid
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def _environment(here: World, folder: Path) -> Mapping[str, str]:
    given = for_agent(os.environ, root=ROOT, addresses=here.addresses, database=folder / DATABASE)
    return {**given, "AGENT_REQUESTS_PER_MINUTE": "0", "AGENT_QUESTION_HOURS": _EXPIRES_HOURS}


async def _load(
    here: World, folder: Path, pid: int, seconds: float, per_second: float
) -> tuple[list[Sample], Sequence[tuple[str, str]]]:
    """The samples, and where the requests stand. Each is taken at rest, after a round of asking and answering:
    what is left then should not grow.
    """
    load, began, samples = Load(here, folder / DATABASE), time.monotonic(), list[Sample]()
    while (passed := time.monotonic() - began) < seconds or len(samples) < _LEAST_SAMPLES:
        people = [asyncio.create_task(work) for work in (load.asks(per_second), load.answers())]
        await asyncio.sleep(_ROUND_SECONDS)
        for task in people:
            task.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        await _rest(folder / DATABASE)
        samples.append(await asyncio.to_thread(_look, folder, pid, passed))
    return samples, load.asked


async def _rest(database: Path) -> None:
    """Until nothing works and everything is delivered, and a moment more: a look in between would tell of the load."""
    async with asyncio.timeout(_REST_SECONDS):
        while await asyncio.to_thread(_is_busy, database):
            await asyncio.sleep(0.5)
    await asyncio.sleep(_LOOK_SECONDS)


def _is_busy(database: Path) -> bool:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5)) as rows:
        return rows.execute(_BUSY).fetchone() is not None


def _look(folder: Path, pid: int, seconds: float) -> Sample:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    with closing(sqlite3.connect(f"file:{folder / DATABASE}?mode=ro", uri=True, timeout=5)) as rows:
        (pages,), (size,) = rows.execute("PRAGMA page_count").fetchone(), rows.execute("PRAGMA page_size").fetchone()
        (runs,) = rows.execute("SELECT count(*) FROM runs").fetchone()
    inside = _inside(folder)
    return Sample(
        seconds=seconds,
        rss_kib=int(status["VmRSS"].split()[0]),
        sqlite_kib=inside.get("sqlite_kib", 0),
        tasks=sum(inside.get("tasks", {}).values()),
        files=_files(pid, folder / DATABASE),
        database=pages * size,
        runs=runs,
    )


def _files(pid: int, database: Path) -> int:
    """How many files are open, as if every connection to the database were: each is opened in the first moment that is
    busy enough, which may come late, and kept.
    """
    names = [_name(link) for link in Path(f"/proc/{pid}/fd").iterdir()]
    connected = sum(name.startswith(str(database)) for name in names)
    return len(names) - connected + max(connected, _CONNECTED)


def _name(link: Path) -> str:
    with suppress(OSError):  # it was closed meanwhile
        return os.readlink(link)
    return ""


def _inside(folder: Path) -> Mapping[str, Any]:
    """What the bot wrote down a moment ago (`tests.verification.soak.bot`): `tasks` of each kind, and `sqlite_kib`."""
    file = folder / "inside"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def _states(database: Path) -> Mapping[str, int]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5)) as rows:
        found = Counter[str]()
        for table in ("runs", "questions"):
            for state, count in rows.execute(f"SELECT state, count(*) FROM {table} GROUP BY state"):
                found[f"{table} {state}"] = count
        return found


def _say(found: list[Figure], samples: list[Sample], states: Mapping[str, int]) -> None:
    sys.stdout.write(f"{samples[-1].runs} runs in {samples[-1].seconds / 60:.1f} minutes\n")
    for name, count in sorted(states.items()):
        sys.stdout.write(f"  {count:6} {name}\n")
    for figure in found:
        sys.stdout.write(figure.line() + "\n")


def _say_tasks(kinds: Mapping[str, int]) -> None:
    """The ten most frequent ones at the end."""
    for name, count in sorted(kinds.items(), key=lambda kind: -kind[1])[:10]:
        sys.stdout.write(f"  {count:6} {name}\n")


if __name__ == "__main__":
    sys.exit(main())
