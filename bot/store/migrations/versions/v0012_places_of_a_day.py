"""How many changes outside each person made on a day, and whom these reached."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Json, Number

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the columns. Of the days before nothing is counted."""
    op.add_column("spending", sa.Column("effects", Number, server_default="0", nullable=False))
    op.add_column("spending", sa.Column("recipients", Json))
