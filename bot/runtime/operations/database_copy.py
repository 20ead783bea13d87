"""The origin of a database: a copy does nothing until somebody says that the original is gone.

Two bots that go on with the same requests would do things twice. A backup is marked as a copy when it is made. Besides,
a database carries an id that also stands in a file beside it: a copy that was made by other means lacks that file. On a
server it carries the place that the server gave its tables: a dump that is restored has another one.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.domain.actions import Action, ActionState
from bot.domain.audit import EVERY_TEAM, AuditCode, AuditEvent
from bot.domain.runs import OPERATOR, Run, RunState
from bot.env_file import write_privately
from bot.errors import BotError, Misconfigured
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.progress import lock_step
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.runs.stop import cancel
from bot.store.repositories.metadata import COPIED_AT, COPY
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork

INSTANCE = "instance"
_EVERY_RUN = 1_000_000
_UNFINISHED = [state for state in RunState if not state.is_final()]

_BEGUN_SINCE: Mapping[ActionState, Sequence[ActionState]] = {
    ActionState.EXPIRED: (ActionState.PLANNED, ActionState.APPROVED),
    ActionState.PLANNED: (ActionState.APPROVED,),
    ActionState.AWAITING: (ActionState.APPROVED,),
    ActionState.APPROVED: (),
}
"""What the original may have begun after the copy was made, by which states."""


class IsACopy(Misconfigured):
    """The database is a copy, and its original may be at work."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"DATABASE_URL names a copy ({why}). Should its original go on somewhere, everything would be done twice, "
            "so this one does nothing. If the original is gone and never starts again, say so: "
            "countersign restore --original-is-gone"
        )


class NoCopy(BotError):
    """The database is the original."""

    def __init__(self) -> None:
        super().__init__("DATABASE_URL names no copy: there is nothing to confirm, and nothing was changed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseCopy:
    """What is known of this database's origin. `beside` is the file with its id; None where a server has it."""

    store: Store
    beside: Path | None

    async def claim(self) -> None:
        """Go on with this database, or begin it; raises `IsACopy`."""
        async with self.store.write() as work:
            if copy := await self.copy_of(work):
                raise IsACopy(copy)
            if await work.metadata.find(INSTANCE) is None:
                await self._settle_down(work)
            elif self.beside:
                self.beside.chmod(0o600)  # an earlier version let others read it

    async def _settle_down(self, work: UnitOfWork) -> None:
        """From now on this is its place."""
        here = _written(self.beside, secrets.token_hex(16)) if self.beside else await work.metadata.place()
        if here is not None:
            await work.metadata.set(INSTANCE, here)

    async def copy_of(self, work: UnitOfWork) -> str | None:
        """Why this is taken for a copy; None when it is not."""
        if copy := await work.metadata.find(COPY):
            return copy
        known = await work.metadata.find(INSTANCE)
        if known is None or known == (_read(self.beside) if self.beside else await work.metadata.place()):
            return None
        if self.beside is None:
            return "its tables were made from a dump or a copy"
        return f"the file {self.beside.name} beside it is missing or belongs to another database"

    async def _copied_at(self, tx: Transaction) -> datetime:
        """When the copy was made; of one that does not say so, when the newest entry of its log was written."""
        is_marked = await tx.work.metadata.find(COPY)
        known = await tx.work.metadata.copied_at() if is_marked else None  # else it may be that of an earlier copy
        at = known or await tx.work.audit.newest_at() or tx.now
        await tx.work.metadata.set(COPIED_AT, at.isoformat())
        return at

    async def original_is_gone(self, transactions: TransactionFactory) -> int:
        """From now on this is the database. How many runs were under way or paused in it: those are stopped.

        What was done for them after the copy was made is nowhere known here, so nothing of it may be done again. An
        effect that may have happened by now is looked for at its provider when the bot starts. Raises `NoCopy`.
        """
        async with transactions.write() as tx:
            work = tx.work
            copy = await self.copy_of(work)
            if copy is None:
                raise NoCopy
            copied_at = await self._copied_at(tx)
            runs = await work.records.runs(states=_UNFINISHED, user=None, limit=_EVERY_RUN)
            for run in sorted(runs, key=lambda run: run.thread_id):
                await _doubt(tx, run, copied_at)
                await cancel(tx, run, by=OPERATOR, code=AuditCode.RUN_STOPPED_BY_RESTORE, copied_at=copied_at)
            teams = {head.team for head in await work.audit.heads()} - {EVERY_TEAM}
            for team in sorted(teams):
                tx.record(
                    AuditEvent(team=team, code=AuditCode.DATABASE_RESTORED, actor=OPERATOR, details={"copy": copy})
                )
            await work.outbox.doubt_all()
            await work.sessions.end_all(None, at=tx.now)  # one may have been ended since
            await work.metadata.drop(COPY)
            await self._settle_down(work)
        return len(runs)


async def _doubt(tx: Transaction, run: Run, copied_at: datetime) -> None:
    """Whatever could have changed something outside counts as attempted: what is not begun here may be done by now."""
    await tx.work.threads.lock(run.thread_id)
    step = await tx.work.steps.open_of(run.id)
    if step is None:
        return
    await lock_step(tx, step.id)
    for action in await tx.work.actions.of_step(step.id):
        if action.state in _BEGUN_SINCE and action.is_side_effect:
            await _attempted(tx, action, copied_at)
    if run.state is RunState.QUEUED:  # it was held back, and has its step already
        await move_run(tx, run, RunState.PLANNING)


async def _attempted(tx: Transaction, action: Action, copied_at: datetime) -> None:
    await move_action(
        tx,
        action,
        *_BEGUN_SINCE[action.state],
        ActionState.EXECUTING,
        code=AuditCode.ACTION_FORGOTTEN,
        actor=OPERATOR,
        about={"copied_at": copied_at.isoformat()},
        doubt=True,
    )


def _read(path: Path) -> str:
    return path.read_text(encoding="ascii").strip() if path.is_file() else ""


def _written(path: Path, instance: str) -> str:
    """Write the id beside the database; the id."""
    write_privately(path, instance + "\n")
    return instance
