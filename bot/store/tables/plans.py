"""The tables of plans: what is proposed, every revision of it, and its tasks."""

from __future__ import annotations

from sqlalchemy import Column, Table

from bot.domain.plans import TaskStatus
from bot.store.tables.base import count, member, metadata, prose, word
from bot.store.tables.columns import Moment, Number, Words

plans = Table(
    "plans",
    metadata,
    Column("run_id", Words, primary_key=True),
    prose("repository"),
    prose("made_from"),
    count("revision"),
    Column("confirmed", Number),
    word("confirmed_by", nullable=True),
    Column("confirmed_at", Moment),
    count("added"),
    prose("raw_plan"),
    Column("created_at", Moment, nullable=False),
)

plan_revisions = Table(
    "plan_revisions",
    metadata,
    Column("run_id", Words, primary_key=True),
    Column("number", Number, primary_key=True, autoincrement=False),
    word("raw_plan"),
    word("by"),
    prose("reason"),
    Column("created_at", Moment, nullable=False),
)

plan_tasks = Table(
    "plan_tasks",
    metadata,
    Column("run_id", Words, primary_key=True),
    Column("id", Words, primary_key=True),
    Column("place", Number, nullable=False),
    word("title"),
    word("goal"),
    prose("agent"),
    member("status", TaskStatus),
    prose("replaces"),
    word("child", nullable=True),
    prose("summary"),
    Column("raw_react_history", Words, nullable=False, server_default="[]"),
)
