"""The tables of requests and of what was done for them."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table, UniqueConstraint, text

from bot.domain.actions import ActionState
from bot.domain.plans import Phase
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.domain.runs import Mode, RunState
from bot.store.tables.base import count, flag, identifier, member, metadata, prose, word
from bot.store.tables.columns import Json, Moment, Number, Words
from policies.types import EffectClass, Label

_LIVE = text("state IN ('queued', 'planning', 'executing', 'awaiting_confirmation')")
_WORKABLE = text("state IN ('queued', 'planning', 'executing')")
_HELD = text("state = 'queued' AND not_before IS NOT NULL")
_CHILD = text("root IS NOT NULL")
_TIMED = text("deadline_at IS NOT NULL AND state IN ('queued', 'planning', 'executing', 'awaiting_confirmation')")

runs = Table(
    "runs",
    metadata,
    identifier(),
    word("thread_id"),
    word("team"),
    word("user"),
    Column("source_key", Words, nullable=False, unique=True),
    word("message_id"),
    member("state", RunState),
    member("mode", Mode),
    prose("model"),
    Column("transport", Words, nullable=False, server_default=""),
    prose("instruction"),
    flag("private"),
    member("label", Label),
    count("steps_taken"),
    Column("limits", Json, nullable=False),
    Column("ceiling", Json, nullable=False),
    Column("hinted", Json, nullable=False),
    count("retries"),
    count("prompt_tokens"),
    count("output_tokens"),
    count("cached_tokens"),
    count("cost_micros"),
    count("active_ms"),
    Column("active_since", Moment),
    Column("stopping", Words),
    Column("stopping_at", Moment),
    Column("hard_stop", Words),
    prose("stop_code"),
    flag("cancel_requested"),
    Column("stopped_by", Words),
    flag("request_deleted"),
    word("retry_of", nullable=True),
    word("parent", nullable=True),
    word("parent_action", nullable=True),
    word("root", nullable=True),
    prose("agent"),
    word("definition", nullable=True),
    Column("inputs", Json),
    Column("output", Json),
    member("phase", Phase, nullable=True),
    Column("deadline_at", Moment),
    Column("not_before", Moment),
    flag("late"),
    Column("attached", Json, nullable=False),
    prose("summary"),
    prose("partial"),
    prose("error"),
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
    Index("ix_runs_root", "root", sqlite_where=_CHILD, postgresql_where=_CHILD),
    Index("ix_runs_live", "thread_id", sqlite_where=_LIVE, postgresql_where=_LIVE),
    Index("ix_runs_workable", "thread_id", sqlite_where=_WORKABLE, postgresql_where=_WORKABLE),
    Index("ix_runs_deadline", "deadline_at", sqlite_where=_TIMED, postgresql_where=_TIMED),
    Index("ix_runs_held", "not_before", sqlite_where=_HELD, postgresql_where=_HELD),
)

definitions = Table(
    "definitions",
    metadata,
    Column("hash", Words, primary_key=True),
    word("name"),
    word("canonical"),
    Column("created_at", Moment, nullable=False),
)

steps = Table(
    "steps",
    metadata,
    identifier(),
    word("run_id"),
    Column("seq", Number, nullable=False),
    count("open"),
    prose("model"),
    Column("finish", Words, nullable=False, server_default=""),
    count("prompt_tokens"),
    count("output_tokens"),
    count("cached_tokens"),
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
    identifier(),
    word("run_id"),
    word("step_id"),
    word("thread_id"),
    word("team"),
    word("user"),
    Column("seq", Number, nullable=False),
    Column("call_id", Words, nullable=False),
    flag("call_id_given"),
    Column("tool", Words, nullable=False),
    member("effect", EffectClass),
    prose("caption"),
    prose("args_proposed"),
    prose("args"),
    Column("args_hash", Words, nullable=False, server_default=""),
    Column("edition", Number, nullable=False, server_default="1"),
    member("state", ActionState),
    Column("verdict", Json),
    Column("evidence", Json),
    Column("approval", Json),
    Column("preview", Json),
    Column("basis", Json),
    Column("account", Words),
    count("attempt"),
    flag("doubt"),
    Column("deadline_at", Moment),
    Column("noted", Json),
    Column("response", Json),
    prose("summary"),
    Column("link", Words),
    Column("undo", Words),
    member("label", Label, nullable=True),
    flag("private"),
    word("child", nullable=True),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    UniqueConstraint("step_id", "seq"),
    Index("ix_actions_run", "run_id"),
    Index("ix_actions_thread_state", "thread_id", "state"),
)

_OPEN = text("state = 'open'")
_READ = text("reader IS NOT NULL AND state = 'open'")
_TURN = text("turn_over_at IS NOT NULL AND state = 'open'")

questions = Table(
    "questions",
    metadata,
    Column("n", Number, primary_key=True, autoincrement=True),
    Column("id", Words, nullable=False, unique=True),
    member("kind", QuestionKind),
    word("run_id"),
    word("step_id"),
    word("action_id"),
    word("thread_id"),
    word("team"),
    word("user"),
    member("state", QuestionState),
    word("nonce"),
    Column("edition", Number, nullable=False),
    Column("hash", Words, nullable=False),
    Column("payload", Json, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("remind_at", Moment),
    Column("reminded_at", Moment),
    Column("decided_at", Moment),
    Column("decided_by", Words),
    member("decision", Choice, nullable=True),
    prose("reason"),
    Column("deciders", Json),
    Column("turns", Json),
    word("reader", nullable=True),
    Column("turn_over_at", Moment),
    Index("ix_questions_run", "run_id", "state"),
    Index("ix_questions_action", "action_id"),
    Index("ix_questions_step", "step_id"),
    Index("ix_questions_owner", "team", "user", "state"),
    Index("ix_questions_expiry", "expires_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
    Index("ix_questions_reminder", "remind_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
    Index("ix_questions_reader", "team", "reader", sqlite_where=_READ, postgresql_where=_READ),
    Index("ix_questions_turn", "turn_over_at", sqlite_where=_TURN, postgresql_where=_TURN),
)

votes = Table(
    "votes",
    metadata,
    Column("question_id", Words, primary_key=True),
    Column("user", Words, primary_key=True),
    Column("edition", Number, nullable=False),
    Column("hash", Words, nullable=False),
    member("choice", Choice),
    Column("at", Moment, nullable=False),
)
