"""Where an installer is sent to."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from bot.api.oauth import redirect_uri
from bot.commands.setup.checks import trouble_with
from bot.commands.setup.links import manifest_path, slack_link


def shown(link: str) -> dict[str, Any]:
    """The manifest that Slack's page would show."""
    assert link.startswith("https://api.slack.com/apps?new_app=1&manifest_yaml=")
    assert "+" not in link, "Slack would show a plus where a blank is meant"
    return yaml.safe_load(parse_qs(urlsplit(link).query)["manifest_yaml"][0])


def test_the_link_has_the_whole_manifest_in_it() -> None:
    """What Slack's page shows is manifest.yaml, without its comments."""
    assert shown(slack_link(public_url=None)) == yaml.safe_load(manifest_path().read_text(encoding="utf-8"))


def test_over_http_the_link_has_our_addresses_in_it() -> None:
    """Socket Mode is off, and events, clicks and the command come to the public address."""
    found = shown(slack_link(public_url="https://agent.example.com/"))
    url = "https://agent.example.com/slack/events"
    settings, features = found["settings"], found["features"]
    assert settings["socket_mode_enabled"] is False
    assert settings["event_subscriptions"]["request_url"] == url
    assert settings["interactivity"] == {"is_enabled": True, "request_url": url}
    assert [command["url"] for command in features["slash_commands"]] == [url]


def test_the_redirect_uri_is_exact() -> None:
    """A slash at the end of the address does not double."""
    assert redirect_uri("https://a.example.com/") == "https://a.example.com/oauth/google/callback"
    assert redirect_uri("https://a.example.com/b") == "https://a.example.com/b/oauth/google/callback"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://192.0.2.7", "a bare IP address"),
        ("https://[2001:db8::1]", "a bare IP address"),
        ("https://agent", "no public top-level domain"),
        ("https://agent.example.com", None),
        ("http://localhost:8080", None),
        ("http://127.0.0.1:8080", None),
    ],
)
def test_what_google_does_not_take_is_told(url: str, why: str | None) -> None:
    """Google's rules for redirect URIs, each in words; a name over https, and one's own machine, are no trouble."""
    assert (trouble_with(url) is None) if why is None else (why in (trouble_with(url) or ""))
