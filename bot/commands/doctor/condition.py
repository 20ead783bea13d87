"""The condition of a database in a few lines: its kind, whether its log is sound, what waits in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.domain.audit import EVERY_TEAM, Head, mark
from bot.domain.statistics import Statistics
from bot.runtime.audit.chain import is_signed
from bot.runtime.operations.database_copy import IsACopy
from bot.runtime.operations.readiness import UNSEALED_SECONDS
from bot.store.schema import is_too_new, newest
from bot.wiring.store import Base, origin_of, without_password
from integrations.text import counted


async def condition(base: Base) -> tuple[list[str], list[str]]:
    """What this database is, whether its log is sound and what waits in it, read in one snapshot.

    A line for each thing, with a mark: `✓` is well, `!` is worth a look. Then the problems that keep a bot from
    starting. Raises `NotRead`.
    """
    async with base.store.read() as work:
        figures, heads = await work.statistics.now(), await work.audit.heads()
        copy = await origin_of(base).copy_of(work)
        schema = await work.metadata.schema()
        limits = await work.metadata.standstill_limits()
    now = base.clock.now()
    lines = [_kind(base, schema), *_locks(limits), *_log(base, heads, figures, now), *_waiting(figures, now)]
    return lines, [str(IsACopy(copy))] if copy else []


def _kind(base: Base, there: str) -> str:
    what = "PostgreSQL" if base.shared else "SQLite"
    where = without_password(base.settings.database_url) if base.shared else base.settings.sqlite_path.absolute()
    if there == newest():
        return f"✓ Database: {what}, {where}, schema {there} (the newest)"
    if is_too_new(there):
        return f"! Database: {what}, {where}, schema {there}, of a newer countersign: install that one again"
    return f"! Database: {what}, {where}, schema {there or 'none'}; the newest is {newest()}: run `countersign migrate`"


def _locks(limits: tuple[float, float] | None) -> Iterator[str]:
    """What the server does about a replica that stands still; nothing to say of a file."""
    match limits:
        case None:
            return
        case (0.0, _):
            yield (
                "! Locks: those of a replica that stands still never end, because something between us and the server "
                "drops our settings: name the server itself in DATABASE_URL, or a pooler in session mode"
            )
        case (between, 0.0):
            yield (
                f"! Locks: those of a replica that stands still end after {between:g} s, but never where it stands "
                "within a statement: PostgreSQL 17 and newer end these as well"
            )
        case (between, within):
            ends = f"after {between:g} s, and within a statement after {within:g} s"
            yield f"✓ Locks: those of a replica that stands still end {ends}"


def _log(base: Base, heads: Sequence[Head], figures: Statistics, now: datetime) -> Iterator[str]:
    """Check the signed heads only, which is quick; `audit verify` reads everything."""
    unsigned = [head for head in heads if not is_signed(base.keyring, head)]
    if unsigned:
        yield "! Log: a signed head was changed, or its key is missing: run `countersign audit verify`"
    for head in heads:
        if head.team != EVERY_TEAM and head not in unsigned:
            entries = counted(head.seq, "entry", "entries")
            yield f"✓ Log: {entries} of {head.team}, head {mark(head.seq, head.hash)}, its signature is valid"
    age = figures.unsealed.age(now)
    if age > UNSEALED_SECONDS:
        waiting = f"{counted(figures.unsealed.count, 'entry', 'entries')} not sealed, the oldest for {age:,.0f} s"
        yield f"! Log: {waiting}; effects wait until a bot runs and seals them"


def _waiting(figures: Statistics, now: datetime) -> Iterator[str]:
    asked, pending = figures.open_questions, figures.deliveries
    live = sum(count for state, count in figures.runs.items() if state.is_live())
    yield f"✓ Work: {counted(live, 'run')} under way, {counted(asked.count, 'question')} open"
    if pending.age(now) > UNSEALED_SECONDS:
        oldest = f"the oldest for {pending.age(now):,.0f} s"
        waiting = f"{counted(pending.count, 'message')} to Slack not delivered, {oldest}"
        yield f"! Deliveries: {waiting}; they go out when a bot runs and Slack accepts them"
    if figures.dead_letters:
        given_up = f"{counted(figures.dead_letters, 'message')} to Slack given up"
        yield (
            f"! Deliveries: {given_up}, and their owners were told; "
            "`countersign audit export` has each as delivery.dead, `countersign runs show` says why"
        )
