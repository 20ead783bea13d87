"""A short campaign of schemathesis against the HTTP API; `make fuzz` has a long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verification.fuzz.campaign import fuzz, is_installed

SECONDS = 15


@pytest.mark.skipif(not is_installed(), reason="`make fuzz` makes the environment that schemathesis lives in")
async def test_no_request_breaks_a_route_or_is_answered_otherwise_than_documented(tmp_path: Path) -> None:
    """No 5xx, and nothing that the document does not have, on any route."""
    verdict = await fuzz(tmp_path, seconds=SECONDS, seed=19, phases="fuzzing")
    assert verdict.good, verdict.text
    assert verdict.requests > 20, verdict.text
