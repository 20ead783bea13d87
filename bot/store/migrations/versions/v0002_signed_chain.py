"""The log's links and heads are signed; who stopped a run is known; what was forgotten is gone.

Entries that an earlier version chained without a key are chained anew by the sealer, in the same order.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_INSERT_ONLY = """CREATE TRIGGER audit_insert_only BEFORE UPDATE ON audit
      WHEN old.seq IS NOT NULL OR new.seq IS NULL OR new.prev_hash IS NULL OR new.hash IS NULL
        OR new.seal_key_id IS NULL
        OR new.id IS NOT old.id OR new.team IS NOT old.team OR new.scope IS NOT old.scope
        OR new.number IS NOT old.number OR new.code IS NOT old.code OR new.at IS NOT old.at
        OR new.body IS NOT old.body OR new.mac IS NOT old.mac OR new.key_id IS NOT old.key_id
      BEGIN SELECT RAISE(ABORT, 'an entry never changes; only the sealer fills its place in the chain, once'); END"""


def upgrade() -> None:
    """Sign the chain, name who stopped a run, erase what was forgotten."""
    op.execute("DROP TRIGGER audit_insert_only")
    op.add_column("audit", sa.Column("seal_key_id", sa.String(length=32), nullable=True))
    op.execute("UPDATE audit SET seq = NULL, prev_hash = NULL, hash = NULL")
    op.execute(_INSERT_ONLY)
    op.create_table(
        "audit_heads",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=False),
        sa.Column("mac", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("team", name=op.f("pk_audit_heads")),
    )
    op.add_column("runs", sa.Column("stopped_by", sa.String(length=64), nullable=True))
    op.execute("UPDATE memories SET text = '' WHERE forgotten_at IS NOT NULL")
    op.execute("UPDATE actions SET evidence = json_remove(evidence, '$.facts') WHERE evidence IS NOT NULL")
