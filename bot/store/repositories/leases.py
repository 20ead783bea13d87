"""The repository of leases, which say which worker does what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, literal_column, or_, select, update

from bot.domain.states import LostRace
from bot.store.engine.session import THREAD_LEASE, DatabaseSession, Repository, Row, given, upsert
from bot.store.engine.statements import Prepared
from bot.store.tables.coordination import leases

_NEVER = datetime(2000, 1, 1, tzinfo=UTC)
_MINE = given(leases.c.name, leases.c.holder, leases.c.epoch)
_HOLD = Prepared(select(leases.c.epoch).where(_MINE).with_for_update(read=True, key_share=True))
"""The weakest lock: many commits hold it at once and a renewal passes, but `take` waits for them (`_is_left`)."""
_HOLDER = Prepared(select(leases.c.holder).where(given(leases.c.name)))
_EPOCH = Prepared(select(leases.c.epoch).where(given(leases.c.name)).with_for_update())
_HELD = Prepared(
    select(leases.c.name).where(
        given(leases.c.name), leases.c.holder.is_not(None), leases.c.expires_at > bindparam("now")
    )
)
RELAY, SEALER = "relay", "sealer"
"""The leases of what one replica does for all; one process of a working bot always has each of them."""

_NOW = Prepared(select(func.clock_timestamp()))


def over(name: str) -> Select[*tuple[Any, ...]]:
    """This lease, once it was given back or its time is over by the clock of whoever asks."""
    return select(leases).where(leases.c.name == literal_column(f"'{name}'"), leases.c.expires_at <= bindparam("now"))


def _free(holder: ColumnElement[str]) -> ColumnElement[bool]:
    """One that ends later than any of its kind could was taken before the clock went back."""
    over = or_(leases.c.expires_at <= bindparam("now"), leases.c.expires_at > bindparam("horizon"))
    return or_(leases.c.holder.is_(None), leases.c.holder == holder, over)


_LOOKS_FREE = Prepared(select(_free(bindparam("holder")).label("is_free")).where(given(leases.c.name)))
_TAKE = upsert(
    leases,
    lambda new: {"holder": new.holder, "epoch": leases.c.epoch + 1, "expires_at": new.expires_at},
    where=lambda new: _free(new.holder),
)
_VOID_ALL = Prepared(update(leases).values(holder=None, epoch=leases.c.epoch + 1, expires_at=_NEVER))


class Leases(Repository):
    """Leases of workers.

    With `server_time` a lease ends by the database's clock, whatever moment the caller passes: the clocks of several
    machines differ, and one that is ahead would take leases from healthy workers.
    """

    def __init__(self, session: DatabaseSession, *, server_time: bool = False) -> None:
        super().__init__(session)
        self._server_time = server_time

    async def holder(self, name: str) -> str | None:
        """The last holder that did not release it, alive or not."""
        return await self._db.value(_HOLDER, {"name": name})

    async def take(self, name: str, holder: str, *, now: datetime, seconds: float) -> int | None:
        """The new epoch, or None while another worker holds it."""
        now = await self.moment(now)
        length = timedelta(seconds=seconds)
        asked = {"name": name, "holder": holder, "now": now, "horizon": now + 2 * length}
        if self._db.is_shared and not await self._is_left(name, asked):
            return None
        row = await self._db.first(dict[str, Any], _TAKE, {**asked, "epoch": 1, "expires_at": now + length})
        return row["epoch"] if row else None

    async def _is_left(self, name: str, asked: Row) -> bool:
        """Whether it looks free, once its former holder has ended the commits that began under it."""
        looks_free = await self._db.value(_LOOKS_FREE, asked)
        if looks_free:
            await self._db.execute(_EPOCH, {"name": name})
        return looks_free is not False

    async def renew(self, name: str, holder: str, epoch: int, *, now: datetime, seconds: float) -> bool:
        """Extend it by so many seconds from now; False when another worker took it."""
        until = await self.moment(now) + timedelta(seconds=seconds)
        kept = {"name": name, "holder": holder, "epoch": epoch}
        return await self._db.change(leases, kept, {"expires_at": until}) == 1

    async def is_held(self, name: str, *, now: datetime) -> bool:
        """Whether a worker has it now."""
        return await self._db.is_done(_HELD, {"name": name, "now": await self.moment(now)})

    async def moment(self, now: datetime) -> datetime:
        """The current moment by the clock that leases use; `now` is that of this process."""
        return await self._db.value(_NOW) if self._server_time else now

    async def hold(self, name: str, holder: str, epoch: int) -> None:
        """Fence this transaction: raises `LostRace` when another worker took the lease, and lets no other take it
        before the transaction ends.
        """
        if self._db.recall(leases.name, name) != (holder, epoch):
            if not await self._db.is_done(_HOLD, {"name": name, "holder": holder, "epoch": epoch}):
                raise LostRace("lease", name, f"epoch {epoch}", "held")
            self._db.learn(leases.name, name, (holder, epoch))
        if name.startswith(THREAD_LEASE):  # its holder changes the thread's rows, and others lock those first
            await self._db.lock_thread(name.removeprefix(THREAD_LEASE))

    async def release(self, name: str, holder: str, epoch: int) -> None:
        """Release it; does nothing when another worker took it."""
        kept = {"name": name, "holder": holder, "epoch": epoch}
        await self._db.change(leases, kept, {"holder": None, "expires_at": _NEVER})

    async def void_all(self) -> None:
        """End every lease and raise the epochs. On SQLite the file's lock proves that no other worker is alive."""
        await self._db.execute(_VOID_ALL)
