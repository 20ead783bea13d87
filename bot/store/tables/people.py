"""The tables of workspaces and people, and of what the agent keeps for a person."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table

from bot.domain.seals import Secret
from bot.store.tables.base import count, flag, identifier, member, metadata, prose, word
from bot.store.tables.columns import Json, Moment, Number, Words
from policies.provenance import GuardMode
from policies.types import Decision, Label, RuleAuthor, TrustLevel

workspaces = Table(
    "workspaces",
    metadata,
    Column("team", Words, primary_key=True),
    prose("name"),
    prose("bot_user"),
    prose("bot_id"),
    member("cap", TrustLevel, default=TrustLevel.AUTONOMOUS),
    member("guard", GuardMode, default=GuardMode.ENFORCE),
)

users = Table(
    "users",
    metadata,
    Column("team", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    prose("name"),
    Column("email", Words),
    Column("zone", Words, nullable=False, server_default="UTC"),
    member("level", TrustLevel, default=TrustLevel.SUPERVISED),
    flag("is_admin"),
    flag("is_guest"),
    flag("is_bot"),
    flag("is_deleted"),
)

sessions = Table(  # who is signed in to the HTTP API with Slack
    "sessions",
    metadata,
    identifier(),
    word("team"),
    word("user"),
    Column("token_hash", Words, nullable=False, unique=True),
    Column("state_hash", Words, nullable=False, unique=True),
    prose("browser"),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Index("ix_sessions_owner", "team", "user"),
    Index("ix_sessions_expiry", "expires_at"),
)

person_keys = Table(  # under each lies what the log says of a person in private
    "person_keys",
    metadata,
    Column("team", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    Column("key", Words, nullable=False, info={"bound_to": Secret.PERSON_KEY.value}),
)

rules = Table(
    "rules",
    metadata,
    identifier(),
    word("team"),
    word("user"),
    member("decision", Decision),
    Column("tool", Words, nullable=False),
    Column("argument", Words),
    Column("value", Words),
    member("by", RuleAuthor),
    Column("deciders", Json),
    Column("created_at", Moment, nullable=False),
    Index("ix_rules_owner", "team", "user"),
)

memories = Table(
    "memories",
    metadata,
    Column("n", Number, primary_key=True, autoincrement=True),
    Column("id", Words, nullable=False, unique=True),
    word("team"),
    word("user"),
    Column("key", Words, nullable=False, unique=True),
    prose("text"),
    member("label", Label),
    Column("created_at", Moment, nullable=False),
    Column("forgotten_at", Moment),
    Index("ix_memories_owner", "team", "user"),
)

unasked = Table(  # people the agent wrote to, with nobody's yes, before its owner did, by a mark of the address
    "unasked",
    metadata,
    Column("team", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    Column("mark", Words, primary_key=True),
    Column("at", Moment, nullable=False),
)

spending = Table(  # what each person's runs used on a day (UTC), of the model and of changes outside
    "spending",
    metadata,
    Column("team", Words, primary_key=True),
    Column("day", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    count("tokens"),
    count("cost_micros"),
    count("effects"),
    Column("recipients", Json),
)
