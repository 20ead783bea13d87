"""The repositories of what must reach people, and of the agent's messages in Slack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Integer, and_, bindparam, func, or_, select, update

from bot.domain.deliveries import READER, Delivery, DeliveryKind, DeliveryState, Post
from bot.store.engine.session import DatabaseSession, Repository, Row, being, given, upsert
from bot.store.engine.statements import Prepared
from bot.store.rows import columns_of
from bot.store.tables.deliveries import outbox, posts
from bot.store.tables.runs import runs

_COLUMNS = [column for column in outbox.c if column.name not in {"error", "ended_at"}]
_HORIZON = timedelta(minutes=15)
"""No pause is longer: a moment further ahead was set before the clock went back."""
_PENDING = being(outbox.c.state, DeliveryState.PENDING)
_DUE = or_(
    outbox.c.not_before.is_(None), outbox.c.not_before <= bindparam("now"), outbox.c.not_before > bindparam("horizon")
)
_HEADS = Prepared(
    select(*_COLUMNS)
    .where(outbox.c.id.in_(select(func.min(outbox.c.id)).where(_PENDING).group_by(outbox.c.lane)), _DUE)
    .order_by(outbox.c.id)
    .limit(bindparam("limit", type_=Integer))
)
_CLAIM = Prepared(
    update(outbox)
    .where(outbox.c.id == bindparam("delivery"), _PENDING, outbox.c.attempts == bindparam("before"))
    .values(attempts=outbox.c.attempts + 1)
    .returning(outbox.c.id)
)
_ABOUT = and_(
    _PENDING,
    outbox.c.lane == bindparam("in_lane"),
    outbox.c.kind == bindparam("of_kind"),
    outbox.c.subject == bindparam("about"),
)
"""What still waits in this lane to be shown of the same subject."""
_NEWEST = Prepared(select(func.max(outbox.c.id)).where(_ABOUT))
_END = Prepared(
    update(outbox)
    .where(_ABOUT, outbox.c.id <= bindparam("through"))
    .values(state=bindparam("to_state"), ended_at=bindparam("at"), error=bindparam("why"))
)
_DOUBT_ALL = Prepared(update(outbox).where(_PENDING).values(attempts=outbox.c.attempts + 1))


class Outbox(Repository):
    """Deliveries that must reach people."""

    added = False
    """Whether this transaction added one."""

    def __init__(self, session: DatabaseSession) -> None:
        super().__init__(session)
        self._new: list[Row] = []
        session.write_behind(outbox.name, self._write)

    async def add(
        self,
        lane: str,
        kind: DeliveryKind,
        subject: str,
        *,
        team: str,
        at: datetime,
        not_before: datetime | None = None,
    ) -> None:
        values = {"lane": lane, "kind": kind.value, "subject": subject, "team": team, "created_at": at}
        values |= {"not_before": not_before}
        self._new.append({**values, "state": DeliveryState.PENDING.value})
        self._db.falls_behind(outbox.name)
        self.added = True

    async def _write(self) -> None:
        new, self._new = self._new, []
        await self._db.insert(outbox, new)

    async def heads(self, *, now: datetime, limit: int) -> Sequence[Delivery]:
        """The first undelivered row of each lane, if it is due."""
        return await self._db.all(Delivery, _HEADS, {"now": now, "horizon": now + _HORIZON, "limit": limit})

    async def claim(self, delivery: Delivery) -> Delivery | None:
        """Count one more attempt before it is made; None when another relay was first."""
        mine = {"delivery": delivery.id, "before": delivery.attempts}
        if not await self._db.is_done(_CLAIM, mine):
            return None
        newest: int = await self._db.value(_NEWEST, _about(delivery))
        return replace(delivery, attempts=delivery.attempts + 1, through=newest)

    async def delivered(self, delivery: Delivery, *, at: datetime) -> None:
        """Mark a claimed delivery as delivered, with later rows about the same subject that it showed as well."""
        await self._end(delivery, DeliveryState.DELIVERED, at, "")

    async def retry(self, delivery: Delivery, *, not_before: datetime, error: str) -> None:
        """Try a claimed delivery again later, and store why it failed."""
        pending = {"id": delivery.id, "state": DeliveryState.PENDING}
        await self._db.change(outbox, pending, {"not_before": not_before, "error": error})

    async def doubt_all(self) -> None:
        """Mark everything that waits as possibly shown already: the original of this copy may have shown it."""
        await self._db.execute(_DOUBT_ALL)

    async def bury(self, delivery: Delivery, *, at: datetime, error: str) -> None:
        """Give up a claimed delivery, with later rows about the same subject."""
        await self._end(delivery, DeliveryState.DEAD, at, error)

    async def _end(self, delivery: Delivery, state: DeliveryState, at: datetime, error: str) -> None:
        ended = {"to_state": state.value, "at": at, "why": error, "through": delivery.through}
        await self._db.execute(_END, ended | _about(delivery))


def _about(delivery: Delivery) -> dict[str, Any]:
    """What `_ABOUT` asks for."""
    return {"in_lane": delivery.lane, "of_kind": delivery.kind.value, "about": delivery.subject}


_POST = Prepared(select(posts).where(given(posts.c.run_id, posts.c.slot)))
_SAVE = upsert(
    posts,
    lambda new: {name: new[name] for name in ("channel", "ts", "streaming")},
    where=lambda new: (posts.c.ts == new.ts) | (posts.c.ts == bindparam("instead_of")),
)
_OF_RUN = Prepared(select(posts).where(given(posts.c.run_id)).order_by(posts.c.ts))
_OF_TEAM = posts.join(runs, runs.c.id == posts.c.run_id)
_HERE = given(posts.c.channel, posts.c.ts, runs.c.team)
_AT = Prepared(select(posts).select_from(_OF_TEAM).where(_HERE))
_RUN_AT = Prepared(select(posts.c.run_id).select_from(_OF_TEAM).where(_HERE, posts.c.slot.not_like(f"{READER}%")))


class Posts(Repository):
    """The agent's messages in Slack, by run and slot."""

    async def save(self, post: Post, *, instead_of: str | None = None) -> Post:
        """Store the message of a slot, and return the one that stands there now: another message is only replaced when
        it is the one named by `instead_of`.
        """
        if await self._db.is_done(_SAVE, columns_of(post) | {"instead_of": instead_of or post.ts}):
            return post
        standing = await self.find(post.run_id, post.slot)
        assert standing is not None, "it kept this one out"
        return standing

    async def find(self, run_id: str, slot: str) -> Post | None:
        return await self._db.first(Post, _POST, {"run_id": run_id, "slot": slot})

    async def of_run(self, run_id: str) -> Sequence[Post]:
        return await self._db.all(Post, _OF_RUN, {"run_id": run_id})

    async def at(self, team: str, channel: str, ts: str) -> Sequence[Post]:
        """What is written down of the message at this place: its slot, and what else was noted of it."""
        return await self._db.all(Post, _AT, {"team": team, "channel": channel, "ts": ts})

    async def run_at(self, team: str, channel: str, ts: str) -> str | None:
        """The run that the message at this place belongs to. The card that somebody else has of it is none of its own:
        who writes below that one asks for something themselves.
        """
        return next(iter(await self._db.values(_RUN_AT, {"team": team, "channel": channel, "ts": ts})), None)
