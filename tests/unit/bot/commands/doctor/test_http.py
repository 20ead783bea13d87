"""What the doctor says of the HTTP API: on and where, or off and why."""

from __future__ import annotations

import pytest

from bot.commands.doctor.http import http_api
from bot.settings import Settings

OFF_THE_MACHINE = "! HTTP API: off, because cookies would pass a network that anybody can listen to"


def said(**given: object) -> str:
    return http_api(Settings.model_validate({"firebase_project_id": "fernhill-product", **given}))


def test_nobody_can_sign_in() -> None:
    """Without a way of signing in it is off, and that is no fault: the line leads to the page."""
    assert said(firebase_project_id=None) == (
        "✓ HTTP API: off, because there is no way of signing in; to have one: docs/http-api.md"
    )


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ({"public_url": "https://agent.acme.com", "http_host": "0.0.0.0"}, "https://agent.acme.com"),
        ({"http_host": "::1", "http_port": 8090}, "http://[::1]:8090"),
        ({}, "http://127.0.0.1:8080"),
    ],
)
def test_where_it_is(given: dict[str, object], address: str) -> None:
    """It is on behind https, and on this machine; the line has the address and how people sign in."""
    on = f"✓ HTTP API: on at {address}, for people who are signed in with Firebase (fernhill-product)"
    assert said(**given).startswith(f"{on}; ")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7"])
def test_others_could_listen(host: str) -> None:
    """Where it listens beyond this machine without https it is off, and the line says what to set."""
    line = said(http_host=host)
    assert line.startswith(OFF_THE_MACHINE)
    assert "PUBLIC_URL" in line
    assert "HTTP_HOST" in line


@pytest.mark.parametrize(
    ("given", "mark"),
    [
        ({"http_host": "0.0.0.0", "public_url": "http://127.0.0.1:8080"}, "!"),
        ({"http_host": "::", "public_url": "http://localhost:8080"}, "!"),
        ({"http_host": "0.0.0.0", "public_url": "https://agent.acme.com"}, "✓"),
        ({"http_host": "127.0.0.1", "public_url": "http://127.0.0.1:8080"}, "✓"),
        ({"http_host": "::1", "public_url": "http://127.0.0.1:8080"}, "✓"),
    ],
)
def test_other_machines_could_reach_it_unencrypted(given: dict[str, object], mark: str) -> None:
    """It is on, because a container listens like this whose port is published on one machine alone; the line warns."""
    line = said(**given)
    assert line.startswith(f"{mark} HTTP API: on at {given['public_url']}, ")
    assert ("--publish 127.0.0.1:8080:8080" in line) == (mark == "!")


def test_both_ways_are_named() -> None:
    """Slack counts where all that it needs is set."""
    client = {"slack_client_id": "1.2", "slack_client_secret": "secret"}
    assert "signed in with Firebase (fernhill-product); " in said(**client)
    line = said(public_url="https://agent.acme.com", **client)
    assert "signed in with Slack or Firebase (fernhill-product); " in line
    assert "signed in with Slack; " in said(public_url="https://agent.acme.com", firebase_project_id=None, **client)


@pytest.mark.parametrize(
    ("given", "believed"),
    [
        ({}, "nobody"),
        ({"public_url": "https://agent.acme.com"}, "127.0.0.0/8, ::1/128"),
        (
            {"public_url": "https://agent.acme.com", "trusted_proxies": "10.0.0.5, 10.1.0.0/16"},
            "10.0.0.5/32, 10.1.0.0/16",
        ),
    ],
)
def test_who_says_where_requests_come_from(given: dict[str, object], believed: str) -> None:
    """The line names those whose X-Forwarded-For counts."""
    assert said(**given).endswith(f"; X-Forwarded-For is believed from {believed}")
