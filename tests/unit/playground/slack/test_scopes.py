"""Rate limits and settings."""

from __future__ import annotations

import pytest

from playground.slack.api import METHODS
from playground.slack.errors import Refused
from playground.slack.scopes import GRANTED, NEEDED, TIER, RateLimits
from playground.slack.settings import Settings


def test_window() -> None:
    """Twenty streams may start in a minute; the next is told how long to wait."""
    limits = RateLimits()
    for second in range(20):
        limits.count("chat.startStream", "", float(second))
    with pytest.raises(Refused) as caught:
        limits.count("chat.startStream", "", 20.0)
    assert caught.value.detail["retry_after"] == 40
    limits.count("chat.startStream", "", 60.0)


def test_tables_name_real_methods() -> None:
    """Every scope and tier belongs to an emulated method, and every needed scope is granted."""
    assert NEEDED.keys() | TIER.keys() <= METHODS.keys() | {"chat.postMessage"}
    assert {scope for scopes in NEEDED.values() for scope in scopes} <= GRANTED


def test_settings() -> None:
    """Settings are changed by name, and unknown names are refused."""
    assert Settings().changed({"revoked_scopes": ["chat:write"]}).revoked_scopes == ("chat:write",)
    with pytest.raises(TypeError, match="speed"):
        Settings().changed({"speed": 1})
