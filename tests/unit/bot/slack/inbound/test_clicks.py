"""A click, as it is read."""

from __future__ import annotations

from typing import Any

import pytest

from bot.slack.connection.schema import Malformed
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.commands import CommandTyped


def body(**changes: Any) -> dict[str, Any]:
    sent: dict[str, Any] = {
        "type": "block_actions",
        "team": {"id": "T1"},
        "user": {"id": "U1"},
        "container": {"channel_id": "C1", "message_ts": "2.0", "thread_ts": "1.0"},
        "actions": [{"action_id": "undo", "value": "act_1"}],
        "trigger_id": "t",
    }
    return sent | changes


def test_a_click_on_a_message() -> None:
    """Who clicked on what, and where."""
    click = SlackClick.parse(body())
    assert (click.team, click.user, click.action, click.value) == ("T1", "U1", "undo", "act_1")
    assert (click.channel, click.ts, click.recipient.thread_ts, click.trigger) == ("C1", "2.0", "1.0", "t")


def test_a_click_in_app_home_and_a_menu() -> None:
    """App Home is no channel; a menu's value is that of its option."""
    option = {"action_id": "menu", "value": None, "selected_option": {"value": "q.n.2"}}
    click = SlackClick.parse(body(container={"type": "view"}, channel=None, actions=[option]))
    assert (click.channel, click.ts, click.recipient.thread_ts, click.value) == ("", "", None, "q.n.2")


NO_CLICKS: list[dict[str, Any]] = [
    {"actions": None},
    {"actions": []},
    {"actions": {}},
    {"actions": [None]},
    {"actions": [{"value": "x"}]},
    {"actions": [{"action_id": 5}]},
    {"actions": [{"action_id": "undo", "value": {}}]},
    {"user": None},
    {"user": "U1"},
    {"user": {"id": 7}},
    {"container": {"channel_id": 7}},
    {"trigger_id": []},
]


@pytest.mark.parametrize("changes", NO_CLICKS, ids=str)
def test_no_click_is_refused(changes: dict[str, Any]) -> None:
    """What has another shape than Slack's clicks is refused, and not quoted."""
    with pytest.raises(Malformed, match=r"^This is no SlackClick\.$"):
        SlackClick.parse(body(**changes))


@pytest.mark.parametrize("sent", [{}, {"user_id": None}, {"user_id": 5}, {"user_id": "U1", "text": 5}], ids=str)
def test_no_command_is_refused(sent: dict[str, Any]) -> None:
    """So is what is no command."""
    with pytest.raises(Malformed):
        CommandTyped.parse({"team_id": "T1", **sent})
