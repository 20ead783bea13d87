"""Following requests: from the bus where this process serves them, and from their rows wherever they are served."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncGenerator, Callable

import structlog

from bot.domain.actions import Action
from bot.domain.events import ActionMoved, Event, RunMoved, TextStreamed, TextVoided, ThoughtStreamed
from bot.domain.runs import RunState
from bot.errors import BotError
from bot.runtime.core.event_bus import Bus, BusFollower
from bot.runtime.over_http.outcomes import Outcome, outcome_of, rests
from bot.runtime.over_http.speech import Speech
from bot.runtime.over_http.transcripts import Ended, Lost, ToldUntil, ToolCalled, Transcript, TranscriptPiece
from bot.store.errors import NotRead
from bot.store.store import Store

log = structlog.get_logger()

LOOK_SECONDS = 1.0
"""How often the rows of what is followed are looked at: the bus tells what happens in this process alone."""

CARD_SECONDS = 2.0
"""How long a card is waited for that is on its way to Slack, so that its address is told, too."""

MOST_KEPT = 200
"""Transcripts without readers. The oldest go first; who comes back then begins anew."""

MOST_CRASHES = 3
"""Looks at a request that crash one after the other."""

_CARD_LOOK_SECONDS = 0.1
_SILENT = frozenset({RunState.QUEUED, RunState.EXECUTING, RunState.AWAITING})
"""Where the model says nothing, so that all that it says next is heard."""
_LATER = range(1_000_000, 1_000_000_000)
"""Where the numbers begin of a transcript that does not begin with its request, so that no other one has the same."""


class Leaving(BotError):
    """Nothing more is told here, as this process ends; the request goes on."""


class Behind(Leaving):
    """This reader was so slow that lines were forgotten before they had them; they can join again."""


class NotFollowed(BotError):
    """What comes of it cannot be told here, as it cannot be read; the request goes on."""


class Followed:
    """One request and its transcript. Only while there is news a task reads rows, and writes what it finds.

    `is_new`: nothing happened to the request before, so its transcript is whole. `catch_up` has it hear all that is on
    the bus.
    """

    def __init__(
        self,
        run_id: str,
        *,
        team: str,
        user: str,
        store: Store,
        is_new: bool,
        catch_up: Callable[[], None] = lambda: None,
        card_seconds: float = CARD_SECONDS,
        told_until: ToldUntil = len,
    ) -> None:
        self.run_id = run_id
        base = 0 if is_new else secrets.choice(_LATER)
        self.transcript = Transcript(base=base, heard=is_new, told_until=told_until)
        self.readers = 0
        self.seen: tuple[RunState, int] | None = None
        """Its state and its steps when its rows were last looked at."""
        self._team = team
        self._user = user
        self._store = store
        self._catch_up = catch_up
        self._card_seconds = card_seconds
        self._told: set[str] = set()
        self._speech = Speech()
        self._times_said = 0
        self._crashes = 0
        self._events: deque[Event | None] = deque()  # None: look at the rows
        self._task: asyncio.Task[None] | None = None
        if not is_new:
            self.hear(None)

    def hear(self, event: Event | None) -> None:
        """Something happened; None: look at the rows."""
        if self.transcript.is_over or (event is None and self._events and self._events[-1] is None):
            return
        self._events.append(event)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name=f"http-follows-{self.run_id}")

    @property
    def is_lost(self) -> bool:
        """Whether it is told no more, as each of the last looks crashed: the next one would crash, too."""
        return self._crashes >= MOST_CRASHES

    def is_of(self, team: str, user: str) -> bool:
        """Whether it is this person's."""
        return (self._team, self._user) == (team, user)

    def go_on(self) -> None:
        """Something was said to it: what was read of it before does not tell how it ends."""
        self._times_said += 1
        self.hear(None)

    async def close(self) -> None:
        """Tell no more."""
        self.transcript.leave()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        while self._events and not self.transcript.is_over:
            try:
                await self._take(self._events.popleft())
                self._crashes = 0
            except NotRead as error:  # the next look tries again
                log.warning("request.not_read", run=self.run_id, why=str(error))
            except Exception:  # a task's outer edge
                log.exception("request.not_followed", run=self.run_id)
                self._crashes += 1
                if self.is_lost:
                    self.transcript.leave()

    async def _take(self, event: Event | None) -> None:
        match event:
            case TextStreamed() | ThoughtStreamed() | TextVoided():
                self._say(event)
            case ActionMoved(action_id=action_id):
                await self._called(action_id)
            case RunMoved(state=RunState.PLANNING):
                pass  # nothing ended; and the first words may have come before this
            case _:
                await self._look()

    def _say(self, event: Event | None) -> None:
        match event:
            case TextStreamed() | ThoughtStreamed() if self.transcript.is_heard:
                for line in self._speech.take(event):
                    self.transcript.hear(line)
            case TextVoided():
                self._speech = Speech()
                self.transcript.begin()
            case _:
                pass

    def _end_texts(self) -> None:
        for line in self._speech.rest():
            self.transcript.hear(line)
        self._speech = Speech()

    def _finish(self, end: Ended | Lost) -> None:
        """The rows may tell of the end before the bus has told all that was said."""
        self._catch_up()
        for event in self._events:
            self._say(event)
        self._end_texts()
        self.transcript.finish(end)

    async def _called(self, action_id: str) -> None:
        if action_id in self._told:
            return
        async with self._store.read() as work:
            action = await work.actions.known(action_id)
        if action is not None:
            self._tell(action)

    async def _look(self) -> None:
        """Tell the calls that no event told of, and the end."""
        times_said = self._times_said
        async with self._store.read() as work:
            run = await work.records.run(self.run_id)
            actions = await work.actions.of_work(self.run_id) if run else ()
        if run is None:
            self._finish(Lost())
            return
        if run.state in _SILENT:
            self.transcript.attend()
        self.seen = (run.state, run.steps_taken)
        for action in actions:
            self._tell(action)
        if rests(run.state):
            about = {"team": self._team, "user": self._user}
            outcome = await settled(self._store, self.run_id, **about, patience=self._card_seconds)
            if (outcome is None or outcome.rests) and times_said == self._times_said:
                self._finish(Ended(outcome) if outcome else Lost())

    def _tell(self, action: Action) -> None:
        if action.id not in self._told:
            self._told.add(action.id)
            self._end_texts()
            self.transcript.call(ToolCalled(action.tool, action.caption))


class Following(BusFollower):
    """What is followed in this process. Between `async with` and its end it hears the bus and looks at the rows.

    `told_until` says how much of a text that goes on has no half of a secret in it (`bot.redaction`).
    """

    def __init__(
        self,
        *,
        store: Store,
        bus: Bus,
        look_seconds: float = LOOK_SECONDS,
        card_seconds: float = CARD_SECONDS,
        told_until: ToldUntil = len,
    ) -> None:
        super().__init__(bus=bus, name="http-following")
        self._store = store
        self._card_seconds = card_seconds
        self._look_seconds = look_seconds
        self._told_until = told_until
        self._followed: dict[str, Followed] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def expect(self, run_id: str, *, team: str, user: str, is_new: bool) -> Followed:
        """Follow this person's request, which begins now (`is_new`) or was said something; what came of it before does
        not count any more.
        """
        known = self._followed.pop(run_id, None)
        if known is None or known.transcript.is_over:
            known = self._followed_as(run_id, team=team, user=user, is_new=is_new)
        else:
            known.go_on()
        self._followed[run_id] = known
        idle = [each for each, one in self._followed.items() if not one.readers and each != run_id]
        for each in idle[: max(0, len(idle) - MOST_KEPT)]:
            self._forget(self._followed.pop(each))
        return known

    async def join(self, run_id: str, *, team: str, user: str) -> Followed:
        """Follow this person's request, which may have gone on since it was followed; what is not theirs is lost to
        them. Raises `NotRead`.
        """
        known = self._followed.get(run_id)
        if known is not None and known.is_of(team, user) and not known.transcript.is_over:
            is_current = known.readers or known.seen is None  # its rows are looked at each second, or nobody was away
            return known if is_current else self.expect(run_id, team=team, user=user, is_new=False)
        async with self._store.read() as work:
            outcome = await outcome_of(work, run_id, team=team, user=user)
        if outcome is None:
            lost = self._followed_as(run_id, team=team, user=user, is_new=True)
            lost.transcript.finish(Lost())
            return lost
        if known is not None and known.transcript.end == Ended(outcome):
            return known
        return self.expect(run_id, team=team, user=user, is_new=False)

    def _forget(self, followed: Followed) -> None:
        """Whatever it reads just now ends before this process does, and those who were about to read it are told."""
        closing = asyncio.create_task(followed.close(), name=f"http-forgets-{followed.run_id}")
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    def _followed_as(self, run_id: str, *, team: str, user: str, is_new: bool) -> Followed:
        return Followed(
            run_id,
            team=team,
            user=user,
            store=self._store,
            is_new=is_new,
            catch_up=self._hear_all,
            card_seconds=self._card_seconds,
            told_until=self._told_until,
        )

    def lines(self, followed: Followed, *, after: int | None) -> AsyncGenerator[TranscriptPiece]:
        """What somebody reads who has the lines until `after`, piece by piece. Raises `Leaving`, `NotFollowed`."""
        return self.lines_from(followed, followed.transcript.begun(after))

    async def lines_from(
        self, followed: Followed, piece: TranscriptPiece, *, heartbeat: float | None = None
    ) -> AsyncGenerator[TranscriptPiece]:
        """The same for somebody who begins with this piece; with a piece without lines whenever none came for so many
        seconds. Raises `Behind` for one who reads so slowly that lines were forgotten meanwhile: where they begin anew,
        they count anew.
        """
        transcript = followed.transcript
        followed.readers += 1
        try:
            while True:
                if piece.lines:
                    yield piece
                last, shift = piece.last, piece.shift
                if transcript.is_over and last - shift >= transcript.count:
                    break
                try:
                    async with asyncio.timeout(heartbeat):
                        await transcript.more(last, shift)
                except TimeoutError:
                    yield TranscriptPiece(last + 1, [], shift)
                if not transcript.keeps(last, shift):
                    raise Behind(f"{followed.run_id} was read too slowly")
                piece = transcript.since(last, shift)
        finally:
            followed.readers -= 1
        if transcript.end is None:
            raise _untold(followed)

    async def outcome(self, followed: Followed) -> Outcome | None:
        """What the request came to, once it rests; None where it is not known any more. Raises `Leaving`,
        `NotFollowed`.
        """
        transcript = followed.transcript
        followed.readers += 1
        try:
            while not transcript.is_over:
                await transcript.more(transcript.count)
        finally:
            followed.readers -= 1
        if transcript.end is None:
            raise _untold(followed)
        return transcript.end.outcome if isinstance(transcript.end, Ended) else None

    async def _follow(self, queue: asyncio.Queue[Event]) -> None:
        async with asyncio.TaskGroup() as beside:  # without a look nobody would learn what another process did
            beside.create_task(self._look_often(), name="http-looking")
            while True:
                self._hear(await queue.get())

    def _hear_all(self) -> None:
        while self._queue and not self._queue.empty():
            self._hear(self._queue.get_nowait())

    def _hear(self, event: Event) -> None:
        """What runs do that work for a request is told of the request; what they say is not."""
        match event:
            case ActionMoved(run_id=run_id, root=root):
                followed = self._followed.get(root or run_id)
            case (
                RunMoved(run_id=run_id, root=None)
                | TextStreamed(run_id=run_id, root=None)
                | ThoughtStreamed(run_id=run_id, root=None)
                | TextVoided(run_id=run_id, root=None)
            ):
                followed = self._followed.get(run_id)
            case _:
                return
        if followed is not None:
            followed.hear(event)

    async def _look_often(self) -> None:
        """What another process serves is seen in its rows."""
        while True:
            await asyncio.sleep(self._look_seconds)
            waited_for = [one for one in self._followed.values() if one.readers and not one.transcript.is_over]
            if not waited_for:
                continue
            try:
                async with self._store.read() as work:
                    found = await work.runs.progress([one.run_id for one in waited_for])
            except NotRead as error:
                log.warning("requests.not_read", why=str(error))
                continue
            for one in waited_for:
                now = found.get(one.run_id)
                if now is None or now != one.seen or rests(now[0]):  # one that rests and is not over was not read whole
                    one.hear(None)

    async def _end(self, task: asyncio.Task[None]) -> None:
        await super()._end(task)
        await asyncio.gather(*self._closing, *(one.close() for one in self._followed.values()))


def _untold(followed: Followed) -> BotError:
    """Why the end of it is not told."""
    return NotFollowed(followed.run_id) if followed.is_lost else Leaving("this process leaves")


async def settled(store: Store, run_id: str, *, team: str, user: str, patience: float = CARD_SECONDS) -> Outcome | None:
    """What a request came to, with the addresses of its cards if these are there soon. Raises `NotRead`."""
    until = asyncio.get_running_loop().time() + patience
    while True:
        async with store.read() as work:
            outcome = await outcome_of(work, run_id, team=team, user=user)
        if outcome is None or all(one.card for one in outcome.waiting) or asyncio.get_running_loop().time() >= until:
            return outcome
        await asyncio.sleep(_CARD_LOOK_SECONDS)
