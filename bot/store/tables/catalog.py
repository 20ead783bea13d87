"""All tables: for the migrations, and for what looks at the whole schema. Importing this module makes them known."""

from __future__ import annotations

from bot.store.tables import (
    accounts,
    audit_log,
    conversations,
    coordination,
    deliveries,
    people,
    plans,
    runs,
    schedules,
)
from bot.store.tables.base import metadata

MODULES = (accounts, audit_log, conversations, coordination, deliveries, people, plans, runs, schedules)
__all__ = ["MODULES", "metadata"]
