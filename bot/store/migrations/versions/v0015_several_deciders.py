"""Who has to agree beside the requester: on rules and questions, with whose turn it is."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Json, Moment, Words

revision = "0015"
down_revision = "0014"

_READ = sa.text("reader IS NOT NULL AND state = 'open'")
_TURN = sa.text("turn_over_at IS NOT NULL AND state = 'open'")


def upgrade() -> None:
    """Add the columns and indexes. Whatever was asked before waits for its owner alone."""
    op.add_column("rules", sa.Column("deciders", Json(), nullable=True))
    op.add_column("questions", sa.Column("deciders", Json(), nullable=True))
    op.add_column("questions", sa.Column("turns", Json(), nullable=True))
    op.add_column("questions", sa.Column("reader", Words, nullable=True))
    op.add_column("questions", sa.Column("turn_over_at", Moment(), nullable=True))
    op.create_index("ix_questions_reader", "questions", ["team", "reader"], sqlite_where=_READ, postgresql_where=_READ)
    op.create_index("ix_questions_turn", "questions", ["turn_over_at"], sqlite_where=_TURN, postgresql_where=_TURN)
