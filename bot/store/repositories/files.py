"""The repository of files that came with messages. Their bytes are stored once, and read for a call of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, delete, insert, or_, select, update

from bot.domain.files import UNREAD, FileState, MessageFile
from bot.store.engine.session import Repository
from bot.store.rows import columns_of
from bot.store.tables.conversations import files, messages

_KNOWN = select(*(column for column in files.c if column is not files.c.content))


class Files(Repository):
    """Files of messages."""

    async def add(self, new: Sequence[MessageFile]) -> None:
        if new:
            await self._db.execute(insert(files), [columns_of(file) for file in new])

    async def of_messages(self, message_ids: Sequence[str]) -> Sequence[MessageFile]:
        """Without their bytes, those of a message in its order."""
        wanted = _KNOWN.where(files.c.message_id.in_(message_ids)).order_by(files.c.message_id, files.c.seq)
        return await self._db.all(MessageFile, wanted) if message_ids else ()

    async def known(self, file_ids: Sequence[str]) -> Mapping[str, MessageFile]:
        """Those that are not forgotten, by their ids."""
        return {file.id: file for file in await self._db.all(MessageFile, _KNOWN.where(files.c.id.in_(file_ids)))}

    async def contents(self, file_ids: Sequence[str]) -> Mapping[str, bytes]:
        """The bytes of files that were read."""
        found = await self._db.execute(select(files.c.id, files.c.content).where(files.c.id.in_(file_ids)))
        return {row.id: row.content for row in found}

    async def unread(self, run_id: str, message_id: str) -> Sequence[MessageFile]:
        """What was not read of the request of a run, and of what was said to it."""
        said = or_(messages.c.id == message_id, messages.c.steers == run_id)
        wanted = _KNOWN.join(messages, and_(messages.c.id == files.c.message_id, said))
        wanted = wanted.where(files.c.state.in_(UNREAD)).order_by(messages.c.n, files.c.seq)
        return await self._db.all(MessageFile, wanted)

    async def fetched(self, file: MessageFile, content: bytes | None) -> None:
        """Store what became of it, unless that is stored already."""
        waits = (files.c.id == file.id) & (files.c.state == FileState.WAITING)
        await self._db.execute(update(files).where(waits).values(columns_of(file) | {"content": content}))

    async def refused(self, file_ids: Sequence[str]) -> None:
        """The model accepts none of these: they count as not read, and their bytes go."""
        now = {"state": FileState.REFUSED, "content": None, "size": 0}
        await self._db.execute(update(files).where(files.c.id.in_(file_ids)).values(now))

    async def forget(self, message_ids: Sequence[str]) -> None:
        await self._db.execute(delete(files).where(files.c.message_id.in_(message_ids)))
