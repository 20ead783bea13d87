"""The repository of messages. They are ordered by when they were stored (`n`), because a clock may step back."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert, or_, select, update

from bot.domain.threads import Audience, Message, Speaker
from bot.store.engine.session import Session, given
from bot.store.rows import Row, columns_of, every, first, merged, plain, the, without
from bot.store.tables.conversations import messages
from policies.types import Label

_FIND = select(messages).where(given(messages.c.id))
_UNTAKEN = (
    select(messages)
    .where(given(messages.c.steers), messages.c.taken_at.is_(None))
    .order_by(messages.c.ts, messages.c.n)
)


def message_of(row: Row) -> Message:
    """A message from its row."""
    return Message(
        **merged(
            without(row, "n"),
            speaker=Speaker(row["speaker"]),
            audience=Audience(row["audience"]),
            label=Label(row["label"]),
        )
    )


class Messages:
    """Messages of people and of the agent."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def add(self, message: Message) -> None:
        await self._db.execute(insert(messages), columns_of(message))

    async def find(self, message_id: str) -> Message:
        return message_of(the(await self._db.execute(_FIND, {"id": message_id})))

    async def known(self, message_id: str) -> bool:
        """Whether the message exists."""
        found = await self._db.execute(select(messages.c.id).where(messages.c.id == message_id))
        return found.first() is not None

    async def begins(self, thread_id: str) -> Message | None:
        """The message of the agent that started the thread, such as a briefing."""
        here = (messages.c.thread_id == thread_id) & (messages.c.ts != "") & (messages.c.ts == messages.c.root_ts)
        mine = here & (messages.c.speaker == Speaker.AGENT.value)
        row = first(await self._db.execute(select(messages).where(mine).order_by(messages.c.n).limit(1)))
        return message_of(row) if row else None

    async def recent(self, thread_id: str, *, visible_to: str, before: str, limit: int) -> Sequence[Message]:
        """The newest messages that this person may see, oldest first: those of people before this message, and all of
        the agent.
        """
        visible = or_(messages.c.audience == Audience.CHANNEL.value, messages.c.owner == visible_to)
        request = select(messages.c.n).where(messages.c.id == before).scalar_subquery()
        earlier = or_(messages.c.speaker == Speaker.AGENT.value, messages.c.n < request)
        said = (messages.c.thread_id == thread_id) & (messages.c.text != "") & (messages.c.id != before)
        newest = select(messages).where(said, visible, earlier).order_by(messages.c.n.desc()).limit(limit)
        return [message_of(row) for row in reversed(every(await self._db.execute(newest)))]

    async def change(self, message_id: str, **changes: object) -> None:
        await self._db.execute(update(messages).where(messages.c.id == message_id).values(plain(**changes)))

    async def untaken_at(self, team: str, channel: str, ts: str) -> Message | None:
        """The message at this place, if it steers a run that has not taken it in yet."""
        waits = messages.c.steers.is_not(None) & messages.c.taken_at.is_(None)
        here = (messages.c.team == team) & (messages.c.channel == channel) & (messages.c.ts == ts)
        row = first(await self._db.execute(select(messages).where(waits, here)))
        return message_of(row) if row else None

    async def untaken(self, run_id: str) -> Sequence[Message]:
        """Messages that steer this run and that no model call has taken in, in the order of Slack's timestamps."""
        return [message_of(row) for row in every(await self._db.execute(_UNTAKEN, {"steers": run_id}))]

    async def steer_again(self, run_id: str, *, by: str) -> None:
        """Let the messages to this run steer another run, which takes them in anew."""
        taken = update(messages).where(messages.c.steers == run_id)
        await self._db.execute(taken.values(steers=by, taken_at=None))

    async def said_last(self, thread_id: str, run_id: str) -> Message | None:
        """The agent's newest message at an end or a pause of this run."""
        said = (messages.c.thread_id == thread_id) & (messages.c.run_id == run_id)
        newest = select(messages).where(said).order_by(messages.c.n.desc()).limit(1)
        row = first(await self._db.execute(newest))
        return message_of(row) if row else None
