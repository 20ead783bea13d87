"""The tables of what is said, and of what results showed in a thread."""

from __future__ import annotations

from sqlalchemy import Column, Index, LargeBinary, Table, UniqueConstraint, text

from bot.domain.files import FileState
from bot.domain.threads import Audience, Speaker, Surface
from bot.store.tables.base import count, flag, identifier, member, metadata, prose, word
from bot.store.tables.columns import Json, Moment, Number, Words
from policies.types import Label

threads = Table(
    "threads",
    metadata,
    identifier(),
    word("team"),
    word("channel"),
    word("root_ts"),
    flag("is_dm"),
    member("surface", Surface, default=Surface.SLACK),
    word("owner", nullable=True),
    member("label", Label, default=Label.OWNER),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("team", "channel", "root_ts"),
)

_STEERS = text("steers IS NOT NULL")
_UNTAKEN = text("steers IS NOT NULL AND taken_at IS NULL")
_SAID = text("speaker = 'person'")

messages = Table(
    "messages",
    metadata,
    Column("n", Number, primary_key=True, autoincrement=True),
    Column("id", Words, nullable=False, unique=True),
    word("thread_id"),
    word("team"),
    member("speaker", Speaker),
    word("author"),
    prose("text"),
    prose("typed"),
    Column("elements", Json, nullable=False),
    Column("channel", Words, nullable=False, server_default=""),
    Column("ts", Words, nullable=False, server_default=""),
    Column("root_ts", Words, nullable=False, server_default=""),
    member("audience", Audience),
    word("owner", nullable=True),
    word("run_id", nullable=True),
    word("steers", nullable=True),
    Column("taken_at", Moment),
    member("label", Label),
    Column("created_at", Moment, nullable=False),
    Index("ix_messages_thread", "thread_id", "n"),
    Index("ix_messages_steers", "steers", sqlite_where=_STEERS, postgresql_where=_STEERS),
    Index("ix_messages_untaken", "steers", sqlite_where=_UNTAKEN, postgresql_where=_UNTAKEN),
    Index("ix_messages_place", "team", "channel", "ts", sqlite_where=_SAID, postgresql_where=_SAID),
)

files = Table(
    "files",
    metadata,
    identifier(),
    word("message_id"),
    Column("seq", Number, nullable=False),
    Column("slack_id", Words, nullable=False),
    prose("name"),
    member("state", FileState),
    prose("mime_type"),
    count("size"),
    word("run_id", nullable=True),
    Column("content", LargeBinary),
    flag("is_own"),
    Index("ix_files_message", "message_id"),
    Index("ix_files_run", "run_id"),
)

inbox = Table(
    "inbox",
    metadata,
    Column("event_id", Words, primary_key=True),
    word("team"),
    word("channel"),
    Column("ts", Words),
    Column("at", Moment, nullable=False),
    Index("uq_inbox_place", "team", "channel", "ts", unique=True),
)

http_requests = Table(  # what was asked over HTTP under a key, so that asking again is asking once
    "http_requests",
    metadata,
    identifier(),
    word("body"),
    word("run_id", nullable=True),
    word("message_id"),
    Column("at", Moment, nullable=False),
)

objects = Table(
    "objects",
    metadata,
    Column("n", Number, primary_key=True, autoincrement=True),
    word("thread_id"),
    word("run_id"),
    word("owner"),
    word("kind"),
    Column("object_id", Words, nullable=False),
    prose("title"),
    Column("people", Json, nullable=False),
    flag("private"),
    Column("at", Moment, nullable=False),
    flag("is_own"),
    Index("ix_objects_owner", "thread_id", "owner", "n"),
    Index("ix_objects_run", "run_id"),
)
