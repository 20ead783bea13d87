"""The configuration file as `setup` writes it."""

from __future__ import annotations

import io
import stat
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from dotenv import dotenv_values

from bot.api.oauth import redirect_uri
from bot.commands.setup.checks import trouble_with
from bot.commands.setup.file import ConfigurationFile, FileUnusable
from bot.commands.setup.links import manifest_path, slack_link

BEFORE = """# ours
OTHER=kept  # with a word

export SLACK_BOT_TOKEN=xoxb-old
GEMINI_API_KEY=
broken line
LAST='a b'"""


def test_only_answers_are_changed(tmp_path: Path) -> None:
    """Comments, unknown and broken lines stay where they are; new answers come at the end, equal ones change none."""
    path = tmp_path / ".env"
    path.write_text(BEFORE, encoding="utf-8")
    ConfigurationFile(path).write({"SLACK_BOT_TOKEN": "xoxb-new", "GEMINI_API_KEY": "k", "NEW": "1", "LAST": "a b"})
    assert path.read_text(encoding="utf-8").splitlines() == [
        "# ours",
        "OTHER=kept  # with a word",
        "",
        "SLACK_BOT_TOKEN=xoxb-new",
        "GEMINI_API_KEY=k",
        "broken line",
        "LAST='a b'",
        "NEW=1",
    ]


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    """A new file, and one that others could read, has mode 0600 afterwards; a link leads to the same file."""
    path = tmp_path / ".env"
    path.write_text("", encoding="utf-8")
    path.chmod(0o644)
    (tmp_path / "link").symlink_to(path)
    ConfigurationFile(tmp_path / "link").write({"A": "1"})
    ConfigurationFile(tmp_path / "made" / ".env").write({"A": "1"})
    assert (tmp_path / "link").is_symlink()
    for written in (path, tmp_path / "made" / ".env"):
        assert stat.S_IMODE(written.stat().st_mode) == 0o600
        assert written.read_text(encoding="utf-8") == "A=1\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".env", "link", "made"]


@pytest.mark.parametrize("value", ["a b", "a#b", "it's", 'say "x"', "back\\slash", "$HOME", "p%40ss=1", "ü"])
def test_whatever_is_answered_is_read_again(tmp_path: Path, value: str) -> None:
    """Blanks, quotes, backslashes and signs of comments come back as they went in."""
    ConfigurationFile(tmp_path / ".env").write({"A": value, "B": "2"})
    text = (tmp_path / ".env").read_text(encoding="utf-8")
    assert dotenv_values(stream=io.StringIO(text)) == {"A": value, "B": "2"}
    assert ConfigurationFile(tmp_path / ".env").values()["A"] == value


def test_what_the_file_cannot_hold_is_refused(tmp_path: Path) -> None:
    """A value that would be read as another one is not written, and the file stays as it was."""
    path = tmp_path / ".env"
    path.write_text("A=1\n", encoding="utf-8")
    with pytest.raises(FileUnusable, match="the value of A cannot be written"):
        ConfigurationFile(path).write({"A": "${HOME}x"})
    assert path.read_text(encoding="utf-8") == "A=1\n"


def test_an_empty_answer_takes_a_value_out(tmp_path: Path) -> None:
    """The variable stays without a value; one that was never there is not written."""
    path = tmp_path / ".env"
    path.write_text("A=1\n", encoding="utf-8")
    ConfigurationFile(path).write({"A": "", "B": ""})
    assert path.read_text(encoding="utf-8") == "A=\n"


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """A folder in its place is told with what to do, before any question."""
    with pytest.raises(FileUnusable, match="Nothing was written"):
        ConfigurationFile(tmp_path)


# Links -------------------------------------------------------------------------------------------------------------


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
    assert found["oauth_config"]["redirect_urls"] == ["https://agent.example.com/auth/slack/callback"]


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
