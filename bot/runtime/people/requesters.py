"""Who a tool works for: the owner's identity and conversation, as `integrations.base` wants them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.domain.actions import Action
from bot.domain.ids import effect_key
from bot.domain.runs import Run
from bot.domain.threads import Thread, User
from bot.runtime.core.working_set import WorkingSet
from bot.store.store import Store
from integrations.base import Call, Requester, ToolContext

Note = Callable[[Mapping[str, object]], Awaitable[None]]


def requester(person: User) -> Requester:
    """A person as tools know them."""
    return Requester(
        team=person.team, user=person.user, name=person.name, email=person.email, zone=person.zone or "UTC"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Requesters:
    """Reads what a call's context is made of; no session is open afterwards. A worker reads it once for each run."""

    store: Store

    async def _of(self, run: Run, working_set: WorkingSet | None) -> tuple[Requester, Thread]:
        person, thread = await (working_set or WorkingSet()).asked_for(self.store, run)
        return requester(person), thread

    async def context(self, action: Action, run: Run, working_set: WorkingSet | None = None) -> ToolContext:
        """For a preview."""
        who, thread = await self._of(run, working_set)
        return ToolContext(
            requester=who,
            run_id=action.run_id,
            channel=thread.channel,
            is_dm=thread.is_dm,
            label=run.label,
            due=run.holds is not None,
        )

    async def call(
        self,
        action: Action,
        run: Run,
        note: Note,
        *,
        deadline: datetime,
        doubt: bool = False,
        working_set: WorkingSet | None = None,
        moved_on: Callable[[], datetime] | None = None,
    ) -> Call:
        """For one attempt; `doubt` as in `Call`."""
        who, thread = await self._of(run, working_set)
        return Call(
            requester=who,
            run_id=action.run_id,
            channel=thread.channel,
            is_dm=thread.is_dm,
            key=effect_key(action.id),
            attempt=action.attempt,
            deadline=deadline,
            basis=action.basis or {},
            account=action.account,
            noted=action.noted or {},
            doubt=doubt,
            forgotten=run.is_of_copy,
            label=run.label,
            due=run.holds is not None,
            note=note,
            moved_on=moved_on,
        )
