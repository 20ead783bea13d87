"""What proves the log to others: a digest of each entry and head, and signed checkpoints."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Moment, Number, Words

revision = "0008"
down_revision = "0007"

_SQLITE = (
    "DROP TRIGGER audit_insert_only",
    """CREATE TRIGGER audit_insert_only BEFORE UPDATE ON audit
      WHEN old.seq IS NOT NULL OR new.seq IS NULL OR new.prev_hash IS NULL OR new.hash IS NULL
        OR new.seal_key_id IS NULL OR new.digest IS NULL
        OR new.id IS NOT old.id OR new.team IS NOT old.team OR new.scope IS NOT old.scope
        OR new.number IS NOT old.number OR new.code IS NOT old.code OR new.at IS NOT old.at
        OR new.body IS NOT old.body OR new.mac IS NOT old.mac OR new.key_id IS NOT old.key_id
      BEGIN SELECT RAISE(ABORT, 'an entry never changes; only the sealer fills its place in the chain, once'); END""",
)

_POSTGRESQL = (
    "DROP TRIGGER audit_insert_only ON audit",
    """CREATE TRIGGER audit_insert_only BEFORE UPDATE ON audit FOR EACH ROW
      WHEN (old.seq IS NOT NULL OR new.seq IS NULL OR new.prev_hash IS NULL OR new.hash IS NULL
        OR new.seal_key_id IS NULL OR new.digest IS NULL
        OR (new.id, new.team, new.scope, new.number, new.code, new.at, new.body, new.mac, new.key_id)
          IS DISTINCT FROM (old.id, old.team, old.scope, old.number, old.code, old.at, old.body, old.mac, old.key_id))
      EXECUTE FUNCTION audit_insert_only()""",
)


def upgrade() -> None:
    """Add the columns, which the guard of the log then knows, and the table."""
    op.add_column("audit", sa.Column("digest", Words, nullable=True))
    op.add_column("audit_heads", sa.Column("digest", Words, server_default="", nullable=False))
    op.create_table(
        "audit_checkpoints",
        sa.Column("team", Words, nullable=False),
        sa.Column("seq", Number, nullable=False),
        sa.Column("kind", Words, nullable=False),
        sa.Column("hash", Words, nullable=False),
        sa.Column("digest", Words, server_default="", nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("key", Words, nullable=False),
        sa.Column("signature", Words, nullable=False),
        sa.Column("kept_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("team", "seq", "kind", name=op.f("pk_audit_checkpoints")),
    )
    for statement in _SQLITE if op.get_bind().dialect.name == "sqlite" else _POSTGRESQL:
        op.execute(statement)
