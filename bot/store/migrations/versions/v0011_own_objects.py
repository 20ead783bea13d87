"""Whether a thing that was seen is its owner's own."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column. Of what was seen before nobody knows it, so nobody is named by it."""
    op.add_column("objects", sa.Column("is_own", sa.Boolean(), server_default=sa.false(), nullable=False))
