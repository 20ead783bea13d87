"""Plans: what a run proposes and carries out, and what its run and those of its tasks do next."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Moment, Number, Words

revision = "0004"
down_revision = "0003"

_TIMED = sa.text("deadline_at IS NOT NULL AND state IN ('queued', 'planning', 'executing', 'awaiting_confirmation')")


def upgrade() -> None:
    """Add their tables, and the phase and the deadline of a run."""
    op.create_table(
        "plans",
        sa.Column("run_id", Words, nullable=False),
        sa.Column("repository", Words, server_default="", nullable=False),
        sa.Column("revision", Number, server_default="0", nullable=False),
        sa.Column("confirmed", Number, nullable=True),
        sa.Column("confirmed_by", Words, nullable=True),
        sa.Column("confirmed_at", Moment(), nullable=True),
        sa.Column("added", Number, server_default="0", nullable=False),
        sa.Column("raw_plan", Words, server_default="", nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_plans")),
    )
    op.create_table(
        "plan_revisions",
        sa.Column("run_id", Words, nullable=False),
        sa.Column("number", Number, autoincrement=False, nullable=False),
        sa.Column("raw_plan", Words, nullable=False),
        sa.Column("by", Words, nullable=False),
        sa.Column("reason", Words, server_default="", nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "number", name=op.f("pk_plan_revisions")),
    )
    op.create_table(
        "plan_tasks",
        sa.Column("run_id", Words, nullable=False),
        sa.Column("id", Words, nullable=False),
        sa.Column("place", Number, nullable=False),
        sa.Column("title", Words, nullable=False),
        sa.Column("goal", Words, nullable=False),
        sa.Column("agent", Words, server_default="", nullable=False),
        sa.Column("status", Words, nullable=False),
        sa.Column("replaces", Words, server_default="", nullable=False),
        sa.Column("child", Words, nullable=True),
        sa.Column("summary", Words, server_default="", nullable=False),
        sa.Column("raw_react_history", Words, server_default="[]", nullable=False),
        sa.PrimaryKeyConstraint("run_id", "id", name=op.f("pk_plan_tasks")),
    )
    op.add_column("runs", sa.Column("phase", Words, nullable=True))
    op.add_column("runs", sa.Column("deadline_at", Moment(), nullable=True))
    op.create_index("ix_runs_deadline", "runs", ["deadline_at"], sqlite_where=_TIMED, postgresql_where=_TIMED)
