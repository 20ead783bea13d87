"""A person's message is found by where it stands in Slack, so that what its author deletes names nothing any more."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

_SAID = sa.text("speaker = 'person'")


def upgrade() -> None:
    """Add the index."""
    place = ["team", "channel", "ts"]
    op.create_index("ix_messages_place", "messages", place, sqlite_where=_SAID, postgresql_where=_SAID)
