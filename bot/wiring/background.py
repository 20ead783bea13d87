"""Builds what works in the background beside the requests: the relay of the outbox, and the sealer of the log."""

from __future__ import annotations

from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.leader import LeaderLease, SingleProcess
from bot.runtime.core.ports import Surface
from bot.runtime.delivery.relay import Relay
from bot.wiring.core import Core


def relay_of(core: Core, surface: Surface, duty: LeaderLease | SingleProcess) -> Relay:
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
    base = core.base
    sealer = Sealer(store=base.store, keyring=base.keyring, fence=duty.fence, heartbeat=duty.heartbeat)
    base.store.on_commit(sealer.committed)
    return sealer
