"""Conversations that are held over HTTP, and the keys under which something was asked there."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Moment, Words

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add them; every thread so far is one of Slack."""
    op.add_column("threads", sa.Column("surface", Words, server_default="slack", nullable=False))
    op.add_column("threads", sa.Column("owner", Words, nullable=True))
    op.create_table(
        "http_requests",
        sa.Column("id", Words, nullable=False),
        sa.Column("body", Words, nullable=False),
        sa.Column("run_id", Words, nullable=True),
        sa.Column("message_id", Words, nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_http_requests")),
    )
