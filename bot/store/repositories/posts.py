"""The repository of the agent's messages in Slack."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from bot.domain.deliveries import Post
from bot.store.engine.session import Session, given
from bot.store.rows import columns_of, every, first
from bot.store.tables.deliveries import posts
from bot.store.tables.runs import runs

_FIND = select(posts).where(given(posts.c.run_id, posts.c.slot))


class Posts:
    """The agent's messages in Slack, by run and slot."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def save(self, post: Post, *, instead_of: str | None = None) -> Post:
        """Store the message of a slot, and return the one that stands there now: another message is only replaced when
        it is the one named by `instead_of`.
        """
        values = columns_of(post)
        expected = posts.c.ts.in_([post.ts, instead_of or post.ts])
        if (await self._db.put_where(posts, values, values, expected)).first() is not None:
            return post
        standing = await self.find(post.run_id, post.slot)
        assert standing is not None, "it kept this one out"
        return standing

    async def find(self, run_id: str, slot: str) -> Post | None:
        row = first(await self._db.execute(_FIND, {"run_id": run_id, "slot": slot}))
        return Post(**row) if row else None

    async def of_run(self, run_id: str) -> Sequence[Post]:
        wanted = select(posts).where(posts.c.run_id == run_id).order_by(posts.c.ts)
        return [Post(**row) for row in every(await self._db.execute(wanted))]

    async def run_at(self, team: str, channel: str, ts: str) -> str | None:
        """The run that the message at this place belongs to."""
        here = (posts.c.channel == channel) & (posts.c.ts == ts) & (runs.c.team == team)
        wanted = select(posts.c.run_id).join(runs, runs.c.id == posts.c.run_id).where(here)
        return (await self._db.execute(wanted)).scalars().first()
