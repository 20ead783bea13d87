"""Emulators on real sockets, seeded anew for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contract.playground.google.client import Google, running


@pytest.fixture(scope="module")
def google_url() -> Iterator[str]:
    with running() as url:
        yield url


@pytest.fixture
def google(google_url: str) -> Iterator[Google]:
    google = Google(google_url)
    google.admin("reset", {})
    yield google
    google.close()
