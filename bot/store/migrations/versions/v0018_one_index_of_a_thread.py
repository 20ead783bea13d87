"""The live runs of a thread are found by the index of all its runs: one of their own was written with each move of a run."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Drop the index, which SQLite never chose."""
    op.drop_index("ix_runs_live", "runs")
