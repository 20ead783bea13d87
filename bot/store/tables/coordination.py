"""The tables by which processes agree: leases, token buckets, and facts about the database."""

from __future__ import annotations

from sqlalchemy import Column, Table

from bot.store.tables.base import metadata
from bot.store.tables.columns import Moment, Number, Words

leases = Table(
    "leases",
    metadata,
    Column("name", Words, primary_key=True),
    Column("holder", Words),
    Column("epoch", Number, nullable=False),
    Column("expires_at", Moment, nullable=False),
)

rates = Table(  # token buckets as one moment each: when the next request would be in time (GCRA)
    "rates",
    metadata,
    Column("name", Words, primary_key=True),
    Column("next_at", Moment, nullable=False),
)

marks = Table(  # single facts about this database, such as that it is a restored copy
    "marks",
    metadata,
    Column("name", Words, primary_key=True),
    Column("value", Words, nullable=False),
)
