"""The manifest asks Slack for exactly what the code uses.

Two tables say, with the page of Slack's documentation, which scope each method and event needs. They are held against
the methods in the source, those that the emulator saw, the listeners that are registered, and the manifest.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from typing import Any, cast

import pytest
import yaml
from jsonschema import Draft7Validator
from slack_bolt.async_app import AsyncApp

from bot.slack.inbound.buttons import Buttons
from bot.slack.inbound.commands import COMMAND, CommandListener
from bot.slack.inbound.home import HomeListener
from bot.slack.inbound.messages import MessageListener
from bot.slack.inbound.people import PeopleListener
from bot.slack.inbound.requests.shortcuts import ShortcutListener
from bot.slack.inbound.router import Router
from bot.slack.views.command import HELP, USAGE_HINT
from tests import slack_methods

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT.parent / "shared" / "schemas" / "slack-manifest.schema.json"
SOURCES = ("bot/slack", "integrations/slack")
METHOD_PAGE = "https://docs.slack.dev/reference/methods/"
SHORTCUT_NAME = 24
"""Characters that Slack allows (docs.slack.dev/reference/app-manifest, "features.shortcuts")."""

EVENT_PAGE = "https://docs.slack.dev/reference/events/"


@dataclass(frozen=True, slots=True)
class Row:
    """What a method, event or feature needs, and where Slack says so."""

    page: str
    scopes: tuple[str, ...] = ()


def method(name: str, *scopes: str) -> tuple[str, Row]:
    return name, Row(METHOD_PAGE + name, scopes)


def event(name: str, *scopes: str) -> tuple[str, Row]:
    return name, Row(EVENT_PAGE + name, scopes)


HISTORY = ("channels:history", "groups:history", "im:history")
METHODS = dict(
    [
        method("agents.sessions.setStatus", "chat:write"),
        method("apps.connections.open"),  # an app-level token with connections:write, which is no part of a manifest
        method("assistant.threads.setStatus", "chat:write"),
        method("auth.test"),
        method("chat.appendStream", "chat:write"),
        method("chat.delete", "chat:write"),
        method("chat.getPermalink"),
        method("chat.postEphemeral", "chat:write"),
        method("chat.postMessage", "chat:write"),
        method("chat.startStream", "chat:write"),
        method("chat.stopStream", "chat:write"),
        method("chat.update", "chat:write"),
        method("conversations.history", *HISTORY),
        method("conversations.info", "channels:read", "groups:read"),
        method("conversations.list", "channels:read"),
        method("conversations.members", "channels:read", "groups:read"),
        method("conversations.open", "im:write"),
        method("conversations.replies", *HISTORY),
        method("files.completeUploadExternal", "files:write"),
        method("files.getUploadURLExternal", "files:write"),
        method("files.info", "files:read"),
        method("openid.connect.token"),  # the client's own word; `openid` is asked for when somebody signs in
        method("users.conversations", "channels:read", "groups:read"),
        method("users.info", "users:read", "users:read.email"),  # the second for profile.email
        method("users.lookupByEmail", "users:read.email"),
        method("users.list", "users:read", "users:read.email"),
        method("views.open"),
        method("views.publish"),
        method("views.update"),
    ]
)
EVENTS = dict(
    [
        event("agent_session_stopped"),
        event("app_home_opened"),
        event("app_mention", "app_mentions:read"),
        event("app_uninstalled"),
        event("message.channels", "channels:history"),
        event("message.groups", "groups:history"),
        event("message.im", "im:history"),
        event("tokens_revoked"),
        event("user_change", "users:read"),
    ]
)
FEATURES = {
    "agent_view": Row("https://docs.slack.dev/ai/agent-sessions", ("assistant:write",)),
    "shortcuts": Row("https://docs.slack.dev/interactivity/implementing-shortcuts", ("commands",)),
    "slash_commands": Row("https://docs.slack.dev/interactivity/implementing-slash-commands", ("commands",)),
}
LISTENERS: tuple[Callable[..., Any], ...] = (
    MessageListener,
    Buttons,
    CommandListener,
    HomeListener,
    PeopleListener,
    ShortcutListener,
)


class Part:
    """Stands for any part of the runtime: listeners are registered before anything of it is used."""

    def __getattr__(self, name: str) -> None:
        return None


class Recorder:
    """Stands where a Bolt app does and remembers what is registered."""

    def __init__(self) -> None:
        self.events: set[str] = set()
        self.commands: set[str] = set()
        self.shortcuts: set[tuple[str, str]] = set()

    def event(self, kind: str | Pattern[str], **_: object) -> Callable[[object], None]:
        self.events |= {kind} if isinstance(kind, str) else set()
        return lambda listener: None

    def command(self, name: str | Pattern[str], **_: object) -> Callable[[object], None]:
        self.commands |= {name} if isinstance(name, str) else set()
        return lambda listener: None

    def message_shortcut(self, callback_id: str, **_: object) -> Callable[[object], None]:
        self.shortcuts.add(("message", callback_id))
        return lambda listener: None

    def action(self, action_id: str | Pattern[str], **_: object) -> Callable[[object], None]:
        return lambda listener: None

    def view(self, callback_id: str | Pattern[str], **_: object) -> Callable[[object], None]:
        return lambda listener: None


@pytest.fixture
def manifest() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "manifest.yaml").read_text())


@pytest.fixture
def registered() -> Recorder:
    recorder = Recorder()
    for listener in LISTENERS:
        parameters = inspect.signature(listener).parameters.values()
        needed = {parameter.name: Part() for parameter in parameters if parameter.default is inspect.Parameter.empty}
        listener(**needed).register(Router(cast("AsyncApp", recorder)))
    return recorder


def methods_in_source() -> frozenset[str]:
    """Every string, and every method of slack_sdk's client, that names a Web API method."""
    known = {name.replace(".", "_"): name for name in METHODS}
    found: set[str] = set()
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                found |= set(strings(node.args))
            if isinstance(node, ast.Attribute) and node.attr in known:
                found.add(known[node.attr])
    return frozenset(found)


def trees() -> Iterable[ast.Module]:
    for source in SOURCES:
        yield from (ast.parse(path.read_text()) for path in sorted((ROOT / source).rglob("*.py")))


def strings(arguments: Iterable[ast.expr]) -> Iterable[str]:
    families = {name.partition(".")[0] for name in METHODS} | {"files", "reactions", "team", "bots", "users", "search"}
    for argument in arguments:
        value = argument.value if isinstance(argument, ast.Constant) else None
        if isinstance(value, str) and "." in value and value.isascii() and value.partition(".")[0] in families:
            yield value


def test_every_method_of_the_source_is_in_the_table() -> None:
    """The code calls the methods of the table, all of them and no other."""
    assert methods_in_source() == frozenset(METHODS)


def test_every_method_that_the_emulator_saw_is_in_the_table() -> None:
    """What the bot really called in tests is in the table."""
    assert slack_methods.seen() <= frozenset(METHODS)


def test_the_manifest_subscribes_to_what_is_listened_to(manifest: dict[str, Any], registered: Recorder) -> None:
    """Every subscribed event has a listener, and every listener its event."""
    subscribed = set(manifest["settings"]["event_subscriptions"]["bot_events"])
    assert subscribed == set(EVENTS)
    assert {name.partition(".")[0] for name in subscribed} == registered.events


def test_the_manifest_asks_for_exactly_the_scopes_needed(manifest: dict[str, Any]) -> None:
    """No scope is missing, none is asked for in vain, none is misspelt."""
    rows = [*METHODS.values(), *EVENTS.values(), *FEATURES.values()]
    scopes = manifest["oauth_config"]["scopes"]["bot"]
    assert sorted(scopes) == sorted({scope for row in rows for scope in row.scopes})
    assert scopes == sorted(scopes)


def test_the_manifest_offers_what_is_handled(manifest: dict[str, Any], registered: Recorder) -> None:
    """The one command and the one shortcut are registered, and the command's hint names what its help explains."""
    features = manifest["features"]
    command = features["slash_commands"][0]
    assert {entry["command"] for entry in features["slash_commands"]} == registered.commands == {COMMAND}
    assert command["usage_hint"] == USAGE_HINT
    for word in USAGE_HINT.strip("[]").split(" | "):
        assert word == "help" or f"`/agent {word}" in HELP
    assert set(FEATURES) <= set(features)
    assert {(entry["type"], entry["callback_id"]) for entry in features["shortcuts"]} == registered.shortcuts
    assert all(len(entry["name"]) <= SHORTCUT_NAME for entry in features["shortcuts"])
    assert "assistant_view" not in features


@pytest.mark.parametrize("row", [*METHODS.values(), *EVENTS.values(), *FEATURES.values()], ids=lambda row: row.page)
def test_every_row_cites_its_page(row: Row) -> None:
    """Whoever doubts a row finds it in Slack's documentation."""
    assert row.page.startswith("https://docs.slack.dev/")


def test_slack_accepts_the_manifest(manifest: dict[str, Any]) -> None:
    """Slack's own schema has nothing to say against it."""
    if not SCHEMA.exists():
        pytest.skip("Slack's schema is not at hand")
    validator: Any = Draft7Validator(json.loads(SCHEMA.read_text()))
    assert [error.message for error in validator.iter_errors(manifest)] == []
