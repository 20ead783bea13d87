"""What the doctor says of the HTTP API: on and where, or off and why."""

from __future__ import annotations

import pytest

from bot.commands.doctor.http import http_api
from bot.settings import Settings

CLIENT = {"slack_client_id": "1.2", "slack_client_secret": "secret"}
OFF_THE_MACHINE = "! HTTP API: off, because cookies would pass a network that anybody can listen to"


def said(**given: object) -> str:
    firebase = {"firebase_project_id": "fernhill-product", "firebase_service_account_file": "viewer.json"}
    return http_api(Settings.model_validate(firebase | given))


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
    client = CLIENT
    assert "signed in with Firebase (fernhill-product); " in said(**client)
    line = said(public_url="https://agent.acme.com", **client)
    assert "signed in with Slack or Firebase (fernhill-product); " in line
    assert "signed in with Slack; " in said(public_url="https://agent.acme.com", firebase_project_id=None, **client)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            {"firebase_service_account_file": None},
            "! HTTP API: off, because signing in lacks FIREBASE_SERVICE_ACCOUNT_FILE",
        ),
        ({"firebase_project_id": None, **CLIENT}, "! HTTP API: off, because signing in lacks PUBLIC_URL"),
        (
            {"firebase_project_id": None, "slack_client_id": "1.2"},
            "! HTTP API: off, because signing in lacks SLACK_CLIENT_SECRET and PUBLIC_URL",
        ),
    ],
)
def test_a_way_that_was_begun_is_not_well(given: dict[str, object], line: str) -> None:
    """Beside the problem that is told of it no line says that all is well."""
    assert said(**given) == line


def test_one_way_works_and_another_was_begun() -> None:
    """It is on for the one; the line says what the other lacks."""
    line = said(**CLIENT)
    assert line.startswith("! HTTP API: on at http://127.0.0.1:8080, for people who are signed in with Firebase (")
    assert line.endswith("; signing in lacks PUBLIC_URL")


def test_a_program_that_does_not_start_is_not_on() -> None:
    """Beside what has to be mended no line says that all is well."""
    settings = Settings.model_validate({"firebase_project_id": "fernhill-product", "google_service_account_file": "x"})
    line = http_api(settings, starts=False)
    assert line.startswith("! HTTP API: on at http://127.0.0.1:8080 once what is marked ✗ is mended, for people")


def test_slack_leads_nobody_back_to_http() -> None:
    """Then nobody is signed in with it; with Firebase people are."""
    alone = said(public_url="http://127.0.0.1:8080", firebase_project_id=None, **CLIENT)
    assert alone == "! HTTP API: nobody can sign in, because signing in lacks an https address in PUBLIC_URL"
    line = said(public_url="http://127.0.0.1:8080", **CLIENT)
    assert "signed in with Firebase (fernhill-product); " in line
    assert (line[0], line.endswith("; signing in lacks an https address in PUBLIC_URL")) == ("!", True)


def test_the_key_file_of_google_does() -> None:
    """As it does when the program starts."""
    line = said(firebase_service_account_file=None, google_service_account_file="all.json")
    assert line.startswith("✓ HTTP API: on at ")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"public_url": "https://agent.acme.com"}, "“agent.acme.com” asks; pages of no other address may use it, too"),
        (
            {"http_application": "Planner", "http_origins": "https://b.acme.com, https://a.acme.com"},
            "“Planner” asks; pages of https://a.acme.com, https://b.acme.com may use it, too",
        ),
    ],
)
def test_as_what_it_is_known_and_who_may_use_it(given: dict[str, object], told: str) -> None:
    """HTTP_APPLICATION and HTTP_ORIGINS, as they count."""
    assert f"; people read that {told}; " in said(**given)


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
