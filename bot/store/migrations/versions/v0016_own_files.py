"""Whether whoever sent a message put the file there themselves, or forwarded it with somebody's words."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the column. Of files of before nobody knows it, so none is named by it."""
    op.add_column("files", sa.Column("is_own", sa.Boolean(), server_default=sa.false(), nullable=False))
