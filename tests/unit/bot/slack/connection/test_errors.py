"""What is said to operators when Slack is not there."""

from __future__ import annotations

import pytest

from bot.slack.connection.errors import SlackBusy, SlackError, SlackUnclear, away
from bot.slack.connection.web import SlackWeb, installation, slack_client


async def test_who_cannot_be_reached_is_told_with_the_reason_and_what_to_look_at() -> None:
    """A refused connection names the host and the variable, never the method that was called."""
    async with slack_client(token="xoxb-1", base_url="http://127.0.0.1:1/api/") as client:
        with pytest.raises(SlackError) as error:
            await installation(SlackWeb(client))
    said = away(error.value)
    assert said.startswith("Slack could not be reached (Cannot connect to host 127.0.0.1:1")
    assert said.endswith("Check the network, a proxy, and SLACK_API_URL.")
    assert "auth.test" not in said


async def test_what_slack_did_say_is_passed_on() -> None:
    """A rate limit is told as one; an answer that says nothing, without a reason."""
    assert away(SlackBusy("auth.test", 3)) == "Slack is rate limiting auth.test."
    expected = "Slack could not be reached. Check the network, a proxy, and SLACK_API_URL."
    assert away(SlackUnclear("auth.test")) == expected
