"""What the parts of the runtime share, joined up."""

from __future__ import annotations

import secrets as random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.accounts import are_offered
from bot.api.metrics import Metrics
from bot.dispatch.local import LocalDispatcher
from bot.domain.events import ModelRetried
from bot.foundation import Base
from bot.pace import Pace
from bot.runtime.bus import Bus
from bot.runtime.duties import Duty, Sole
from bot.runtime.evidence import Law
from bot.runtime.exclusion import Exclusion, LeasedExclusion, NobodyElse
from bot.runtime.leases import Journal
from bot.runtime.queries import Queries
from policies.loader import Policy

if TYPE_CHECKING:
    from bot.dispatch.procrastinate import ProcrastinateDispatcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What the runtime's parts share."""

    base: Base
    pace: Pace
    bus: Bus
    dispatcher: LocalDispatcher | ProcrastinateDispatcher
    journal: Journal
    law: Law
    queries: Queries
    metrics: Metrics
    holder: str

    def duty(self, name: str) -> Duty | Sole:
        """What one process does for all that share the database."""
        if not self.base.shared:
            return Sole()
        return Duty(name=name, journal=self.journal, holder=self.holder, seconds=self.pace.duty_seconds)

    def exclusion(self) -> Exclusion:
        """What no two of the processes that share the database may do at the same moment."""
        if not self.base.shared:
            return NobodyElse()
        store, clock, seconds = self.base.store, self.base.clock, self.pace.exclusion_seconds
        return LeasedExclusion(store=store, clock=clock, holder=self.holder, seconds=seconds)

    def model_retried(self, reason: str) -> None:
        """The model is asked again."""
        self.bus.publish(ModelRetried(reason))


def core_of(base: Base, pace: Pace, policy: Policy) -> Core:
    """The parts of this process; `policy` is the one in force."""
    bus, dispatcher = Bus(), _dispatcher(base, pace)
    enabled = base.settings.agent_side_effects_enabled
    metrics = Metrics(store=base.store, clock=base.clock)
    metrics.follow(bus)
    return Core(
        base=base,
        pace=pace,
        bus=bus,
        dispatcher=dispatcher,
        journal=Journal(
            store=base.store, clock=base.clock, bus=bus, dispatcher=dispatcher, lease_seconds=pace.lease_seconds
        ),
        law=Law(policy=policy, side_effects_enabled=enabled),
        queries=Queries(
            store=base.store,
            side_effects_enabled=enabled,
            accounts_offered=are_offered(base.settings),
            delegated_domains=base.settings.delegated_domains,
        ),
        metrics=metrics,
        holder=random.token_hex(8),
    )


def _dispatcher(base: Base, pace: Pace) -> LocalDispatcher | ProcrastinateDispatcher:
    """Who finds somebody to serve a thread: other replicas may, where the database is shared."""
    if not base.shared:
        return LocalDispatcher(base.store, grace=pace.leaving)
    from bot.dispatch.procrastinate import ProcrastinateDispatcher  # it takes a while to load

    return ProcrastinateDispatcher(base.store, clock=base.clock, url=base.address, grace=pace.leaving)
