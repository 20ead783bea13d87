"""Builds what the parts of the runtime share, and what works beside the requests: relay and sealer."""

from __future__ import annotations

import secrets as random
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bot.api.metrics import Metrics
from bot.dispatch.local import LocalDispatcher
from bot.domain.events import ModelRetried
from bot.runtime.audit.checkpoints import Checkpoints
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.leader import LeaderLease, SingleProcess
from bot.runtime.core.lock import DistributedLock, LeasedLock, NullLock
from bot.runtime.core.ports import Display
from bot.runtime.core.transaction import RENEW_SECONDS, TransactionFactory
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.relay import Relay
from bot.runtime.policy.service import PolicyService
from bot.scheduler import Scheduler
from bot.store.repositories.due import Due
from bot.wiring.accounts import are_offered
from bot.wiring.limits import chat_limits
from bot.wiring.store import Base
from bot.wiring.timings import Timings
from policies.loader import Policy

if TYPE_CHECKING:
    from bot.dispatch.procrastinate import ProcrastinateDispatcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What the runtime's parts share."""

    base: Base
    timings: Timings
    bus: Bus
    dispatcher: LocalDispatcher | ProcrastinateDispatcher
    transactions: TransactionFactory
    policy_service: PolicyService
    queries: Queries
    metrics: Metrics
    holder: str

    def duty(self, name: str) -> LeaderLease | SingleProcess:
        """What one process does for all that share the database."""
        if not self.base.shared:
            return SingleProcess()
        return LeaderLease(
            name=name, transactions=self.transactions, holder=self.holder, seconds=self.timings.duty_seconds
        )

    def lock(self) -> DistributedLock:
        """What no two of the processes that share the database may do at the same moment."""
        if not self.base.shared:
            return NullLock()
        store, clock, seconds = self.base.store, self.base.clock, self.timings.exclusion_seconds
        return LeasedLock(store=store, clock=clock, holder=self.holder, seconds=seconds)

    def model_retried(self, reason: str) -> None:
        """The model is asked again."""
        self.bus.publish(ModelRetried(reason))


def core_of(base: Base, timings: Timings, policy: Policy) -> Core:
    """The parts of this process; `policy` is the one in force."""
    bus, dispatcher = Bus(), _dispatcher(base, timings)
    enabled, cap = base.settings.agent_side_effects_enabled, base.settings.agent_trust_cap
    metrics = Metrics(store=base.store, clock=base.clock)
    bus.attend(metrics.hear)
    return Core(
        base=base,
        timings=timings,
        bus=bus,
        dispatcher=dispatcher,
        transactions=TransactionFactory(
            store=base.store,
            clock=base.clock,
            bus=bus,
            dispatcher=dispatcher,
            lease_seconds=timings.lease_seconds,
            patience_seconds=timings.patience_seconds,
            renew_seconds=min(RENEW_SECONDS, timings.lease_seconds / 3),
            limits=chat_limits(base.settings),
            question_life=timedelta(hours=float(base.settings.agent_question_hours)),
        ),
        policy_service=PolicyService(policy=policy, side_effects_enabled=enabled, cap=cap),
        queries=Queries(
            clock=base.clock,
            store=base.store,
            side_effects_enabled=enabled,
            cap=cap,
            accounts_offered=are_offered(base.settings),
            delegated_domains=base.settings.delegated_domains,
        ),
        metrics=metrics,
        holder=random.token_hex(8),
    )


def _dispatcher(base: Base, timings: Timings) -> LocalDispatcher | ProcrastinateDispatcher:
    """Who finds somebody to serve a thread: other replicas may, where the database is shared."""
    if not base.shared:
        return LocalDispatcher(base.store, grace=timings.leaving)
    from bot.dispatch.procrastinate import ProcrastinateDispatcher  # it takes a while to load

    return ProcrastinateDispatcher(base.store, clock=base.clock, url=base.address, grace=timings.leaving)


def watch_leases(scheduler: Scheduler, *duties: LeaderLease | SingleProcess) -> None:
    """Have a lease asked for as soon as the look of this process finds it free."""
    for duty in duties:
        if isinstance(duty, LeaderLease):
            scheduler.when_found(Due.lease(duty.name), duty.ask)


def relay_of(core: Core, surface: Display, duty: LeaderLease | SingleProcess) -> Relay:
    """Who delivers to the surface; every commit tells it."""
    relay = Relay(
        store=core.base.store,
        clock=core.base.clock,
        surface=surface,
        fence=duty.fence,
        heartbeat=duty.heartbeat,
        priorities=core.transactions.priorities,
        tick_seconds=core.timings.relay_tick,
        first_pause_seconds=core.timings.relay_pause,
    )
    core.base.store.on_commit(relay.committed)
    return relay


def sealer_of(core: Core, duty: LeaderLease | SingleProcess) -> Sealer:
    """Who seals the log; every commit tells it."""
    base, settings = core.base, core.base.settings
    sealer = Sealer(
        store=base.store,
        keyring=base.keyring,
        checkpoints=Checkpoints(
            store=base.store,
            keyring=base.keyring,
            clock=base.clock,
            file=Path(settings.audit_checkpoints_file) if settings.audit_checkpoints_file else None,
            channel=settings.audit_checkpoints_channel or "",
            entries=settings.audit_checkpoint_entries,
            every=timedelta(minutes=settings.audit_checkpoint_minutes),
            fence=duty.fence,
        ),
        fence=duty.fence,
        heartbeat=duty.heartbeat,
    )
    base.store.on_commit(sealer.committed)
    return sealer
