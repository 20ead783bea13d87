"""The read side: each answer is one snapshot of rows, as a value of `bot.runtime.delivery.views`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.audit import AuditEntry
from bot.domain.deliveries import Place
from bot.domain.sessions import BrowserSession
from bot.domain.threads import User
from bot.runtime.delivery.agents import agents_view
from bot.runtime.delivery.answer import answer_view, notice_view, refusal_view, resumed_view
from bot.runtime.delivery.card import card_view
from bot.runtime.delivery.deferred import deferred_view
from bot.runtime.delivery.failed_deliveries import loss_of
from bot.runtime.delivery.home import (
    PermissionsView,
    home_view,
    permissions_view,
    place_of_card,
    question_lines,
    run_line,
)
from bot.runtime.delivery.lists import HomeView, QuestionLine, RunLine
from bot.runtime.delivery.plans import LogView, log_view
from bot.runtime.delivery.told import checkpoint_view, connected_email, connected_view, offer_view
from bot.runtime.delivery.views import (
    AgentsView,
    AnswerView,
    CardView,
    CheckpointView,
    Clear,
    ConnectedView,
    HeldView,
    LossView,
    NoticeView,
    OfferView,
    RefusalView,
    ResumedView,
    as_it_is,
)
from bot.store.store import Store
from integrations.ports import Clock
from policies.types import TrustLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Queries:
    """Answers what surfaces ask. Every answer is one snapshot. `accounts_offered`: people can connect their own; those
    of the `delegated_domains` need not. `clear` takes secrets out of what is told, before a surface cuts any text.
    """

    store: Store
    clock: Clock
    side_effects_enabled: bool
    cap: TrustLevel = TrustLevel.AUTONOMOUS
    accounts_offered: bool = False
    delegated_domains: frozenset[str] = frozenset()
    clear: Clear = as_it_is

    async def place(self, run_id: str) -> Place:
        """Where a run lives, now."""
        async with self.store.read() as work:
            return await work.runs.place(run_id)

    async def card(self, question_id: str) -> CardView | None:
        """A question's card; None when there is no such question."""
        async with self.store.read() as work:
            view = await card_view(work, question_id)
        return await self.clear(view)

    async def place_of_card(self, question_id: str, user: str) -> tuple[str, str] | None:
        """The channel and the timestamp of this person's card of a question; None where it does not stand."""
        async with self.store.read() as work:
            question = await work.questions.find(question_id)
            return await place_of_card(work, question, user) if question else None

    async def connected(self, subject: str) -> ConnectedView | None:
        """That an account was connected; None when it is not any more."""
        async with self.store.read() as work:
            return await connected_view(work, subject)

    async def connected_email(self, subject: str) -> str:
        """The address of the account that an attempt connected; empty where there is none, or none any more."""
        async with self.store.read() as work:
            return await connected_email(work, subject)

    async def answer(self, run_id: str) -> AnswerView:
        """A run's final answer, or its honest substitute."""
        async with self.store.read() as work:
            view = await answer_view(work, run_id)
        return await self.clear(view)

    async def resumed(self, message_id: str) -> ResumedView:
        """What was said at a pause that is over."""
        async with self.store.read() as work:
            view = await resumed_view(work, message_id)
        return await self.clear(view)

    async def notice(self, action_id: str) -> NoticeView:
        """A line about one action."""
        async with self.store.read() as work:
            view = await notice_view(work, action_id)
        return await self.clear(view)

    async def agents(self, root_id: str) -> AgentsView:
        """What the agents do that work for a request."""
        async with self.store.read() as work:
            view = await agents_view(work, root_id)
        return await self.clear(view)

    async def log(self, run_id: str) -> LogView | None:
        """Everything that was done for a plan that is over; None where it goes on by now."""
        async with self.store.read() as work:
            view = await log_view(work, run_id)
        return await self.clear(view)

    async def held(self, run_id: str) -> HeldView | None:
        """What waits for its moment in this run, or what came of it; None for every other run."""
        async with self.store.read() as work:
            view = await deferred_view(work, run_id)
        return await self.clear(view)

    async def refusal(self, subject: str) -> RefusalView:
        """Why a message started no run."""
        async with self.store.read() as work:
            view = await refusal_view(work, subject)
        return await self.clear(view)

    async def offer(self, subject: str) -> OfferView | None:
        """What came too fast, offered to its author now; None where nothing of it is left."""
        async with self.store.read() as work:
            view = await offer_view(work, subject, self.clock.now())
        return await self.clear(view)

    async def loss(self, subject: str) -> LossView:
        """The person to tell that something could not be delivered."""
        async with self.store.read() as work:
            return await loss_of(work, subject)

    async def checkpoint(self, subject: str) -> CheckpointView | None:
        """A checkpoint of the audit log; None when it is not there."""
        async with self.store.read() as work:
            return await checkpoint_view(work, subject)

    async def live_runs(self, team: str, user: str) -> Sequence[RunLine]:
        """The person's runs that work or wait, newest first."""
        async with self.store.read() as work:
            lines = [await run_line(work, run) for run in await work.runs.live_of(team, user)]
        return await self.clear(lines)

    async def permissions(self, team: str, user: str) -> PermissionsView:
        """What `/agent trust`, `allow`, `guard` and `rules` show of a person."""
        async with self.store.read() as work:
            person = await work.users.find(team, user) or User(team=team, user=user)
            return await permissions_view(work, person, cap=self.cap)

    async def home(self, team: str, user: str) -> HomeView:
        """What App Home and `/agent status` show of a person."""
        async with self.store.read() as work:
            person = await work.users.find(team, user) or User(team=team, user=user)
            view = await home_view(
                work,
                person,
                cap=self.cap,
                side_effects_enabled=self.side_effects_enabled,
                accounts_offered=self.accounts_offered,
                delegated=self.is_delegated(person),
                now=self.clock.now(),
            )
        return await self.clear(view)

    async def waiting(self, team: str, user: str, *, most: int, but: int) -> Sequence[QuestionLine]:
        """So many of the questions that wait for a person, newest first, behind those that are left out at first."""
        async with self.store.read() as work:
            lines = await question_lines(work, team, user, most=most, but=but)
        return await self.clear(lines)

    async def sessions(self, team: str, user: str) -> Sequence[BrowserSession]:
        """Where a person is signed in to the HTTP API, the newest first."""
        async with self.store.read() as work:
            return await work.sessions.of(team, user, now=self.clock.now())

    async def audit(self, team: str, user: str, *, limit: int) -> tuple[User, Sequence[AuditEntry]]:
        """A person and the newest entries of the audit log that are for them: an administrator's are those of their
        workspace, anybody else's are about them. One that nobody can read does not hide the others.
        """
        async with self.store.read(long=True) as work:
            person = await work.users.find(team, user) or User(team=team, user=user)
            if person.is_admin:
                return person, await work.records.entries_of_team(team, limit=limit)
            return person, await work.records.entries_of(team, user, limit=limit)

    def is_delegated(self, person: User) -> bool:
        """Whether an administrator's service account acts for this person: then there is nothing to connect."""
        return (person.email or "").rpartition("@")[2].strip().lower() in self.delegated_domains
