"""One transaction of the runtime: its unit of work, its audit events, and what is told once it is durable.

What moves actions, questions, runs and steps in it stands in `bot.runtime.lifecycle`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import Event
from bot.domain.limits import DEFAULT_LIMITS, Limits
from bot.domain.questions import QUESTION_LIFE
from bot.domain.runs import Run
from bot.errors import BotError
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.ports import Dispatcher
from bot.runtime.core.priority import Priorities, Priority
from bot.runtime.core.working_set import WorkingSet
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Clock
from policies.types import Label

LEASE_SECONDS = 30.0
RENEW_SECONDS = 10.0

PATIENCE_SECONDS = 2.5
"""How long the store is waited for while Slack waits: an event, a click or a command is answered within three seconds
(docs.slack.dev/interactivity/handling-user-interaction, "Acknowledgment response").
"""

AGENT = "agent"  # the actor of what the program does by itself


class StepNotFollowed(BotError):
    """A defect of ours: something of a step moved, and its run did not follow. Nothing is committed."""

    def __init__(self, step_ids: set[str]) -> None:
        super().__init__(f"The steps {', '.join(sorted(step_ids))} moved without `after`.")


class Transaction:
    """A unit of work, with what belongs to every transition: the audit log, deliveries, wake-ups and events."""

    def __init__(
        self,
        work: UnitOfWork,
        *,
        clock: Clock,
        bus: Bus,
        dispatcher: Dispatcher,
        limits: Limits = DEFAULT_LIMITS,
        question_life: timedelta = QUESTION_LIFE,
    ) -> None:
        self.work = work
        self.limits = limits
        self.question_life = question_life
        self.now: datetime = clock.now()
        self._bus = bus
        self._dispatcher = dispatcher
        self._events: list[AuditEvent] = []
        self._passed: dict[str, list[Run]] = {}
        self._changed_steps: set[str] = set()
        self._soon: str | None = None
        self._expected: str | None = None
        self.working_set: WorkingSet | None = None
        """What is known of the thread under whose lease this is committed."""
        self.epoch: int | None = None
        """That of the lease under which this is committed."""
        self.holds_step = False
        """Whether a step is locked: the thread, which comes before it, is not to be locked any more."""

    # The log --------------------------------------------------------------------------------------------------

    def record(self, event: AuditEvent) -> None:
        """Have this in the log, in this transaction."""
        self._events.append(event)

    def record_run(self, run: Run, code: AuditCode, *, actor: str = "", **details: object) -> None:
        """The same about a run; its owner is the actor, unless another one is named."""
        self.record(AuditEvent(team=run.team, code=code, actor=actor or run.user, run_id=run.id, details=details))

    def record_passed(self, before: Run, after: Run) -> None:
        """The log names every state that a run passes through in this transaction."""
        self._passed.setdefault(before.id, [before]).append(after)

    async def flush_audit(self) -> None:
        """Write the log, at the end of the transaction. Raises `StepNotFollowed`.

        The states that a run passed through stand in the last entry about it, or in one of their own.
        """
        if self._changed_steps:
            raise StepNotFollowed(self._changed_steps)
        for run_id, runs in self._passed.items():
            states = [run.state.value for run in runs]
            at = max((n for n, event in enumerate(self._events) if event.run_id == run_id), default=None)
            if at is None:
                about = {"run": states}
                self.record(
                    AuditEvent(team=runs[0].team, code=AuditCode.RUN_MOVED, actor=AGENT, run_id=run_id, details=about)
                )
            else:
                self._events[at] = replace(self._events[at], details={**self._events[at].details, "run": states})
        await self.work.audit.record(*self._events)

    # Steps ----------------------------------------------------------------------------------------------------

    def step_changed(self, step_id: str) -> None:
        """An action or a question of this step moved: `after` must follow in this transaction."""
        self._changed_steps.add(step_id)

    def step_followed(self, step_id: str) -> None:
        """The run follows what moved in this step."""
        self._changed_steps.discard(step_id)

    def is_step_changed(self, step_id: str) -> bool:
        """Whether its run does not follow yet what moved in this step."""
        return step_id in self._changed_steps

    # Deliveries -----------------------------------------------------------------------------------------------

    async def deliver(
        self, lane: str, kind: DeliveryKind, subject: str, *, team: str, not_before: datetime | None = None
    ) -> None:
        """Put a delivery into the outbox; the relay is woken by the commit.

        A lane is delivered in order: that of a thread's runs is the thread's id. The subject is an id, as the kind says
        (`DeliveryKind`): what is shown is read from rows when it is delivered. What has a moment of its own,
        `not_before`, needs a lane of its own: all that follows in it waits, too.
        """
        await self.work.outbox.add(lane, kind, subject, team=team, at=self.now, not_before=not_before)

    async def worsen(self, thread_id: str, label: Label) -> None:
        """Lower the label of the thread; it never rises again, so who knows that it is as low already need not look."""
        working_set = self.working_set
        if working_set is not None and working_set.label.worst(label) is working_set.label:
            return
        await self.work.threads.worsen(thread_id, label)
        if working_set is not None:
            self.work.after_commit(lambda: setattr(working_set, "label", working_set.label.worst(label)))

    # After the commit -----------------------------------------------------------------------------------------

    def wake(self, thread_id: str) -> None:
        """Have the thread served, once this is durable. Who serves it already needs no wake-up for what they commit
        themselves, unless the process is about to end.
        """
        self.work.after_commit(lambda: self._wake_now(thread_id))

    def serve_soon(self, thread_id: str) -> None:
        """A person waits for what it is woken for: where nobody serves it, its lease is taken in the same commit."""
        self._soon = thread_id

    async def expect(self) -> None:
        """Have whoever serves such a thread come before the commit, at the end of the transaction."""
        if self._soon is not None and self._dispatcher.expect(self._soon):
            self._expected = self._soon
            await asyncio.sleep(0)

    def _wake_now(self, thread_id: str) -> None:
        if thread_id == self._expected and self._dispatcher.is_expected(thread_id):
            return
        is_served = self.working_set is not None and self.working_set.thread_id == thread_id
        if not is_served or self._dispatcher.closing:
            self._dispatcher.wake(thread_id)

    def publish(self, event: Event) -> None:
        """Publish an event, once this is durable."""
        self.work.after_commit(lambda: self._bus.publish(event))


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionFactory:
    """Makes transactions: the store, with the clock, the bus and the dispatcher that they speak to.

    What is done promptly comes before other work of the process (`priorities`). `limits` is what a request may use that
    another one's end leaves behind, `question_life` how long a question waits unless its tool says otherwise.
    """

    store: Store
    clock: Clock
    bus: Bus
    dispatcher: Dispatcher
    lease_seconds: float = LEASE_SECONDS
    renew_seconds: float = RENEW_SECONDS
    patience_seconds: float = PATIENCE_SECONDS
    limits: Limits = DEFAULT_LIMITS
    question_life: timedelta = QUESTION_LIFE
    priorities: Priorities = field(default_factory=Priorities)

    @asynccontextmanager
    async def write(self, *, patience: float | None = None, long: bool = False) -> AsyncGenerator[Transaction]:
        """One writing transaction, as `Store.write`. Raises `NotSaved`."""
        async with self.store.write(patience=patience, long=long) as work:
            tx = Transaction(
                work,
                clock=self.clock,
                bus=self.bus,
                dispatcher=self.dispatcher,
                limits=self.limits,
                question_life=self.question_life,
            )
            yield tx
            await tx.flush_audit()
            await tx.expect()

    @asynccontextmanager
    async def write_promptly(self) -> AsyncGenerator[Transaction]:
        """The same while Slack waits: raises `NotSaved` in time for “not saved, press again”."""
        with self.priorities.work(Priority.REQUEST):
            async with self.write(patience=self.patience_seconds) as tx:
                yield tx

    @asynccontextmanager
    async def read_promptly(self) -> AsyncGenerator[UnitOfWork]:
        """A reading transaction while Slack waits. Raises `NotRead` in time."""
        with self.priorities.work(Priority.REQUEST):
            async with self.store.read(patience=self.patience_seconds) as work:
                yield work
