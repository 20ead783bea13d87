"""Keys of people, under which the log keeps what is personal."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Words

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add their table."""
    op.create_table(
        "person_keys",
        sa.Column("team", Words, nullable=False),
        sa.Column("user", Words, nullable=False),
        sa.Column("key", Words, nullable=False),
        sa.PrimaryKeyConstraint("team", "user", name=op.f("pk_person_keys")),
    )
