"""People who are signed in to the HTTP API with Slack."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Moment, Words

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add their table."""
    op.create_table(
        "sessions",
        sa.Column("id", Words, nullable=False),
        sa.Column("team", Words, nullable=False),
        sa.Column("user", Words, nullable=False),
        sa.Column("token_hash", Words, nullable=False),
        sa.Column("state_hash", Words, nullable=False),
        sa.Column("browser", Words, server_default="", nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.Column("ended_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sessions_token_hash")),
        sa.UniqueConstraint("state_hash", name=op.f("uq_sessions_state_hash")),
    )
    op.create_index("ix_sessions_owner", "sessions", ["team", "user"])
    op.create_index("ix_sessions_expiry", "sessions", ["expires_at"])
