"""The table of what is to happen at a time."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table, text

from bot.domain.schedules import LookUp, ScheduleKind, ScheduleState
from bot.store.tables.base import identifier, member, metadata, prose, word
from bot.store.tables.columns import Json, Moment

_ACTIVE = text("state = 'active'")

schedules = Table(
    "schedules",
    metadata,
    identifier(),
    word("team"),
    word("user"),
    word("channel"),
    member("kind", ScheduleKind),
    prose("title"),
    Column("spec", Json, nullable=False),
    word("zone"),
    Column("payload", Json, nullable=False),
    member("look", LookUp),
    member("state", ScheduleState),
    Column("next_fire", Moment),
    Column("last_fired", Moment),
    Column("created_at", Moment, nullable=False),
    Index("ix_schedules_owner", "team", "user"),
    Index("ix_schedules_due", "look", "next_fire", sqlite_where=_ACTIVE, postgresql_where=_ACTIVE),
)
