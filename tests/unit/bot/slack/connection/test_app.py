"""How Bolt is set up."""

from __future__ import annotations

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.connection.app import build_app
from playground import people
from tests.unit.bot.slack.cases import WORKSPACE


def test_a_start_says_nothing_about_tokens(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """The token stands in the environment, where Bolt looks for one by itself: it does not complain of that."""
    monkeypatch.setenv("SLACK_BOT_TOKEN", people.BOT_TOKEN)
    build_app(client=AsyncWebClient(token=people.BOT_TOKEN), workspace=WORKSPACE)
    assert caplog.messages == []
