"""The tables of the audit log."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table, UniqueConstraint, text

from bot.domain.audit import CheckpointKind
from bot.store.tables.base import metadata, prose, word
from bot.store.tables.columns import Moment, Number, Worded, Words

audit = Table(
    "audit",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=True),
    word("team"),
    Column("scope", Words, nullable=False),
    Column("number", Number, nullable=False),
    Column("code", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Column("body", Words, nullable=False),
    Column("mac", Words, nullable=False),
    Column("key_id", Words, nullable=False),
    Column("seq", Number),
    Column("prev_hash", Words),
    Column("hash", Words),
    Column("seal_key_id", Words),
    Column("digest", Words),
    UniqueConstraint("scope", "number"),
    UniqueConstraint("team", "seq"),
    Index("ix_audit_unsealed", "id", sqlite_where=text("seq IS NULL"), postgresql_where=text("seq IS NULL")),
)

audit_heads = Table(
    "audit_heads",
    metadata,
    Column("team", Words, primary_key=True),
    Column("seq", Number, nullable=False),
    Column("hash", Words, nullable=False),
    Column("key_id", Words, nullable=False),
    Column("mac", Words, nullable=False),
    prose("digest"),
)

audit_checkpoints = Table(
    "audit_checkpoints",
    metadata,
    Column("team", Words, primary_key=True),
    Column("seq", Number, primary_key=True),
    Column("kind", Worded(CheckpointKind), primary_key=True),
    Column("hash", Words, nullable=False),
    prose("digest"),
    Column("at", Moment, nullable=False),
    Column("key", Words, nullable=False),
    Column("signature", Words, nullable=False),
    Column("kept_at", Moment),
    prose("carried"),
)
