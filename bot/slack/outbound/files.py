"""Files that we share in Slack, each once.

Slack shares a file a moment after it said so, and a file carries no mark. So it is known by its name: it is looked for
after it was shared, and before it is shared again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.deliveries import Post
from bot.runtime.core.lock import IsHeld
from bot.runtime.delivery.posts import PostService
from bot.slack.connection.errors import SlackUnclear
from bot.slack.connection.web import SlackWeb
from bot.slack.outbound.messages import Destination

PAUSES = (0.0, 0.5, 1.0, 1.5, 2.0)
"""Seconds before each look: Slack needs a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingFile:
    """A file, whose `name` no other file in its conversation has; `comment` is the message that shares it."""

    name: str
    title: str
    comment: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFiles:
    """Shares files. `author` is our bot user; nothing is shared once `is_held` says no: `LostRace`."""

    web: SlackWeb
    book: PostService
    author: str
    is_held: IsHeld
    pauses: Sequence[float] = PAUSES

    async def once(
        self, run_id: str, slot: str, to: Destination, file: OutgoingFile, *, since: str, in_doubt: bool
    ) -> None:
        """Share it in this slot, unless it stands there. `in_doubt` says that an earlier attempt may have shared it,
        though not before `since`.
        """
        if await self.book.find(run_id, slot) is not None:
            return
        ts = await self._found(to, file, since) if in_doubt else None
        if ts is None:
            file_id = await self.web.upload(file.name, file.content)
            await self.web.share(
                file_id, file.title, file.comment, to.channel, thread_ts=to.thread_ts, is_held=self.is_held
            )
            ts = await self._found(to, file, since)
        if ts is None:
            raise SlackUnclear("files.completeUploadExternal")
        await self.book.save(Post(run_id=run_id, slot=slot, channel=to.channel, ts=ts))

    async def _found(self, to: Destination, file: OutgoingFile, since: str) -> str | None:
        """Where it was shared."""
        for pause in self.pauses:
            await asyncio.sleep(pause)
            found = await self.web.sharing(
                to.channel, thread_ts=to.thread_ts, author=self.author, name=file.name, since=since
            )
            if found:
                return found[0]
        return None
