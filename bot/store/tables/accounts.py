"""The tables of connected accounts: attempts to connect, accounts, grants to give back."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table

from bot.domain.seals import Secret
from bot.store.tables.base import identifier, metadata, prose, word
from bot.store.tables.columns import Json, Moment, Number, Words

connections = Table(
    "connections",
    metadata,
    Column("team", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    Column("provider", Words, primary_key=True),
    Column("account", Words, nullable=False),
    prose("email"),
    Column("scopes", Json, nullable=False),
    Column("secret", Words, nullable=False, server_default="", info={"bound_to": Secret.TOKENS.value}),
    Column("status", Words, nullable=False),
    Column("version", Number, nullable=False, server_default="1"),
    Column("updated_at", Moment, nullable=False),
    Index("ix_connections_account", "provider", "account"),
)

connects = Table(
    "connects",
    metadata,
    identifier(),
    word("team"),
    word("user"),
    word("provider"),
    Column("token_hash", Words, nullable=False, unique=True),
    Column("choices", Json, nullable=False),
    Column("missing", Json, nullable=False),
    Column("scopes", Json, nullable=False),
    Column("state_hash", Words, unique=True),
    Column("cookie_hash", Words),
    Column("verifier", Words, info={"bound_to": Secret.VERIFIER.value}),
    Column("confirm_hash", Words, unique=True),
    Column("held", Words, info={"bound_to": Secret.HELD.value}),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("opened_at", Moment),
    Column("consumed_at", Moment),
    Column("ended_at", Moment),
    Index("ix_connects_expiry", "expires_at"),
)

revocations = Table(
    "revocations",
    metadata,
    identifier(),
    word("team"),
    word("user"),
    word("provider"),
    Column("account", Words, nullable=False),
    Column("secret", Words, nullable=False, info={"bound_to": Secret.REVOCATION.value}),
    Column("attempts", Number, nullable=False, server_default="0"),
    Column("not_before", Moment, nullable=False),
    Column("created_at", Moment, nullable=False),
    Index("ix_revocations_due", "not_before"),
)
