"""Who a tool works for: the owner's identity and conversation, as `integrations.base` wants them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.domain.actions import Action
from bot.domain.ids import effect_key
from bot.domain.runs import Run
from bot.domain.threads import Thread, User
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
    """Reads what a call's context is made of; no session is open afterwards."""

    store: Store

    async def _of(self, run: Run) -> tuple[Requester, Thread]:
        async with self.store.read() as work:
            person = await work.users.find(run.team, run.user) or User(team=run.team, user=run.user)
            return requester(person), await work.threads.find(run.thread_id)

    async def context(self, action: Action, run: Run) -> ToolContext:
        """For a preview."""
        who, thread = await self._of(run)
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
        moved_on: Callable[[], datetime] | None = None,
    ) -> Call:
        """For one attempt."""
        who, thread = await self._of(run)
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
            doubt=action.doubt,
            forgotten=run.is_of_copy,
            label=run.label,
            due=run.holds is not None,
            note=note,
            moved_on=moved_on,
        )
