"""What a plan's card says of the repository that it was made from."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Words

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add it."""
    op.add_column("plans", sa.Column("made_from", Words, server_default="", nullable=False))
