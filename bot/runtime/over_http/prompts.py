"""Prompts over HTTP: each becomes a message and a run, or is said to the one that is under way, in one transaction.

It is what intake is for Slack (`bot.runtime.runs.intake`): the same order, rates, replies and steering. Nothing is
refused after it was taken, so a client may send again whatever was refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.domain import ids
from bot.domain.limits import Limits, Rate
from bot.domain.replies import Reply, meaning
from bot.domain.runs import AttachedContext, Run
from bot.domain.threads import NOBODY, Audience, Message, Speaker, Surface, Thread
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.runs import begin_request, next_order
from bot.runtime.limits import rate_limit
from bot.runtime.over_http.admission import Refused, Taken, Took, Turned
from bot.runtime.over_http.following import Following
from bot.runtime.over_http.keys import Key
from bot.runtime.over_http.taking import taken
from bot.runtime.runs.steering import Steering, addressed
from bot.runtime.runs.stop import newest_of, stop, stoppable_in_thread
from bot.runtime.texts import to_people
from policies.types import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class PastMessage:
    """Something that was said before, as the client tells it: by a person, or by an assistant."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpPrompt:
    """What a person asks. `conversation` is the past of a new thread; one that is known has its own."""

    team: str
    user: str
    text: str
    thread_id: str | None = None
    conversation: Sequence[PastMessage] = ()
    attached: Sequence[AttachedContext] = ()
    key: Key | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """Takes them in. `limits` is what a request may use, `rate` how fast one person may ask."""

    transactions: TransactionFactory
    following: Following
    limits: Limits
    rate: Rate | None = None

    async def take(self, prompt: HttpPrompt) -> Taken:
        """Take it, once for each key. Raises `NotTaken`, `MaybeTaken`, `NotSaved`."""

        async def take(tx: Transaction) -> Took | Refused:
            return await self._take(tx, prompt)

        return await taken(self.transactions, self.following, prompt.team, prompt.user, prompt.key, take)

    async def _take(self, tx: Transaction, prompt: HttpPrompt) -> Took | Refused:
        thread = await self._thread(tx, prompt)
        if isinstance(thread, Refused):
            return thread
        message, reply = await _message(tx, prompt, thread), meaning(prompt.text)
        if reply is Reply.STOP:
            return await self._stop(tx, message)
        run = None if prompt.attached else await addressed(tx, message)  # others' words need a label of their own
        is_request = run is None or reply is Reply.WORDS  # “yes” and “no” are for nothing only where something waits
        turn = await self._turn(tx, message, run) if is_request else 0.0
        if isinstance(turn, Refused):
            return turn
        if prompt.thread_id is None:
            await _add_past(tx, prompt, thread)
        await tx.work.messages.add(message)
        if run is not None:
            await Steering(tx=tx, run=run, message=message).hear(reply)
            return Took(run_id=run.id, message_id=message.id)
        begins_at = tx.now + timedelta(seconds=turn) if turn else None
        source = f"http:{ids.new_id('req')}"
        begun = await begin_request(
            tx, message, limits=self.limits, attached=prompt.attached, begins_at=begins_at, source=source
        )
        assert begun is not None, "its source is new"
        return Took(run_id=begun.id, message_id=message.id, begun=True)

    async def _thread(self, tx: Transaction, prompt: HttpPrompt) -> Thread | Refused:
        """The thread, locked: a new one, or one of this person's over HTTP."""
        if prompt.thread_id is None:
            return new_thread(prompt.team, prompt.user, tx)
        thread = await tx.work.threads.known(prompt.thread_id)
        if thread is None or not thread.is_over_http_of(prompt.team, prompt.user):
            return Refused(Turned.NOT_FOUND)
        await tx.work.threads.lock(thread.id)
        return thread

    async def _turn(self, tx: Transaction, message: Message, run: Run | None) -> float | Refused:
        """The seconds until its turn, or its refusal."""
        if self.rate is None:
            return 0.0
        turn = await rate_limit.turn(tx, message, run, self.rate)
        if not isinstance(turn, rate_limit.TooFast):
            return turn
        words = await rate_limit.in_words(tx.work, message.team, message.author, self.rate, turn)
        return Refused(Turned.TOO_FAST, words, turn.again_at)

    async def _stop(self, tx: Transaction, message: Message) -> Took | Refused:
        """“stop” ends the newest run of the thread that goes on or paused."""
        run = newest_of(await stoppable_in_thread(tx.work, message))
        if run is None:
            return Refused(Turned.NOTHING_TO_STOP, to_people.NOTHING_TO_STOP)
        await tx.work.messages.add(message)
        await stop(tx, run, by=message.author)
        return Took(run_id=run.id, message_id=message.id)


def new_thread(team: str, user: str, tx: Transaction) -> Thread:
    """A conversation over HTTP that is yet to be stored; its own id stands for its place."""
    thread_id = ids.new_id("thr")
    return Thread(
        id=thread_id,
        team=team,
        channel="",
        root_ts=thread_id,
        is_dm=True,
        surface=Surface.HTTP,
        owner=user,
        created_at=tx.now,
    )


async def _message(tx: Transaction, prompt: HttpPrompt, thread: Thread) -> Message:
    return Message(
        id=ids.new_id("msg"),
        thread_id=thread.id,
        team=prompt.team,
        speaker=Speaker.PERSON,
        author=prompt.user,
        text=prompt.text,
        typed=prompt.text,
        ts=await next_order(tx.work, prompt.team, prompt.user),
        root_ts=thread.id,
        audience=Audience.OWNER,
        owner=prompt.user,
        label=Label.MEMBER,
        created_at=tx.now,
    )


async def _add_past(tx: Transaction, prompt: HttpPrompt, thread: Thread) -> None:
    """The new thread, and what was said in it before as the client tells it: in nobody's name, and nothing typed."""
    await tx.work.threads.ensure(thread)
    await tx.work.threads.lock(thread.id)
    for said in prompt.conversation:
        message = Message(
            id=ids.new_id("msg"),
            thread_id=thread.id,
            team=prompt.team,
            speaker=said.speaker,
            author=NOBODY,
            text=said.text,
            root_ts=thread.id,
            audience=Audience.OWNER,
            owner=prompt.user,
            label=Label.MEMBER,
            created_at=tx.now,
        )
        await tx.work.messages.add(message)
