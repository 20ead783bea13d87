"""The repository of files that came with messages. Their bytes are stored once, and read for a call of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, bindparam, delete, or_, select, update

from bot.domain.files import UNREAD, FileState, MessageFile
from bot.domain.threads import Speaker
from bot.store.engine.session import Repository, among, being, given
from bot.store.engine.statements import Prepared
from bot.store.rows import columns_of
from bot.store.tables.conversations import files, messages

_IS_ONE = files.c.id.in_(bindparam("ids"))
_KNOWN = select(*(column for column in files.c if column is not files.c.content))
_OF_MESSAGES = Prepared(
    _KNOWN.where(files.c.message_id.in_(bindparam("ids"))).order_by(files.c.message_id, files.c.seq)
)
_KNOWN_ONES = Prepared(_KNOWN.where(_IS_ONE))
_CONTENTS = Prepared(select(files.c.id, files.c.content).where(_IS_ONE))
_UNREAD = Prepared(
    _KNOWN.join(
        messages,
        and_(
            messages.c.id == files.c.message_id,
            or_(messages.c.id == bindparam("message_id"), messages.c.steers == bindparam("run_id")),
        ),
    )
    .where(among(files.c.state, UNREAD))
    .order_by(messages.c.n, files.c.seq)
)
_SHARED = Prepared(
    select(files.c.slack_id, files.c.message_id)
    .select_from(files.join(messages, messages.c.id == files.c.message_id))
    .where(given(messages.c.thread_id, messages.c.author), being(messages.c.speaker, Speaker.PERSON))
    .where(files.c.is_own, files.c.slack_id.in_(bindparam("ids")))
)
_REFUSED = Prepared(update(files).where(_IS_ONE).values(state=FileState.REFUSED, content=None, size=0))
_FORGET = Prepared(delete(files).where(files.c.message_id.in_(bindparam("ids"))))


class Files(Repository):
    """Files of messages."""

    async def add(self, new: Sequence[MessageFile]) -> None:
        await self._db.insert(files, [columns_of(file) for file in new])

    async def of_messages(self, message_ids: Sequence[str]) -> Sequence[MessageFile]:
        """Without their bytes, those of a message in its order."""
        return await self._db.all(MessageFile, _OF_MESSAGES, {"ids": list(message_ids)}) if message_ids else ()

    async def known(self, file_ids: Sequence[str]) -> Mapping[str, MessageFile]:
        """Those that are not forgotten, by their ids."""
        return {file.id: file for file in await self._db.all(MessageFile, _KNOWN_ONES, {"ids": list(file_ids)})}

    async def contents(self, file_ids: Sequence[str]) -> Mapping[str, bytes]:
        """The bytes of files that were read."""
        found = await self._db.execute(_CONTENTS, {"ids": list(file_ids)})
        return dict[str, bytes]((row[0], row[1]) for row in found.rows)

    async def unread(self, run_id: str, message_id: str) -> Sequence[MessageFile]:
        """What was not read of the request of a run, and of what was said to it."""
        return await self._db.all(MessageFile, _UNREAD, {"run_id": run_id, "message_id": message_id})

    async def shared_by(self, author: str, thread_id: str, slack_ids: Sequence[str]) -> Mapping[str, str]:
        """Those of these that the person put into a message of the thread, with the message's id."""
        known = {"author": author, "thread_id": thread_id, "ids": list(slack_ids)}
        found = await self._db.execute(_SHARED, known)
        return dict[str, str]((row[0], row[1]) for row in found.rows)

    async def fetched(self, file: MessageFile, content: bytes | None) -> None:
        """Store what became of it, unless that is stored already."""
        waits = {"id": file.id, "state": FileState.WAITING}
        await self._db.change(files, waits, columns_of(file) | {"content": content})

    async def refused(self, file_ids: Sequence[str]) -> None:
        """The model accepts none of these: they count as not read, and their bytes go."""
        await self._db.execute(_REFUSED, {"ids": list(file_ids)})

    async def forget(self, message_ids: Sequence[str]) -> None:
        await self._db.execute(_FORGET, {"ids": list(message_ids)})
