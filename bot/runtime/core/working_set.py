"""What the holder of a thread's lease knows of it, so that rows are not read again that it just wrote itself.

Every commit under the lease tells what it left; what others change comes with their wake-up, or with the look that is
made each second. Nothing here is the truth: each move is guarded by the state in which its row is.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.actions import Action, ActionState
from bot.domain.runs import Run
from bot.domain.threads import Thread, User
from bot.llm.wire import Origin, Wire
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from policies.types import Label

MOVABLE = (ActionState.PLANNED, ActionState.APPROVED, ActionState.EXECUTING)
"""Actions with which something is to be done, or is being done."""

_MOST_KEPT = 4 << 20
"""Characters of one run's contents that are kept; longer ones are read for each call of the model."""

Content = tuple[Wire, Origin]


@dataclass(slots=True, kw_only=True)
class WorkingSet:
    """The live runs of a thread, their actions that can move, and the contents of those that asked the model.

    `is_current` says that nothing is known to have changed since, `looked_at` when rows were read, by the loop's clock.
    `never_asked` are actions about which nobody was ever asked, so they have no card, and `label` is one that the
    thread has at least, for it never rises again.
    """

    thread_id: str = ""
    runs: dict[str, Run] = field(default_factory=dict[str, Run])
    actions: dict[str, Action] = field(default_factory=dict[str, Action])
    is_current: bool = False
    looked_at: float = -math.inf
    never_asked: set[str] = field(default_factory=set[str])
    label: Label = Label.OWNER
    _contents: dict[str, list[Content]] = field(default_factory=dict[str, list[Content]])
    _asked_for: dict[str, tuple[User, Thread]] = field(default_factory=dict[str, tuple[User, Thread]])
    _deferred: dict[str, bool] = field(default_factory=dict[str, bool])
    commits: int = 0  # made under the lease

    def is_older_than(self, seconds: float) -> bool:
        """Whether rows were not read for so long: others may have changed them, and their wake-up was lost."""
        return asyncio.get_running_loop().time() - self.looked_at >= seconds

    async def look(self, store: Store) -> bool:
        """Read it; False where a commit of our own came meanwhile, and it is to be read again the next time."""
        async with store.read() as work:
            return await self.read(work)

    async def read(self, work: UnitOfWork) -> bool:
        """The same in a transaction that is under way."""
        commits, now = self.commits, asyncio.get_running_loop().time()
        runs = await work.runs.live(self.thread_id)
        actions = await work.actions.in_state(self.thread_id, MOVABLE)
        if commits != self.commits:
            return False
        self.runs = {run.id: run for run in runs}
        self.actions = {action.id: action for action in actions}
        self._forget_others()
        self.is_current, self.looked_at = True, now
        return True

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
        self._forget_others()

    def _forget_others(self) -> None:
        for kept in (self._contents, self._asked_for, self._deferred):
            for run_id in kept.keys() - self.runs.keys():
                del kept[run_id]
        self.never_asked &= self.actions.keys()

    async def contents(self, work: UnitOfWork, run_id: str) -> Sequence[Content]:
        """The run's contents in order; only those are read that were added since the last time."""
        known = self._contents.get(run_id, [])
        found = [*known, *await work.steps.contents(run_id, after=len(known))]
        if run_id in self.runs and sum(len(content) for content, _ in found) <= _MOST_KEPT:
            self._contents[run_id] = found
        return found

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
            found = person, await work.threads.find(run.thread_id)
        if run.id in self.runs:
            self._asked_for[run.id] = found
        return found
