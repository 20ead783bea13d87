"""How long the bot waits for others, and how it sleeps between two tries."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from bot.api.agent.lines import HEARTBEAT_SECONDS
from bot.api.agent.runs import WAIT_SECONDS
from bot.dispatch.serving import GRACE_SECONDS, SWEEP_SECONDS
from bot.llm.transport import Retries, Timeouts
from bot.runtime.actions.reconcile import PAUSES
from bot.runtime.core.leader import DUTY_SECONDS
from bot.runtime.core.lock import LONGEST_SECONDS
from bot.runtime.core.transaction import LEASE_SECONDS, PATIENCE_SECONDS
from bot.runtime.delivery.relay import FIRST_PAUSE_SECONDS, TICK_SECONDS
from bot.runtime.runs.runner import PAUSE_SECONDS
from integrations.google.client import Sleep


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """The defaults are the product's; tests hurry."""

    model_timeouts: Timeouts = field(default_factory=Timeouts)
    model_retries: Retries = field(default_factory=Retries)
    google_sleep: Sleep = asyncio.sleep
    settling_pauses: Sequence[float] = PAUSES
    settling_sleep: Sleep = asyncio.sleep
    leaving: float = GRACE_SECONDS
    lease_seconds: float = LEASE_SECONDS
    patience_seconds: float = PATIENCE_SECONDS
    duty_seconds: float = DUTY_SECONDS
    exclusion_seconds: float = LONGEST_SECONDS
    sweep_seconds: float = SWEEP_SECONDS
    longest_hold: timedelta = timedelta.max
    trouble_pause: float = PAUSE_SECONDS
    answer_seconds: float = WAIT_SECONDS
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    relay_tick: float = TICK_SECONDS
    relay_pause: float = FIRST_PAUSE_SECONDS
