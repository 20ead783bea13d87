"""What becomes of what the provenance guards say, by workspace."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Words

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column. The guards are enforced where nobody chose otherwise."""
    op.add_column("workspaces", sa.Column("guard", Words, server_default="enforce", nullable=False))
