"""What is written and checked: the write-ahead log of each step, and the log of audit entries and its export."""

from __future__ import annotations

import sqlite3
import statistics
import struct
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from bot.domain.audit import AuditCode, AuditEvent
from bot.runtime.audit.checkpoints import Checkpoints
from bot.runtime.audit.export import as_json, checkpoint_as_json, checkpoints, entries
from bot.runtime.audit.proof import Proof
from bot.runtime.audit.sealer import Sealer
from bot.runtime.audit.verify import verified
from tests.stores import Opened, opened
from tests.verification.benchmarks.figures import Measured, Outcome
from tests.verification.benchmarks.processes import child

_STEPS = 8
_ENTRIES, _BATCH = 20_000, 500
_ROUNDS = 3
_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24


async def bench(folder: Path) -> Outcome:
    """All."""
    size, pages = await _wal(folder)
    verified_in, proven_in = await checked(folder)
    measured = [
        Measured(key="wal_step", value=size / 1e3),
        Measured(key="wal_pages", value=pages),
        _entries_a_second("verified", verified_in),
        _entries_a_second("proven", proven_in),
    ]
    return Outcome(measured=measured, rounds={"verified_in": verified_in, "proven_in": proven_in})


def _entries_a_second(key: str, seconds: Sequence[float]) -> Measured:
    """Of a second of the processor, from the seconds that each round took."""
    spread = (_ENTRIES / max(seconds), _ENTRIES / min(seconds))
    return Measured(key=key, value=_ENTRIES / statistics.median(seconds), spread=spread)


async def _wal(folder: Path) -> tuple[float, float]:
    """Bytes for each model call of one run, and pages for each commit, from the frames that it left
    (sqlite.org/fileformat2.html, “The Write-Ahead Log”).
    """
    file, module = folder / "wal.db", "tests.verification.benchmarks"
    async with child("model", ["-m", f"{module}.model_server"]) as model:
        url = (await model.line())["url"]
        arguments = ["-m", f"{module}.contestants.ours", url, f"sqlite+aiosqlite:///{file}"]
        async with child("ours", arguments, errors=folder / "ours.log") as ours:
            await ours.line(within=60.0)
            await ours.ask({"steps": _STEPS, "runs": 3})
            time.sleep(2.0)  # noqa: ASYNC251 - it seals and delivers, and nothing else is to happen here
            with closing(sqlite3.connect(file)) as connection:
                assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
            await ours.ask({"steps": _STEPS, "runs": 1})
            frames = _frames(file.with_name(f"{file.name}-wal").read_bytes())
    commits = sum(frames)
    return len(frames) * _frame_bytes(file) / (_STEPS + 1), len(frames) / commits


def _frame_bytes(file: Path) -> int:
    return _FRAME_HEADER_BYTES + struct.unpack(">H", file.read_bytes()[16:18])[0]


def _frames(wal: bytes) -> list[bool]:
    """For each frame whether it ends a commit."""
    page = struct.unpack(">I", wal[8:12])[0]
    size = _FRAME_HEADER_BYTES + page
    begins = range(_HEADER_BYTES, len(wal) - size + 1, size)
    return [struct.unpack(">I", wal[begin + 4 : begin + 8])[0] != 0 for begin in begins]


async def checked(folder: Path) -> tuple[list[float], list[float]]:
    """The processor's seconds of each round: of the log in its database, with the keys; and of its export in a file,
    with the public key alone.
    """
    async with opened(folder) as base:
        await _write(base)
        taken: list[float] = []
        for _ in range(_ROUNDS):
            began = time.process_time()
            report = await verified(base.store, base.keyring)
            taken.append(time.process_time() - began)
            assert report.entries == _ENTRIES, report.text()
            assert not report.problems, report.text()
        file = folder / "export.jsonl"
        lines = [*map(checkpoint_as_json, await checkpoints(base.store))]
        lines += [as_json(entry) async for entry, _ in entries(base.store)]
        file.write_text("\n".join(lines), encoding="utf-8")
        return taken, [_proven(file, base.keyring.public_keys) for _ in range(_ROUNDS)]


def _proven(file: Path, public_keys: Sequence[str]) -> float:
    """As `audit verify --file` reads it."""
    began, proof = time.process_time(), Proof(public_keys)
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            proof.read(line, f"line {number}")
    report = proof.end()
    taken = time.process_time() - began
    assert (report.is_whole, report.entries) == (True, _ENTRIES), report.text()
    return taken


async def _write(base: Opened) -> None:
    details = {"tool": "gmail_search", "caption": "Search mail for “in:inbox”", "steps": 3, "by": "model"}
    for number in range(_ENTRIES // _BATCH):
        event = AuditEvent(
            team="T1", code=AuditCode.MESSAGE_STEERS, actor="U1DANA", run_id=f"run_{number:020}", details=details
        )
        async with base.store.write() as work:
            await work.audit.record(*[event] * _BATCH)
    sealer = Sealer(store=base.store, keyring=base.keyring)
    signs = Checkpoints(store=base.store, keyring=base.keyring, clock=base.clock)
    while sealed := await sealer.seal():
        await signs.keep_up(sealed)
