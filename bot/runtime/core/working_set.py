"""What the holder of a thread's lease knows of it, so that rows are not read again that it just wrote itself.

Every commit under the lease tells what it left; what others change comes with their wake-up, or with the look that is
made each second. Nothing here is the truth: each move is guarded by the state in which its row is.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from bot.domain.actions import Action, ActionState
from bot.domain.runs import Run
from bot.domain.threads import Thread, User
from bot.llm.wire import Origin, Wire
from bot.store.repositories.actions import call_of
from bot.store.repositories.steps import Appended
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from policies.types import Label

MOVABLE = (ActionState.PLANNED, ActionState.APPROVED, ActionState.EXECUTING)
"""Actions with which something is to be done, or is being done."""

_AT_ONCE = 500
"""Threads in one statement."""

MOST_KEPT = 4 << 20
"""Characters of one run's contents that are kept; longer ones are read for each call of the model."""

Content = tuple[Wire, Origin]


@dataclass(slots=True, kw_only=True)
class History:
    """What the model is asked with: the run's contents, its newest calls as `tool:hash`, oldest first, and whether its
    requester said something since. `is_current` says that it need not be read again, `size` is the number of
    characters of its contents.
    """

    contents: list[Content] = field(default_factory=list[Content])
    calls: list[str] = field(default_factory=list[str])
    is_steered: bool = False
    is_current: bool = False
    size: int = 0

    def append(self, new: Appended) -> None:
        """A content that was added; where another one came before it, that is to be read first."""
        self.is_current = self.is_current and new.at == len(self.contents)
        if self.is_current:
            self.contents.append((new.wire, new.made_by))
            self.size += len(new.wire)


@dataclass(slots=True, kw_only=True)
class WorkingSet:
    """The live runs of a thread, their actions that can move, and the histories of those that asked the model.

    `is_current` says that nothing is known to have changed since, `looked_at` when rows were read, by the loop's clock.
    `never_asked` are actions about which nobody was ever asked, so they have no card, and `label` is one that the
    thread has at least, for it never rises again.
    """

    thread_id: str = ""
    most_kept: int = MOST_KEPT
    runs: dict[str, Run] = field(default_factory=dict[str, Run])
    actions: dict[str, Action] = field(default_factory=dict[str, Action])
    is_current: bool = False
    looked_at: float = -math.inf
    never_asked: set[str] = field(default_factory=set[str])
    label: Label = Label.OWNER
    _histories: dict[str, History] = field(default_factory=dict[str, History])
    _asked_for: dict[str, tuple[User, Thread]] = field(default_factory=dict[str, tuple[User, Thread]])
    _deferred: dict[str, bool] = field(default_factory=dict[str, bool])
    _marks: object = None
    commits: int = 0  # made under the lease

    def is_older_than(self, seconds: float) -> bool:
        """Whether rows were not read for so long: others may have changed them, and their wake-up was lost."""
        return asyncio.get_running_loop().time() - self.looked_at >= seconds

    async def look(self, store: Store) -> bool:
        """Read it; False where a commit of our own came meanwhile, and it is to be read again the next time."""
        async with store.read() as work:
            return await self.read(work)

    async def read(self, work: UnitOfWork, *, runs: Sequence[Run] | None = None) -> bool:
        """The same in a transaction that is under way, which may have read the live `runs` before."""
        commits, now = self.commits, asyncio.get_running_loop().time()
        runs = await work.runs.live(self.thread_id) if runs is None else runs
        actions = await work.actions.in_state(self.thread_id, MOVABLE)
        if commits != self.commits:
            return False
        self.runs = {run.id: run for run in runs}
        self.actions = {action.id: action for action in actions}
        self._forget_others()
        self._outdate_histories()
        self.is_current, self.looked_at = True, now
        return True

    def compare(self, marks: object) -> bool:
        """Whether rows are as they were at the look before, by their marks as they were just read; else they are to be
        read. What is no row of a run or an action is read again, as after any look.
        """
        same, self._marks = marks == self._marks, marks
        self.is_current = self.is_current and same
        if self.is_current:
            self.looked_at = asyncio.get_running_loop().time()
            self._outdate_histories()
        return self.is_current

    def _outdate_histories(self) -> None:
        for history in self._histories.values():
            history.is_current = False

    def learn(self, work: UnitOfWork) -> None:
        """What a commit under the lease left."""
        runs, actions = work.runs.known_rows, work.actions.known_rows
        self.commits += 1
        self.is_current = self.is_current and runs.is_complete and actions.is_complete
        for run in runs.all():
            if run.thread_id == self.thread_id and run.state.is_live():
                self.runs[run.id] = run
            else:
                self.runs.pop(run.id, None)
        for action in actions.all():
            if action.thread_id == self.thread_id and action.state in MOVABLE:
                self.actions[action.id] = action
            else:
                self.actions.pop(action.id, None)
            if action.is_scheduled:
                self._deferred[action.run_id] = True
        self._learn_histories(work)
        self._forget_others()

    def _learn_histories(self, work: UnitOfWork) -> None:
        for content in work.steps.appended:
            if (history := self._histories.get(content.run_id)) is not None:
                history.append(content)
        for action in work.actions.added:
            if (history := self._histories.get(action.run_id)) is not None:
                history.calls.append(call_of(action))

    def _forget_others(self) -> None:
        for kept in (self._histories, self._asked_for, self._deferred):
            for run_id in kept.keys() - self.runs.keys():
                del kept[run_id]
        self.never_asked &= self.actions.keys()

    async def history(self, work: UnitOfWork, run_id: str, *, calls: int) -> History:
        """That of a run, with so many calls at least. After a look it is read again, the contents from where they
        ended; what is added meanwhile is read the next time.
        """
        known = self._histories.get(run_id, History())
        if not known.is_current:
            before, commits = known, self.commits
            new = await work.steps.contents(run_id, after=len(before.contents))
            known = History(
                contents=[*before.contents, *new],
                size=before.size + sum(len(content) for content, _ in new),
                calls=list(await work.actions.calls(run_id, limit=calls)),
                is_steered=bool(await work.messages.untaken(run_id)),
            )
            known.is_current = commits == self.commits and not known.is_steered
        if run_id in self.runs and known.size <= self.most_kept:
            self._histories[run_id] = known
        else:
            self._histories.pop(run_id, None)
        return replace(known, contents=list(known.contents), calls=list(known.calls))

    async def deferred(self, work: UnitOfWork, run_id: str) -> Sequence[Action]:
        """The run's actions that were deferred, in the order of the calls; only looked for where there are any."""
        if not self._deferred.get(run_id, True):
            return ()
        found = await work.actions.deferred(run_id)
        if run_id in self.runs:
            self._deferred[run_id] = bool(found)
        return found

    async def asked_for(self, store: Store, run: Run) -> tuple[User, Thread]:
        """Who asks, and where: read once for each run."""
        if (known := self._asked_for.get(run.id)) is not None:
            return known
        async with store.read() as work:
            person = await work.users.find(run.team, run.user) or User(team=run.team, user=run.user)
            thread = await work.threads.find(run.thread_id)
        self.keep_asked_for(run, person, thread)
        return person, thread

    def keep_asked_for(self, run: Run, person: User, thread: Thread) -> None:
        """The same as it was just read."""
        if run.id in self.runs:
            self._asked_for[run.id] = person, thread


@dataclass(frozen=True, slots=True)
class HeldThreads:
    """The threads whose leases this process holds. What others changed is looked for in all of them at once, so that a
    hundred threads take two short statements a second and not two hundred long ones.
    """

    _held: dict[str, tuple[WorkingSet, Callable[[], None]]] = field(
        default_factory=dict[str, tuple[WorkingSet, Callable[[], None]]]
    )
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @contextmanager
    def held(self, working_set: WorkingSet, changed: Callable[[], None]) -> Generator[None]:
        """Look at this one, too, until the block ends; `changed` is called where its rows are to be read."""
        self._held[working_set.thread_id] = working_set, changed
        try:
            yield
        finally:
            self._held.pop(working_set.thread_id, None)

    async def look(self, store: Store, working_set: WorkingSet, *, seconds: float) -> None:
        """See whether others changed something of this one, unless that was seen in the last seconds; then it is not
        current any more. Raises `NotRead`.
        """
        async with self._turn:
            if not working_set.is_older_than(seconds):
                return
            held = list(self._held.values())
            if len(held) == 1:  # reading it is no more than looking at it
                held = []
            for at in range(0, len(held), _AT_ONCE):
                await self._compare(store, held[at : at + _AT_ONCE], but=working_set)
            if all(one is not working_set for one, _ in held):
                working_set.is_current = False

    async def _compare(
        self, store: Store, held: Sequence[tuple[WorkingSet, Callable[[], None]]], *, but: WorkingSet
    ) -> None:
        """Who changed is told so, `but` for the one who looks."""
        commits, marks = [one.commits for one, _ in held], defaultdict[object, list[object]](list)
        ids = [one.thread_id for one, _ in held]
        async with store.read() as work:
            for thread_id, *mark in [*await work.runs.marks(ids), *await work.actions.marks(ids, MOVABLE)]:
                marks[thread_id].append(mark)
        for (one, changed), before in zip(held, commits, strict=True):
            if not one.compare((before, marks[one.thread_id])) and one is not but:
                changed()
