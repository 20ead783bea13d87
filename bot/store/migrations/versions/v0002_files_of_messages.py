"""The files that come with messages."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Number, Words

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "files",
        sa.Column("id", Words, nullable=False),
        sa.Column("message_id", Words, nullable=False),
        sa.Column("seq", Number, nullable=False),
        sa.Column("slack_id", Words, nullable=False),
        sa.Column("name", Words, server_default="", nullable=False),
        sa.Column("state", Words, nullable=False),
        sa.Column("mime_type", Words, server_default="", nullable=False),
        sa.Column("size", Number, server_default="0", nullable=False),
        sa.Column("run_id", Words, nullable=True),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_files")),
    )
    op.create_index("ix_files_message", "files", ["message_id"], unique=False)
    op.create_index("ix_files_run", "files", ["run_id"], unique=False)
