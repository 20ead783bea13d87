"""The tables of what must reach people, and of where it stands."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table, text

from bot.domain.deliveries import DeliveryKind, DeliveryState
from bot.store.tables.base import count, flag, member, metadata, prose, word
from bot.store.tables.columns import Moment, Number, Words

_PENDING = text("state = 'pending'")

outbox = Table(
    "outbox",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=True),
    word("lane"),
    member("kind", DeliveryKind),
    Column("subject", Words, nullable=False),
    word("team"),
    member("state", DeliveryState),
    count("attempts"),
    Column("not_before", Moment),
    prose("error"),
    Column("created_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Index("ix_outbox_dead", "id", sqlite_where=text("state = 'dead'"), postgresql_where=text("state = 'dead'")),
    Index(
        "ix_outbox_pending",
        "lane",
        "id",
        sqlite_where=_PENDING,
        postgresql_where=_PENDING,
    ),
)

posts = Table(
    "posts",
    metadata,
    Column("run_id", Words, primary_key=True),
    Column("slot", Words, primary_key=True),
    word("channel"),
    Column("ts", Words, nullable=False),
    flag("streaming"),
    Index("ix_posts_place", "channel", "ts"),
)
