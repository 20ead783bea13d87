"""Every table. The migrations make them; this is what the repositories speak of.

One file, longer than most: tables are read side by side.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, MetaData, Table, UniqueConstraint, false, text

from bot.domain.seals import Secret
from bot.store.columns import Json, Moment, Number, Words

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id() -> Column[str]:
    return Column("id", Words, primary_key=True)


def _text(name: str) -> Column[str]:
    return Column(name, Words, nullable=False, server_default="")


def _word(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, Words, nullable=nullable)


def _count(name: str) -> Column[int]:
    return Column(name, Number, nullable=False, server_default="0")


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False, server_default=false())


workspaces = Table(
    "workspaces",
    metadata,
    Column("team", Words, primary_key=True),
    _text("name"),
    _text("bot_user"),
    _text("bot_id"),
    Column("cap", Words, nullable=False, server_default="autonomous"),
)

users = Table(
    "users",
    metadata,
    Column("team", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    _text("name"),
    Column("email", Words),
    Column("zone", Words, nullable=False, server_default="UTC"),
    Column("level", Words, nullable=False, server_default="supervised"),
    _flag("is_admin"),
    _flag("is_guest"),
    _flag("is_bot"),
    _flag("is_deleted"),
)

threads = Table(
    "threads",
    metadata,
    _id(),
    _word("team"),
    _word("channel"),
    _word("root_ts"),
    _flag("is_dm"),
    Column("label", Words, nullable=False, server_default="owner"),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("team", "channel", "root_ts"),
)

_STEERS = text("steers IS NOT NULL")
_UNTAKEN = text("steers IS NOT NULL AND taken_at IS NULL")

messages = Table(
    "messages",
    metadata,
    Column("n", Number, primary_key=True, autoincrement=True),
    Column("id", Words, nullable=False, unique=True),
    _word("thread_id"),
    _word("team"),
    _word("speaker"),
    _word("author"),
    _text("text"),
    _text("typed"),
    Column("elements", Json, nullable=False),
    Column("channel", Words, nullable=False, server_default=""),
    Column("ts", Words, nullable=False, server_default=""),
    Column("root_ts", Words, nullable=False, server_default=""),
    _word("audience"),
    _word("owner", nullable=True),
    _word("run_id", nullable=True),
    _word("steers", nullable=True),
    Column("taken_at", Moment),
    _word("label"),
    Column("created_at", Moment, nullable=False),
    Index("ix_messages_thread", "thread_id", "n"),
    Index("ix_messages_steers", "steers", sqlite_where=_STEERS, postgresql_where=_STEERS),
    Index("ix_messages_untaken", "steers", sqlite_where=_UNTAKEN, postgresql_where=_UNTAKEN),
)

inbox = Table(
    "inbox",
    metadata,
    Column("event_id", Words, primary_key=True),
    _word("team"),
    _word("channel"),
    Column("ts", Words),
    Column("at", Moment, nullable=False),
    Index("uq_inbox_place", "team", "channel", "ts", unique=True),
)

_WORKABLE = text("state IN ('queued', 'planning', 'executing')")
_HELD = text("state = 'queued' AND not_before IS NOT NULL")
_LIVE = text("state IN ('queued', 'planning', 'executing', 'awaiting_confirmation')")

runs = Table(
    "runs",
    metadata,
    _id(),
    _word("thread_id"),
    _word("team"),
    _word("user"),
    Column("source_key", Words, nullable=False, unique=True),
    _word("message_id"),
    Column("state", Words, nullable=False),
    Column("mode", Words, nullable=False),
    _text("model"),
    Column("transport", Words, nullable=False, server_default=""),
    _text("instruction"),
    _flag("private"),
    Column("label", Words, nullable=False),
    _count("steps_taken"),
    Column("limits", Json, nullable=False),
    Column("ceiling", Json, nullable=False),
    Column("hinted", Json, nullable=False),
    _count("retries"),
    _count("prompt_tokens"),
    _count("output_tokens"),
    _count("cached_tokens"),
    _count("cost_micros"),
    _count("active_ms"),
    Column("active_since", Moment),
    Column("stopping", Words),
    Column("stopping_at", Moment),
    Column("hard_stop", Words),
    _flag("cancel_requested"),
    Column("stopped_by", Words),
    _flag("request_deleted"),
    _word("retry_of", nullable=True),
    Column("not_before", Moment),
    _flag("late"),
    Column("attached", Json, nullable=False),
    _text("summary"),
    _text("partial"),
    _text("error"),
    Column("order_key", Words, nullable=False, server_default=""),
    Column("created_at", Moment, nullable=False),
    Column("woken_at", Moment),
    Column("started_at", Moment),
    Column("completed_at", Moment),
    Column("duration_ms", Number),
    Index("ix_runs_thread", "thread_id", "order_key"),
    Index("ix_runs_owner", "team", "user", "created_at"),
    Index("ix_runs_message", "message_id"),
    Index("ix_runs_completed", "completed_at"),
    Index("ix_runs_live", "thread_id", sqlite_where=_LIVE, postgresql_where=_LIVE),
    Index("ix_runs_workable", "thread_id", sqlite_where=_WORKABLE, postgresql_where=_WORKABLE),
    Index("ix_runs_held", "not_before", sqlite_where=_HELD, postgresql_where=_HELD),
)

steps = Table(
    "steps",
    metadata,
    _id(),
    _word("run_id"),
    Column("seq", Number, nullable=False),
    _count("open"),
    _text("model"),
    Column("finish", Words, nullable=False, server_default=""),
    _count("prompt_tokens"),
    _count("output_tokens"),
    _count("cached_tokens"),
    Column("started_at", Moment, nullable=False),
    Column("ended_at", Moment, nullable=False),
    Column("closed_at", Moment),
    UniqueConstraint("run_id", "seq"),
)

contents = Table(
    "contents",
    metadata,
    Column("run_id", Words, primary_key=True),
    Column("seq", Number, primary_key=True),
    Column("wire", Words, nullable=False),
    Column("transport", Words, nullable=False, server_default=""),
    Column("model", Words, nullable=False, server_default=""),
)

actions = Table(
    "actions",
    metadata,
    _id(),
    _word("run_id"),
    _word("step_id"),
    _word("thread_id"),
    _word("team"),
    _word("user"),
    Column("seq", Number, nullable=False),
    Column("call_id", Words, nullable=False),
    _flag("call_id_given"),
    Column("tool", Words, nullable=False),
    _word("effect"),
    _text("caption"),
    _text("args_proposed"),
    _text("args"),
    Column("args_hash", Words, nullable=False, server_default=""),
    Column("edition", Number, nullable=False, server_default="1"),
    Column("state", Words, nullable=False),
    Column("verdict", Json),
    Column("evidence", Json),
    Column("approval", Json),
    Column("preview", Json),
    Column("basis", Json),
    Column("account", Words),
    _count("attempt"),
    _flag("doubt"),
    Column("deadline_at", Moment),
    Column("noted", Json),
    Column("response", Json),
    _text("summary"),
    Column("link", Words),
    Column("undo", Words),
    Column("label", Words),
    _flag("private"),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    UniqueConstraint("step_id", "seq"),
    Index("ix_actions_run", "run_id"),
    Index("ix_actions_thread_state", "thread_id", "state"),
)

_OPEN = text("state = 'open'")

questions = Table(
    "questions",
    metadata,
    Column("n", Number, primary_key=True, autoincrement=True),
    Column("id", Words, nullable=False, unique=True),
    _word("kind"),
    _word("run_id"),
    _word("step_id"),
    _word("action_id"),
    _word("thread_id"),
    _word("team"),
    _word("user"),
    _word("state"),
    _word("nonce"),
    Column("edition", Number, nullable=False),
    Column("hash", Words, nullable=False),
    Column("payload", Json, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("remind_at", Moment),
    Column("reminded_at", Moment),
    Column("decided_at", Moment),
    Column("decided_by", Words),
    Column("decision", Words),
    _text("reason"),
    Index("ix_questions_run", "run_id", "state"),
    Index("ix_questions_action", "action_id"),
    Index("ix_questions_step", "step_id"),
    Index("ix_questions_owner", "team", "user", "state"),
    Index("ix_questions_expiry", "expires_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
    Index("ix_questions_reminder", "remind_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
)

votes = Table(
    "votes",
    metadata,
    Column("question_id", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    Column("edition", Number, nullable=False),
    Column("hash", Words, nullable=False),
    Column("choice", Words, nullable=False),
    Column("at", Moment, nullable=False),
)

objects = Table(
    "objects",
    metadata,
    Column("n", Number, primary_key=True, autoincrement=True),
    _word("thread_id"),
    _word("run_id"),
    _word("owner"),
    _word("kind"),
    Column("object_id", Words, nullable=False),
    _text("title"),
    Column("people", Json, nullable=False),
    _flag("private"),
    Column("at", Moment, nullable=False),
    Index("ix_objects_owner", "thread_id", "owner", "n"),
    Index("ix_objects_run", "run_id"),
)

connections = Table(
    "connections",
    metadata,
    Column("team", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    Column("provider", Words, primary_key=True),
    Column("account", Words, nullable=False),
    _text("email"),
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
    _id(),
    _word("team"),
    _word("user"),
    _word("provider"),
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
    _id(),
    _word("team"),
    _word("user"),
    _word("provider"),
    Column("account", Words, nullable=False),
    Column("secret", Words, nullable=False, info={"bound_to": Secret.REVOCATION.value}),
    Column("attempts", Number, nullable=False, server_default="0"),
    Column("not_before", Moment, nullable=False),
    Column("created_at", Moment, nullable=False),
    Index("ix_revocations_due", "not_before"),
)

rules = Table(
    "rules",
    metadata,
    _id(),
    _word("team"),
    _word("user"),
    _word("decision"),
    Column("tool", Words, nullable=False),
    Column("argument", Words),
    Column("value", Words),
    _word("by"),
    Column("created_at", Moment, nullable=False),
    Index("ix_rules_owner", "team", "user"),
)

memories = Table(
    "memories",
    metadata,
    Column("n", Number, primary_key=True, autoincrement=True),
    Column("id", Words, nullable=False, unique=True),
    _word("team"),
    _word("user"),
    Column("key", Words, nullable=False, unique=True),
    _text("text"),
    _word("label"),
    Column("created_at", Moment, nullable=False),
    Column("forgotten_at", Moment),
    Index("ix_memories_owner", "team", "user"),
)

_PENDING = text("state = 'pending'")

outbox = Table(
    "outbox",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=True),
    _word("lane"),
    _word("kind"),
    Column("subject", Words, nullable=False),
    _word("team"),
    _word("state"),
    _count("attempts"),
    Column("not_before", Moment),
    _text("error"),
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
    _word("channel"),
    Column("ts", Words, nullable=False),
    _flag("streaming"),
    Index("ix_posts_place", "channel", "ts"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=True),
    _word("team"),
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
)

leases = Table(
    "leases",
    metadata,
    Column("name", Words, primary_key=True),
    Column("holder", Words),
    Column("epoch", Number, nullable=False),
    Column("expires_at", Moment, nullable=False),
)

_ACTIVE = text("state = 'active'")

schedules = Table(
    "schedules",
    metadata,
    _id(),
    _word("team"),
    _word("user"),
    _word("channel"),
    _word("kind"),
    _text("title"),
    Column("spec", Json, nullable=False),
    _word("zone"),
    Column("payload", Json, nullable=False),
    _word("look"),
    _word("state"),
    Column("next_fire", Moment),
    Column("last_fired", Moment),
    Column("created_at", Moment, nullable=False),
    Index("ix_schedules_owner", "team", "user"),
    Index("ix_schedules_due", "look", "next_fire", sqlite_where=_ACTIVE, postgresql_where=_ACTIVE),
)

spending = Table(  # what each person's runs used of the model on a day (UTC); a workspace's is the sum of its people's
    "spending",
    metadata,
    Column("team", Words, primary_key=True),
    Column("day", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    _count("tokens"),
    _count("cost_micros"),
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
