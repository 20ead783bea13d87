"""What runs of agents have: their definition, inputs and output, and the run whose action they do the work of."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Json, Moment, Words

revision = "0003"
down_revision = "0002"

_CHILD = sa.text("root IS NOT NULL")


def upgrade() -> None:
    """Add their columns, and the table of definitions."""
    op.create_table(
        "definitions",
        sa.Column("hash", Words, nullable=False),
        sa.Column("name", Words, nullable=False),
        sa.Column("canonical", Words, nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_definitions")),
    )
    for name in ("stop_code", "agent"):
        op.add_column("runs", sa.Column(name, Words, server_default="", nullable=False))
    for name in ("parent", "parent_action", "root", "definition"):
        op.add_column("runs", sa.Column(name, Words, nullable=True))
    for name in ("inputs", "output"):
        op.add_column("runs", sa.Column(name, Json(), nullable=True))
    op.add_column("actions", sa.Column("child", Words, nullable=True))
    op.create_index("ix_runs_root", "runs", ["root"], sqlite_where=_CHILD, postgresql_where=_CHILD)
