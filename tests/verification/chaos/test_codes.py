"""Codes of the audit are told from what else is called so."""

from __future__ import annotations

from pathlib import Path

from tests.verification.chaos.codes import named_codes

SOURCE = """
log.warning("action.stuck", id=1)
moves.note(Fact(code="action.edited"))
CODES = {True: "run.held"}
name = "manifest.yaml"
"""


def test_what_is_written_into_the_log_is_found(tmp_path: Path) -> None:
    """A logger's events and files' names are none."""
    (tmp_path / "moves.py").write_text(SOURCE)
    assert named_codes(tmp_path) == {"action.edited", "run.held"}
