"""The repositories of threads, of what is said in them, and of the objects that results showed there.

Messages are ordered by when they were stored (`n`), because a clock may step back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Unpack

from sqlalchemy import Integer, bindparam, insert, or_, select, update

from bot.domain.threads import Audience, Message, MessageChanges, SeenObject, Speaker, Thread
from bot.store.engine.session import Repository, among, being, given, with_id
from bot.store.engine.statements import Prepared
from bot.store.rows import columns_of, plain, without
from bot.store.tables.conversations import inbox, messages, objects, threads
from policies.types import Label

_THREAD = with_id(threads)
_AT = Prepared(select(threads).where(given(threads.c.team, threads.c.channel, threads.c.root_ts)))
_ROOT = Prepared(
    update(threads)
    .where(given(threads.c.id), threads.c.root_ts == bindparam("id"))
    .values(channel=bindparam("to_channel"), root_ts=bindparam("to_root_ts"))
)

_WORSEN = {
    label: Prepared(
        update(threads)
        .where(given(threads.c.id), among(threads.c.label, [one for one in Label if one.worst(label) is not one]))
        .values(label=label)
    )
    for label in Label
}


class Threads(Repository):
    """Threads in Slack, and over HTTP."""

    async def find(self, thread_id: str) -> Thread:
        return await self._db.the(Thread, _THREAD, {"id": thread_id})

    async def known(self, thread_id: str) -> Thread | None:
        """The thread with this id; None when there is none."""
        return await self._db.first(Thread, _THREAD, {"id": thread_id})

    async def at(self, team: str, channel: str, root_ts: str) -> Thread | None:
        """The thread whose first message is at this place."""
        return await self._db.first(Thread, _AT, {"team": team, "channel": channel, "root_ts": root_ts})

    async def ensure(self, thread: Thread) -> Thread:
        """The thread at this place, added if there is none; retention keeps it until the transaction ends."""
        if found := await self._held(thread):
            return found
        if await self._db.insert_new(threads, columns_of(thread)):
            return thread
        found = await self._held(thread)
        assert found is not None, "the place is a unique key, and a new thread is not forgotten"
        return found

    async def _held(self, thread: Thread) -> Thread | None:
        """The thread at its place, and its row: it may be forgotten until it is held."""
        found = await self.at(thread.team, thread.channel, thread.root_ts)
        if found is None or not self._db.is_shared:
            return found
        await self.lock(found.id)
        return await self.at(thread.team, thread.channel, thread.root_ts)

    async def lock(self, thread_id: str) -> None:
        """Hold the row until the transaction ends; intake and completion both do (docs/states.md §4)."""
        await self._db.lock_thread(thread_id)

    async def root(self, thread_id: str, channel: str, root_ts: str) -> None:
        """Store where the first message stands; a thread that has one keeps it."""
        await self._db.execute(_ROOT, {"id": thread_id, "to_channel": channel, "to_root_ts": root_ts})

    async def worsen(self, thread_id: str, label: Label) -> None:
        """Lower the label of the thread to this one at least; it never rises again."""
        await self._db.execute(_WORSEN[label], {"id": thread_id})


_ADD = Prepared(insert(messages))
_MESSAGE = with_id(messages)
_KNOWN = Prepared(select(messages.c.id).where(given(messages.c.id)))
_NEWEST_FIRST = messages.c.n.desc()
_BEGINS = Prepared(
    select(messages)
    .where(
        given(messages.c.thread_id),
        messages.c.ts != "",
        messages.c.ts == messages.c.root_ts,
        being(messages.c.speaker, Speaker.AGENT),
    )
    .order_by(messages.c.n)
    .limit(1)
)
_RECENT = Prepared(
    select(messages)
    .where(
        given(messages.c.thread_id),
        messages.c.text != "",
        messages.c.id != bindparam("before"),
        or_(being(messages.c.audience, Audience.CHANNEL), messages.c.owner == bindparam("visible_to")),
        or_(
            being(messages.c.speaker, Speaker.AGENT),
            messages.c.n < select(messages.c.n).where(messages.c.id == bindparam("before")).scalar_subquery(),
        ),
    )
    .order_by(_NEWEST_FIRST)
    .limit(bindparam("limit", type_=Integer))
)
_WAITS = messages.c.taken_at.is_(None)
_SAID_AT = Prepared(
    select(messages).where(
        given(messages.c.team, messages.c.channel, messages.c.ts), being(messages.c.speaker, Speaker.PERSON)
    )
)
_UNTAKEN = Prepared(select(messages).where(given(messages.c.steers), _WAITS).order_by(messages.c.ts, messages.c.n))
_TYPED = Prepared(
    select(messages)
    .where(given(messages.c.thread_id), being(messages.c.speaker, Speaker.PERSON), messages.c.typed != "")
    .order_by(_NEWEST_FIRST)
    .limit(bindparam("limit", type_=Integer))
)
_SAID_LAST = Prepared(
    select(messages).where(given(messages.c.thread_id, messages.c.run_id)).order_by(_NEWEST_FIRST).limit(1)
)


def message_of(**row: Any) -> Message:
    """A message from its row."""
    return Message(**without(row, "n"))


class Messages(Repository):
    """Messages of people and of the agent."""

    async def add(self, message: Message) -> None:
        await self._db.execute(_ADD, columns_of(message))

    async def find(self, message_id: str) -> Message:
        return await self._db.the(message_of, _MESSAGE, {"id": message_id})

    async def known(self, message_id: str) -> bool:
        """Whether the message exists."""
        return await self._db.is_done(_KNOWN, {"id": message_id})

    async def begins(self, thread_id: str) -> Message | None:
        """The message of the agent that started the thread, such as a briefing."""
        return await self._db.first(message_of, _BEGINS, {"thread_id": thread_id})

    async def recent(self, thread_id: str, *, visible_to: str, before: str, limit: int) -> Sequence[Message]:
        """The newest messages that this person may see, oldest first: those of people before this message, and all of
        the agent.
        """
        asked = {"thread_id": thread_id, "visible_to": visible_to, "before": before, "limit": limit}
        return (await self._db.all(message_of, _RECENT, asked))[::-1]

    async def typed(self, thread_id: str, *, limit: int) -> Sequence[Message]:
        """The newest messages in which people typed words of their own, newest first."""
        return await self._db.all(message_of, _TYPED, {"thread_id": thread_id, "limit": limit})

    async def change(self, message_id: str, **changes: Unpack[MessageChanges]) -> None:
        await self._db.change(messages, {"id": message_id}, plain(**changes))

    async def said_at(self, team: str, channel: str, ts: str) -> Message | None:
        """What a person said at this place."""
        return await self._db.first(message_of, _SAID_AT, {"team": team, "channel": channel, "ts": ts})

    async def untaken(self, run_id: str) -> Sequence[Message]:
        """Messages that steer this run and that no model call has taken in, in the order of Slack's timestamps."""
        return await self._db.all(message_of, _UNTAKEN, {"steers": run_id})

    async def steer_again(self, run_id: str, *, by: str) -> None:
        """Let the messages to this run steer another run, which takes them in anew."""
        await self._db.change(messages, {"steers": run_id}, {"steers": by, "taken_at": None})

    async def release(self, message_id: str, mark: str) -> bool:
        """Let go of a message that is held back under this mark; False when it was let go before."""
        return bool(await self._db.change(messages, {"id": message_id, "steers": mark}, {"steers": None}))

    async def said_last(self, thread_id: str, run_id: str) -> Message | None:
        """The agent's newest message at an end or a pause of this run."""
        return await self._db.first(message_of, _SAID_LAST, {"thread_id": thread_id, "run_id": run_id})


class Inbox(Repository):
    """Events that Slack delivered already."""

    async def admit(self, event_id: str, *, team: str, channel: str, ts: str, at: datetime) -> bool:
        """Whether both the event id and (team, channel, ts) are new; an empty `ts` is not compared."""
        values = {"event_id": event_id, "team": team, "channel": channel, "ts": ts or None, "at": at}
        return await self._db.insert_new(inbox, values)


_OBJECT_COLUMNS = [column for column in objects.c if column.name not in {"n", "thread_id", "at"}]
_OF_OWNER = Prepared(
    select(*_OBJECT_COLUMNS)
    .where(given(objects.c.thread_id, objects.c.owner))
    .order_by(objects.c.n.desc())
    .limit(bindparam("limit", type_=Integer))
)


class Objects(Repository):
    """Objects that results showed, such as mails and events."""

    async def add(self, thread_id: str, seen: Sequence[SeenObject], *, at: datetime) -> None:
        rows = [columns_of(item) | {"thread_id": thread_id, "at": at} for item in seen]
        await self._db.insert(objects, rows)

    async def of_owner(self, thread_id: str, owner: str, *, limit: int) -> Sequence[SeenObject]:
        newest = await self._db.all(SeenObject, _OF_OWNER, {"thread_id": thread_id, "owner": owner, "limit": limit})
        return newest[::-1]
