"""What is told of advisories: what is known, or plainly that it was not checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.verification.supply.__main__ import verdict

WELL: dict[str, Any] = {"name": "click", "version": "8.3.0", "vulns": []}
WEAK: dict[str, Any] = {
    "name": "jinja2",
    "version": "2.4.1",
    "vulns": [{"id": "PYSEC-2014-8", "fix_versions": ["2.7.2"]}],
}
SKIPPED: dict[str, Any] = {"name": "idna", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("libraries", "status", "told"),
    [
        ([WELL], 0, "Nothing is known against the 1 libraries"),
        ([WELL, WEAK], 1, "jinja2 2.4.1: PYSEC-2014-8, mended in 2.7.2"),
        ([WELL, SKIPPED], 2, "1 of 2 libraries were not checked: Dependency not found on PyPI"),
        ([WEAK, SKIPPED], 2, "jinja2 2.4.1: PYSEC-2014-8, mended in 2.7.2"),
    ],
)
def test_what_is_known(libraries: list[dict[str, Any]], status: int, told: str) -> None:
    """A library of which the index says nothing is not called safe."""
    found, lines = verdict(json.dumps({"dependencies": libraries, "fixes": []}), "")
    assert (found, lines[0].startswith(told)) == (status, True)


@pytest.mark.parametrize("said", ["", "Traceback", "{}"])
def test_without_a_network_nothing_is_called_safe(said: str) -> None:
    """Status 2, why, and the cure."""
    status, lines = verdict(said, "a warning\nProxyError: refused\n")
    assert status == 2
    assert lines[0] == "Nothing was checked, because the advisories could not be had: ProxyError: refused"
    assert "HTTPS_PROXY" in lines[1]
