"""Where our messages stand in Slack: they can be changed, and a reply finds its run."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.deliveries import Post
from bot.runtime.schedules import briefings
from bot.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class PostService:
    """Remembers posts."""

    store: Store

    async def save(self, post: Post, *, instead_of: Post | None = None) -> Post:
        """Remember a message right after Slack took it; raises `NotSaved`. Nobody is fenced here, so a process that
        stood still may come too late: where another message stands by then than what was there before, that is told.
        """
        async with self.store.write() as work:
            return await work.posts.save(post, instead_of=instead_of.ts if instead_of else None)

    async def root(self, run_id: str, post: Post) -> None:
        """The run's request stands there, and its thread below it; raises `NotSaved`."""
        async with self.store.write() as work:
            run = await work.runs.find(run_id)
            await work.threads.root(run.thread_id, post.channel, post.ts)
            await work.messages.change(run.message_id, channel=post.channel, ts=post.ts, root_ts=post.ts)

    async def briefing(self, message_id: str, channel: str, ts: str) -> None:
        """The briefing stands there; raises `NotSaved`."""
        await briefings.stands(self.store, message_id, channel, ts)

    async def has(self, team: str, channel: str, ts: str) -> bool:
        """Whether the message is written down, of whatever run."""
        async with self.store.read() as work:
            return bool(await work.posts.at(team, channel, ts))

    async def find(self, run_id: str, slot: str) -> Post | None:
        """The message in this place of the run."""
        async with self.store.read() as work:
            return await work.posts.find(run_id, slot)
