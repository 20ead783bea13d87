"""Whom the agent wrote to first, with nobody's yes."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Moment, Words

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add their table. Of mails before nobody knows it: whom they reached stays known."""
    op.create_table(
        "unasked",
        sa.Column("team", Words, nullable=False),
        sa.Column("user", Words, nullable=False),
        sa.Column("mark", Words, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("team", "user", "mark", name=op.f("pk_unasked")),
    )
