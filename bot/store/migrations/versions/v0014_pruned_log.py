"""What lets the log be pruned: up to a signed checkpoint, and no entry further."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Words

revision = "0014"
down_revision = "0013"

_ALLOWED = """SELECT 1 FROM audit_checkpoints AS pruned JOIN audit_checkpoints AS signed
        ON signed.team = pruned.team AND signed.seq = pruned.seq AND signed.kind = 'sealed'
          AND signed.hash = pruned.hash AND signed.digest = pruned.digest
        WHERE pruned.team = old.team AND pruned.kind = 'pruned' AND pruned.seq >= old.seq"""
"""The entry lies at or before a place that retention pruned its workspace's log to, where a checkpoint was signed."""

_REFUSED = "the audit log is never deleted from, but by retention up to a signed checkpoint"

_SQLITE = (
    "DROP TRIGGER audit_no_delete",
    f"""CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
      WHEN old.seq IS NULL OR NOT EXISTS ({_ALLOWED})
      BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END""",
)

_POSTGRESQL = (
    "DROP TRIGGER audit_no_delete ON audit",
    f"""CREATE OR REPLACE FUNCTION audit_no_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'DELETE' THEN
        IF old.seq IS NOT NULL AND EXISTS ({_ALLOWED}) THEN RETURN old; END IF;
      END IF;
      RAISE EXCEPTION '{_REFUSED}' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
    """CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_no_delete()""",
    """CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit
      FOR EACH STATEMENT EXECUTE FUNCTION audit_no_delete()""",
)


def upgrade() -> None:
    """Add what is carried over of entries that go, and change the guard."""
    op.add_column("audit_checkpoints", sa.Column("carried", Words, server_default="", nullable=False))
    for statement in _SQLITE if op.get_bind().dialect.name == "sqlite" else _POSTGRESQL:
        op.execute(statement)
